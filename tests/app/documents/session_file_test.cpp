// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts/drafts.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <fstream>

namespace headroom::testing::session_file_test {

using namespace headroom::app;
using headroom::testing::Workshop;

namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The code of the Error that reading gives; empty where there is none.
std::string refusal(const fs::path& folder, std::string* sentence = nullptr) {
    try {
        readSession(folder);
    } catch (const Error& error) {
        if (sentence)
            *sentence = error.what();
        return error.code();
    }
    return {};
}

} // namespace

class SessionFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSavedComesBack();
    void pathsAreRelativeAndTheFolderCanMove();
    void theSameSessionIsTheSameBytes();
    void badFilesAreRefused_data();
    void badFilesAreRefused();
    void aRefusedSessionLeavesWhatIsOpen();
    void missingFilesAreSaidAndTheRestOpens();
    void changedFilesAreSaid();
    void aDraftThatDoesNotFitIsLeftOut();
    void aDraftOutlivesASessionWhoseModelDidNotOpen();
    void aCopyHasNoFolderAndTakesItsRecordingsAlong();
    void recordingsOfTheSameNameGetFilesOfTheirOwn();
    void anUnwritableFolderIsSaid();
    void autosaveKeepsASessionThatWasNeverSaved();
    void twoProgramsKeepTheirSessionsApart();
};

void SessionFileTest::whatIsSavedComesBack() {
    Workshop workshop;
    workshop.grid("hello.TextGrid", "hello");
    const auto folder = workshop.path() / "work.headroom";
    {
        Session session;
        session.open({workshop.wav("hello.wav"), workshop.wav("other.wav"), workshop.model("m")});
        session.setModelOpened(session.currentModelId(), Workshop::info(4));
        QVERIFY(waitUntilRead(session));
        session.setCurrentUtterance(session.utterances()->at(1).id);
        session.setCurrentLayer(3);
        session.setMapSource({MapSource::Kind::Head, 2});
        session.setPart(session.utterances()->at(0).id, Part{Seconds(0.1), Seconds(0.3)});
        session.drafts()->setWindow({session.currentModelId()}, {2, 17});
        session.setModelEnabled(session.currentModelId(), false);
        session.setViewState({{"gamma", 0.5}, {"colourMap", "magma"}});
        session.saveAs(folder);
        QVERIFY(!session.isModified());
        QCOMPARE(session.name(), QStringLiteral("work"));
    }
    Session session;
    QSignalSpy view(&session, &Session::viewStateRestored);
    session.openSession(folder);
    QCOMPARE(view.count(), 1);
    QVERIFY(waitUntilRead(session));
    QVERIFY(!session.isModified());
    QCOMPARE(session.messages()->rowCount(), 0);
    QCOMPARE(session.utterances()->count(), 2);
    QCOMPARE(session.currentUtterance()->name, QStringLiteral("other"));
    const OpenUtterance& hello = session.utterances()->at(0);
    QCOMPARE(hello.transcript(), QStringLiteral("hello"));
    QVERIFY(hello.part == (Part{Seconds(0.1), Seconds(0.3)}));
    QCOMPARE(session.currentLayer(), 3);
    QVERIFY(session.mapSource() == (MapSource{MapSource::Kind::Head, 2}));
    QCOMPARE(session.viewState().at("gamma").get<double>(), 0.5);
    const ModelId id = session.currentModelId();
    QVERIFY(!session.models()->find(id)->enabled);
    session.setModelOpened(id, Workshop::info(4));
    QCOMPARE(session.drafts()->window({id}, 2), std::optional<int>(17));
    QCOMPARE(session.models()->find(id)->ownWindow(2), std::optional<int>());
}

void SessionFileTest::pathsAreRelativeAndTheFolderCanMove() {
    Workshop workshop;
    {
        Session session;
        session.open({workshop.wav("project/audio/hello.wav")});
        QVERIFY(waitUntilRead(session));
        session.saveAs(workshop.path() / "project" / "work.headroom");
    }
    const std::string text = bytesOf(workshop.path() / "project/work.headroom/session.json");
    QVERIFY(text.find("\"../audio/hello.wav\"") != std::string::npos);
    QVERIFY(text.find(workshop.path().string()) == std::string::npos);
    fs::rename(workshop.path() / "project", workshop.path() / "elsewhere");
    Session session;
    session.openSession(workshop.path() / "elsewhere" / "work.headroom");
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->state, OpenState::Ready);
}

