// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/study.h"
#include "core/studies/study_json.h"
#include "core/tensors/npy.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::study_folder_test {

namespace fs = std::filesystem;

namespace {

Study example() {
    Study study;
    study.id = "example";
    study.kind = StudyKind::Heads;
    study.state = RunState::Finished;
    study.created = "2026-11-21T10:31:05Z";
    study.ended = "2026-11-21T10:41:05Z";
    study.version = "0.1.0";
    study.data = "/data/corpus";
    study.split = "test";
    study.population = 1200;
    study.seed = 18446744073709551615u;
    study.settings = {{"mode", "pooled"}, {"split", 0.75}};
    study.models.push_back(
        {"small", "/models/small", "ab12", "12 layers × 4 heads, width 256", 12, 4, false, 0.0125, 0.04});
    study.utterances.push_back({"one", "/data/corpus/one.wav", "cd34", "", "anna", 2.5, 62, ""});
    study.utterances.back().transcript = "one two";
    study.utterances.back().translation = "eins zwei";
    study.utterances.push_back({"two", "/data/corpus/two.wav", "", "", "", 0, 0, "two.wav is empty."});
    study.tables.push_back({"heads",
                            "Heads of small",
                            "CAD, n = 1.",
                            {{"head", "Head", "", 0, true}, {"cad", "CAD", "", 3, false}},
                            {{std::string("1.1"), 0.5}, {std::string("1.2"), std::monostate()}}});
    study.notes.push_back("One utterance was left out.");
    return study;
}

} // namespace

class StudyFolderTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStudyReadsBackAsItWasWritten();
    void itsOwnDocumentsMoveWithIt();
    void runningWithoutAHolderIsInterrupted();
    void aNewerVersionIsRefusedByName();
    void whatIsWrongIsNamed_data();
    void whatIsWrongIsNamed();
    void progressThatCannotBeReadIsZero();
    void askingToStopIsSeen();
    void theSchemaIsPinned();
    void arraysAreFoundByName();
    void whoIsNotKnownSpeaksAlone();
};

void StudyFolderTest::whoIsNotKnownSpeaksAlone() {
    const auto clusters = [](const std::vector<std::string>& speakers) {
        Study study;
        for (const std::string& speaker : speakers)
            study.utterances.emplace_back().speaker = speaker;
        return speakerClusters(study);
    };
    QCOMPARE(clusters({"a", "b", "", "a", ""}), (std::vector<int>{0, 1, 2, 0, 3}));
    QVERIFY(clusters({"", "", ""}).empty());
    QVERIFY(clusters({"a", "a"}).empty());
    // The only utterance of the second speaker failed: the others would be one cluster.
    Study study;
    for (const char* speaker : {"a", "a", "b"})
        study.utterances.emplace_back().speaker = speaker;
    QCOMPARE(speakerClusters(study), (std::vector<int>{0, 0, 1}));
    study.utterances.back().error = "Not measured.";
    QVERIFY(speakerClusters(study).empty());
}

void StudyFolderTest::aStudyReadsBackAsItWasWritten() {
    const QTemporaryDir place;
    const fs::path folder = fs::path(place.path().toStdString()) / "example";
    fs::create_directory(folder);
    writeStudy(folder, example());
    const Study back = readStudy(folder);
    QCOMPARE(QString::fromStdString(studyText(back)), QString::fromStdString(studyText(example())));
    fs::rename(folder, folder.parent_path() / "renamed");
    QCOMPARE(readStudy(folder.parent_path() / "renamed").id, std::string("renamed"));
    QCOMPARE(codeOf([&] { readStudy(folder); }), std::string("study.missing"));
}

void StudyFolderTest::itsOwnDocumentsMoveWithIt() {
    const QTemporaryDir place;
    const fs::path folder = fs::path(place.path().toStdString()) / "before", after = folder.parent_path() / "after";
    fs::create_directories(folder / "architectures");
    Study study = example();
    study.models.front().folder = (folder / "architectures" / "mine.json").string();
    std::ofstream(study.models.front().folder) << "{}";
    study.models.push_back(study.models.front());
    study.models.back().folder = "/elsewhere/architectures/other.json"; // never was in it
    writeStudy(folder, study);
    fs::rename(folder, after);
    const Study back = readStudy(after);
    QCOMPARE(back.models[0].folder, (after / "architectures" / "mine.json").string());
    QCOMPARE(back.models[1].folder, study.models[1].folder);
}

void StudyFolderTest::runningWithoutAHolderIsInterrupted() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    Study study = example();
    study.state = RunState::Running;
    {
        const auto lock = FileLock::tryTake(StudyPaths{folder}.lock(), "study.unwritable");
        writeStudy(folder, study);
        QVERIFY(readStudy(folder).state == RunState::Running);
    }
    QVERIFY(readStudy(folder).state == RunState::Interrupted);
}

