// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's own file dialogues, where the desktop has none.
#include "app/parts/file_dialogs.h"
#include "tests/support/runner.h"
#include "widgets/look/file_icons.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
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

private:
    /// Looks at the dialogue that `ask` shows, and gives it up.
    static void during(const std::function<void()>& ask, const std::function<void(const QFileDialog&)>& look) {
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