void SessionFileTest::theSameSessionIsTheSameBytes() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("hello.wav"), workshop.model("m")});
    QVERIFY(waitUntilRead(session));
    session.saveAs(workshop.path() / "a.headroom");
    Session again;
    again.openSession(workshop.path() / "a.headroom");
    QVERIFY(waitUntilRead(again));
    again.saveAs(workshop.path() / "b.headroom");
    QCOMPARE(bytesOf(workshop.path() / "a.headroom/session.json"),
             bytesOf(workshop.path() / "b.headroom/session.json"));
}

void SessionFileTest::badFilesAreRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* text, const char* code, const char* said) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(code) << QString::fromUtf8(said);
    };
    row("empty", "", "session.notSession", "session.json");
    row("cut short", R"({"format": "headroom/session", "ver)", "session.notSession", "byte");
    row("another format", R"({"format": "headroom/architecture", "version": 1})", "session.notSession",
        "format");
    row("a list", "[1, 2]", "session.notSession", "session.json");
    row("no version", R"({"format": "headroom/session"})", "session.badVersion", "null");
    row("a later version", R"({"format": "headroom/session", "version": 5})", "session.badVersion",
        "version 5");
    row("a transcript in version 2", R"({"format": "headroom/session", "version": 2, "utterances": [{"name": "a", "audio": {"path": "a.wav"}, "transcript": "b"}]})",
        "session.badKey", "utterances[0].transcript");
    row("assigned maps in version 3", R"({"format": "headroom/session", "version": 3, "utterances": [], "models": [{"name": "m", "folder": "m.npz", "mapsOf": 0}]})",
        "session.badKey", "models[0].mapsOf");
    row("maps of no recording", R"({"format": "headroom/session", "version": 4, "utterances": [], "models": [{"name": "m", "folder": "m.npz", "mapsOf": 0}]})",
        "session.badKey", "models[0].mapsOf");
    row("a text in version 1", R"({"format": "headroom/session", "version": 1, "utterances": [{"name": "a", "text": "b"}]})",
        "session.badKey", "utterances[0].audio");
    row("nothing else", R"({"format": "headroom/session", "version": 1})", "session.badKey", "utterances");
    const char* whole = R"({"format": "headroom/session", "version": 1, "utterances": [%1], "models": [%2],
        "current": {"utterance": %3, "model": -1, "layer": 1, "source": "%4"}, "view": {}%5})";
    const auto filled = [&](const char* a, const char* b, const char* c, const char* d, const char* e) {
        return QString::fromUtf8(whole).arg(QString::fromUtf8(a), QString::fromUtf8(b), QString::fromUtf8(c),
                                            QString::fromUtf8(d), QString::fromUtf8(e));
    };
    const QString key = QStringLiteral("session.badKey");
    QTest::newRow("whole") << filled("", "", "-1", "contributions", "") << QString() << QString();
    QTest::newRow("index") << filled("", "", "0", "contributions", "") << key
                           << QStringLiteral("current.utterance");
    QTest::newRow("source") << filled("", "", "-1", "head 0", "") << key << QStringLiteral("current.source");
    QTest::newRow("huge head") << filled("", "", "-1", "head 99999999999", "") << key
                               << QStringLiteral("current.source");
    QTest::newRow("unknown key") << filled("", "", "-1", "mean", R"(, "wiew": {})") << key
                                 << QStringLiteral("wiew");
    QTest::newRow("no audio") << filled(R"({"name": "a"})", "", "0", "mean", "") << key
                              << QStringLiteral("utterances[0].audio");
    QTest::newRow("empty path") << filled(R"({"name": "a", "audio": {"path": ""}})", "", "0", "mean", "")
                                << key << QStringLiteral("utterances[0].audio.path");
    QTest::newRow("part") << filled(R"({"name": "a", "audio": {"path": "a.wav"}, "part": [3, 1]})", "", "0",
                                    "mean", "")
                          << key << QStringLiteral("utterances[0].part");
    QTest::newRow("hash") << filled("", R"({"name": "m", "folder": "m", "sha256": {"a": 1}})", "-1", "mean",
                                    "")
                          << key << QStringLiteral("models[0].sha256.a");
}

void SessionFileTest::badFilesAreRefused() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    QFETCH(QString, said);
    Workshop workshop;
    workshop.text("bad.headroom/session.json", text.toStdString());
    std::string sentence;
    const QString refused = QString::fromStdString(refusal(workshop.path() / "bad.headroom", &sentence));
    QCOMPARE(refused, code);
    QVERIFY2(QString::fromStdString(sentence).contains(said), sentence.c_str());
    QCOMPARE(refusal(workshop.path() / "none.headroom"), std::string("session.missing"));
}

