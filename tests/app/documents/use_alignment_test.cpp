// SPDX-License-Identifier: GPL-3.0-or-later
// An alignment that is opened for a recording, or taken off it, as a step of the undo stack.
#include "app/documents/use_alignment.h"

#include "app/documents/removals.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

#include <filesystem>
#include <memory>

namespace headroom::testing::use_alignment_test {

using namespace headroom::app;

class UseAlignmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_workshop = std::make_unique<Workshop>();
        m_session = std::make_unique<Session>();
    }
    void cleanup() { m_session.reset(); }

    /// Only removing the recording and opening it again took the alignment off.
    void whatTheUserChoosesCanBeUndone() {
        open({"one.wav"});
        const auto grid = m_workshop->grid("elsewhere/other.TextGrid", "word");
        m_session->open({grid});
        QVERIFY(!m_session->undoStack()->canUndo()); // it is offered
        m_session->messages()->trigger(0);           // "Use it for one"
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0), QStringLiteral("word"));
        QCOMPARE(m_session->undoStack()->undoText(), QStringLiteral("alignment of one"));
        m_session->undoStack()->undo();
        QCOMPARE(words(0), QString());
        QVERIFY(row(0).alignmentFile.empty() && !row(0).alignment);
        m_session->undoStack()->redo();
        QCOMPARE(words(0), QStringLiteral("word"));
        QCOMPARE(row(0).alignmentFile, grid);
        QVERIFY(std::filesystem::exists(grid));
    }

    void theOneBeforeComesBack() {
        m_workshop->grid("one.TextGrid", "beside");
        open({"one.wav"});
        m_session->open({m_workshop->grid("elsewhere/one.TextGrid", "other")}); // of its name: nothing is asked
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0), QStringLiteral("other"));
        m_session->open({m_workshop->path() / "elsewhere" / "one.TextGrid"}); // which changes nothing
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(m_session->undoStack()->count(), 1);
        m_session->undoStack()->undo();
        QCOMPARE(words(0), QStringLiteral("beside"));
        m_session->undoStack()->redo();
        m_session->removeAlignment(row(0).id); // the one beside it would be read at the next start
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0), QStringLiteral("beside"));
        m_session->undoStack()->undo();
        QCOMPARE(words(0), QStringLiteral("other"));
    }

    void takingItOffIsAStepToo() {
        open({"one.wav"});
        m_session->openAlignment(m_workshop->grid("elsewhere/one.TextGrid", "word"), row(0).id); // not by the user
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(m_session->undoStack()->count(), 0);
        m_session->removeAlignment(row(0).id);
        QVERIFY(row(0).alignmentFile.empty() && !row(0).alignment);
        QCOMPARE(m_session->undoStack()->undoText(), QStringLiteral("removal of the alignment of one"));
        m_session->undoStack()->undo();
        QCOMPARE(words(0), QStringLiteral("word"));
        m_session->undoStack()->redo();
        QCOMPARE(words(0), QString());
    }

    void aListThatIsFoundAtOpeningStays() {
        m_workshop->text("words.ctm", "one 1 0 0.2 first\n");
        open({"one.wav"});
        QCOMPARE(words(0), QStringLiteral("first"));
        m_session->removeAlignment(row(0).id);
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0), QStringLiteral("first"));
        QCOMPARE(m_session->undoStack()->count(), 0);
        QVERIFY(m_session->messages()->index(0, Messages::Sentence).data().toString().startsWith(QStringLiteral("words.ctm lies beside the recording")));
    }

    void whatIsOpenedWithItsRecordingIsNoStep() {
        m_session->open({m_workshop->wav("one.wav"), m_workshop->grid("elsewhere/one.TextGrid", "word")});
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0), QStringLiteral("word"));
        QCOMPARE(m_session->undoStack()->count(), 0);
    }

    void oneThatCannotBeReadIsNoStep() {
        open({"one.wav"});
        m_session->open({m_workshop->text("elsewhere/one.TextGrid", "of another program")});
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(m_session->messages()->count(Severity::Error), 1);
        QCOMPARE(m_session->undoStack()->count(), 0);
    }

    /// Undo took the alignments of all three.
    void aListThatIsOpenedAgainIsAnotherStep() {
        open({"one.wav", "two.wav"});
        const auto list = m_workshop->text("lists/words.ctm", "one 1 0 0.2 first\ntwo 1 0 0.2 second\nthree 1 0 0.2 third\n");
        m_session->open({list});
        QVERIFY(waitUntilRead(*m_session));
        open({"three.wav"});
        m_session->open({list});
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0) + words(1) + words(2), QStringLiteral("firstsecondthird"));
        QCOMPARE(m_session->undoStack()->count(), 2);
        m_session->undoStack()->undo();
        QCOMPARE(words(0) + words(1) + words(2), QStringLiteral("firstsecond"));
    }

    void theReasonOfOneThatCouldNotBeReadComesBack() {
        m_workshop->text("one.TextGrid", "of another program");
        open({"one.wav"});
        const QStringList warnings = row(0).warnings;
        QCOMPARE(warnings.size(), 1);
        m_session->open({m_workshop->grid("elsewhere/one.TextGrid", "word")});
        QVERIFY(waitUntilRead(*m_session));
        QVERIFY(row(0).warnings.isEmpty());
        QCOMPARE(m_session->messages()->count(Severity::Error), 0);
        m_session->undoStack()->undo();
        QCOMPARE(row(0).warnings, warnings);
        QCOMPARE(m_session->messages()->count(Severity::Error), 1);
        m_session->undoStack()->redo();
        QVERIFY(row(0).warnings.isEmpty());
    }

    void aListIsOneStep() {
        open({"one.wav", "two.wav"});
        m_session->open({m_workshop->text("lists/words.ctm", "one 1 0 0.2 first\ntwo 1 0 0.2 second\n")});
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0) + words(1), QStringLiteral("firstsecond"));
        QCOMPARE(m_session->undoStack()->undoText(), QStringLiteral("alignments of 2 recordings"));
        m_session->undoStack()->undo();
        QCOMPARE(words(0) + words(1), QString());
        QVERIFY(!m_session->undoStack()->canUndo());
        m_session->closeUtterance(row(0).id);
        m_session->undoStack()->redo();
        QCOMPARE(words(0), QStringLiteral("second"));
        m_session->closeUtterance(row(0).id);
        m_session->undoStack()->undo();
        QCOMPARE(m_session->undoStack()->count(), 0); // none of them is open
    }

    /// The step of the alignment vanished when the recording had been removed and brought back.
    void aRecordingThatIsOpenAgainKeepsItsSteps() {
        open({"one.wav"});
        m_session->open({m_workshop->grid("elsewhere/one.TextGrid", "word")});
        QVERIFY(waitUntilRead(*m_session));
        removeUtterances(m_session.get(), {row(0).id});
        m_session->undoStack()->undo();
        QVERIFY(waitUntilRead(*m_session));
        QCOMPARE(words(0), QStringLiteral("word"));
        m_session->undoStack()->undo();
        QCOMPARE(words(0), QString());
        m_session->undoStack()->redo();
        QCOMPARE(words(0), QStringLiteral("word"));
    }

private:
    void open(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            m_session->openUtterance(m_workshop->wav(name));
        QVERIFY(waitUntilRead(*m_session));
    }
    const OpenUtterance& row(int number) { return m_session->utterances()->at(number); }
    QString words(int number) { return row(number).transcript(); }

    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<Session> m_session;
};

HEADROOM_TEST(UseAlignmentTest)

} // namespace headroom::testing::use_alignment_test

#include "use_alignment_test.moc"
