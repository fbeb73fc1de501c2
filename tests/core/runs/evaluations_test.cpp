// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/evaluations.h"
#include "core/runs/jobs.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace headroom::testing::evaluations_test {

namespace fs = std::filesystem;

class EvaluationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aJobKeepsWhatItAsksFor() {
        const QTemporaryDir place;
        const fs::path file = fs::path(place.path().toStdString()) / "queue" / "1.json";
        Job job;
        job.run = "evaluations/a";
        job.evaluation = EvaluationRequest{"/models/a", "best", "/corpora/b", "test", "st_de", 5, "cuda:1"};
        writeJob(file, job);
        const Job read = readJob(file);
        QVERIFY(read.evaluation == job.evaluation);
        job.place = job.evaluation->place = "gpu-1";
        writeJob(file, job);
        QVERIFY(readJob(file).place == "gpu-1" && readJob(file).evaluation == job.evaluation);
        const auto there = arguments(*job.evaluation, "/out");
        QVERIFY(std::find(there.begin(), there.end(), "--place") + 1 == std::find(there.begin(), there.end(), "gpu-1"));
        QCOMPARE(read.run, job.run);
        const auto words = arguments(*read.evaluation, "/out");
        const std::vector<std::string> wanted{"evaluate", "--model", "/models/a", "--data",   "/corpora/b", "--split",
                                              "test",     "--checkpoint", "best", "--task",   "st_de",      "--beam",
                                              "5",        "--n-best", "5",        "--device", "cuda:1",   "--out",    "/out"};
        QVERIFY(words == wanted);
        std::ofstream(file) << R"({"format": "headroom/job", "version": 1, "run": "a", "evaluation": {"model": "m", "data": "d"}})";
        QVERIFY_THROWS_EXCEPTION(Error, readJob(file));
    }

    void optionsOfDecodingBecomeWords() {
        const QTemporaryDir place;
        const fs::path file = fs::path(place.path().toStdString()) / "queue" / "1.json";
        EvaluationRequest request{"m", "model", "d", "test", "", 4, "auto"};
        QVERIFY(optionsDocument(request).empty());
        request.lengthPenalty = 0.6;
        request.nBest = 2;
        request.coverageWeight = 0.05;
        request.ctcWeight = 0.25;
        request.languageModel = "/lm";
        request.languageModelWeight = 0.4;
        request.glm = "/rules.glm";
        Job job;
        job.run = "evaluations/a";
        job.evaluation = request;
        writeJob(file, job);
        QVERIFY(readJob(file).evaluation == request);
        const std::vector<std::string> wanted{
            "evaluate",     "--model", "m",   "--data",           "d",   "--split",     "test", "--beam", "4",          "--n-best",
            "2",            "--length-penalty", "0.6", "--coverage-weight", "0.05", "--ctc-weight", "0.25", "--language-model", "/lm", "--lm-weight", "0.4", "--glm",
            "/rules.glm",   "--out",   "/out"};
        QVERIFY(arguments(request, "/out") == wanted);
        request.window = 30; // of windows there is one text
        const auto words = arguments(request, "/out");
        QVERIFY(std::find(words.begin(), words.end(), "--n-best") == words.end());
        QVERIFY(std::find(words.begin(), words.end(), "--window") != words.end());
        EvaluationRequest prefixes{"m", "model", "d", "test", "", 1, "auto"};
        prefixes.ctcBeam = 50;
        const auto searched = arguments(prefixes, "/out");
        const auto at = std::find(searched.begin(), searched.end(), "--ctc-beam");
        QVERIFY(at != searched.end() && *(at + 1) == "50" && *(at + 2) == "--n-best" && *(at + 3) == "10");
        EvaluationRequest none;
        QVERIFY_THROWS_EXCEPTION(Error, readOptions({{"ctcWeight", 2}}, none, "job"));
        QVERIFY_THROWS_EXCEPTION(Error, readOptions({{"nBest", -1}}, none, "job"));
        QVERIFY_THROWS_EXCEPTION(Error, readOptions({{"coverageWeight", 1000}}, none, "job"));
        QVERIFY_THROWS_EXCEPTION(Error, readOptions({{"glm", 1}}, none, "job"));
    }

    /// What nobody works on any more is not running.
    void aFolderTellsHowFarItIs() {
        const QTemporaryDir place;
        EvaluationInfo info;
        info.folder = place.path().toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, readEvaluation(info.folder));
        info.request = {"/models/a", "model", "/corpora/b", "test", "asr", 1, "auto"};
        info.done = 3;
        info.total = 12;
        info.seconds = 1.5;
        {
            const auto lock = FileLock::tryTake(EvaluationPaths{info.folder}.lock(), "test");
            writeProgress(info);
            QVERIFY(readEvaluation(info.folder) == info);
        }
        QVERIFY(readEvaluation(info.folder).state == EvaluationInfo::State::Interrupted);
        info.state = EvaluationInfo::State::Failed;
        info.error = "no model";
        writeProgress(info);
        QVERIFY(readEvaluation(info.folder) == info);
        fs::remove(EvaluationPaths{info.folder}.progress());
        std::ofstream(EvaluationPaths{info.folder}.result())
            << R"({"model": "/models/a", "data": "/corpora/b", "split": "test", "task": "asr", "wer": 12.5, "bleu": 3,
                   "utterances": [{}, {}], "decoding": {"kind": "beam", "beams": 4}})";
        const EvaluationInfo finished = readEvaluation(info.folder);
        QVERIFY(finished.state == EvaluationInfo::State::Finished);
        QCOMPARE(finished.wer, 12.5);
        QCOMPARE(finished.total, std::int64_t(2));
        QCOMPARE(finished.request.beam, std::int64_t(4));
        QCOMPARE(finished.request.lengthPenalty, 1.0); // not said
    }

    /// A run that goes on exports another model: the score stayed in Runs as that of the new one.
    void aFinishedOneSaysWithWhichWeights() {
        const QTemporaryDir place;
        const fs::path folder = place.path().toStdString();
        const auto provenance = [&](const char* kind, const char* hashes) {
            std::ofstream(folder / "provenance.json")
                << nlohmann::json{{"sourceKind", kind}, {"sha256", nlohmann::json::parse(hashes)}};
        };
        QVERIFY(weightsOfModel(folder).empty());
        provenance("headroom-worker train", R"({"step-000050.safetensors": "a1", "stop-000063.safetensors": "b2"})");
        const ModelWeights weights = weightsOfModel(folder);
        QVERIFY((weights == ModelWeights{{"step-000050.safetensors", "a1"}, {"stop-000063.safetensors", "b2"}}));
        QCOMPARE(updateOf(weights), std::int64_t(63));
        provenance("fairseq", R"({"model.pt": "a1"})");
        QVERIFY(weightsOfModel(folder).empty());
        QCOMPARE(updateOf({}), std::int64_t(0));
        const auto evaluation = [&](const char* more) {
            std::ofstream(EvaluationPaths{folder}.result())
                << R"({"model": "/models/a", "data": "/corpora/b", "split": "test", "wer": 12.5, "utterances": [])" << more << "}";
            return readEvaluation(folder).weights;
        };
        QVERIFY(evaluation("").empty());
        QVERIFY(evaluation(R"(, "checkpoints": {"step-000050.safetensors": "a1", "stop-000063.safetensors": "b2"})") == weights);
    }

    /// Two evaluations that differ in it have different names.
    void aFinishedOneSaysHowItWasDecoded() {
        const QTemporaryDir place;
        const fs::path folder = place.path().toStdString();
        std::ofstream(EvaluationPaths{folder}.result())
            << R"({"model": "/models/a", "data": "/corpora/b", "split": "test", "task": "asr", "wer": 12.5, "utterances": [],
                   "decoding": {"kind": "beam", "beams": 3, "ctcWeight": 0.25, "lengthPenalty": 0.6, "coverageWeight": 0.05,
                                "languageModel": "/models/LM", "lmWeight": 0.4}, "window": 20, "glm": "/rules.glm"})";
        const EvaluationRequest request = readEvaluation(folder).request;
        QCOMPARE(request.beam, std::int64_t(3));
        QCOMPARE(request.ctcWeight, 0.25);
        QCOMPARE(request.lengthPenalty, 0.6);
        QCOMPARE(request.coverageWeight, 0.05);
        QCOMPARE(request.languageModel, fs::path("/models/LM"));
        QCOMPARE(request.languageModelWeight, 0.4);
        QCOMPARE(request.window, 20.0);
        QCOMPARE(request.glm, fs::path("/rules.glm"));
    }

    void oneThatEndedSaysWhen() {
        const QTemporaryDir place;
        EvaluationInfo info;
        info.folder = place.path().toStdString();
        info.state = EvaluationInfo::State::Stopped;
        writeProgress(info);
        using namespace std::chrono;
        const sys_seconds time = sys_days(2026y / 11 / 21) + 10h + 31min + 5s;
        fs::last_write_time(EvaluationPaths{info.folder}.progress(), file_clock::from_sys(time));
        QCOMPARE(readEvaluation(info.folder).ended, std::string("2026-11-21T10:31:05Z"));
        info.state = EvaluationInfo::State::Running;
        writeProgress(info);
        const auto lock = FileLock::tryTake(EvaluationPaths{info.folder}.lock(), "test");
        QCOMPARE(readEvaluation(info.folder).ended, std::string());
    }

    void aLanguageModelHasAPerplexity() {
        const QTemporaryDir place;
        const fs::path folder = place.path().toStdString();
        std::ofstream(EvaluationPaths{folder}.result())
            << R"({"model": "/models/LM", "data": "/corpora/b", "split": "test", "task": "lm", "sentences": 65, "nll": 5.3, "perplexity": 40.15})";
        EvaluationInfo info = readEvaluation(folder);
        QCOMPARE(info.perplexity, 40.15);
        QCOMPARE(info.done, std::int64_t(65));
        const EvaluationInfo before = info;
        QVERIFY(info == before);
        info.perplexity = 41;
        QVERIFY(info != before);
    }
};

HEADROOM_TEST(EvaluationsTest)

} // namespace headroom::testing::evaluations_test

#include "evaluations_test.moc"
