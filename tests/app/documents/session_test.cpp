// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::session_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

QString sentenceOf(Session& session, int row) {
    return session.utterances()->index(row).data(UtteranceList::SentenceRole).toString();
}

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDroppedRecordingIsReadAndBecomesCurrent();
    void itemModelsStayConsistentWhileFilesComeAndGo();
    void aBadFileSaysWhyAndLeavesWhatIsShown();
    void theFirstReadableOfADropBecomesCurrent();
    void anAlignmentOfTheSameStemComesAlong();
    void aBadAlignmentIsSaidAndTheRecordingOpensWithoutIt();
    void anAlignmentAloneGoesToTheRecordingOfItsName();
    void anAlignmentWithoutARecordingIsSaid();
    void anAlignmentOfAnotherNameIsOfferedForTheCurrentRecording();
    void aTableThatIsNoAlignmentIsCalledWhatItIs();
    void aListGoesToThoseThatItNames();
    void aTableThatNamesNobodyIsOfferedForTheCurrentRecording();
    void theSameFileIsNotOpenedTwice();
    void recordingsThatDifferInTheirExtensionShowIt();
    void whatWasRecordedHasNoFileUntilItIsSaved();
    void linearSpectrogramIsComputedWhenAsked();
    void aRecordingShorterThanAFrameOpensWithoutLogMel();
    void closingTheCurrentOneShowsItsNeighbour();
    void closingWhileReadingIsQuiet();
    void aSentenceStandsInTheMessagesOnce();
    void aMessageGoesWithItsCause();
    void anAlignmentThatCanBeReadEndsWhatWasSaidOfTheOneBefore();
};

void SessionTest::aSentenceStandsInTheMessagesOnce() {
    Messages messages;
    QAbstractItemModelTester tester(&messages, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QString silent = QStringLiteral("There is no device to play on.");
    messages.post(Severity::Error, silent);
    messages.post(Severity::Info, QStringLiteral("Saved."));
    messages.post(Severity::Error, silent);
    QCOMPARE(messages.rowCount(), 2);
    QCOMPARE(messages.at(0).sentence, silent); // the newest first
    messages.post(Severity::Warning, silent);  // another weight is another message
    QCOMPARE(messages.rowCount(), 3);
}

void SessionTest::aDroppedRecordingIsReadAndBecomesCurrent() {
    Workshop workshop;
    Session session;
    QSignalSpy changed(&session, &Session::utteranceChanged);
    session.open({workshop.wav("hello.wav", 0.5)});
    QCOMPARE(session.utterances()->count(), 1);
    QCOMPARE(session.currentUtterance()->state, OpenState::Reading);
    QVERIFY(session.isReading());
    QVERIFY(waitUntilRead(session));
    const OpenUtterance& utterance = *session.currentUtterance();
    QCOMPARE(utterance.state, OpenState::Ready);
    QCOMPARE(utterance.name, QStringLiteral("hello"));
    QCOMPARE(utterance.duration().value(), 0.5);
    QVERIFY(utterance.logMel);
    QCOMPARE(utterance.logMel->rows(), std::size_t(48)); // 1 + ⌊(8000 − 400) / 160⌋
    QVERIFY(!utterance.linear);
    QVERIFY(changed.count() >= 2); // the waveform first, then the spectrogram
    QVERIFY(session.isModified());
}

void SessionTest::itemModelsStayConsistentWhileFilesComeAndGo() {
    Workshop workshop;
    Session session;
    using Mode = QAbstractItemModelTester::FailureReportingMode;
    QAbstractItemModelTester utterances(session.utterances(), Mode::QtTest);
    QAbstractItemModelTester models(session.models(), Mode::QtTest);
    QAbstractItemModelTester messages(session.messages(), Mode::QtTest);
    session.open({workshop.wav("a.wav"), workshop.text("bad.wav", "no sound"), workshop.model("m"),
                  workshop.wav("c.wav")});
    session.setModelOpened(session.models()->at(0).id, Workshop::info(3));
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->rowCount(), 3);
    QCOMPARE(session.models()->rowCount(), 1);
    const OpenModel& model = session.models()->at(0);
    QCOMPARE(session.models()->of(model.folder), &model);
    QVERIFY(!session.models()->of(model.folder / "other"));
    QCOMPARE(session.messages()->rowCount(), 1);
    session.messages()->trigger(0); // “Remove”
    QCOMPARE(session.utterances()->rowCount(), 2);
    session.models()->setData(session.models()->index(0), Qt::Unchecked, Qt::CheckStateRole);
    QVERIFY(!session.models()->at(0).enabled);
    session.clear();
    session.messages()->clear();
    QVERIFY(session.isEmpty());
}

