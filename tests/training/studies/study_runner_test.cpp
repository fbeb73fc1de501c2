// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/settings.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/studies/sample.h"
#include "training/studies/study_work.h"

#include <QtTest/QtTest>

#include <cmath>
#include <fstream>
#include <set>

namespace headroom::testing::study_runner_test {

namespace fs = std::filesystem;

class StudyRunnerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theResultDoesNotDependOnTheNumberOfThreads() {
        const StudyFixture fixture;
        for (const auto kind : {StudyKind::Windows, StudyKind::Heads}) {
            std::vector<std::string> results, places;
            for (const int threads : {1, 4}) {
                auto request = fixture.request(std::string(toText(kind)) + std::to_string(threads), kind);
                request.threads = threads;
                request.cache = request.out.string() + "-cache";
                runStudy(request);
                results.push_back(bytesOf(request.out / "results.npz"));
                places.push_back(bytesOf(request.out / "places.npz"));
            }
            QVERIFY(!results[0].empty() && !places[0].empty());
            QVERIFY(results[0] == results[1]);
            QVERIFY(places[0] == places[1]);
        }
    }

    /// Two recordings of one stem stood as whole paths between the names of the others.
    void recordingsOfOneStemAreCalledByTheirFiles() {
        training::StudyRequest request;
        request.audio = {"/one/jfk.wav", "/one/jfk.mp3", "/one/a.wav", "/one/b.wav", "/two/b.wav", "/one/c.wav", "/one/c.mp3", "/one/c.mp3.wav"};
        std::vector<std::string> ids;
        for (const StudyUtterance& one : training::drawSample(request).utterances)
            ids.push_back(one.id);
        const std::vector<std::string> expected{"jfk.wav", "jfk.mp3", "a", "/one/b.wav", "/two/b.wav", "c.wav", "/one/c.mp3", "c.mp3"};
        QVERIFY(ids == expected);
    }

    /// Also when it goes on, whatever the folder of a run says by then.
    void aStudyCallsItsModelsAsItIsTold() {
        const StudyFixture fixture;
        auto request = fixture.request("named");
        request.names = {"demo, seed 1, run 2"};
        Heard heard;
        heard.stopAt = [](const StudyProgress& progress) { return progress.done >= 1; };
        QVERIFY(runStudy(request, &heard).models.front().name == request.names.front());
        training::StudyRequest resumed;
        resumed.out = request.out;
        resumed.cache = request.cache;
        resumed.resume = true;
        const Study study = runStudy(resumed);
        QVERIFY(study.models.front().name == request.names.front());
        QVERIFY(study.tables.front().caption.find(request.names.front()) != std::string::npos);
    }

    void aStoppedStudyGoesOnWhereItWas() {
        const StudyFixture fixture;
        auto whole = fixture.request("whole");
        whole.cache = fixture.folder() / "other";
        runStudy(whole);

        Heard heard;
        heard.stopAt = [](const StudyProgress& progress) { return progress.done >= 1; };
        auto request = fixture.request("study");
        request.threads = 1;
        request.utterances = 6;
        for (int i = 6; i < 30; ++i)
            fixture.record(i, 20); // long beside the fifth of a second in which the stop is heard
        request.utterances = 30;
        const Study stopped = runStudy(request, &heard);
        QVERIFY(stopped.state == RunState::Stopped);
        QVERIFY(readStudy(request.out).state == RunState::Stopped);
        QVERIFY(!fs::exists(request.out / "results.npz"));

        training::StudyRequest resumed;
        resumed.out = request.out;
        resumed.cache = request.cache;
        resumed.resume = true;
        Heard again;
        const Study finished = runStudy(resumed, &again);
        QVERIFY(finished.state == RunState::Finished);
        QVERIFY(again.last.cached >= 1 && again.last.cached < 30);
        auto fresh = fixture.request("fresh");
        fresh.utterances = 30;
        fresh.cache = fixture.folder() / "third";
        runStudy(fresh);
        QVERIFY(bytesOf(request.out / "results.npz") == bytesOf(fresh.out / "results.npz"));
    }

    void anAskToStopInTheFolderIsHeard() {
        const StudyFixture fixture(20);
        auto request = fixture.request("study");
        Heard heard;
        heard.stopAt = [&](const StudyProgress&) {
            stopStudy(request.out); // as the window does
            return false;
        };
        for (int i = 20; i < 60; ++i)
            fixture.record(i, 3);
        request.utterances = 60;
        request.threads = 1;
        QVERIFY(runStudy(request, &heard).state == RunState::Stopped);
        heard.stopAt = {};
        QVERIFY(runStudy(request, &heard).state == RunState::Finished); // the same command goes on
    }

