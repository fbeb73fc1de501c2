// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that are moved, deleted or written over while they are open.
#include "app/documents/files/session_file.h"
#include "app/documents/recording_watch.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::recording_watch_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

struct Watch : RecordingWatch {
    using RecordingWatch::RecordingWatch;
    QStringList watchedFiles() const { return m_files.files(); }
    QStringList watchedFolders() const { return m_files.directories(); }
};

struct Desk {
    Workshop workshop;
    Session session;
    Watch watch{&session};

    void open(const std::vector<fs::path>& files) {
        session.open(files);
        QVERIFY(waitUntilRead(session));
    }
    QStringList messages() {
        QStringList all;
        for (int row = 0; row < session.messages()->rowCount(); ++row)
            all << session.messages()->at(row).sentence;
        return all;
    }
    /// What stands in the rows.
    QStringList marks() {
        QStringList all;
        for (int row = 0; row < session.utterances()->count(); ++row)
            all << session.utterances()->index(row).data(UtteranceList::SentenceRole).toString();
        return all;
    }
};

const QString kMark = QStringLiteral("The recording was moved or deleted; studies leave it out.");

} // namespace

class RecordingWatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Nothing was said, and the recording went on as if it were there.
    void aRecordingThatGoesIsMarkedUntilItIsBack() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), away = desk.workshop.path() / "away.wav";
        desk.open({one, desk.workshop.wav("two.wav")});
        fs::rename(one, away);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), (QStringList{kMark, QString()}), 60000);
        QCOMPARE(desk.messages(),
                 QStringList{toQString(one) + " was moved or deleted. What was read from it is still shown, but studies leave it out."});
        QVERIFY(desk.session.utterances()->at(0).isRecordingGone && desk.session.utterances()->at(0).recording);
        desk.watch.look(); // F5
        QTRY_VERIFY_WITH_TIMEOUT(!desk.watch.isPending(), 60000);
        QCOMPARE(desk.messages().size(), qsizetype(1));
        fs::rename(away, one);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), (QStringList{QString(), QString()}), 60000);
        QCOMPARE(desk.messages(), QStringList());
    }

    void soIsOneWhoseFolderGoes() {
        Desk desk;
        const fs::path one = desk.workshop.wav("talks/one.wav");
        desk.open({one});
        fs::rename(one.parent_path(), desk.workshop.path() / "moved");
        desk.watch.look(); // the program becomes active: the system does not report that a folder was moved
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{kMark}, 60000);
        fs::rename(desk.workshop.path() / "moved", one.parent_path());
        desk.watch.look();
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{QString()}, 60000);
    }

    /// A drive that was removed took hundreds along, with a message for each.
    void oneMessageIsForAllThatGo() {
        Desk desk;
        const fs::path one = desk.workshop.wav("a/0001.wav"), other = desk.workshop.wav("b/0001.wav");
        desk.open({one, other});
        for (const char* folder : {"a", "b"})
            fs::rename(desk.workshop.path() / folder, desk.workshop.path() / (std::string("away ") + folder));
        desk.watch.look();
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), (QStringList{kMark, kMark}), 60000);
        QCOMPARE(desk.messages(),
                 QStringList{"2 recordings were moved or deleted. What was read from them is still shown, but studies leave them out."});
        fs::rename(desk.workshop.path() / "away a", one.parent_path());
        desk.watch.look();
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), (QStringList{QString(), kMark}), 60000);
        QCOMPARE(desk.messages(),
                 QStringList{toQString(other) + " was moved or deleted. What was read from it is still shown, but studies leave it out."});
    }

    /// What was analysed was no longer what the file held.
    void oneThatIsBackWithAnotherContentIsReadAgain() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), other = desk.workshop.wav("other.wav", 0.8);
        const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
        fs::last_write_time(other, longAgo);
        desk.open({one});
        const UtteranceId id = desk.session.utterances()->at(0).id;
        const auto& open = [&]() -> const OpenUtterance& { return desk.session.utterances()->at(0); };
        const std::string before = open().sha256;
        desk.session.setPart(id, Part{Seconds(0.1), Seconds(0.4)});
        fs::remove(one);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{kMark}, 60000);
        fs::rename(other, one);
        QTRY_VERIFY_WITH_TIMEOUT(open().state == OpenState::Ready && open().sha256 != before, 60000);
        QCOMPARE(open().duration().value(), 0.8);
        QVERIFY(!open().part);
        QVERIFY(waitUntilRead(desk.session));
        desk.watch.look();
        QTRY_VERIFY_WITH_TIMEOUT(!desk.watch.isPending(), 60000);
        const QString said = QStringLiteral("one.wav has changed since this session last read it. The new version was loaded.");
        QCOMPARE(desk.marks(), QStringList{said});
        QCOMPARE(desk.messages(), QStringList{said});
    }

    /// It may not be whole, and would be read as cut short.
    void oneThatIsBeingWrittenIsReadWhenItIsWhole() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), other = desk.workshop.wav("other.wav", 0.8);
        desk.open({one});
        fs::remove(one);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{kMark}, 60000);
        const auto later = fs::file_time_type::clock::now() + std::chrono::milliseconds(500);
        fs::last_write_time(other, later);
        fs::rename(other, one);
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.utterances()->at(0).duration().value(), 0.8, 60000);
        QVERIFY(fs::file_time_type::clock::now() >= later + std::chrono::seconds(1));
    }

    /// Its old samples were lost, and it was never looked at again, as where copying it took longer than a pause of the network.
    void oneThatComesBackDamagedKeepsItsSamplesUntilItIsWhole() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav");
        const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
        desk.open({one});
        const auto& open = [&]() -> const OpenUtterance& { return desk.session.utterances()->at(0); };
        desk.session.setPart(open().id, Part{Seconds(0.1), Seconds(0.4)});
        fs::remove(one);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{kMark}, 60000);
        const fs::path damaged = desk.workshop.text("damaged.wav", "no sound");
        fs::last_write_time(damaged, longAgo);
        fs::rename(damaged, one);
        QTRY_VERIFY_WITH_TIMEOUT(!open().isRecordingGone && !open().sentence.isEmpty() && !desk.watch.isPending(), 60000);
        QVERIFY(open().state == OpenState::Ready && open().recording && open().part);
        QCOMPARE(desk.messages().size(), qsizetype(1));
        QVERIFY2(desk.messages().constFirst().endsWith(QStringLiteral("The recording that was read before is still used, but studies leave it out.")),
                 qPrintable(desk.messages().constFirst()));
        QCOMPARE(desk.marks(), QStringList{desk.messages().constFirst()});
        desk.workshop.wav("one.wav", 0.8); // written in its place: no folder tells of it
        QTRY_COMPARE_WITH_TIMEOUT(open().duration().value(), 0.8, 60000);
        QVERIFY(!open().part);
        QCOMPARE(desk.marks(), QStringList{QStringLiteral("one.wav has changed since this session last read it. The new version was loaded.")});
    }

    void oneThatIsBackIsWatchedAsBefore() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), two = desk.workshop.wav("two.wav"), other = desk.workshop.wav("other.wav", 0.8);
        for (const fs::path& file : {one, other})
            fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
        desk.open({one, two});
        fs::rename(one, desk.workshop.path() / "away.wav");
        fs::remove(two);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), (QStringList{kMark, kMark}), 60000);
        fs::rename(desk.workshop.path() / "away.wav", one);
        fs::rename(other, two);
        QTRY_VERIFY_WITH_TIMEOUT(desk.session.utterances()->at(1).duration().value() == 0.8 && !desk.watch.isPending() && !desk.session.isReading(), 60000);
        QCOMPARE(desk.marks().constFirst(), QString());
        QCOMPARE(desk.watch.watchedFiles().size(), qsizetype(2));
    }

    /// Only a file that was seen to be gone was looked at.
    void oneThatIsWrittenOverIsReadAgain() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav");
        desk.open({one});
        const auto& open = [&]() -> const OpenUtterance& { return desk.session.utterances()->at(0); };
        desk.session.setPart(open().id, Part{Seconds(0.1), Seconds(0.4)});
        desk.workshop.wav("one.wav", 0.8); // in its place: no folder tells of it
        QTRY_COMPARE_WITH_TIMEOUT(open().duration().value(), 0.8, 60000);
        QVERIFY(!open().part);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.watch.isPending() && !desk.session.isReading(), 60000);
        const QString said = QStringLiteral("one.wav has changed since this session last read it. The new version was loaded.");
        QCOMPARE(desk.marks(), QStringList{said});
        QCOMPARE(desk.messages(), QStringList{said});
        const fs::path other = desk.workshop.wav("other.wav", 1.2);
        fs::last_write_time(other, fs::file_time_type::clock::now() - std::chrono::hours(1));
        fs::rename(other, one); // as some editors save
        QTRY_COMPARE_WITH_TIMEOUT(open().duration().value(), 1.2, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.watch.isPending() && !desk.session.isReading(), 60000);
        desk.workshop.wav("one.wav", 0.6);
        QTRY_COMPARE_WITH_TIMEOUT(open().duration().value(), 0.6, 60000);
    }

    /// The old samples stayed for good, with the hash of the new ones.
    void oneThatIsReplacedWhileItIsBeingReadIsReadAgain() {
        Desk desk;
        const fs::path one = desk.workshop.path() / "one.wav", other = desk.workshop.wav("other.wav", 0.8);
        saveWav(one, Workshop::tone(20).samples, SampleRate(44100)); // resampled: reading it takes longer than the pause below
        for (const fs::path& file : {one, other})
            fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
        desk.session.open({one});
        const auto& open = [&]() -> const OpenUtterance& { return desk.session.utterances()->at(0); };
        QTest::qSleep(10);
        fs::rename(other, one);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading() && !desk.watch.isPending(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(open().duration().value(), 0.8, 5000);
        QCOMPARE(open().sha256, hashOfFile(one));
    }

    /// The system tells nothing of what is written before a file is watched.
    void oneThatIsWrittenBeforeItIsWatchedIsReadAgain() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), other = desk.workshop.wav("other.wav", 0.8);
        fs::last_write_time(other, fs::file_time_type::clock::now() - std::chrono::hours(1));
        desk.session.open({one});
        QTest::qSleep(300); // it has been read, but is not in the list
        fs::rename(other, one);
        QVERIFY(waitUntilRead(desk.session));
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.utterances()->at(0).duration().value(), 0.8, 5000);
    }

    void oneThatIsWrittenWithTheSameContentStays() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav");
        desk.open({one});
        const auto before = desk.session.utterances()->at(0).recording;
        fs::last_write_time(one, fs::file_time_type::clock::now() - std::chrono::hours(1));
        QTRY_VERIFY_WITH_TIMEOUT(desk.watch.isPending(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.watch.isPending() && !desk.session.isReading(), 60000);
        QVERIFY(desk.session.utterances()->at(0).recording == before && !desk.session.isReading());
        QCOMPARE(desk.messages(), QStringList());
    }

    /// Each took a watch for good, and there were none left for those of other recordings.
    void thoseThatAreClosedAreNotWatched() {
        Desk desk;
        const fs::path one = desk.workshop.wav("a/one.wav"), other = desk.workshop.wav("b/other.wav");
        desk.open({one, other});
        QCOMPARE(desk.watch.watchedFolders().size(), qsizetype(2));
        desk.session.closeUtterance(desk.session.utterances()->at(0).id);
        QTRY_COMPARE_WITH_TIMEOUT(desk.watch.watchedFolders(), QStringList{toQString(other.parent_path())}, 60000);
        QCOMPARE(desk.watch.watchedFiles(), QStringList{toQString(other)});
    }

    /// It was looked at again only in the place that it had gone from.
    void oneThatIsDamagedElsewhereIsReadWhenItIsWhole() {
        Desk desk;
        const fs::path damaged = desk.workshop.text("elsewhere/one.wav", "no sound");
        fs::last_write_time(damaged, fs::file_time_type::clock::now() - std::chrono::hours(1));
        desk.open({desk.workshop.wav("one.wav")});
        const auto& open = [&]() -> const OpenUtterance& { return desk.session.utterances()->at(0); };
        desk.session.setFiles(open().id, damaged, {});
        QTRY_VERIFY_WITH_TIMEOUT(!open().sentence.isEmpty() && !desk.watch.isPending() && !desk.session.isReading(), 60000);
        QCOMPARE(desk.messages().size(), qsizetype(1));
        QCOMPARE(desk.watch.watchedFiles(), QStringList{toQString(damaged)});
        desk.workshop.wav("elsewhere/one.wav", 0.8);
        QTRY_COMPARE_WITH_TIMEOUT(open().duration().value(), 0.8, 60000);
        QVERIFY(open().sentence.isEmpty());
    }

    /// As on a server that does not answer.
    void oneThatCannotBeLookedAtIsNotGone() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), loop = desk.workshop.path() / "loop";
        desk.open({one});
        fs::create_symlink(one, loop);
        fs::rename(loop, one); // a link to itself
        desk.watch.look();
        QTRY_VERIFY_WITH_TIMEOUT(!desk.watch.isPending(), 60000);
        QCOMPARE(desk.marks(), QStringList{QString()});
        fs::remove(one);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{kMark}, 60000);
    }

    void oneThatIsReadFromElsewhereIsThere() {
        Desk desk;
        const fs::path one = desk.workshop.wav("one.wav"), elsewhere = desk.workshop.path() / "elsewhere.wav";
        desk.open({one});
        fs::rename(one, elsewhere);
        QTRY_COMPARE_WITH_TIMEOUT(desk.marks(), QStringList{kMark}, 60000);
        desk.session.setFiles(desk.session.utterances()->at(0).id, elsewhere, {});
        QVERIFY(waitUntilRead(desk.session));
        QCOMPARE(desk.marks(), QStringList{QString()});
        desk.watch.look();
        QTRY_COMPARE_WITH_TIMEOUT(desk.messages(), QStringList(), 60000);
    }
};

HEADROOM_TEST(RecordingWatchTest)

} // namespace headroom::testing::recording_watch_test

#include "recording_watch_test.moc"