void SessionFileTest::aRefusedSessionLeavesWhatIsOpen() {
    Workshop workshop;
    workshop.text("bad.headroom/session.json", "rubbish");
    Session session;
    session.open({workshop.wav("hello.wav")});
    QVERIFY(waitUntilRead(session));
    QVERIFY_EXCEPTION_THROWN(session.openSession(workshop.path() / "bad.headroom"), Error);
    QCOMPARE(session.utterances()->count(), 1);
    QCOMPARE(session.currentUtterance()->state, OpenState::Ready);
}

void SessionFileTest::missingFilesAreSaidAndTheRestOpens() {
    Workshop workshop;
    {
        Session session;
        session.open({workshop.wav("a.wav"), workshop.wav("b.wav"), workshop.model("m")});
        session.openModel(workshop.text("maps.npz", "imported"));
        QVERIFY(waitUntilRead(session));
        session.saveAs(workshop.path() / "work.headroom");
    }
    fs::remove(workshop.path() / "a.wav");
    fs::remove_all(workshop.path() / "m");
    Session session;
    session.openSession(workshop.path() / "work.headroom");
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->at(0).state, OpenState::Failed);
    QVERIFY(session.utterances()->at(0).sentence.contains(QStringLiteral("a.wav")));
    QCOMPARE(session.utterances()->at(1).state, OpenState::Ready);
    QCOMPARE(session.models()->at(0).state, OpenState::Failed);
    const OpenModel& maps = session.models()->at(1); // a file where other models are folders
    QVERIFY2(maps.maps && maps.state == OpenState::Reading, qPrintable(maps.sentence));
    QCOMPARE(session.messages()->count(Severity::Error), 2);
    QVERIFY(!session.isModified());
}

void SessionFileTest::changedFilesAreSaid() {
    Workshop workshop;
    {
        Session session;
        session.open({workshop.wav("a.wav", 0.5), workshop.model("m")});
        QVERIFY(waitUntilRead(session));
        session.saveAs(workshop.path() / "work.headroom");
    }
    workshop.wav("a.wav", 0.7);
    workshop.text("m/model.safetensors", "other weights");
    Session session;
    session.openSession(workshop.path() / "work.headroom");
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.utterances()->at(0).state, OpenState::Ready);
    QCOMPARE(session.utterances()->at(0).warnings.size(), 1);
    QVERIFY(session.models()->at(0).warnings.value(0).contains(QStringLiteral("model.safetensors")));
    QCOMPARE(session.messages()->count(Severity::Warning), 2);
}

void SessionFileTest::aDraftThatDoesNotFitIsLeftOut() {
    Workshop workshop;
    {
        Session session;
        session.open({workshop.model("m")});
        session.setModelOpened(session.currentModelId(), Workshop::info(4));
        session.drafts()->setWindow({session.currentModelId()}, {1, 5});
        session.saveAs(workshop.path() / "work.headroom");
    }
    Session session;
    session.openSession(workshop.path() / "work.headroom");
    session.setModelOpened(session.currentModelId(), Workshop::info(6));
    QCOMPARE(session.drafts()->window({session.currentModelId()}, 1), std::optional<int>());
    QCOMPARE(session.messages()->count(Severity::Warning), 1);
}

void SessionFileTest::aDraftOutlivesASessionWhoseModelDidNotOpen() {
    Workshop workshop;
    {
        Session session;
        session.open({workshop.model("m")});
        session.setModelOpened(session.currentModelId(), Workshop::info(4));
        session.drafts()->setWindow({session.currentModelId()}, {1, 5});
        session.saveAs(workshop.path() / "work.headroom");
    }
    {
        Session session;
        session.openSession(workshop.path() / "work.headroom");
        session.save();
    }
    QVERIFY(readSession(workshop.path() / "work.headroom").models.at(0).draft.has_value());
}