void SessionTest::aBadFileSaysWhyAndLeavesWhatIsShown() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("good.wav")});
    QVERIFY(waitUntilRead(session));
    const UtteranceId shown = session.currentUtteranceId();
    session.open({workshop.text("notes.wav", "%PDF-1.4 this is no sound at all")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->at(1).state, OpenState::Failed);
    QVERIFY2(sentenceOf(session, 1).contains(QStringLiteral("notes.wav")),
             qPrintable(sentenceOf(session, 1)));
    QCOMPARE(session.currentUtteranceId(), shown);
    QCOMPARE(session.messages()->count(Severity::Error), 1);
    QCOMPARE(session.messages()->summary(), QStringLiteral("1 error"));
    session.open({workshop.path() / "nowhere.wav"});
    QVERIFY(session.messages()->at(0).sentence.contains(QStringLiteral("nowhere.wav")));
    QCOMPARE(session.utterances()->count(), 2);
}

void SessionTest::theFirstReadableOfADropBecomesCurrent() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("old.wav")});
    QVERIFY(waitUntilRead(session));
    session.open({workshop.text("a.wav", "x"), workshop.wav("b.wav", 2.0), workshop.wav("c.wav", 0.1)});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->name, QStringLiteral("b"));
}

void SessionTest::anAlignmentOfTheSameStemComesAlong() {
    Workshop workshop;
    workshop.grid("hello.TextGrid", "hello");
    Session session;
    session.open({workshop.wav("hello.wav")});
    QVERIFY(waitUntilRead(session));
    QVERIFY(session.currentUtterance()->alignment);
    QCOMPARE(session.currentUtterance()->transcript(), QStringLiteral("hello"));
    QVERIFY(sentenceOf(session, 0).isEmpty());
}

void SessionTest::aBadAlignmentIsSaidAndTheRecordingOpensWithoutIt() {
    Workshop workshop;
    workshop.text("hello.TextGrid", "this is no TextGrid");
    Session session;
    session.open({workshop.wav("hello.wav")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->state, OpenState::Ready);
    QVERIFY(!session.currentUtterance()->alignment);
    QVERIFY2(sentenceOf(session, 0).contains(QStringLiteral("hello.TextGrid")),
             qPrintable(sentenceOf(session, 0)));
    QCOMPARE(session.messages()->count(Severity::Error), 1); // as the row and the check say it
}

void SessionTest::anAlignmentAloneGoesToTheRecordingOfItsName() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("sound/hello.wav")});
    QVERIFY(waitUntilRead(session));
    session.open({workshop.grid("grids/hello.TextGrid", "later")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->transcript(), QStringLiteral("later"));
    // One that cannot be read leaves the one that is there.
    session.open({workshop.text("worse/hello.TextGrid", "rubbish")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->transcript(), QStringLiteral("later"));
    QCOMPARE(session.messages()->count(Severity::Error), 1);
}

void SessionTest::anAlignmentWithoutARecordingIsSaid() {
    Workshop workshop;
    Session session;
    session.open({workshop.grid("lonely.TextGrid", "word")});
    QCOMPARE(session.messages()->rowCount(), 1);
    QVERIFY(session.messages()->at(0).sentence.contains(QStringLiteral("lonely.TextGrid")));
}

void SessionTest::anAlignmentOfAnotherNameIsOfferedForTheCurrentRecording() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("hello.wav"), workshop.wav("other.wav")});
    QVERIFY(waitUntilRead(session));
    const UtteranceId hello = session.utterances()->at(0).id;
    session.setCurrentUtterance(hello);
    const auto grid = workshop.grid("hello_words.TextGrid", "later");
    session.open({grid});
    session.open({grid}); // said once
    QVERIFY(waitUntilRead(session));
    QVERIFY(!session.currentUtterance()->alignment); // it was not asked for
    QCOMPARE(session.messages()->rowCount(), 1);
    QCOMPARE(session.messages()->at(0).sentence,
             QStringLiteral("No open recording matches hello_words.TextGrid: none is called hello_words."));
    QCOMPARE(session.messages()->at(0).actionText, QStringLiteral("Use it for hello"));
    session.setCurrentUtterance(session.utterances()->at(1).id); // the offer names its recording
    session.messages()->trigger(0);
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->at(0).transcript(), QStringLiteral("later"));
    QCOMPARE(session.utterances()->at(0).alignmentFile, grid);
    QVERIFY(!session.utterances()->at(1).alignment);
    QCOMPARE(session.messages()->rowCount(), 0);
    session.open({workshop.grid("third.TextGrid", "word")});
    QCOMPARE(session.messages()->rowCount(), 1);
    session.closeUtterance(session.currentUtteranceId()); // for which it was offered
    QCOMPARE(session.messages()->rowCount(), 0);
}

