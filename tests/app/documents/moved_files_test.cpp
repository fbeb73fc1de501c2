// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of a session that were moved since it was saved.
#include "app/documents/moved_files.h"

#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>

namespace headroom::testing::moved_files_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// Three recordings in two folders, of which two are called the same, one with an alignment; saved, moved and opened again.
struct Moved {
    Workshop workshop;
    Session session;
    fs::path old = workshop.path() / "data", now = workshop.path() / "elsewhere" / "speech";

    Moved() {
        const auto one = workshop.wav("data/ann/a.wav", 0.5), other = workshop.wav("data/bob/a.wav", 0.75);
        workshop.wav("data/ann/b.wav", 1);
        workshop.grid("data/ann/b.TextGrid", "one", 1);
        session.open({one, other, old / "ann" / "b.wav"});
        wait();
        session.setPart(at(2).id, Part{Seconds(0.25), Seconds(0.75)});
        session.saveAs(workshop.path() / "kept");
        fs::create_directories(now.parent_path());
        fs::rename(old, now);
        session.openSession(workshop.path() / "kept.headroom");
        wait();
    }
    void wait() { QVERIFY(waitUntilRead(session)); }
    const OpenUtterance& at(int row) { return session.utterances()->at(row); }
    qsizetype missing() {
        qsizetype count = 0;
        for (int row = 0; row < session.utterances()->count(); ++row)
            count += at(row).state == OpenState::Failed && at(row).isMissing;
        return count;
    }
    QString lastMessage() {
        return session.messages()->rowCount() == 0 ? QString() : session.messages()->at(0).sentence;
    }
};

} // namespace

class MovedFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allThatMovedTogetherAreFoundAtOnce() {
        Moved moved;
        QCOMPARE(moved.missing(), 3);
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann");
        moved.wait();
        QCOMPARE(moved.missing(), 0);
        QCOMPARE(moved.at(0).file, moved.now / "ann" / "a.wav");
        QCOMPARE(moved.at(1).file, moved.now / "bob" / "a.wav"); // not the one of the same name that was chosen
        QCOMPARE(moved.at(1).duration().value(), 0.75);
        QCOMPARE(moved.at(2).alignmentFile, moved.now / "ann" / "b.TextGrid");
        QVERIFY(moved.at(2).alignment && moved.at(2).warnings.isEmpty());
        QVERIFY(moved.at(2).part); // what was set for them stays
        QVERIFY(moved.session.isModified());
        QVERIFY2(moved.lastMessage().contains(QLatin1String("3 recordings were found")), qPrintable(moved.lastMessage()));
    }

    void theFolderAboveWillDoToo() {
        Moved moved;
        locateMissing(&moved.session, moved.at(1).id, moved.now);
        moved.wait();
        QCOMPARE(moved.missing(), 0);
        QCOMPARE(moved.at(1).file, moved.now / "bob" / "a.wav");
    }

    void itIsOneStepThatCanBeUndone() {
        Moved moved;
        const int steps = moved.session.undoStack()->count();
        locateMissing(&moved.session, moved.at(2).id, moved.now / "ann");
        QCOMPARE(moved.session.undoStack()->count(), steps + 1);
        moved.wait();
        moved.session.undoStack()->undo();
        moved.wait();
        QCOMPARE(moved.missing(), 3);
        QCOMPARE(moved.at(0).file, moved.old / "ann" / "a.wav");
        moved.session.undoStack()->redo();
        moved.wait();
        QCOMPARE(moved.missing(), 0);
    }

    void whatIsNotThereIsSaid() {
        Moved moved;
        fs::remove(moved.now / "bob" / "a.wav");
        locateMissing(&moved.session, moved.at(0).id, moved.workshop.path());
        QCOMPARE(moved.missing(), 3);
        QVERIFY2(moved.lastMessage().contains(QLatin1String("a.wav is not in ")), qPrintable(moved.lastMessage()));
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann");
        moved.wait();
        QCOMPARE(moved.missing(), 1);
        QVERIFY2(moved.lastMessage().contains(QLatin1String("2 recordings were found")) &&
                     moved.lastMessage().contains(QLatin1String("1 is still missing: a.")),
                 qPrintable(moved.lastMessage()));
    }

    /// Another recording of that name is said to be another one.
    void aChangedRecordingIsSaid() {
        Moved moved;
        moved.workshop.wav("elsewhere/speech/ann/a.wav", 0.6);
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann");
        moved.wait();
        QVERIFY2(moved.at(0).warnings.join(u' ').contains(QLatin1String("has changed since the session was saved")),
                 qPrintable(moved.at(0).warnings.join(u' ')));
    }
};

HEADROOM_TEST(MovedFilesTest)

} // namespace headroom::testing::moved_files_test

#include "moved_files_test.moc"