    void aBadUtteranceIsLeftOutAndSaid() {
        const StudyFixture fixture(3);
        saveWav(fixture.data() / "silent.wav", std::vector<float>(16000, 0.0F), kModelSampleRate);
        saveWav(fixture.data() / "short.wav", std::vector<float>(100, 0.5F), kModelSampleRate);
        auto request = fixture.request("study");
        for (const auto& entry : fs::directory_iterator(fixture.data()))
            request.audio.push_back(entry.path());
        std::sort(request.audio.begin(), request.audio.end());
        request.audio.push_back(fixture.data() / "missing.wav");
        request.data.clear();
        Heard heard;
        const Study study = runStudy(request, &heard);
        QVERIFY(study.state == RunState::Finished);
        QCOMPARE(heard.problems.size(), std::size_t(3));
        const auto arrays = readStudyArrays(request.out);
        const auto statistic = toDoubles(arrays.at("1.statistic").view());
        QCOMPARE(statistic.size(), std::size_t(2 * 6));
        for (std::size_t u = 0; u < study.utterances.size(); ++u) {
            const bool bad = !study.utterances[u].error.empty();
            QCOMPARE(std::isnan(statistic[u]), bad);
            QCOMPARE(study.utterances[u].tokens == 0, bad);
            if (bad)
                QVERIFY(study.utterances[u].error.find(study.utterances[u].id) != std::string::npos);
        }
        auto nothing = request;
        nothing.out = fixture.folder() / "nothing";
        nothing.audio = {fixture.data() / "silent.wav"};
        QCOMPARE(codeOf([&] { runStudy(nothing); }), std::string("study.nothingMeasured"));
        QVERIFY(readStudy(nothing.out).state == RunState::Failed);
        QVERIFY(!readStudy(nothing.out).error.empty());
    }

    void aFolderOfAnotherStudyIsRefused() {
        const StudyFixture fixture;
        const auto request = fixture.request("study");
        runStudy(request);
        QVERIFY(runStudy(request).state == RunState::Finished); // the same: read
        auto other = request;
        other.settings["threshold"] = 0.5;
        QCOMPARE(codeOf([&] { runStudy(other); }), std::string("study.other"));
        other = request;
        other.utterances = 3;
        QCOMPARE(codeOf([&] { runStudy(other); }), std::string("study.other"));
        other = fixture.request("study", StudyKind::Heads);
        QCOMPARE(codeOf([&] { runStudy(other); }), std::string("study.other"));
        other = request;
        other.out = fixture.model();
        QCOMPARE(codeOf([&] { runStudy(other); }), std::string("study.otherFolder"));
    }

    void weightsThatChangedMeanwhileAreRefused() {
        const StudyFixture fixture(2);
        const auto request = fixture.request("study");
        Study study = runStudy(request);
        study.state = RunState::Stopped;
        writeStudy(request.out, study);
        RandomModel(fixture.model(), {"2 full", "2 full", "2 full"}, 16);
        training::StudyRequest resumed;
        resumed.out = request.out;
        resumed.cache = request.cache;
        resumed.resume = true;
        QCOMPARE(codeOf([&] { runStudy(resumed); }), std::string("study.changedModel"));
    }