void SessionTest::aTableThatIsNoAlignmentIsCalledWhatItIs() {
    Workshop workshop;
    Session session;
    session.open({workshop.text("scores.csv", "model,wer\na,3.1\n"), workshop.text("manifest.tsv", "id\taudio\na\ta.wav\n")});
    QCOMPARE(session.utterances()->count(), 0);
    QStringList said;
    for (int row = 0; row < session.messages()->rowCount(); ++row)
        said << session.messages()->at(row).sentence;
    QCOMPARE(said.filter(QStringLiteral("manifest.tsv lists the recordings of a corpus")).size(), 1);
    QCOMPARE(said.filter(QStringLiteral("scores.csv is not an alignment")).size(), 1);
    QCOMPARE(said.size(), 2);
}

/// One that named utterances as their corpus does was for nobody, and so was one that was dropped with its recordings.
void SessionTest::aListGoesToThoseThatItNames() {
    Workshop workshop;
    Session session;
    const UtteranceId named = session.openUtterance({workshop.wav("sound/a.wav"), QStringLiteral("utt-7"), {}});
    QVERIFY(waitUntilRead(session));
    session.open({workshop.wav("sound/b.wav"), workshop.text("lists/words.ctm", "utt-7 1 0 0.2 seven\nb 1 0 0.2 bee\n")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->find(named)->transcript(), QStringLiteral("seven"));
    QCOMPARE(session.utterances()->at(1).transcript(), QStringLiteral("bee"));
    QCOMPARE(session.messages()->rowCount(), 0);
}

void SessionTest::aTableThatNamesNobodyIsOfferedForTheCurrentRecording() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("a.wav"), workshop.wav("b.wav")});
    QVERIFY(waitUntilRead(session));
    session.setCurrentUtterance(session.utterances()->at(0).id);
    session.open({workshop.text("lists/words.tsv", "start\tend\tword\n0\t0.2\tsee\n")});
    QVERIFY(waitUntilRead(session));
    QVERIFY(!session.utterances()->at(0).alignment && !session.utterances()->at(1).alignment);
    QCOMPARE(session.messages()->at(0).actionText, QStringLiteral("Use it for a"));
    session.messages()->trigger(0);
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->at(0).transcript(), QStringLiteral("see"));
    QVERIFY(!session.utterances()->at(1).alignment);
}

void SessionTest::theSameFileIsNotOpenedTwice() {
    Workshop workshop;
    Session session;
    const auto file = workshop.wav("sub/hello.wav");
    session.open({file, workshop.wav("other.wav")});
    QVERIFY(waitUntilRead(session));
    session.setCurrentUtterance(session.utterances()->at(1).id);
    session.open({workshop.path() / "sub" / ".." / "sub" / "hello.wav"});
    QCOMPARE(session.utterances()->count(), 2);
    QCOMPARE(session.currentUtterance()->name, QStringLiteral("hello"));
    const auto model = workshop.model("m");
    QCOMPARE(session.openModel(model), session.openModel(model / ""));
}

/// "jfk.wav" and "jfk.mp3" were both "jfk"; only the tool tip told them apart.
void SessionTest::recordingsThatDifferInTheirExtensionShowIt() {
    Workshop workshop;
    Session session;
    const auto first = workshop.wav("jfk.wav"), other = workshop.wav("other.wav"), second = workshop.path() / "jfk.wave";
    std::filesystem::copy_file(first, second);
    const auto names = [&] {
        QStringList found;
        for (int row = 0; row < session.utterances()->count(); ++row)
            found << session.utterances()->at(row).name;
        return found.join(u' ');
    };
    session.open({first, other});
    QCOMPARE(names(), QStringLiteral("jfk other"));
    QSignalSpy changed(&session, &Session::utteranceChanged);
    session.open({second});
    QCOMPARE(names(), QStringLiteral("jfk.wav other jfk.wave"));
    QVERIFY(!changed.isEmpty()); // the title has the name, too
    session.open({first});
    QCOMPARE(session.utterances()->count(), 3);
    QVERIFY(waitUntilRead(session));
}

