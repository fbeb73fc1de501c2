// SPDX-License-Identifier: GPL-3.0-or-later
// Alignments that another program changes while their recordings are open.
#include "app/alignments/alignment_store.h"
#include "tests/app/documents/located.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>
#include <QUndoStack>

#include <filesystem>

namespace headroom::testing::alignment_watch_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// A recording with its TextGrid, which says "before".
struct Desk {
    Workshop workshop;
    Session session;
    AlignmentStore store{&session};
    fs::path file = workshop.grid("one.TextGrid", "before");

    Desk() {
        session.open({workshop.wav("one.wav")});
        QVERIFY(waitUntilRead(session));
        QCOMPARE(said(), QStringLiteral("before"));
    }
    UtteranceId id() const { return session.currentUtteranceId(); }
    QString said() const { return session.currentUtterance()->transcript(); }
    QStringList messages() {
        QStringList all;
        for (int row = 0; row < session.messages()->rowCount(); ++row)
            all << session.messages()->at(row).sentence;
        return all;
    }
    int messagesWith(const QString& words) { return int(messages().filter(words).size()); }
    bool quiet() {
        return QTest::qWaitFor([&] { return !session.isReading() && !store.isPending(); }, 60000);
    }
};

} // namespace

class AlignmentWatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Live PAR rested on the old alignment, a study read the new one.
    void whatAnotherProgramWritesIsReadAgain() {
        Desk desk;
        desk.workshop.grid("one.TextGrid", "written");
        QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QStringLiteral("written"), 60000);
        // An editor puts a new file in the place of the old one, which is not watched any more then.
        for (const char* word : {"replaced", "again"}) {
            fs::rename(desk.workshop.grid("one.new", word), desk.file);
            QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QLatin1String(word), 60000);
        }
        QVERIFY(desk.quiet());
        QCOMPARE(desk.messagesWith(QStringLiteral("one.TextGrid was changed by another program and was read again.")), 1); // the last
        QVERIFY(desk.session.isModified());
    }

    /// "Has changed since the session was saved" was said of what had changed before.
    void aSessionThatIsSavedAfterwardsHasTheNewVersion() {
        Desk desk;
        desk.workshop.grid("one.TextGrid", "written");
        QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QStringLiteral("written"), 60000);
        desk.session.saveAs(desk.workshop.path() / "kept");
        Session again;
        again.openSession(desk.workshop.path() / "kept.headroom");
        QVERIFY(waitUntilRead(again));
        QCOMPARE(again.currentUtterance()->transcript(), QStringLiteral("written"));
        QVERIFY2(again.currentUtterance()->warnings.isEmpty(), qPrintable(again.currentUtterance()->warnings.join(u' ')));
    }

    void whatIsDeletedStaysAndIsSaid() {
        Desk desk;
        fs::remove(desk.file);
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("one.TextGrid was moved or deleted")), 1, 60000);
        QCOMPARE(desk.messagesWith(QStringLiteral("but studies need the file.")), 1); // where it counts as one without
        const auto mark = [&] { return desk.session.utterances()->index(0).data(UtteranceList::SentenceRole).toString(); };
        QCOMPARE(mark(), QStringLiteral("The alignment was moved or deleted; studies leave it out."));
        QCOMPARE(desk.said(), QStringLiteral("before"));
        desk.workshop.grid("one.TextGrid", "before");
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("was moved or deleted")), 0, 60000);
        QCOMPARE(mark(), QString());
        fs::remove(desk.file);
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("was moved or deleted")), 1, 60000);
        desk.workshop.grid("one.TextGrid", "another");
        QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QStringLiteral("another"), 60000);
        QCOMPARE(mark(), QString());
    }

    void oneMessageIsForAllThatAreDeleted() {
        Desk desk;
        const fs::path other = desk.workshop.grid("two.TextGrid", "two");
        desk.session.open({desk.workshop.wav("two.wav")});
        QVERIFY(waitUntilRead(desk.session));
        QVERIFY(desk.quiet());
        fs::remove(desk.file);
        fs::remove(other);
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("2 alignments were moved or deleted.")), 1, 60000);
        desk.workshop.grid("two.TextGrid", "two");
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(toQString(desk.file) + QStringLiteral(" was moved or deleted.")), 1, 60000);
        QCOMPARE(desk.messagesWith(QStringLiteral("moved or deleted")), 1);
    }

    /// Its folder was that of the autosave, and what another program did to the file that was saved went unnoticed.
    void oneThatMovedWithItsSessionIsFollowed() {
        Desk desk;
        const UtteranceId id = desk.session.addRecording(Workshop::tone(0.5), QStringLiteral("spoken"));
        const fs::path unsaved = desk.workshop.path() / "unsaved.headroom";
        desk.session.writeCopy(unsaved);
        desk.session.openAlignment(desk.workshop.grid("unsaved.headroom/recordings/spoken.TextGrid", "before"), id);
        QVERIFY(waitUntilRead(desk.session));
        QVERIFY(desk.quiet());
        desk.session.saveAs(desk.workshop.path() / "kept");
        fs::remove_all(unsaved);
        desk.store.readChanged(); // the program becomes active
        QVERIFY(desk.quiet());
        const fs::path kept = desk.workshop.grid("kept.headroom/recordings/spoken.TextGrid", "written");
        QCOMPARE(desk.session.utterances()->find(id)->alignmentFile, kept);
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.utterances()->find(id)->transcript(), QStringLiteral("written"), 60000);
        fs::remove(kept);
        QTRY_VERIFY_WITH_TIMEOUT(desk.session.utterances()->find(id)->isAlignmentGone, 60000);
    }

    /// As it was before its recording was located elsewhere.
    void oneThatUndoPutsBackIsStillMarkedAsGone() {
        Desk desk;
        const OpenUtterance& one = *desk.session.currentUtterance();
        const fs::path now = desk.workshop.path() / "now";
        fs::create_directory(now);
        const fs::path recording = one.file;
        fs::rename(recording, now / "one.wav");
        fs::rename(desk.file, now / "one.TextGrid");
        QTRY_VERIFY_WITH_TIMEOUT(one.isAlignmentGone, 60000);
        desk.session.setRecordingGone(one.id, true);
        locateMissing(&desk.session, one.id, now);
        QVERIFY(desk.quiet());
        QVERIFY(one.alignmentFile == now / "one.TextGrid" && !one.isAlignmentGone);
        desk.store.readChanged(); // the old file is forgotten
        QVERIFY(desk.quiet());
        desk.session.undoStack()->undo();
        QTRY_VERIFY_WITH_TIMEOUT(one.isAlignmentGone, 60000);
        QCOMPARE(one.alignmentFile, desk.file);
        QCOMPARE(desk.said(), QStringLiteral("before"));
    }

    void aVersionThatCannotBeReadChangesNothing() {
        Desk desk;
        desk.workshop.text("one.TextGrid", "File type = \"ooTextFile\"\nnothing else");
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("The alignment that was read before is still used.")), 1, 60000);
        QCOMPARE(desk.said(), QStringLiteral("before"));
        QVERIFY(!desk.session.currentUtterance()->warnings.isEmpty());
        desk.workshop.grid("one.TextGrid", "before"); // the user takes it back
        QTRY_VERIFY_WITH_TIMEOUT(desk.session.currentUtterance()->warnings.isEmpty(), 60000);
        QCOMPARE(desk.said(), QStringLiteral("before"));
    }

    /// The alignment that is put back by undo is that of no file.
    void whatThisProgramWroteIsNotAChange() {
        Desk desk;
        auto kept = desk.session.keptAlignment(desk.id());
        desk.workshop.grid("one.TextGrid", "made here");
        desk.session.openAlignment(desk.file, desk.id());
        QVERIFY(waitUntilRead(desk.session));
        QVERIFY(desk.quiet());
        desk.store.readChanged();
        QVERIFY(desk.quiet());
        QCOMPARE(desk.said(), QStringLiteral("made here"));
        desk.session.putAlignment(desk.id(), kept);
        desk.store.readChanged(); // F5
        QVERIFY(desk.quiet());
        QCOMPARE(desk.said(), QStringLiteral("before"));
        QCOMPARE(desk.messagesWith(QStringLiteral("read again")), 0);
    }

    /// An aligner that was started after the recording was opened seemed to have done nothing.
    void whatIsPutBesideARecordingIsRead_data() {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QString>("grid");
        QTest::newRow("beside it") << "two.wav" << "two.TextGrid";
        QTest::newRow("in a new folder") << "two.wav" << "alignments/two.TextGrid";
        QTest::newRow("of a corpus") << "corpus/audio/two.wav" << "corpus/alignments/two.TextGrid";
    }
    void whatIsPutBesideARecordingIsRead() {
        QFETCH(QString, recording);
        QFETCH(QString, grid);
        Desk desk;
        desk.session.open({desk.workshop.wav(recording.toStdString())});
        QVERIFY(waitUntilRead(desk.session));
        desk.session.setCurrentUtterance(desk.session.utterances()->at(1).id);
        QVERIFY(desk.quiet());
        QVERIFY(!desk.session.currentUtterance()->alignment);
        desk.workshop.grid("other.TextGrid", "of another"); // concerns neither
        fs::create_directories((desk.workshop.path() / grid.toStdString()).parent_path());
        desk.workshop.grid(grid.toStdString(), "new");
        QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QStringLiteral("new"), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("two.TextGrid was found beside an open recording and was read.")), 1, 60000);
        desk.workshop.grid(grid.toStdString(), "newer"); // followed like one that was there at opening
        QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QStringLiteral("newer"), 60000);
        QVERIFY(desk.quiet());
        QCOMPARE(desk.session.utterances()->at(0).transcript(), QStringLiteral("before"));
    }

    void aListIsReadForThoseThatItNames() {
        Desk desk;
        desk.session.open({desk.workshop.wav("two.wav"), desk.workshop.wav("three.wav")});
        QVERIFY(waitUntilRead(desk.session));
        QVERIFY(desk.quiet());
        desk.workshop.text("words.ctm", "two 1 0 0.4 listed\none 1 0 0.4 other\n");
        const auto* utterances = desk.session.utterances();
        QTRY_COMPARE_WITH_TIMEOUT(utterances->at(1).transcript(), QStringLiteral("listed"), 60000);
        QVERIFY(desk.quiet());
        QVERIFY(!utterances->at(2).alignment);
        QCOMPARE(utterances->at(0).transcript(), QStringLiteral("before"));
    }

    void aNewOneThatIsNotCompleteYetIsReadWhenItIs() {
        Desk desk;
        desk.session.open({desk.workshop.wav("two.wav")});
        QVERIFY(waitUntilRead(desk.session));
        desk.session.setCurrentUtterance(desk.session.utterances()->at(1).id);
        QVERIFY(desk.quiet());
        desk.workshop.text("two.TextGrid", "File type = \"ooTextFile\"\nnothing else");
        QTRY_COMPARE_WITH_TIMEOUT(desk.messagesWith(QStringLiteral("The recording is opened without it.")), 1, 60000);
        desk.workshop.grid("two.TextGrid", "complete");
        QTRY_COMPARE_WITH_TIMEOUT(desk.said(), QStringLiteral("complete"), 60000);
        QVERIFY(desk.quiet());
        QCOMPARE(desk.messagesWith(QStringLiteral("The recording is opened without it.")), 0);
    }

    /// Taking an alignment back would have been undone at once.
    void whatWasTakenBackStaysSo() {
        Desk desk;
        desk.session.open({desk.workshop.wav("two.wav")});
        QVERIFY(waitUntilRead(desk.session));
        const UtteranceId id = desk.session.utterances()->at(1).id;
        QVERIFY(desk.quiet());
        const auto none = desk.session.keptAlignment(id);
        desk.session.openAlignment(desk.workshop.grid("two.TextGrid", "made here"), id);
        QVERIFY(waitUntilRead(desk.session));
        QVERIFY(desk.quiet());
        desk.session.putAlignment(id, none);
        for (int time = 0; time < 2; ++time) {
            QVERIFY(desk.quiet());
            desk.store.readChanged();
        }
        QVERIFY(desk.quiet());
        QVERIFY(!desk.session.utterances()->at(1).alignment);
    }
};

HEADROOM_TEST(AlignmentWatchTest)

} // namespace headroom::testing::alignment_watch_test

#include "alignment_watch_test.moc"