    void aWrongSettingIsNamed() {
        const StudyFixture fixture(1);
        for (const auto& [key, value] : {std::pair<const char*, nlohmann::json>{"treshold", 0.1},
                                         {"threshold", 2},
                                         {"statistic", "both"}}) {
            auto request = fixture.request("study");
            request.settings[key] = value;
            try {
                runStudy(request);
                QFAIL("it ran");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("study.setting"));
                QVERIFY2(std::string(error.what()).find(key) != std::string::npos, error.what());
            }
        }
    }

    void aRefusedStudyLeavesNothingBehind() {
        const StudyFixture fixture(1);
        auto request = fixture.request("study");
        request.settings["threshold"] = 2;
        request.out = fixture.folder() / "new" / "study";
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.setting"));
        QVERIFY(!fs::exists(fixture.folder() / "new"));
        // A folder that was there stays, with what is in it and without a lock.
        fs::create_directories(request.out);
        std::ofstream(request.out / "log.txt") << "as the window makes it";
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.setting"));
        QVERIFY(fs::exists(request.out / "log.txt"));
        QVERIFY(!fs::exists(StudyPaths{request.out}.lock()));
    }

    void everySettingOfAKindIsOneOfTheTable() {
        for (const StudyKind kind : {StudyKind::Windows, StudyKind::Diagonality, StudyKind::Heads,
                                     StudyKind::Phones, StudyKind::Probe, StudyKind::Latency,
                                     StudyKind::Mixing, StudyKind::Similarity}) {
            const nlohmann::json settings = training::studyWork(kind, nlohmann::json::object())->settings();
            QCOMPARE(settings.size(), studySettingFields(kind).size());
            for (const StudySettingField& field : studySettingFields(kind))
                QVERIFY2(settings.contains(std::string(field.key)), std::string(field.key).c_str());
        }
    }

    void theSampleIsDrawnWithoutReplacementFromTheSeed() {
        const auto sample = training::drawWithoutReplacement(1000, 100, 1);
        QCOMPARE(std::set<std::int64_t>(sample.begin(), sample.end()).size(), std::size_t(100));
        QVERIFY(std::is_sorted(sample.begin(), sample.end()));
        QVERIFY(sample.back() < 1000);
        QVERIFY(training::drawWithoutReplacement(1000, 100, 1) == sample);
        QVERIFY(training::drawWithoutReplacement(1000, 100, 2) != sample);
        QCOMPARE(training::drawWithoutReplacement(5, 100, 2).size(), std::size_t(5));
        std::vector<int> drawn(10); // every number as often as the others
        for (std::uint64_t seed = 0; seed < 4000; ++seed)
            for (const auto one : training::drawWithoutReplacement(10, 3, seed))
                ++drawn[static_cast<std::size_t>(one)];
        for (const int count : drawn)
            QVERIFY2(std::abs(count - 1200) < 150, std::to_string(count).c_str());
        const StudyFixture fixture;
        auto request = fixture.request("study");
        request.utterances = 4;
        const Study study = runStudy(request);
        QCOMPARE(study.population, std::int64_t(6));
        QCOMPARE(study.utterances.size(), std::size_t(4));
    }

    void modelsOfOneNameAreToldApart() {
        const StudyFixture fixture(2);
        const RandomModel a(fixture.folder() / "a" / "best", {"2 full"}, 16);
        const RandomModel b(fixture.folder() / "b" / "best", {"2 local 3"}, 16);
        auto request = fixture.request("study", StudyKind::Diagonality);
        request.models = {a.folder(), b.folder()};
        const Study study = runStudy(request);
        QCOMPARE(study.models[0].name, std::string("a/best"));
        QCOMPARE(study.models[1].name, std::string("b/best"));
        QCOMPARE(std::get<std::string>(study.tables.front().rows.back().front()), std::string("b/best"));
        QVERIFY(runStudy(request).state == RunState::Finished); // the same study
    }

    void notesOfALifeThatWasStoppedAreNotSaidTwice() {
        const StudyFixture fixture(2, {"2 full", "2 conv 5/2 speechformer"});
        auto request = fixture.request("study");
        Heard heard;
        heard.stopAt = [&](const StudyProgress& progress) { return progress.done == 2; };
        runStudy(request, &heard);
        const Study study = runStudy(request);
        QVERIFY(study.state == RunState::Finished && !study.notes.empty());
        QCOMPARE(std::set<std::string>(study.notes.begin(), study.notes.end()).size(), study.notes.size());
    }

    void modelsWithOtherFrontEndsAreNotMixed() {
        const StudyFixture fixture(2);
        const RandomModel other(fixture.folder() / "other", {"2 full", "2 full"}, 16);
        auto request = fixture.request("study", StudyKind::Diagonality);
        request.models.push_back(other.folder());
        const Study both = runStudy(request);
        QCOMPARE(both.models.size(), std::size_t(2));
        QVERIFY(std::any_of(both.tables.begin(), both.tables.end(),
                            [](const StudyTable& table) { return table.name == "diagonality-models"; }));
        auto text = bytesOf(other.folder() / "architecture.json");
        const auto replace = [&](const std::string& from, const std::string& to) {
            QVERIFY2(text.find(from) != std::string::npos, text.c_str());
            text.replace(text.find(from), from.size(), to);
        };
        replace("\"strides\": [2, 2]", "\"strides\": [2, 1]");
        std::ofstream(other.folder() / "architecture.json") << text;
        text = bytesOf(other.folder() / "front_end.json");
        const auto last = text.rfind("\"stride\": 2");
        text.replace(last, 11, "\"stride\": 1");
        std::ofstream(other.folder() / "front_end.json") << text;
        request.out = fixture.folder() / "mixed";
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.frontEnds"));
    }
};

HEADROOM_TEST(StudyRunnerTest)

} // namespace headroom::testing::study_runner_test

#include "study_runner_test.moc"
