// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's own file dialogues, where the desktop has none.
#include "app/parts/file_dialogs.h"
#include "tests/support/runner.h"
#include "widgets/look/file_icons.h"
#include "widgets/look/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QScreen>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>

namespace headroom::testing::file_dialogs_test {

using namespace headroom::app;

class FileDialogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        widgets::Theme::apply(QStringLiteral("light"));
        QFile(m_folder.filePath(QStringLiteral("sound.wav"))).open(QIODevice::WriteOnly);
    }

    void recordingsAreFilteredInWordsAndTheDialogueFitsTheScreen() {
        int looked = 0;
        during([this] { FileDialogs().openAudio(nullptr, m_folder.path()); },
               [&](const QFileDialog& dialog) {
                   ++looked;
                   const QStringList filters = dialog.nameFilters();
                   QVERIFY2(filters.first().contains(QStringLiteral("*.wav")), qPrintable(filters.first()));
                   QVERIFY(filters.first().contains(QStringLiteral("*.TextGrid")));
                   QCOMPARE(filters.last(), QStringLiteral("All files (*)"));
                   // Forty patterns are not read out in the list.
                   const auto* types = dialog.findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
                   QVERIFY(types);
                   QCOMPARE(types->itemText(0).trimmed(), QStringLiteral("Audio and alignments"));
                   QVERIFY(dialog.width() <= dialog.screen()->availableSize().width());
                   QVERIFY(dialog.iconProvider());
                   QVERIFY(dynamic_cast<const widgets::FileIcons*>(dialog.iconProvider()));
               });
        QCOMPARE(looked, 1);
    }

    void savingOffersItsKindsAndTheSuggestedName() {
        int looked = 0;
        during([this] {
            FileDialogs().save(nullptr, QStringLiteral("Export"), m_folder.filePath(QStringLiteral("map.pdf")),
                               {QStringLiteral("PDF (*.pdf)"), QStringLiteral("SVG (*.svg)")});
        },
               [&](const QFileDialog& dialog) {
                   ++looked;
                   QCOMPARE(dialog.nameFilters(), (QStringList{"PDF (*.pdf)", "SVG (*.svg)"}));
                   QCOMPARE(QFileInfo(dialog.selectedFiles().value(0)).fileName(), QStringLiteral("map.pdf"));
                   QVERIFY(dynamic_cast<const widgets::FileIcons*>(dialog.iconProvider()));
               });
        QCOMPARE(looked, 1);
    }

    /// A table of one map was named after the two that the other kind of file holds.
    void theSuggestedNameFollowsTheKindOfFile() {
        int looked = 0;
        during([this] {
            FileDialogs().save(nullptr, QStringLiteral("Export"), m_folder.filePath(QStringLiteral("a-compared-b.npz")),
                               {QStringLiteral("Both (*.npz)"), QStringLiteral("One (*.csv)")},
                               {QStringLiteral("a-compared-b.npz"), QStringLiteral("b.csv")});
        },
               [&](const QFileDialog& dialog) {
                   ++looked;
                   auto* types = dialog.findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
                   auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
                   QVERIFY(types && name);
                   const auto choose = [types](int kind) {
                       types->setCurrentIndex(kind);
                       Q_EMIT types->activated(kind);
                       Q_EMIT types->textActivated(types->itemText(kind));
                   };
                   choose(1);
                   QCOMPARE(name->text(), QStringLiteral("b.csv"));
                   choose(0);
                   QCOMPARE(name->text(), QStringLiteral("a-compared-b.npz"));
                   name->setText(QStringLiteral("mine.npz"));
                   choose(1);
                   QCOMPARE(name->text(), QStringLiteral("mine.csv"));
               });
        QCOMPARE(looked, 1);
    }

    /// A session is a folder, and Qt's button said "Open".
    void theButtonSavesASessionThatIsThere() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("s2.headroom")));
        int looked = 0;
        during([&] {
            FileDialogs().save(nullptr, QStringLiteral("Save"), folder.filePath(QStringLiteral("s2.headroom")),
                               {QStringLiteral("Headroom session (*.headroom)")});
        },
               [&](const QFileDialog& dialog) {
                   ++looked;
                   QCoreApplication::processEvents();
                   QStringList buttons;
                   for (const auto* button : dialog.findChild<QDialogButtonBox*>()->findChildren<QAbstractButton*>())
                       buttons << button->text().remove(QLatin1Char('&'));
                   QVERIFY2(buttons.contains(QStringLiteral("Save")), qPrintable(buttons.join(QLatin1Char(' '))));
               });
        QCOMPARE(looked, 1);
    }

    /// The ending was added after the question, so that another file was asked about than the one that was written.
    void theFileThatIsAskedAboutIsTheOneThatIsWritten_data() {
        QTest::addColumn<QStringList>("filters");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("replaced");
        QTest::addColumn<bool>("asked");
        QTest::addColumn<QString>("written");
        const QStringList figures{QStringLiteral("PDF (*.pdf)"), QStringLiteral("SVG (*.svg)")};
        const QStringList session{QStringLiteral("Headroom session (*.headroom)")};
        const auto row = [](const char* name) -> QTestData& { return QTest::newRow(name); };
        row("a new name") << figures << QStringLiteral("new") << false << false << QStringLiteral("new.pdf");
        row("without its ending") << figures << QStringLiteral("fig") << true << true << QStringLiteral("fig.pdf");
        row("with its ending") << figures << QStringLiteral("fig.pdf") << true << true << QStringLiteral("fig.pdf");
        row("refused") << figures << QStringLiteral("fig") << false << true << QString();
        row("another file without an ending") << session << QStringLiteral("afile") << false << false << QStringLiteral("afile.headroom");
        row("a session") << session << QStringLiteral("s2") << true << true << QStringLiteral("s2.headroom");
        row("a session by its whole name") << session << QStringLiteral("s2.headroom") << true << true << QStringLiteral("s2.headroom");
        row("a session, refused") << session << QStringLiteral("s2.headroom") << false << true << QString();
        const QStringList table{QStringLiteral("Table, CSV (*.csv)")};
        row("another kind, of several") << figures << QStringLiteral("win.tex") << false << true << QString();
        row("another kind, of one") << table << QStringLiteral("stat.png") << false << true << QString();
        row("a table with a dot") << table << QStringLiteral("take 1.5") << false << false << QStringLiteral("take 1.5.csv");
        row("a figure with a dot") << figures << QStringLiteral("take 1.5") << false << false << QStringLiteral("take 1.5.pdf");
        row("a session like a picture") << session << QStringLiteral("s.png") << false << false << QStringLiteral("s.png.headroom");
        row("a name with a dot") << session << QStringLiteral("take 1.5") << false << false << QStringLiteral("take 1.5.headroom");
    }
    void theFileThatIsAskedAboutIsTheOneThatIsWritten() {
        QFETCH(QStringList, filters);
        QFETCH(QString, typed);
        QFETCH(bool, replaced);
        QFETCH(bool, asked);
        QFETCH(QString, written);
        QTemporaryDir folder;
        for (const char* name : {"fig.pdf", "afile"})
            QFile(folder.filePath(QString::fromLatin1(name))).open(QIODevice::WriteOnly);
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("s2.headroom")));
        int questions = 0;
        bool wasTyped = false;
        QTimer answering;
        answering.setInterval(10);
        connect(&answering, &QTimer::timeout, this, [&] {
            QWidget* modal = QApplication::activeModalWidget();
            if (auto* box = qobject_cast<QMessageBox*>(modal)) {
                ++questions;
                for (QAbstractButton* button : box->buttons())
                    if (box->buttons().size() == 1 || (button->text() == QStringLiteral("Replace")) == replaced)
                        return button->click();
            } else if (auto* dialog = qobject_cast<QFileDialog*>(modal)) {
                if (wasTyped)
                    return dialog->reject(); // asked again after the question
                wasTyped = true;
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(typed);
                static_cast<QDialog*>(dialog)->accept();
            }
        });
        answering.start();
        const QString file = FileDialogs().save(nullptr, QStringLiteral("Save"), folder.filePath(QStringLiteral("suggested")), filters);
        QCOMPARE(file, written.isEmpty() ? QString() : folder.filePath(written));
        QCOMPARE(questions, asked ? 1 : 0);
    }

    /// A double click went into the folder of the session, where nothing can be saved.
    void aSessionThatIsChosenIsSavedTo() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("s2.headroom")));
        QString name, directory;
        during([&] {
            FileDialogs().save(nullptr, QStringLiteral("Save"), folder.filePath(QStringLiteral("suggested")),
                               {QStringLiteral("Headroom session (*.headroom)")});
        },
               [&](QFileDialog& dialog) {
                   dialog.setDirectory(folder.filePath(QStringLiteral("s2.headroom"))); // as a double click does
                   Q_EMIT dialog.directoryEntered(folder.filePath(QStringLiteral("s2.headroom")));
                   name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
                   directory = dialog.directory().absolutePath();
               });
        QCOMPARE(name, QStringLiteral("s2.headroom"));
        QCOMPARE(directory, folder.path());
    }

    /// Each folder of this path is the first in its own. While the path was typed, Qt 6.4 kept the last one chosen beside the
    /// file: Enter went there, cleared the field and opened nothing.
    void aTypedPathIsOpened_data() {
        QTest::addColumn<QString>("which");
        for (const char* which : {"file", "audio", "folder", "of another folder", "name", "several"})
            QTest::newRow(which) << QString::fromLatin1(which);
    }
    void aTypedPathIsOpened() {
        QFETCH(QString, which);
        QTemporaryDir folder;
        const QDir root(folder.path());
        QVERIFY(root.mkpath(QStringLiteral("a/j/inner/deep")) && root.mkpath(QStringLiteral("other")));
        for (const char* name : {"a/j/1.json", "a/j/2.json", "a/j/2.wav", "a/j/3.mp4", "other/3.json"})
            QFile(root.filePath(QString::fromLatin1(name))).open(QIODevice::WriteOnly);
        const QString shown = root.filePath(QStringLiteral("a/j")),
                      wanted = which == QStringLiteral("audio")               ? root.filePath(QStringLiteral("a/j/2.wav"))
                               : which == QStringLiteral("folder")            ? root.filePath(QStringLiteral("a/j/inner"))
                               : which == QStringLiteral("of another folder") ? root.filePath(QStringLiteral("other/3.json"))
                                                                              : root.filePath(QStringLiteral("a/j/2.json"));
        const bool several = which == QStringLiteral("several"); // of which the list does not show one
        const QString typed = which == QStringLiteral("name") ? QStringLiteral("2.json") : several ? QStringLiteral("\"3.mp4\" \"2.wav\"") : wanted;
        int turns = 0;
        bool wasTyped = false;
        QTimer typing;
        typing.setInterval(20);
        connect(&typing, &QTimer::timeout, this, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
                if (!wasTyped && ++turns > 10) { // the folder has been read
                    wasTyped = true;
                    QApplication::setActiveWindow(dialog);
                    name->setFocus();
                    name->clear();
                    for (const QChar letter : typed) {
                        QTest::keyClicks(name, QString(letter));
                        QTest::qWait(5);
                    }
                    QTest::qWait(100);
                    QWidget* popup = QApplication::activePopupWidget(); // the suggestions take the key, as they would of a person
                    QTest::keyClick(popup ? popup : name, Qt::Key_Return);
                    turns = 0;
                } else if (wasTyped && ++turns > 50) {
                    dialog->reject();
                }
            }
        });
        typing.start();
        FileDialogs dialogs;
        const QString title = QStringLiteral("Open");
        if (several) {
            QStringList both = dialogs.openAudio(nullptr, shown);
            both.sort();
            QCOMPARE(both, (QStringList{root.filePath(QStringLiteral("a/j/2.wav")), root.filePath(QStringLiteral("a/j/3.mp4"))}));
            return;
        }
        const QString opened = which == QStringLiteral("audio")    ? dialogs.openAudio(nullptr, shown).value(0)
                               : which == QStringLiteral("folder") ? dialogs.openFolder(nullptr, title, shown)
                                                                   : dialogs.openFile(nullptr, title, shown, QStringLiteral("Architectures (*.json)"));
        QCOMPARE(opened, wanted);
    }

    /// Of a session without a last save, “changes since the last save” are all of it.
    void whatIsLostWithASessionThatWasNeverSavedIsSaid() {
        const auto said = [this](bool wasSaved) {
            QString text;
            QTimer looking;
            looking.setInterval(10);
            connect(&looking, &QTimer::timeout, this, [&] {
                if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                    looking.stop();
                    text = box->text() + QLatin1Char('|') + box->informativeText();
                    box->reject();
                }
            });
            looking.start();
            FileDialogs().askUnsaved(nullptr, QStringLiteral("Untitled"), wasSaved);
            return text;
        };
        QCOMPARE(said(true), QStringLiteral("“Untitled” has unsaved changes.|Changes since the last save will be lost if you discard them."));
        QCOMPARE(said(false), QStringLiteral("“Untitled” has never been saved.|The whole session will be lost if you discard it."));
    }

    /// The title bar read “Branc… kpoint”.
    void aChoiceIsAskedInAWindowThatShowsItsTitle() {
        int width = 0;
        QTimer looking;
        looking.setInterval(10);
        connect(&looking, &QTimer::timeout, this, [&] {
            if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                looking.stop();
                width = dialog->width();
                dialog->setTextValue(QStringLiteral("b"));
                dialog->accept();
            }
        });
        looking.start();
        const QString title = QStringLiteral("Branch from a checkpoint");
        const auto chosen = FileDialogs().askChoice(nullptr, title, QStringLiteral("Of"), {QStringLiteral("a"), QStringLiteral("b")});
        QCOMPARE(chosen, std::optional(1));
        QVERIFY(width >= 2 * QFontMetrics(QApplication::font()).horizontalAdvance(title)); // the buttons of the frame
    }

private:
    /// Looks at the dialogue that `ask` shows, and gives it up.
    static void during(const std::function<void()>& ask, const std::function<void(QFileDialog&)>& look) {
        QTimer looking;
        looking.setInterval(10);
        QObject::connect(&looking, &QTimer::timeout, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                looking.stop();
                look(*dialog);
                dialog->reject();
            }
        });
        looking.start();
        ask();
    }

    QTemporaryDir m_folder;
};

HEADROOM_TEST(FileDialogsTest)

} // namespace headroom::testing::file_dialogs_test

#include "file_dialogs_test.moc"
