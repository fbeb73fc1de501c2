// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/recovery.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/files/program_lock.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::recovery_test {

using namespace headroom::app;

namespace {

namespace fs = std::filesystem;

/// A session with a folder, in a program of its own that ends without a word.
struct Program {
    explicit Program(const Workshop& workshop) : autosave(&session, workshop.path() / "data" / "unsaved.headroom") {}
    Session session;
    Autosave autosave;
};

} // namespace

class RecoveryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_workshop = std::make_unique<Workshop>();
        Session session;
        session.open({m_workshop->wav("a.wav"), m_workshop->model("m")});
        QVERIFY(waitUntilRead(session));
        session.saveAs(m_folder = m_workshop->path() / "work.headroom");
        m_saved = hashOfFile(m_folder / kSessionFileName);
    }
    void cleanup() { m_workshop.reset(); }

    void changesAreKeptSoonAfterThem() {
        leave([](Session& session) { session.addText(QStringLiteral("new")); }, false);
        QCOMPARE(hashOfFile(m_folder / kSessionFileName), m_saved);
        const KeptChanges kept = readRecovery(left());
        QCOMPARE(kept.ofSession, m_saved);
        QCOMPARE(kept.document.utterances.size(), std::size_t(2));
        Program next(*m_workshop);
        next.session.openSession(m_folder);
        QVERIFY(waitUntilRead(next.session));
        QCOMPARE(next.session.utterances()->count(), 1); // as it was saved, until somebody decides
        next.autosave.restoreChanges(left());
        QVERIFY(waitUntilRead(next.session));
        QCOMPARE(next.session.utterances()->count(), 2);
        QVERIFY(next.session.folder() == m_folder && next.session.isModified());
        QVERIFY(next.autosave.leftChanges().empty()); // they are this program's
        QVERIFY(fs::exists(m_folder / kRecoveryFileName));
        next.session.save();
        QVERIFY(nothingIsLeft());
    }

    void nothingIsLeftOfWhatWasSavedOrUndone() {
        Program program(*m_workshop);
        program.session.openSession(m_folder);
        QVERIFY(waitUntilRead(program.session));
        const ModelId model = program.session.models()->at(0).id;
        program.session.setModelOpened(model, Workshop::info(12));
        QVERIFY(program.session.drafts()->setWindow({model}, {2, 9}));
        program.autosave.flush();
        QVERIFY(readRecovery(left()).document.models[0].draft);
        program.session.undoStack()->undo();
        QVERIFY(!program.session.isModified());
        QVERIFY(nothingIsLeft());
        program.session.addText(QStringLiteral("new"));
        program.autosave.flush();
        QVERIFY(!nothingIsLeft());
        program.session.saveAs(m_workshop->path() / "elsewhere");
        QVERIFY(nothingIsLeft());
    }

    void whatWasRecordedIsRestoredOrGoes() {
        const auto record = [](Session& session) { session.addRecording(Workshop::tone(0.4), QStringLiteral("take")); };
        const fs::path file = m_folder / "recordings" / "take.wav";
        leave(record);
        QVERIFY(fs::exists(file));
        {
            Program next(*m_workshop);
            next.session.openSession(m_folder);
            next.autosave.restoreChanges(left());
            QVERIFY(waitUntilRead(next.session));
            const OpenUtterance& take = next.session.utterances()->at(1);
            QVERIFY(take.isRecorded && take.state == OpenState::Ready);
            next.session.save();
        }
        QVERIFY(nothingIsLeft() && fs::exists(file));
        leave(record);
        QVERIFY(fs::exists(m_folder / "recordings" / "take 2.wav"));
        Recovery::discard(left());
        QVERIFY(nothingIsLeft());
        QVERIFY(fs::exists(file) && !fs::exists(m_folder / "recordings" / "take 2.wav"));
    }

    void twoProgramsKeepTheirChangesApart() {
        Program one(*m_workshop);
        one.session.openSession(m_folder);
        one.session.addText(QStringLiteral("one"));
        one.autosave.flush();
        {
            Program other(*m_workshop);
            other.session.openSession(m_folder);
            QVERIFY(other.autosave.leftChanges().empty()); // the first one still runs
            other.session.addText(QStringLiteral("other"));
            other.autosave.flush();
        }
        QCOMPARE(one.autosave.leftChanges(), std::vector<fs::path>{m_folder / "recovery 2.json"});
        QCOMPARE(readRecovery(m_folder / "recovery 2.json").document.utterances[1].text, QStringLiteral("other"));
        QVERIFY_EXCEPTION_THROWN(one.autosave.restoreChanges(m_folder / kRecoveryFileName), Error); // in use
        Recovery::discard(m_folder / kRecoveryFileName);
        QVERIFY(fs::exists(m_folder / kRecoveryFileName));
    }

    /// What was left is not overwritten by the changes after the next start.
    void whatIsNotDecidedWaits() {
        leave([](Session& session) { session.addText(QStringLiteral("lost")); });
        Program next(*m_workshop);
        next.session.openSession(m_folder);
        next.session.addText(QStringLiteral("found"));
        next.autosave.flush();
        QCOMPARE(readRecovery(left()).document.utterances[1].text, QStringLiteral("lost"));
        next.autosave.discardChanges();
        QCOMPARE(next.autosave.leftChanges(), std::vector<fs::path>{left()});
    }

    /// The last of them was overwritten.
    void thereIsNoPlaceBesideTwentyThatWait() {
        for (int number = 1; number <= kMostPrograms; ++number)
            fs::copy_file(m_folder / kSessionFileName, numbered(left(), number));
        const fs::path last = numbered(left(), kMostPrograms);
        const std::string before = hashOfFile(last);
        Program next(*m_workshop);
        next.session.openSession(m_folder);
        next.session.addText(QStringLiteral("new"));
        next.autosave.flush();
        QCOMPARE(hashOfFile(last), before);
        QVERIFY(next.session.messages()->at(0).sentence.contains(QStringLiteral("restore or discard some of them")));
        Recovery::discard(left());
        next.autosave.flush();
        QCOMPARE(readRecovery(left()).document.utterances.size(), std::size_t(2));
        QCOMPARE(next.session.messages()->count(Severity::Warning), 0);
    }

    /// "Save it manually." stood in the next session, whose own failure was not said.
    void thatItFailedIsSaidOnlyOfTheSessionThatIsOpen() {
        Program program(*m_workshop);
        const auto fail = [&](const fs::path& folder) {
            for (int number = 1; number <= kMostPrograms; ++number)
                fs::copy_file(folder / kSessionFileName, numbered(folder / kRecoveryFileName, number));
            program.session.openSession(folder);
            QCOMPARE(program.session.messages()->count(Severity::Warning), 0);
            program.session.addText(QStringLiteral("new"));
            program.autosave.flush();
            QCOMPARE(program.session.messages()->count(Severity::Warning), 1);
        };
        fail(m_folder);
        const fs::path elsewhere = m_workshop->path() / "elsewhere.headroom";
        program.session.saveAs(elsewhere);
        QCOMPARE(program.session.messages()->count(Severity::Warning), 0);
        fail(elsewhere);
        program.session.openSession(m_folder);
        QCOMPARE(program.session.messages()->count(Severity::Warning), 0);
    }

    /// A recording that the saved session reads from its folder as any other file is not taken away with what recorded it.
    void whatTheSavedSessionReadsStays() {
        leave([](Session& session) { session.addRecording(Workshop::tone(0.4), QStringLiteral("take")); });
        const fs::path take = m_folder / "recordings" / "take.wav";
        Session other;
        other.openSession(m_folder);
        other.openUtterance(take);
        QVERIFY(waitUntilRead(other));
        other.save();
        QVERIFY(!readSession(m_folder).utterances[1].recorded);
        Recovery::discard(left());
        QVERIFY(nothingIsLeft() && fs::exists(take));
    }

    void aDamagedFileLeavesWhatIsOpen() {
        m_workshop->text("work.headroom/recovery.json", "rubbish");
        Program next(*m_workshop);
        next.session.openSession(m_folder);
        QVERIFY_EXCEPTION_THROWN(next.autosave.restoreChanges(left()), Error);
        QCOMPARE(next.session.utterances()->count(), 1);
        QVERIFY(!next.session.isModified());
        Recovery::discard(left());
        QVERIFY(nothingIsLeft());
    }

private:
    /// Changes the session, and ends without saving.
    template <typename Change> void leave(const Change& change, bool atOnce = true) {
        Program program(*m_workshop);
        program.session.openSession(m_folder);
        QVERIFY(waitUntilRead(program.session));
        program.autosave.savedHash = [this] { return m_saved; };
        change(program.session);
        if (atOnce)
            program.autosave.flush();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(m_folder / kRecoveryFileName), 60000);
        QVERIFY(program.session.isModified());
    }
    fs::path left() const { return m_folder / kRecoveryFileName; }
    bool nothingIsLeft() const {
        return std::ranges::none_of(fs::directory_iterator(m_folder), [](const auto& entry) {
            return entry.path().filename().string().starts_with("recovery");
        });
    }

    std::unique_ptr<Workshop> m_workshop;
    fs::path m_folder;
    std::string m_saved;
};

HEADROOM_TEST(RecoveryTest)

} // namespace headroom::testing::recovery_test

#include "recovery_test.moc"