void StudyFolderTest::aNewerVersionIsRefusedByName() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    auto text = studyText(example());
    text.replace(text.find("\"version\": 1"), 12, "\"version\": 2");
    std::ofstream(StudyPaths{folder}.study()) << text;
    try {
        readStudy(folder);
        QFAIL("a study of version 2 was read");
    } catch (const Error& error) {
        QCOMPARE(error.code(), std::string("study.newer"));
        QVERIFY(std::string(error.what()).find("study.json is of version 2") != std::string::npos);
    }
}

void StudyFolderTest::whatIsWrongIsNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char* name, const char* text, const char* code, const char* named) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(code) << QByteArray(named);
    };
    const QByteArray head = R"("format": "headroom/study", "version": 1, "state": "finished", )";
    row("no JSON", "{", "study.badJson", "line 1");
    row("another format", R"({"format": "headroom/run", "version": 1})", "study.value", "not a study");
    row("no version", R"({"format": "headroom/study"})", "study.value", "version");
    row("another kind", "{" + head + R"("kind": "colours"})", "study.value", "colours");
    row("another state", R"({"format": "headroom/study", "version": 1, "kind": "heads", "state": "asleep"})",
        "study.value", "asleep");
    row("a text for a number", "{" + head + R"("kind": "heads", "population": "many"})", "study.value",
        "population");
    row("a model that is none", "{" + head + R"("kind": "heads", "models": [1]})", "study.value",
        "models[1]");
    row("layers beyond an int", "{" + head + R"("kind": "heads", "models": [{"layers": 3000000000}]})",
        "study.value", "models[1].layers");
    row("a row too short",
        "{" + head +
            R"("kind": "heads", "tables": [{"name": "t", "columns": [{"key": "a"}], "rows": [[]]}]})",
        "study.value", "row 1");
    row("a note that is none", "{" + head + R"("kind": "heads", "notes": [1]})", "study.value", "notes");
}

void StudyFolderTest::whatIsWrongIsNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, named);
    try {
        parseStudy(text.toStdString(), "a/study.json");
        QFAIL("it was read");
    } catch (const Error& error) {
        QCOMPARE(QByteArray::fromStdString(error.code()), code);
        QVERIFY2(QByteArray(error.what()).contains(named), error.what());
        QVERIFY2(QByteArray(error.what()).startsWith("a/study.json"), error.what());
    }
}

void StudyFolderTest::progressThatCannotBeReadIsZero() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    QCOMPARE(readStudyProgress(folder).total, std::int64_t(0));
    writeStudyProgress(folder, {3, 400, "Measuring small", 12.5, 2});
    const StudyProgress back = readStudyProgress(folder);
    QCOMPARE(back.done, std::int64_t(3));
    QCOMPARE(back.total, std::int64_t(400));
    QCOMPARE(back.stage, std::string("Measuring small"));
    QCOMPARE(back.secondsLeft, 12.5);
    QCOMPARE(back.cached, std::int64_t(2));
    std::ofstream(StudyPaths{folder}.progress()) << R"({"done": "three", "total": 4})";
    QCOMPARE(readStudyProgress(folder).total, std::int64_t(0));
}

void StudyFolderTest::askingToStopIsSeen() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    QVERIFY(!studyWasAskedToStop(folder));
    stopStudy(folder);
    QVERIFY(studyWasAskedToStop(folder));
    std::ofstream(StudyPaths{folder}.control()) << "{\"stop\": fal";
    QVERIFY(!studyWasAskedToStop(folder));
}

void StudyFolderTest::theSchemaIsPinned() {
    const auto document = studyDocument(example());
    const auto keys = [](const nlohmann::ordered_json& object) {
        std::string names;
        for (const auto& [key, value] : object.items())
            names += key + " ";
        return names;
    };
    QCOMPARE(
        keys(document),
        std::string("format version id kind state error created ended headroom data split task population "
                    "seed settings models utterances tables notes "));
    QCOMPARE(document["format"].get<std::string>(), std::string("headroom/study"));
    QCOMPARE(document["version"].get<int>(), 1);
    QCOMPARE(keys(document["models"][0]),
             std::string("name folder weightsHash architecture layers heads maps "
                         "clockOffset clockStep "));
    QCOMPARE(keys(document["utterances"][0]),
             std::string("id audio hash alignment speaker seconds tokens error transcript translation "));
    QCOMPARE(keys(document["utterances"][1]), std::string("id audio hash alignment speaker seconds tokens error "));
    QCOMPARE(keys(document["tables"][0]), std::string("caption columns name rows title "));
    QCOMPARE(keys(document["tables"][0]["columns"][0]), std::string("decimals key text title unit "));
    QVERIFY(document["tables"][0]["rows"][1][1].is_null());
}

void StudyFolderTest::arraysAreFoundByName() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    NpzWriter writer(StudyPaths{folder}.results());
    const std::vector<double> values{1, 2};
    writer.add("1.statistic", Tensor::of<double>({2, 1}, values).view());
    writer.close();
    const StudyArrays arrays = readStudyArrays(folder);
    QCOMPARE(toDoubles(arrays.at("1.statistic").view()), values);
}

HEADROOM_TEST(StudyFolderTest)

} // namespace headroom::testing::study_folder_test

#include "study_folder_test.moc"