void SessionFileTest::aCopyHasNoFolderAndTakesItsRecordingsAlong() {
    Workshop workshop;
    {
        Session session;
        session.addRecording(Workshop::tone(0.3), QStringLiteral("a/b: take"));
        session.saveAs(workshop.path() / "demo.headroom");
    }
    const fs::path kept = workshop.path() / "demo.headroom/recordings/a_b_ take.wav";
    QVERIFY(fs::exists(kept));
    Session session;
    session.openCopy(workshop.path() / "demo.headroom", QStringLiteral("Demo session"));
    QVERIFY(waitUntilRead(session));
    QVERIFY(session.folder().empty());
    QCOMPARE(session.name(), QStringLiteral("Demo session"));
    QVERIFY(!session.isModified());
    QVERIFY_EXCEPTION_THROWN(session.save(), Error);
    session.saveAs(workshop.path() / "mine.headroom");
    QVERIFY(fs::exists(workshop.path() / "mine.headroom/recordings/a_b_ take.wav"));
    QVERIFY(fs::exists(kept));
}

void SessionFileTest::recordingsOfTheSameNameGetFilesOfTheirOwn() {
    Workshop workshop;
    Session session;
    session.addRecording(Workshop::tone(0.2), QStringLiteral("take"));
    session.addRecording(Workshop::tone(0.3), QStringLiteral("take"));
    session.saveAs(workshop.path() / "s.headroom");
    session.save();
    QVERIFY(fs::exists(workshop.path() / "s.headroom/recordings/take.wav"));
    QVERIFY(fs::exists(workshop.path() / "s.headroom/recordings/take 2.wav"));
    QVERIFY(!fs::exists(workshop.path() / "s.headroom/recordings/take 3.wav"));
}

void SessionFileTest::anUnwritableFolderIsSaid() {
    Workshop workshop;
    Session session;
    session.open({workshop.wav("hello.wav")});
    const auto file = workshop.text("file", "not a folder");
    try {
        session.saveAs(file / "work.headroom");
        QFAIL("it was written");
    } catch (const Error& error) {
        QCOMPARE(error.code(), std::string("session.unwritable"));
    }
    QVERIFY(session.folder().empty());
    QVERIFY(session.isModified());
}

void SessionFileTest::autosaveKeepsASessionThatWasNeverSaved() {
    Workshop workshop;
    const auto folder = workshop.path() / "data" / "unsaved.headroom";
    {
        Session session;
        Autosave autosave(&session, folder);
        autosave.flush();
        QVERIFY(!autosave.exists()); // nothing was changed
        session.addRecording(Workshop::tone(0.3), QStringLiteral("take"));
        autosave.flush();
        QVERIFY(autosave.exists());
        QVERIFY(session.folder().empty());
    }
    Session session;
    Autosave autosave(&session, folder);
    session.openCopy(folder, QString());
    QVERIFY(waitUntilRead(session));
    QCOMPARE(session.currentUtterance()->name, QStringLiteral("take"));
    QCOMPARE(session.currentUtterance()->state, OpenState::Ready);
    session.saveAs(workshop.path() / "kept.headroom");
    autosave.discard();
    QVERIFY(!autosave.exists());
    QVERIFY(fs::exists(workshop.path() / "kept.headroom/recordings/take.wav"));
}

void SessionFileTest::twoProgramsKeepTheirSessionsApart() {
    Workshop workshop;
    const auto folder = workshop.path() / "data" / "unsaved.headroom";
    {
        Session one, other;
        Autosave first(&one, folder), second(&other, folder);
        one.addRecording(Workshop::tone(0.3), QStringLiteral("one"));
        first.flush();
        other.addRecording(Workshop::tone(0.3), QStringLiteral("other"));
        second.flush();
        QVERIFY(first.folder() == folder && second.folder() != folder);
        QVERIFY(second.setOthersAside(QStringLiteral("Untitled")).empty()); // it is in use
    }
    Session next;
    Autosave autosave(&next, folder);
    QVERIFY(autosave.exists());
    std::vector<fs::path> aside = autosave.setOthersAside(QStringLiteral("Untitled"));
    QCOMPARE(aside.size(), std::size_t(1));
    aside.push_back(autosave.setAside(QStringLiteral("Untitled")));
    QVERIFY(!autosave.exists());
    QVERIFY(aside[0] != aside[1]); // also where both were changed in one minute
    for (const auto& [at, name] : {std::pair(0, "other"), std::pair(1, "one")}) {
        next.openSession(aside[std::size_t(at)]);
        QVERIFY(waitUntilRead(next));
        QVERIFY(next.name().startsWith(QStringLiteral("Untitled ")));
        QCOMPARE(next.currentUtterance()->name, QString::fromLatin1(name));
        QCOMPARE(next.currentUtterance()->state, OpenState::Ready); // its recording moved along
    }
}

HEADROOM_TEST(SessionFileTest)

} // namespace headroom::testing::session_file_test

#include "session_file_test.moc"