void SessionTest::whatWasRecordedHasNoFileUntilItIsSaved() {
    Workshop workshop;
    Session session;
    const UtteranceId id = session.addRecording(Workshop::tone(0.4));
    QCOMPARE(session.currentUtteranceId(), id);
    QVERIFY(session.currentUtterance()->file.empty());
    QVERIFY(waitUntilRead(session));
    QVERIFY(session.currentUtterance()->logMel);
    session.saveAs(workshop.path() / "talk");
    QCOMPARE(session.folder(), workshop.path() / "talk.headroom");
    QCOMPARE(session.currentUtterance()->file, workshop.path() / "talk.headroom/recordings/recording 1.wav");
    QVERIFY(std::filesystem::exists(session.currentUtterance()->file));
    QVERIFY(!session.isModified());
}

void SessionTest::linearSpectrogramIsComputedWhenAsked() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("hello.wav")});
    QVERIFY(waitUntilRead(session));
    session.requireLinearSpectrogram(session.currentUtteranceId());
    session.requireLinearSpectrogram(session.currentUtteranceId());
    QVERIFY(waitUntilRead(session));
    QVERIFY(session.currentUtterance()->linear);
    QCOMPARE(session.currentUtterance()->linear->columns(), std::size_t(257));
}

void SessionTest::aRecordingShorterThanAFrameOpensWithoutLogMel() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("click.wav", 0.01)});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->state, OpenState::Ready);
    QVERIFY(!session.currentUtterance()->logMel);
}

void SessionTest::closingTheCurrentOneShowsItsNeighbour() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("a.wav"), workshop.wav("b.wav")});
    QVERIFY(waitUntilRead(session));
    session.setCurrentUtterance(session.utterances()->at(1).id);
    session.closeUtterance(session.currentUtteranceId());
    QCOMPARE(session.currentUtterance()->name, QStringLiteral("a"));
    session.closeUtterance(session.currentUtteranceId());
    QCOMPARE(session.currentUtteranceId(), UtteranceId::None);
}

void SessionTest::aMessageGoesWithItsCause() {
    Workshop workshop;
    Session session;
    QAbstractItemModelTester tester(session.messages(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    session.messages()->post(Severity::Warning, QStringLiteral("This stays."));
    const ModelId id = session.openModel(workshop.model("m"));
    session.setModelFailed(id, QStringLiteral("model.safetensors is cut short."));
    const auto bad = workshop.text("bad.wav", "no sound");
    session.open({bad});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.messages()->count(Severity::Error), 2);
    session.retryModel(id); // what is wrong now is said again
    QCOMPARE(session.messages()->count(Severity::Error), 1);
    session.setModelFailed(id, QStringLiteral("model.safetensors is cut short."));
    session.closeModel(id);
    workshop.wav("bad.wav");
    session.retryUtterance(session.utterances()->at(0).id);
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->at(0).state, OpenState::Ready);
    QCOMPARE(session.messages()->count(Severity::Error), 0);
    session.open({workshop.text("worse.wav", "no sound")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.messages()->count(Severity::Error), 1);
    session.clear();
    QCOMPARE(session.messages()->rowCount(), 1);
    QCOMPARE(session.messages()->at(0).sentence, QStringLiteral("This stays."));
}

void SessionTest::anAlignmentThatCanBeReadEndsWhatWasSaidOfTheOneBefore() {
    Workshop workshop;
    workshop.text("hello.TextGrid", "this is no TextGrid");
    Session session;
    session.open({workshop.wav("hello.wav")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.messages()->count(Severity::Error), 1);
    session.open({workshop.grid("better/hello.TextGrid", "later")});
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->transcript(), QStringLiteral("later"));
    QCOMPARE(session.messages()->count(Severity::Error), 0);
    QCOMPARE(sentenceOf(session, 0), QString());
}

void SessionTest::closingWhileReadingIsQuiet() {
    Workshop workshop;
    Session session;
    QSignalSpy changed(&session, &Session::utteranceChanged);
    session.open({workshop.wav("a.wav", 3.0)});
    session.closeUtterance(session.currentUtteranceId());
    QVERIFY(waitUntilRead(session));
    QCOMPARE(changed.count(), 0);
    QCOMPARE(session.messages()->rowCount(), 0);
}

HEADROOM_TEST(SessionTest)

} // namespace headroom::testing::session_test

#include "session_test.moc"
