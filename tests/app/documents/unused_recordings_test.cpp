// SPDX-License-Identifier: GPL-3.0-or-later
// The files of recordings that were removed from their session: nothing that is still read, or cannot come back, goes.
#include "app/documents/saving/unused_recordings.h"

#include "app/documents/files/session_file.h"
#include "app/documents/removals.h"
#include "app/documents/saving/saved_files.h"
#include "app/documents/session.h"
#include "core/alignment/readers.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <memory>

namespace headroom::testing::unused_recordings_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class UnusedRecordingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_workshop = std::make_unique<Workshop>();
        m_session = std::make_unique<Session>();
        m_unused = std::make_unique<UnusedRecordings>(m_session.get());
        m_first = m_session->addRecording(Workshop::tone(0.2), QStringLiteral("first"));
        m_second = m_session->addRecording(Workshop::tone(0.2), QStringLiteral("second"));
        m_session->saveAs(m_workshop->path() / "work.headroom");
        m_unused->moveAway();
        QVERIFY(isThere("first") && isThere("second"));
    }
    void cleanup() {
        m_unused.reset();
        m_session.reset();
    }

    /// They stayed in the folder of the session for ever.
    void whatWasRemovedGoesWhenTheSessionIsSaved() {
        removeUtterances(m_session.get(), {m_first});
        QCOMPARE(m_session->messages()->at(0).sentence,
                 QStringLiteral("“first” was removed from the session. Saving the session moves its recording to the wastebasket."));
        m_unused->moveAway();
        QVERIFY(isThere("first")); // session.json still reads it
        save();
        QVERIFY(!isThere("first") && isThere("second"));
        const Messages& messages = *m_session->messages();
        QCOMPARE(messages.at(0).sentence, QStringLiteral("Moved the recording “first.wav” to the wastebasket, since it is no longer in the session."));
        m_session->messages()->trigger(0);
        QVERIFY(isThere("first"));
        save();
        QVERIFY(isThere("first")); // it was put back
    }

    void undoBringsItBackAfterwards() {
        removeUtterances(m_session.get(), {m_first, m_second});
        save();
        QVERIFY(!isThere("first") && !isThere("second"));
        QCOMPARE(m_session->messages()->at(0).sentence, QStringLiteral("Moved 2 recordings to the wastebasket, since they are no longer in the session."));
        m_session->undoStack()->undo();
        QCOMPARE(m_session->utterances()->count(), 2);
        save();
        QVERIFY(isThere("first") && isThere("second"));
    }

    /// It got a second file, “first 2.wav”.
    void aRemovalThatIsUndoneKeepsItsFile() {
        removeUtterances(m_session.get(), {m_first});
        m_session->undoStack()->undo();
        save();
        QVERIFY(isThere("first"));
        QVERIFY(!isThere("first 2"));
        QCOMPARE(m_session->messages()->rowCount(), 0);
    }

    /// Both were the newer one.
    void whatHasAnotherRecordingsNameByNowIsWrittenAgain() {
        const std::string before = hashOfFile(file("first"));
        removeUtterances(m_session.get(), {m_first});
        save();
        m_session->addRecording(Workshop::tone(0.3), QStringLiteral("first"));
        save();
        QVERIFY(hashOfFile(file("first")) != before);
        m_session->undoStack()->undo();
        save();
        QCOMPARE(hashOfFile(file("first 2")), before);
        const auto saved = readSession(m_session->folder()).utterances;
        QVERIFY(std::ranges::any_of(saved, [&](const auto& one) { return one.audio.path == file("first 2"); }));
    }

    void whatIsStillReadStays_data() {
        QTest::addColumn<QString>("by");
        for (const char* by : {"changes of another program", "damaged changes", "another session", "an open utterance", "an open part of it"})
            QTest::newRow(by) << QString::fromLatin1(by);
    }
    void whatIsStillReadStays() {
        QFETCH(QString, by);
        const fs::path folder = m_session->folder();
        if (by == QLatin1String("changes of another program"))
            writeRecovery(folder / "recovery 2.json", {m_session->document(), {}});
        else if (by == QLatin1String("damaged changes"))
            m_workshop->text("work.headroom/recovery 2.json", "{");
        else if (by == QLatin1String("another session"))
            m_unused->isReadElsewhere = [](const fs::path& file) { return file.stem() == "first"; };
        removeUtterances(m_session.get(), {m_first});
        if (by == QLatin1String("an open utterance"))
            m_session->open({file("first")});
        else if (by == QLatin1String("an open part of it"))
            m_session->openUtterance(fs::path(file("first")) += ":0:1600");
        save();
        QVERIFY(isThere("first"));
    }

    /// Each session was read again for each recording that was removed.
    void sessionsAreReadOnceForAllRecordings() {
        int asked = 0;
        m_unused->otherSessions = [&] {
            ++asked;
            return std::vector{m_workshop->path() / "other.headroom"};
        };
        SessionDocument other;
        auto& entry = other.utterances.emplace_back();
        entry.name = QStringLiteral("first");
        entry.audio.path = file("first");
        writeSession(m_workshop->path() / "other.headroom", other);
        removeUtterances(m_session.get(), {m_first, m_second});
        save();
        QCOMPARE(asked, 1);
        QVERIFY(isThere("first") && !isThere("second"));

        const SavedFiles saved = SavedFiles::ofSession(m_workshop->path() / "other.headroom");
        fs::remove_all(m_workshop->path() / "other.headroom");
        QVERIFY(saved.mayHave(file("first")) && !saved.mayHave(file("second")));
    }

    /// Only Undo has it otherwise.
    void aFileThatWasNotReadStays() {
        const fs::path folder = m_session->folder();
        m_unused.reset();
        m_session = std::make_unique<Session>();
        m_unused = std::make_unique<UnusedRecordings>(m_session.get());
        m_session->openSession(folder);
        removeUtterances(m_session.get(), {m_session->utterances()->at(0).id}); // before it is read
        save();
        QVERIFY(isThere("first"));
    }

    /// One that was recorded and removed again was only in the changes.
    void whatWasNeverSavedGoesWithItsSession() {
        const UtteranceId third = m_session->addRecording(Workshop::tone(0.2), QStringLiteral("third"));
        m_session->writeRecovery(m_session->folder() / kRecoveryFileName, {});
        QVERIFY(isThere("third"));
        removeUtterances(m_session.get(), {third});
        m_session->writeRecovery(m_session->folder() / kRecoveryFileName, {});
        m_session->clear();
        QVERIFY(!isThere("third"));
        QVERIFY(isThere("first") && isThere("second"));
    }

    /// It stayed in the folder of the session, and another recording of this name found it beside itself.
    void theTextGridThatHeadroomWroteGoesAlong() {
        const fs::path grid = align(m_first, "first");
        save();
        removeUtterances(m_session.get(), {m_first});
        save();
        QVERIFY(!isThere("first") && !fs::exists(grid));
        QCOMPARE(m_session->messages()->at(0).sentence,
                 QStringLiteral("Moved the recording “first.wav” and its alignment to the wastebasket, since they are no longer in the session."));
        m_session->messages()->trigger(0);
        QVERIFY(isThere("first") && fs::exists(grid));
    }

    void undoBringsItsAlignmentBackToo() {
        const fs::path grid = align(m_first, "first");
        const std::string before = hashOfFile(grid);
        removeUtterances(m_session.get(), {m_first});
        save();
        QVERIFY(!fs::exists(grid));
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(m_session->utterances()->at(0).transcript(), QStringLiteral("first"));
        QCOMPARE(hashOfFile(grid), before);
        QCOMPARE(m_session->messages()->count(Severity::Error), 0);
    }

    /// An own file of the user, or one that another recording reads.
    void anotherTextGridStays_data() {
        QTest::addColumn<QString>("which");
        for (const char* which : {"edited", "elsewhere", "of another recording"})
            QTest::newRow(which) << QString::fromLatin1(which);
    }
    void anotherTextGridStays() {
        QFETCH(QString, which);
        const fs::path grid = align(m_first, "first", which == QLatin1String("elsewhere") ? m_workshop->path() : file("first").parent_path());
        if (which == QLatin1String("edited"))
            m_workshop->text(fs::relative(grid, m_workshop->path()).string(), "edited");
        if (which == QLatin1String("of another recording")) {
            m_session->openAlignment(grid, m_second);
            QVERIFY(waitUntilRead(*m_session));
        }
        removeUtterances(m_session.get(), {m_first});
        save();
        QVERIFY(!isThere("first") && fs::exists(grid));
    }

