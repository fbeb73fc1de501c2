// SPDX-License-Identifier: GPL-3.0-or-later
// “Align…”: what the dialogue allows, and the way from a text to tiers with the real worker.
#include "app/aligning/align_dialog.h"
#include "app/aligning/align_request.h"
#include "app/aligning/undone_alignments.h"
#include "app/documents/items/paths.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/forms/path_field.h"
#include "app/window/field_keys.h"
#include "tests/app/jobs/real_worker.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::aligning_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

const QString kWorker = realWorker();

} // namespace

class AligningTest : public QObject {
    Q_OBJECT

    Workshop m_workshop;
    FileDialogs m_dialogs;

    /// The demo sentence without its TextGrid.
    std::filesystem::path spoken(const char* folder) const {
        const auto place = m_workshop.path() / folder;
        std::filesystem::create_directories(place);
        std::filesystem::copy_file(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources" / "demo" /
                                       "demo.wav",
                                   place / "demo.wav");
        return place / "demo.wav";
    }
    static QByteArray contentOf(const std::filesystem::path& file) {
        QFile opened(toQString(file));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    static UtteranceId open(Session& session, const std::filesystem::path& file) {
        const auto id = session.openUtterance(file);
        if (!QTest::qWaitFor([&] { return !session.isReading(); }, 60000))
            return UtteranceId::None;
        return id;
    }

private Q_SLOTS:
    void theTextBesideTheRecordingIsTakenOver() {
        Session session;
        const auto file = spoken("beside");
        m_workshop.text("beside/demo.txt", "Good night.\n");
        const AlignDialog dialog(*session.utterances()->find(open(session, file)), m_dialogs);
        QCOMPARE(dialog.text(), QStringLiteral("Good night."));
        QCOMPARE(dialog.file(), m_workshop.path() / "beside" / "demo.TextGrid");
        QVERIFY(dialog.alignButton()->isEnabled());
    }

    /// A tab went into the text, and the keyboard reached no other field.
    void tabLeavesTheText() {
        Session session;
        AlignDialog dialog(*session.utterances()->find(open(session, spoken("tab"))), m_dialogs);
        dialog.show();
        QApplication::setActiveWindow(&dialog);
        dialog.textField()->setFocus();
        QTRY_VERIFY(dialog.textField()->hasFocus());
        QTest::keyClick(dialog.textField(), Qt::Key_Tab);
        QVERIFY(!dialog.textField()->hasFocus());
        QVERIFY(!dialog.textField()->toPlainText().contains(QLatin1Char('\t')));
    }

    void altAAligns() {
        Session session;
        const auto id = open(session, spoken("keys"));
        AlignDialog dialog(*session.utterances()->find(id), m_dialogs);
        FieldKeys keys;
        qApp->installEventFilter(&keys);
        QSignalSpy accepted(&dialog, &QDialog::accepted), rejected(&dialog, &QDialog::rejected);
        dialog.textField()->setPlainText(QStringLiteral("yes"));
        dialog.show();
        QApplication::setActiveWindow(&dialog);
        dialog.textField()->setFocus();
        QTRY_VERIFY(dialog.textField()->hasFocus());
        QTest::keyClick(dialog.textField(), Qt::Key_A, Qt::AltModifier);
        QTRY_COMPARE(accepted.count() + rejected.count(), 1);
        QCOMPARE(accepted.count(), 1);
    }

    void nothingIsWrittenOverUnasked() {
        Session session;
        const auto file = spoken("over");
        const auto id = open(session, file);
        m_workshop.grid("over/demo.TextGrid", "yes");
        AlignDialog dialog(*session.utterances()->find(id), m_dialogs);
        QCOMPARE(dialog.file(), m_workshop.path() / "over" / "demo.aligned.TextGrid");
        QVERIFY(!dialog.alignButton()->isEnabled()); // there is no text
        dialog.textField()->setPlainText(QStringLiteral("yes"));
        QVERIFY(dialog.alignButton()->isEnabled());
        dialog.fileField()->setText(toQString(m_workshop.path() / "over" / "demo.TextGrid"));
        QVERIFY(!dialog.alignButton()->isEnabled());
        dialog.fileField()->setText(QStringLiteral("demo.TextGrid")); // of which folder, nobody knows
        QVERIFY(!dialog.alignButton()->isEnabled());
        dialog.fileField()->setText(QStringLiteral("~/headroom-no-such-folder/demo.TextGrid"));
        QVERIFY(dialog.alignButton()->isEnabled());
        QCOMPARE(dialog.file(), toPath(QDir::homePath()) / "headroom-no-such-folder/demo.TextGrid");
    }

    void thePromiseIsThatOfTheRecord() {
        const auto record =
            m_workshop.text("a.json", R"({"measured": [{"set": "S", "real": false, "phones": {"medianMs": 5}},
                         {"set": "L", "real": true, "phones": {"medianMs": 31.4}}]})");
        QVERIFY(AlignDialog::promise(record).contains(QStringLiteral("31\u202Fms on real speech (L)")));
        QVERIFY(AlignDialog::promise(m_workshop.path() / "none.json").isEmpty());
    }

    /// Never a file that holds what somebody else wrote.
    void whatWasWrittenIsTakenBackWithItsAlignment() {
        const ChangedVariable data("XDG_DATA_HOME", toQString(m_workshop.path() / "data").toLocal8Bit());
        const TextGrid grid{Seconds(0), Seconds(1), {{"words", false, {{Seconds(0), Seconds(1), "yes"}}, {}}}, {}};
        const auto file = m_workshop.path() / "written.TextGrid";
        const auto bytes = [&] { return std::filesystem::exists(file) ? contentOf(file) : QByteArray("none"); };
        WrittenAlignment written(file, grid);
        const QByteArray own = bytes();
        QCOMPARE(written.takeBack(), QString());
        QCOMPARE(bytes(), QByteArray("none"));
        QCOMPARE(written.bringBack(), QString());
        QCOMPARE(bytes(), own);

        m_workshop.text("written.TextGrid", "edited");
        QVERIFY(written.takeBack().contains(QStringLiteral("stays in its folder")));
        QCOMPARE(written.bringBack(), QString());
        QCOMPARE(bytes(), QByteArray("edited"));

        WrittenAlignment over(file, grid); // in the place of another
        QCOMPARE(over.takeBack(), QString());
        QCOMPARE(bytes(), QByteArray("edited"));
        QCOMPARE(over.bringBack(), QString());
        QCOMPARE(bytes(), own);
    }

    /// Who undid the alignment of a saved session and ended without saving found its TextGrid missing.
    void aSavedSessionKeepsTheFileUntilItIsSavedWithout() {
        const ChangedVariable data("XDG_DATA_HOME", toQString(m_workshop.path() / "data").toLocal8Bit());
        Session session;
        UndoneAlignments undone(&session);
        const auto id = open(session, spoken("saved"));
        const auto file = m_workshop.path() / "saved" / "demo.TextGrid";
        const TextGrid grid{Seconds(0), Seconds(1), {{"words", false, {{Seconds(0), Seconds(1), "yes"}}, {}}}, {}};
        const auto written = std::make_shared<WrittenAlignment>(file, grid);
        const auto before = session.keptAlignment(id);
        session.openAlignment(file, id);
        QTRY_VERIFY_WITH_TIMEOUT(session.utterances()->find(id)->alignment != nullptr, 60000);
        session.saveAs(m_workshop.path() / "kept.headroom");
        const auto after = session.keptAlignment(id);
        session.putAlignment(id, before);
        undone.undone(written);
        QVERIFY(std::filesystem::exists(file)); // the saved session reads it
        session.putAlignment(id, after);
        undone.redone(written, id);
        session.save();
        QVERIFY(std::filesystem::exists(file));
        session.putAlignment(id, before);
        undone.undone(written);
        session.save();
        QVERIFY(!std::filesystem::exists(file));
        session.putAlignment(id, after);
        undone.redone(written, id);
        QVERIFY(std::filesystem::exists(file));
    }

    void aTextBecomesTiersThatSayWhoMadeThem() {
        if (kWorker.isEmpty())
            QSKIP("headroom-worker is not built here");
        const ChangedVariable data("XDG_DATA_HOME", toQString(m_workshop.path() / "data").toLocal8Bit());
        Session session;
        WorkerProcess::Options options;
        options.program = kWorker;
        WorkerProcess worker(options);
        AlignRequest request(&session, &worker);
        const auto id = open(session, spoken("real"));
        const auto grid = m_workshop.path() / "real" / "demo.TextGrid";
        QSignalSpy done(&request, &AlignRequest::finished);
        request.start(id, QStringLiteral("The big man looks for the pictures in the forest at night."), grid);
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 90000);
        const QString sentence = done.at(0).at(1).toString();
        if (sentence.contains(QStringLiteral("espeak-ng is not installed")))
            QSKIP("espeak-ng is not installed");
        QCOMPARE(sentence, QString());
        QTRY_VERIFY_WITH_TIMEOUT(session.utterances()->find(id)->alignment != nullptr, 60000);
        const OpenUtterance& utterance = *session.utterances()->find(id);
        QCOMPARE(utterance.alignmentFile, grid);
        QVERIFY(utterance.alignment->origin.starts_with("built-in aligner, median error "));
        QVERIFY(utterance.transcript().contains(QStringLiteral("pictures")));
        session.undoStack()->undo(); // it replaced the one before for good
        QVERIFY(session.utterances()->find(id)->alignment == nullptr && session.utterances()->find(id)->alignmentFile.empty());
        QVERIFY(!std::filesystem::exists(grid)); // it would be read at the next start
        session.undoStack()->redo();
        QVERIFY(std::filesystem::exists(grid));
        QCOMPARE(session.utterances()->find(id)->alignmentFile, grid);
        QVERIFY(session.utterances()->find(id)->transcript().contains(QStringLiteral("pictures")));

        done.clear(); // the warning goes with what it is about
        const int before = session.messages()->count(Severity::Warning);
        request.start(id, QStringLiteral("Good morning, ladies and gentlemen, how do you do?"), m_workshop.path() / "real" / "wrong.TextGrid");
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 90000);
        QTRY_COMPARE_WITH_TIMEOUT(session.utterances()->find(id)->alignmentFile, m_workshop.path() / "real" / "wrong.TextGrid", 60000);
        QVERIFY(session.messages()->count(Severity::Warning) > before);
        session.undoStack()->undo();
        QCOMPARE(session.messages()->count(Severity::Warning), before);
        QCOMPARE(session.utterances()->find(id)->alignmentFile, grid);

        done.clear(); // too much for the recording: a sentence, and the file stays as it is
        request.start(id, QStringLiteral("many words ").repeated(200),
                  m_workshop.path() / "real" / "no.TextGrid");
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 90000);
        QVERIFY(done.at(0).at(1).toString().contains(QStringLiteral("does not match the recording")));
        QVERIFY(!std::filesystem::exists(m_workshop.path() / "real" / "no.TextGrid"));
        QCOMPARE(session.messages()->count(Severity::Error), 1);
    }
};

HEADROOM_TEST(AligningTest)

} // namespace headroom::testing::aligning_test

#include "aligning_test.moc"
