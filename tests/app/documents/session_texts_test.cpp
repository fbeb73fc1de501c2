// SPDX-License-Identifier: GPL-3.0-or-later
// Texts among the utterances: typed, read from files, changed, removed, kept. And recordings that come back.
#include "app/documents/items/analysed_words.h"
#include "app/documents/items/why_no_map.h"
#include "app/documents/removals.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include <fstream>

namespace headroom::testing::session_texts_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

std::string savedText(const std::filesystem::path& session) {
    std::ifstream stream(session / "session.json");
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

class SessionTextsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTextIsReadyAndCurrentAtOnce() {
        Session session;
        const UtteranceId id = session.addText(QStringLiteral(" It  is so. "), QStringLiteral("So ist es."));
        QCOMPARE(session.currentUtteranceId(), id);
        const OpenUtterance* text = session.currentUtterance();
        QVERIFY(text->isText && text->hasSource() && text->state == OpenState::Ready);
        QCOMPARE(text->text, QStringLiteral("It is so."));
        QCOMPARE(text->transcript(), QStringLiteral("So ist es."));
        QVERIFY(session.isModified());
        QVERIFY(!session.utterances()->find(session.addText())->hasSource());
    }

    void aRemovedTextIsCalledAsInTheList() {
        Session session;
        const auto said = [&] { return session.messages()->at(0).sentence; };
        removeUtterances(&session, {session.addText(QStringLiteral("we see the house"))});
        QCOMPARE(said(), QStringLiteral("“we see the house” was removed from the session."));
        removeUtterances(&session, {session.addText()});
        QCOMPARE(said(), QStringLiteral("“text 2” was removed from the session."));
    }

    /// Messages and captions called it “text 2”, which no list shows.
    void aTextIsNamedByItsWords() {
        Session session;
        const auto name = [&](UtteranceId id) { return session.utterances()->find(id)->shownName(); };
        const auto inList = [&](UtteranceId id) { return session.utterances()->index(session.utterances()->rowOf(id)).data().toString(); };
        const UtteranceId one = session.addText(QStringLiteral("we see the house")), two = session.addText();
        QCOMPARE(name(one), QStringLiteral("“we see the house”"));
        QCOMPARE(inList(one), QStringLiteral("we see the house"));
        QCOMPARE(name(two), QStringLiteral("text 2")); // nothing was typed yet
        QSignalSpy changed(&session, &Session::utteranceChanged);
        session.setText(two, QStringLiteral("we see the house"), {});
        QCOMPARE(name(one), QStringLiteral("“we see the house” (text 1)"));
        QCOMPARE(name(two), QStringLiteral("“we see the house” (text 2)"));
        QCOMPARE(inList(two), QStringLiteral("we see the house (text 2)"));
        QTRY_VERIFY(changed.contains({QVariant::fromValue(one)})); // whoever shows the first one hears of it
        session.setText(two, QStringLiteral("another"), {});
        QCOMPARE(name(one), QStringLiteral("“we see the house”"));
        session.setText(two, QStringLiteral("we see the house"), {});
        session.closeUtterance(one);
        QCOMPARE(name(two), QStringLiteral("“we see the house”"));
    }

    void aLongTextIsNamedByItsFirstWords() {
        QCOMPARE(quotedText(QString(40, u'a')), QStringLiteral("“%1”").arg(QString(40, u'a')));
        QCOMPARE(quotedText(QStringLiteral("we see the house on the hill that we have seen")), QStringLiteral("“we see the house on the hill that we…”"));
        QCOMPARE(quotedText(QString(50, u'a')), QStringLiteral("“%1…”").arg(QString(39, u'a')));
        const QString smileys = QStringLiteral("a") + QStringLiteral("😀").repeated(30);
        QCOMPARE(quotedText(smileys), QStringLiteral("“%1…”").arg(smileys.left(39))); // each whole
    }

    /// After a session was opened, numbers began at 1 again.
    void aNewTextHasANameOfItsOwn() {
        Workshop workshop;
        Session first;
        first.addText(QStringLiteral("one"));
        first.saveAs(workshop.path() / "a.headroom");
        Session session;
        session.openSession(workshop.path() / "a.headroom");
        session.addText(QStringLiteral("one"));
        QCOMPARE(session.currentUtterance()->shownName(), QStringLiteral("“one” (text 2)"));
    }

    void whatIsRemovedSaysWhetherItHasAFile() {
        Workshop workshop;
        Session session;
        session.open({workshop.wav("file.wav")});
        QVERIFY(waitUntilRead(session));
        const UtteranceId file = session.currentUtteranceId();
        Recording recording;
        recording.samples.assign(8000, 0.1F);
        const UtteranceId recorded = session.addRecording(recording, QStringLiteral("take"));
        const UtteranceId again = session.addRecording(recording, QStringLiteral("take 2"));
        QVERIFY(waitUntilRead(session));
        const auto said = [&] { return session.messages()->at(0).sentence; };
        removeUtterances(&session, {recorded});
        QCOMPARE(said(), QStringLiteral("“take” was removed from the session. It was never saved: only Undo brings it back."));
        session.messages()->trigger(0);
        QCOMPARE(session.utterances()->count(), 3);
        for (int row = 0; row < session.messages()->rowCount(); ++row)
            QVERIFY(session.messages()->at(row).actionText.isEmpty()); // what was undone is not offered again
        QCOMPARE(session.currentUtterance()->name, QStringLiteral("take 2")); // as before
        QCOMPARE(session.utterances()->at(1).name, QStringLiteral("take"));
        QCOMPARE(session.utterances()->at(1).recording->samples.size(), std::size_t(8000));
        removeUtterances(&session, {file, again});
        QCOMPARE(said(), QStringLiteral("2 utterances were removed from the session. 1 of them was never saved: only Undo "
                                        "brings that one back."));
        session.messages()->trigger(0);
        QVERIFY(waitUntilRead(session));
        QCOMPARE(session.utterances()->count(), 3);
        QCOMPARE(session.currentUtterance()->name, QStringLiteral("take 2"));
        removeUtterances(&session, {session.utterances()->at(0).id});
        QCOMPARE(said(), QStringLiteral("“file” was removed from the session. Its file was not touched."));

        // Ctrl+Z brings it back, and the message goes.
        QUndoStack& steps = *session.undoStack();
        QCOMPARE(steps.undoText(), QStringLiteral("removal of “file”"));
        steps.undo();
        QVERIFY(waitUntilRead(session));
        QCOMPARE(session.utterances()->count(), 3);
        for (int row = 0; row < session.messages()->rowCount(); ++row)
            QVERIFY(session.messages()->at(row).actionText.isEmpty());
        steps.redo();
        QCOMPARE(session.utterances()->count(), 2);
        QCOMPARE(said(), QStringLiteral("“file” was removed from the session. Its file was not touched."));
    }

    /// They came back at the end, and another one was shown. What could not be read was removed for good, and the next Ctrl+Z
    /// undid a step of something else.
    void whatIsRemovedComesBackToItsPlace() {
        Workshop workshop;
        Session session;
        for (const char* name : {"a", "b", "c", "d"})
            session.addText(QString::fromUtf8(name));
        const auto row = [&](int at) { return session.utterances()->at(at); };
        const auto texts = [&] {
            QString all;
            for (int at = 0; at < session.utterances()->count(); ++at)
                all += row(at).text;
            return all;
        };
        session.setCurrentUtterance(row(1).id);
        removeUtterances(&session, {row(2).id, row(0).id, row(1).id});
        QCOMPARE(texts(), QStringLiteral("d"));
        session.undoStack()->undo();
        QCOMPARE(texts(), QStringLiteral("abcd"));
        QCOMPARE(session.currentUtterance()->text, QStringLiteral("b"));

        session.open({workshop.text("bad.wav", "no sound")});
        QVERIFY(waitUntilRead(session));
        QCOMPARE(row(4).state, OpenState::Failed);
        session.setCurrentUtterance(row(0).id);
        session.messages()->trigger(0); // “Remove”
        QCOMPARE(session.utterances()->count(), 4);
        session.undoStack()->undo();
        QVERIFY(waitUntilRead(session));
        QCOMPARE(row(4).state, OpenState::Failed);
        QCOMPARE(session.currentUtteranceId(), row(0).id);
    }

    /// Segments were all called as their file, and their texts were lost.
    void anUtteranceOfACorpusKeepsItsNameAndTexts() {
        Workshop workshop;
        const auto file = workshop.wav("talk.wav"), folder = workshop.path() / "a.headroom";
        const auto part = [&](const char* samples) { return std::filesystem::path(file.string() + samples); };
        {
            Session session;
            const UtteranceId first = session.openUtterance({part(":0:4000"), "talk_0", {"one two", "eins zwei"}});
            const UtteranceId second = session.openUtterance({part(":4000:4000"), "talk_1", {"three", {}}});
            QCOMPARE(session.openUtterance(part(":0:4000")), first);
            QVERIFY(waitUntilRead(session));
            const OpenUtterance* open = session.utterances()->find(first);
            QCOMPARE(open->name, QStringLiteral("talk_0"));
            QCOMPARE(open->transcript(), QStringLiteral("one two"));
            QCOMPARE(analysedTranscript(*open), QStringLiteral("eins zwei"));
            QCOMPARE(analysedTranscript(*session.utterances()->find(second)), QStringLiteral("three"));
            session.setPart(second, Part{Seconds(0), Seconds(0.1)});
            QVERIFY(analysedTranscript(*session.utterances()->find(second)).isEmpty()); // where its words are is not known
            removeUtterances(&session, {first});
            session.undoStack()->undo();
            QVERIFY(waitUntilRead(session));
            session.saveAs(folder);
            QVERIFY(savedText(folder).find("\"version\": 3") != std::string::npos);
        }
        Session session;
        session.openSession(folder);
        QVERIFY(waitUntilRead(session));
        const OpenUtterance& open = session.utterances()->at(0);
        QCOMPARE(open.name, QStringLiteral("talk_0"));
        QVERIFY((open.texts == CorpusTexts{"one two", "eins zwei"}));
        // The same recording by hand keeps them, and another table's replace them.
        session.openUtterance({part(":0:4000"), "talk_0", {"one two", {}}});
        QCOMPARE(session.utterances()->count(), 2);
        QCOMPARE(analysedTranscript(session.utterances()->at(0)), QStringLiteral("one two"));
    }

    /// An autosave had given it a file, which goes when the session is saved elsewhere.
    void aRecordingThatUndoBringsBackIsTheSessionsOwn() {
        Workshop workshop;
        Session session;
        Recording recording;
        recording.samples.assign(16000, 0.1F);
        session.addRecording(recording, QStringLiteral("take"));
        const auto kept = workshop.path() / "unsaved.headroom";
        session.writeCopy(kept);
        QVERIFY(!session.currentUtterance()->file.empty());
        session.setPart(session.currentUtteranceId(), Part{Seconds(0.25), Seconds(0.75)});
        removeUtterances(&session, {session.currentUtteranceId()});
        session.messages()->trigger(0); // “Undo”
        QVERIFY(waitUntilRead(session));
        QVERIFY(session.currentUtterance()->isRecorded);
        QVERIFY(session.currentUtterance()->part == (Part{Seconds(0.25), Seconds(0.75)}));
        session.saveAs(workshop.path() / "talk");
        std::filesystem::remove_all(kept);
        Session again;
        again.openSession(session.folder());
        QVERIFY(waitUntilRead(again));
        QCOMPARE(again.utterances()->at(0).state, OpenState::Ready);
        QCOMPARE(again.utterances()->at(0).recording->samples.size(), std::size_t(16000));
        // A file that was opened comes back with its part, too.
        session.open({workshop.wav("file.wav", 1)});
        QVERIFY(waitUntilRead(session));
        session.setPart(session.currentUtteranceId(), Part{Seconds(0.5), Seconds(0.9)});
        removeUtterances(&session, {session.currentUtteranceId()});
        session.messages()->trigger(0);
        QVERIFY(waitUntilRead(session));
        QVERIFY(session.utterances()->at(1).part == (Part{Seconds(0.5), Seconds(0.9)}));
    }

    void onlyAnotherTextIsAChange() {
        Session session;
        const UtteranceId id = session.addText(QStringLiteral("a"));
        QSignalSpy changed(&session, &Session::utteranceChanged);
        session.setText(id, QStringLiteral(" a "), {});
        QCOMPARE(changed.count(), 0);
        session.setText(id, QStringLiteral("b"), QStringLiteral("c"));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(session.currentUtterance()->text, QStringLiteral("b"));
    }

    void everyLineOfATextFileIsAText() {
        Workshop workshop;
        workshop.text("three.txt", "\xEF\xBB\xBF" "One.\r\n\r\nTwo.\nThree.");
        Session session;
        session.open({workshop.path() / "three.txt"});
        QCOMPARE(session.utterances()->count(), 3);
        QCOMPARE(session.utterances()->at(0).text, QStringLiteral("One."));
        QCOMPARE(session.utterances()->at(2).text, QStringLiteral("Three."));
        QCOMPARE(session.currentUtteranceId(), session.utterances()->at(0).id);
        QVERIFY(session.utterances()->at(1).name.contains(QStringLiteral("three")));
    }

    void badTextFilesAreRefusedWithASentence_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        QTest::newRow("empty") << QByteArray("\n \n") << QStringLiteral("has no text");
        QTest::newRow("no UTF-8") << QByteArray("caf\xE9\n") << QStringLiteral("UTF-8");
        QTest::newRow("binary") << QByteArray("a\0b\n", 4) << QStringLiteral("UTF-8");
        QTest::newRow("large") << QByteArray(2 << 20, 'a') << QStringLiteral("1 MB");
        QTest::newRow("many lines") << QByteArray("a\n").repeated(600) << QStringLiteral("600 lines");
    }
    void badTextFilesAreRefusedWithASentence() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        Workshop workshop;
        workshop.text("bad.txt", bytes.toStdString());
        Session session;
        session.open({workshop.path() / "bad.txt"});
        QCOMPARE(session.utterances()->count(), 0);
        QCOMPARE(session.messages()->count(Severity::Error), 1);
        QVERIFY(session.messages()->at(0).sentence.contains(said));
    }

    void removedTextsComeBack() {
        Session session;
        const UtteranceId id = session.addText(QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("mine"));
        removeUtterances(&session, {id});
        QCOMPARE(session.utterances()->count(), 0);
        session.messages()->trigger(0);
        QCOMPARE(session.utterances()->count(), 1);
        QCOMPARE(session.utterances()->at(0).name, QStringLiteral("mine"));
        QCOMPARE(session.utterances()->at(0).target, QStringLiteral("b"));
    }

    void sessionsKeepTextsAndAreOfVersionTwo() {
        Workshop workshop;
        Session session;
        session.saveAs(workshop.path() / "none.headroom");
        QVERIFY(savedText(workshop.path() / "none.headroom").find("\"version\": 1") != std::string::npos);
        session.addText(QStringLiteral("Größe"), QStringLiteral("size"));
        session.addText();
        session.saveAs(workshop.path() / "texts.headroom");
        QVERIFY(savedText(workshop.path() / "texts.headroom").find("\"version\": 2") != std::string::npos);
        Session again;
        again.openSession(workshop.path() / "texts.headroom");
        QCOMPARE(again.utterances()->count(), 2);
        QCOMPARE(again.utterances()->at(0).text, QStringLiteral("Größe"));
        QCOMPARE(again.utterances()->at(0).target, QStringLiteral("size"));
        QVERIFY(again.utterances()->at(1).isText && again.utterances()->at(1).state == OpenState::Ready);
        QVERIFY(!again.isModified());
    }

    void modelsSayWhichUtterancesTheyRead() {
        OpenModel speech, text;
        speech.info = Workshop::info(2);
        text.info = Workshop::info(2);
        text.info->architecture.frontEnd.reads = InputKind::Text;
        OpenUtterance recording, sentence, empty;
        sentence.isText = empty.isText = true;
        sentence.text = QStringLiteral("a");
        QVERIFY(whyNotSource(speech, recording).isEmpty() && whyNotSource(text, sentence).isEmpty());
        QVERIFY(whyNotSource(text, recording).contains(QStringLiteral("reads text")));
        QVERIFY(whyNotSource(speech, sentence).contains(QStringLiteral("reads recordings")));
        QVERIFY(whyNotSource(text, empty).contains(QStringLiteral("Type a text")));
    }
};

HEADROOM_TEST(SessionTextsTest)

} // namespace headroom::testing::session_texts_test

#include "session_texts_test.moc"