private:
    fs::path align(UtteranceId id, const std::string& word, fs::path folder = {}) {
        if (folder.empty())
            folder = file("first").parent_path();
        Alignment alignment;
        alignment.words = alignment.phones = {{Seconds(0), Seconds(0.1), word}};
        alignment.origin = "built-in aligner";
        const fs::path grid = folder / "first.TextGrid";
        writeTextGrid(grid, textGridOf(alignment, Seconds(0.2)));
        m_session->openAlignment(grid, id);
        [&] { QVERIFY(waitUntilRead(*m_session)); }();
        return grid;
    }
    fs::path file(const char* name) const { return m_workshop->path() / "work.headroom" / kRecordingsName / (std::string(name) + ".wav"); }
    bool isThere(const char* name) const { return fs::exists(file(name)); }
    void save() {
        m_session->save();
        m_unused->moveAway();
    }

    QTemporaryDir m_place;
    const ChangedVariable m_home{"HOME", m_place.path().toLocal8Bit()}, m_data{"XDG_DATA_HOME", m_place.path().toLocal8Bit() + "/data"};
    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<UnusedRecordings> m_unused;
    UtteranceId m_first = UtteranceId::None, m_second = UtteranceId::None;
};

HEADROOM_TEST(UnusedRecordingsTest)

} // namespace headroom::testing::unused_recordings_test

#include "unused_recordings_test.moc"
