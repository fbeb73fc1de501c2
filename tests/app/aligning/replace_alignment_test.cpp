// SPDX-License-Identifier: GPL-3.0-or-later
// The step of “Align…”, its file, and what else reads that file.
#include "app/aligning/replace_alignment.h"

#include "app/documents/removals.h"
#include "core/alignment/readers.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace headroom::testing::replace_alignment_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class ReplaceAlignmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_workshop = std::make_unique<Workshop>();
        m_data = std::make_unique<ChangedVariable>("XDG_DATA_HOME", toQString(m_workshop->path() / "data").toLocal8Bit());
        m_session = std::make_unique<Session>();
        m_undone = std::make_unique<UndoneAlignments>(m_session.get());
        m_first = m_session->openUtterance(m_workshop->wav("first.wav", 1));
        m_second = m_session->openUtterance(m_workshop->wav("second.wav", 1));
        m_file = m_workshop->path() / "shared.TextGrid";
        QVERIFY(waitUntilRead(*m_session));
    }
    void cleanup() {
        m_undone.reset();
        m_session.reset();
        m_data.reset();
    }

    /// It went to the wastebasket, and the other recording lost it at the next start.
    void aFileThatAnotherRecordingReadsStays() {
        align(m_first, "new");
        m_session->openAlignment(m_file, m_second);
        QVERIFY(waitUntilRead(*m_session));
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        QVERIFY(fs::exists(m_file));
        QCOMPARE(words(m_first), QString());
        QCOMPARE(words(m_second), QStringLiteral("new"));
        QCOMPARE(m_session->messages()->rowCount(), 0);
        m_session->undoStack()->redo();
        QCOMPARE(words(m_first), QStringLiteral("new"));
        m_session->undoStack()->undo();
        m_session->saveAs(m_workshop->path() / "kept");
        QVERIFY(fs::exists(m_file)); // the other still reads it
        m_session->closeUtterance(m_second);
        m_session->save();
        QVERIFY(!fs::exists(m_file));
    }

    /// The other recording showed what was no longer in its file.
    void whatIsReplacedIsReadByTheOtherRecordingToo() {
        m_workshop->grid("shared.TextGrid", "old", 1);
        const QByteArray before = bytes();
        for (const UtteranceId id : {m_first, m_second})
            m_session->openAlignment(m_file, id);
        QVERIFY(waitUntilRead(*m_session));
        align(m_first, "new");
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(m_second), QStringLiteral("new"));
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(bytes(), before);
        QCOMPARE(words(m_first), QStringLiteral("old"));
        QCOMPARE(words(m_second), QStringLiteral("old"));
        m_session->undoStack()->redo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(m_first), QStringLiteral("new"));
        QCOMPARE(words(m_second), QStringLiteral("new"));
    }

    /// The step vanished when the recording had been removed and brought back.
    void aRecordingThatIsOpenAgainKeepsItsSteps() {
        align(m_first, "new");
        QVERIFY(waitUntilRead(*m_session));
        removeUtterances(m_session.get(), {m_first});
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        m_first = m_session->reopenedAs(m_first);
        QCOMPARE(words(m_first), QStringLiteral("new"));
        m_session->undoStack()->undo();
        QCOMPARE(words(m_first), QString());
        m_session->undoStack()->redo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(m_first), QStringLiteral("new"));
    }

    /// What was still being read came after the step was undone, without a file, and Redo had nothing to show.
    void itMayBeUndoneBeforeItIsRead() {
        align(m_first, "new");
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        QVERIFY(!fs::exists(m_file));
        QCOMPARE(words(m_first), QString());
        QVERIFY(row(m_first).alignmentFile.empty());
        QCOMPARE(m_session->messages()->rowCount(), 0);
        m_session->undoStack()->redo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(m_first), QStringLiteral("new"));
        QCOMPARE(row(m_first).alignmentFile, m_file);
    }

    /// The alignment was shown again, but its file was lost. In the wastebasket another one may have its name by then.
    void redoWritesTheFileAgainIfTheWastebasketWasEmptied_data() {
        QTest::addColumn<bool>("hasAnother");
        QTest::newRow("emptied") << false;
        QTest::newRow("another of its name") << true;
    }
    void redoWritesTheFileAgainIfTheWastebasketWasEmptied() {
        QFETCH(bool, hasAnother);
        align(m_first, "new");
        QVERIFY(waitUntilRead(*m_session));
        const QByteArray own = bytes();
        m_session->undoStack()->undo();
        QVERIFY(!fs::exists(m_file));
        fs::remove_all(m_workshop->path() / "data" / "Trash");
        if (hasAnother)
            m_workshop->text("data/Trash/files/shared.TextGrid", "of somebody else");
        m_session->undoStack()->redo();
        QCOMPARE(bytes(), own);
        QCOMPARE(words(m_first), QStringLiteral("new"));
        QCOMPARE(m_session->messages()->rowCount(), 0);
        m_session->undoStack()->undo();
        QVERIFY(!fs::exists(m_file));
    }

    void whatDoingWarnedOfIsSaidAgain() {
        align(m_first, "new", {QStringLiteral("first: the text may not match.")}, std::string(kDoubtfulOrigin));
        QVERIFY(waitUntilRead(*m_session));
        const auto warnings = row(m_first).warnings;
        QCOMPARE(warnings.size(), 1);
        QCOMPARE(m_session->messages()->count(Severity::Warning), 2);
        m_session->undoStack()->undo();
        QVERIFY(row(m_first).warnings.isEmpty());
        QCOMPARE(m_session->messages()->rowCount(), 0);
        m_session->undoStack()->redo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(row(m_first).warnings, warnings);
        QCOMPARE(m_session->messages()->count(Severity::Warning), 2);
    }

    /// Another recording was aligned into the same file.
    void undoTakesOnlyItsOwnWarnings() {
        align(m_first, "one", {QStringLiteral("first: it warns.")});
        QVERIFY(waitUntilRead(*m_session));
        align(m_second, "two", {QStringLiteral("second: it warns.")});
        QVERIFY(waitUntilRead(*m_session));
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(m_session->messages()->rowCount(), 1);
        QCOMPARE(m_session->messages()->at(0).sentence, QStringLiteral("first: it warns."));
        QCOMPARE(words(m_first), QStringLiteral("one"));
        QCOMPARE(words(m_second), QString());
    }

    /// The saved session reads the file, but as it was before.
    void whatASavedSessionReadIsPutBackAtOnce() {
        m_workshop->grid("shared.TextGrid", "old", 1);
        const QByteArray before = bytes();
        m_session->openAlignment(m_file, m_first);
        QVERIFY(waitUntilRead(*m_session));
        m_session->saveAs(m_workshop->path() / "kept");
        align(m_first, "new");
        QVERIFY(waitUntilRead(*m_session));
        m_session->undoStack()->undo();
        QCOMPARE(bytes(), before);
        QCOMPARE(words(m_first), QStringLiteral("old"));
    }

    /// The file stayed in the folder of the autosave, which goes when the session gets a name.
    void theAlignmentOfARecordingMovesWithItsSession() {
        const UtteranceId id = m_session->addRecording(Workshop::tone(1), QStringLiteral("spoken"));
        const fs::path unsaved = m_workshop->path() / "unsaved.headroom", kept = m_workshop->path() / "kept.headroom";
        m_session->writeCopy(unsaved);
        m_file = unsaved / kRecordingsName / "spoken.TextGrid";
        align(id, "new");
        QVERIFY(waitUntilRead(*m_session));
        m_session->saveAs(kept);
        fs::remove_all(unsaved);
        m_file = kept / kRecordingsName / "spoken.TextGrid";
        QCOMPARE(row(id).alignmentFile, m_file);
        QVERIFY(fs::exists(m_file));
        m_session->undoStack()->undo();
        m_session->save();
        QVERIFY(!fs::exists(m_file)); // it would be found beside the recording
        m_session->undoStack()->redo();
        QVERIFY(fs::exists(m_file));
        m_session->save();
        Session again;
        again.openSession(kept);
        QVERIFY(waitUntilRead(again));
        QCOMPARE(again.utterances()->at(2).transcript(), QStringLiteral("new"));
        QCOMPARE(again.messages()->rowCount(), 0);
    }

    /// Undo named the file before, which had gone with the folder of the autosave.
    void theAlignmentBeforeMovesWithTheSessionToo_data() {
        QTest::addColumn<bool>("isReplaced");
        QTest::newRow("in a file of its own") << false;
        QTest::newRow("in the file that was replaced") << true;
    }
    void theAlignmentBeforeMovesWithTheSessionToo() {
        QFETCH(bool, isReplaced);
        const UtteranceId id = m_session->addRecording(Workshop::tone(1), QStringLiteral("spoken"));
        const fs::path unsaved = m_workshop->path() / "unsaved.headroom", kept = m_workshop->path() / "kept.headroom";
        m_session->writeCopy(unsaved);
        m_file = unsaved / kRecordingsName / "spoken.TextGrid";
        align(id, "one");
        QVERIFY(waitUntilRead(*m_session));
        if (!isReplaced)
            m_file = unsaved / kRecordingsName / "spoken.aligned.TextGrid";
        align(id, "two");
        QVERIFY(waitUntilRead(*m_session));
        m_session->saveAs(kept);
        fs::remove_all(unsaved);
        const auto saved = [&](const QString& word) {
            m_session->save();
            Session again;
            again.openSession(kept);
            QVERIFY(waitUntilRead(again));
            QCOMPARE(again.utterances()->at(2).transcript(), word);
            QCOMPARE(again.messages()->rowCount(), 0);
        };
        const auto grids = [&] { // beside the recording, where a wrong one would be found
            return std::ranges::count_if(fs::directory_iterator(kept / kRecordingsName),
                                         [](const auto& one) { return one.path().extension() == ".TextGrid"; });
        };
        m_session->undoStack()->undo();
        saved(QStringLiteral("one"));
        QCOMPARE(grids(), std::ptrdiff_t(1));
        m_session->undoStack()->redo();
        saved(QStringLiteral("two"));
        m_session->undoStack()->undo();
        saved(QStringLiteral("one"));
        m_session->undoStack()->undo();
        saved(QString());
        QCOMPARE(grids(), std::ptrdiff_t(0));
        QCOMPARE(m_session->messages()->rowCount(), 0);
    }

    /// On a full disk, the session named the file in the folder of the autosave, which goes when the session is saved.
    void anAlignmentThatCannotBeCopiedIsSaid() {
        const UtteranceId id = m_session->addRecording(Workshop::tone(1), QStringLiteral("spoken"));
        m_session->writeCopy(m_workshop->path() / "unsaved.headroom");
        m_file = m_workshop->path() / "unsaved.headroom" / kRecordingsName / "spoken.TextGrid";
        align(id, "new");
        QVERIFY(waitUntilRead(*m_session));
        fs::remove(m_file);
        fs::create_directory(m_file); // is there, but cannot be copied
        QVERIFY_EXCEPTION_THROWN(m_session->saveAs(m_workshop->path() / "kept"), Error);
        QVERIFY(!fs::exists(m_workshop->path() / "kept.headroom" / kSessionFileName) && m_session->isModified());
        fs::remove(m_file); // a missing one prevents nothing
        m_session->saveAs(m_workshop->path() / "kept");
    }

private:
    const OpenUtterance& row(UtteranceId id) const { return *m_session->utterances()->find(id); }
    QString words(UtteranceId id) const { return row(id).transcript(); }
    QByteArray bytes() const {
        QFile opened(toQString(m_file));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    void align(UtteranceId id, const std::string& word, const QStringList& warnings = {}, const std::string& origin = {}) {
        Alignment alignment;
        alignment.words = alignment.phones = {{Seconds(0), Seconds(1), word}};
        alignment.origin = origin;
        m_session->undoStack()->push(new ReplaceAlignment(m_session.get(), m_undone.get(), id, WrittenAlignment(m_file, textGridOf(alignment, Seconds(1))),
                                                          row(id).shownName(), warnings));
    }

    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<ChangedVariable> m_data;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<UndoneAlignments> m_undone;
    UtteranceId m_first = UtteranceId::None, m_second = UtteranceId::None;
    fs::path m_file;
};

HEADROOM_TEST(ReplaceAlignmentTest)

} // namespace headroom::testing::replace_alignment_test

#include "replace_alignment_test.moc"
