// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that went after they were read, and are read from another file.
#include "app/documents/session.h"
#include "tests/app/documents/located.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>
#include <QUndoStack>

namespace headroom::testing::gone_recordings_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// A recording of half a second that went after it was read, as did its alignment; another one of its name is elsewhere.
struct Gone {
    Workshop workshop;
    Session session;
    fs::path now;

    explicit Gone(double seconds) {
        const fs::path grid = workshop.grid("old/a.TextGrid", "one"), file = workshop.wav("old/a.wav");
        session.open({file});
        QVERIFY(waitUntilRead(session));
        session.setPart(row().id, Part{Seconds(0.1), Seconds(0.4)});
        now = workshop.wav("new/a.wav", seconds);
        fs::remove(grid);
        fs::remove(file);
        session.setRecordingGone(row().id, true);
    }
    const OpenUtterance& row() { return session.utterances()->at(0); }
    void locate() {
        locateMissing(&session, row().id, now.parent_path());
        QVERIFY(waitUntilRead(session));
    }
};

} // namespace

class GoneRecordingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// It was shown although its file was gone, and undoing the step took it away.
    void undoBringsBackWhatWasReadBeforeItWent_data() {
        QTest::addColumn<double>("seconds");
        QTest::newRow("the same") << 0.5;
        QTest::newRow("another one") << 0.75;
    }
    void undoBringsBackWhatWasReadBeforeItWent() {
        QFETCH(double, seconds);
        Gone gone(seconds);
        const OpenUtterance before = gone.row();
        gone.locate();
        QCOMPARE(gone.row().recording == before.recording, seconds == 0.5); // what was computed of the same samples stays
        QCOMPARE(gone.row().duration().value(), seconds);
        QCOMPARE(gone.row().part.has_value(), seconds == 0.5);
        for (int times = 0; times < 2; ++times) {
            gone.session.undoStack()->undo();
            QVERIFY(waitUntilRead(gone.session));
            QVERIFY(gone.row().state == OpenState::Ready && gone.row().isRecordingGone);
            QCOMPARE(gone.row().file, before.file);
            QVERIFY(gone.row().recording == before.recording && gone.row().alignment == before.alignment);
            QVERIFY(gone.row().sha256 == before.sha256 && gone.row().part == before.part && gone.row().warnings == before.warnings);
            gone.session.undoStack()->redo();
            if (times == 0) // undone while it is being read
                continue;
            QVERIFY(waitUntilRead(gone.session));
            QCOMPARE(gone.row().file, gone.now);
            QCOMPARE(gone.row().duration().value(), seconds);
        }
    }

    /// Messages lost it, and the row kept it when another alignment was opened.
    void undoSaysAgainWhatWasSaidOfIt() {
        Workshop workshop;
        Session session;
        const fs::path file = workshop.wav("old/a.wav"), damaged = workshop.text("new/a.wav", "no sound");
        workshop.text("old/a.TextGrid", "of another program");
        session.open({file});
        QVERIFY(waitUntilRead(session));
        const auto row = [&]() -> const OpenUtterance& { return session.utterances()->at(0); };
        const UtteranceId id = row().id;
        QCOMPARE(session.messages()->count(Severity::Error), 1);
        session.setFiles(id, damaged, row().alignmentFile);
        QVERIFY(waitUntilRead(session));
        QCOMPARE(session.messages()->count(Severity::Error), 1);
        const QStringList said{row().sentence, row().warnings.value(0)};
        QVERIFY(!said[0].isEmpty() && row().warnings.size() == 1);
        fs::remove(damaged);
        session.setRecordingGone(id, true);
        workshop.wav("newer/a.wav");
        locateMissing(&session, id, workshop.path() / "newer");
        QVERIFY(waitUntilRead(session));
        session.undoStack()->undo();
        QCOMPARE((QStringList{row().sentence, row().warnings.value(0)}), said);
        const auto count = [&](Severity severity) { return session.messages()->count(severity); };
        QCOMPARE(count(Severity::Error), 1);
        QCOMPARE(count(Severity::Warning), 1);
        session.open({workshop.grid("elsewhere/a.TextGrid", "word")});
        QVERIFY(waitUntilRead(session));
        QCOMPARE(row().warnings, QStringList());
        QCOMPARE(count(Severity::Error), 0);
    }

    /// It was "Reading…" for ever.
    void aRedoThatIsUndoneAtOnceIsReadAgain() {
        Gone gone(0.75);
        gone.locate();
        const fs::path first = gone.now;
        fs::remove(first);
        gone.session.setRecordingGone(gone.row().id, true);
        gone.now = gone.workshop.wav("newer/a.wav", 1);
        gone.locate();
        QCOMPARE(gone.row().duration().value(), 1);
        QUndoStack* steps = gone.session.undoStack();
        steps->undo();
        steps->undo();
        steps->redo();
        steps->redo();
        steps->undo();
        QVERIFY(waitUntilRead(gone.session));
        QCOMPARE(gone.row().file, first);
        QVERIFY(gone.row().state == OpenState::Ready && gone.row().isRecordingGone && gone.row().recording);
    }

    /// The recording was opened without it.
    void anAlignmentThatIsGoneTooStays() {
        Gone gone(0.5);
        const auto alignment = gone.row().alignment;
        gone.locate();
        QCOMPARE(gone.row().file, gone.now);
        QVERIFY(alignment && gone.row().alignment == alignment);
        QCOMPARE(gone.row().warnings, QStringList());
    }

    /// A recording that had been read was "there" again, as a file that cannot be read.
    void aFileThatIsNoSoundIsNotTaken() {
        Gone gone(0.5);
        const OpenUtterance before = gone.row();
        const int steps = gone.session.undoStack()->count();
        const fs::path notes = gone.workshop.text("new/notes.txt", "no sound");
        locateMissing(&gone.session, before.id, notes);
        QVERIFY(waitUntilRead(gone.session));
        QVERIFY(gone.row().lacksFile() && gone.row().sentence.isEmpty());
        QCOMPARE(gone.row().file, before.file);
        QCOMPARE(gone.session.undoStack()->count(), steps);
        QCOMPARE(gone.session.messages()->count(Severity::Error), 1);
        QVERIFY2(gone.session.messages()->at(0).sentence.contains(QLatin1String("notes.txt")), qPrintable(gone.session.messages()->at(0).sentence));
        gone.locate();
        QCOMPARE(gone.row().file, gone.now);
        QCOMPARE(gone.session.messages()->count(Severity::Error), 0);
    }

    /// None of the others was located, or this one was, and what had been read of it was said to be there again.
    void aFileThatIsNoSoundIsLeftOutOfThoseThatAreFound_data() {
        QTest::addColumn<int>("chosen");
        QTest::newRow("the one that was asked for") << 0;
        QTest::newRow("another one") << 1;
    }
    void aFileThatIsNoSoundIsLeftOutOfThoseThatAreFound() {
        QFETCH(int, chosen);
        Gone gone(0.5);
        const fs::path other = gone.workshop.wav("old/b.wav");
        gone.session.open({other});
        QVERIFY(waitUntilRead(gone.session));
        fs::remove(other);
        const auto row = [&](int number) -> const OpenUtterance& { return gone.session.utterances()->at(number); };
        gone.session.setRecordingGone(row(1).id, true);
        gone.workshop.text("new/a.wav", "no sound");
        gone.workshop.wav("new/b.wav");
        locateMissing(&gone.session, row(chosen).id, gone.now.parent_path());
        QVERIFY(waitUntilRead(gone.session));
        QVERIFY(row(0).isRecordingGone && row(0).sentence.isEmpty());
        QCOMPARE(row(0).file, gone.workshop.path() / "old" / "a.wav");
        QCOMPARE(row(1).file, gone.workshop.path() / "new" / "b.wav");
        QVERIFY(!row(1).isRecordingGone);
        const QString said = gone.session.messages()->at(0).sentence;
        QVERIFY2(said.startsWith(QLatin1String("1 recording was found in ")) && said.contains(QLatin1String(" 1 is still missing: a. a.wav ")), qPrintable(said));
    }

    /// Reading the file in vain stopped it, and the lane stayed empty.
    void theSpectrogramOfWhatIsKeptIsComputed() {
        Gone gone(0.5);
        Session::KeptFiles kept = gone.session.keptFiles(gone.row().id);
        kept.utterance.logMel.reset();
        gone.session.putFiles(kept); // it is being computed
        gone.session.setFiles(gone.row().id, gone.workshop.text("new/a.wav", "no sound"), {});
        QVERIFY(waitUntilRead(gone.session));
        QVERIFY(!gone.row().sentence.isEmpty() && gone.row().logMel);
    }

    /// Only one that had never been read was read again.
    void oneThatIsInAFileThatCannotBeReadIsReadAgainWhenAsked() {
        Gone gone(0.75);
        gone.session.setFiles(gone.row().id, gone.workshop.text("new/a.wav", "no sound"), {});
        QVERIFY(waitUntilRead(gone.session));
        QVERIFY(gone.row().state == OpenState::Ready && !gone.row().sentence.isEmpty());
        gone.workshop.wav("new/a.wav", 0.75);
        gone.session.retryFailed();
        QVERIFY(waitUntilRead(gone.session));
        QVERIFY2(gone.row().sentence.isEmpty(), qPrintable(gone.row().sentence));
        QCOMPARE(gone.row().duration().value(), 0.75);
    }
};

HEADROOM_TEST(GoneRecordingsTest)

} // namespace headroom::testing::gone_recordings_test

#include "gone_recordings_test.moc"
