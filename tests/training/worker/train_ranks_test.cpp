// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "tests/training/worker/weights_apart.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <csignal>

namespace headroom::testing::train_ranks_test {

namespace fs = std::filesystem;

class TrainRanksTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        const fs::path place = m_place.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 16, 7);
        m_tiny = std::make_unique<TinyTraining>(place, m_corpus->folder());
        m_tiny->recipe.validation.samples = 7; // all of them
        // Dropout is drawn anew at each rank: without it the numbers are those of one process.
        const fs::path architecture = place / "architecture.json";
        std::string text = readSmallFile(architecture, "test");
        for (const char* key : {"\"dropout\": 0.1", "\"attentionDropout\": 0.1"}) {
            const std::string old = key;
            text.replace(text.find(old), old.size(), old.substr(0, old.size() - 3) + "0");
        }
        std::ofstream(architecture) << text;
        const Finished ended = runWorkerProgram(m_tiny->arguments("alone"));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        // BatchNorm in the front end and in every layer: the statistics are those of the whole batch.
        std::ofstream(place / "conformer.json") << R"({ "format": "headroom/architecture", "version": 1,
  "name": "tiny conformer", "source": "a test",
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 16, "kernels": [3, 3], "strides": [2, 2],
    "activation": "relu", "norm": "batch" },
  "encoder": { "kind": "conformer", "width": 16, "feedForward": 24, "norm": "pre", "positions": "sinusoidal",
    "activation": "swish", "queryKeyValueBias": true, "dropout": 0, "attentionDropout": 0,
    "convolution": { "kernel": 7, "norm": "batch" }, "layers": [ { "heads": "2 full" }, { "heads": "2 local 5" } ] },
  "decoder": null, "ctc": 256, "vocabulary": 0 })";
    }

    void allGpusWithoutOneIsRefused() {
        if (runWorkerProgram({"devices"}).out.find("cuda:") != std::string::npos)
            QSKIP("This machine has a GPU.");
        const Finished ended = runWorkerProgram(m_tiny->arguments("all", {"--device", "all"}));
        QVERIFY2(ended.status == 1 && ended.says("There is no device cuda:0."), ended.err.c_str());
        QVERIFY(!fs::exists(RunPaths{fs::path(m_place.path().toStdString()) / "all"}.run()));
    }

    void severalRanksTrainTheSameModel_data() {
        QTest::addColumn<QString>("ranks");
        QTest::newRow("two") << "2";
        QTest::newRow("three, whose last shares are empty at times") << "3";
    }
    void severalRanksShareBatchNorm_data() { severalRanksTrainTheSameModel_data(); }
    void severalRanksShareBatchNorm() {
        QFETCH(QString, ranks);
        const auto trained = [&](const std::string& name, const QStringList& more) {
            if (fs::exists(model(name)))
                return;
            auto arguments = m_tiny->arguments(name, more);
            arguments[2] = TinyTraining::text(fs::path(m_place.path().toStdString()) / "conformer.json");
            const Finished ended = runWorkerProgram(arguments);
            QVERIFY2(ended.status == 0, ended.err.c_str());
        };
        trained("normed", {});
        const std::string name = "normed" + ranks.toStdString();
        trained(name, {"--ranks", ranks});
        const double apart = weightsApart(model("normed"), model(name));
        QVERIFY2(apart < 1e-6, std::to_string(apart).c_str());
        QCOMPARE(readRun(m_tiny->run(name)).update, std::int64_t(20));
    }

    void severalRanksTrainTheSameModel() {
        QFETCH(QString, ranks);
        const std::string name = "ranks" + ranks.toStdString();
        const Finished ended = runWorkerProgram(m_tiny->arguments(name, {"--ranks", ranks}));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY2(ended.err.find("Warning:") == std::string::npos, ended.err.c_str()); // of torch, about the ranks' sums
        const double apart = weightsApart(model("alone"), model(name));
        QVERIFY2(apart < 1e-6, std::to_string(apart).c_str());
        const RunInfo alone = readRun(m_tiny->run("alone")), info = readRun(m_tiny->run(name));
        QVERIFY(info.state == RunState::Finished);
        QCOMPARE(info.update, alone.update);
        QVERIFY(std::abs(info.best["loss"].get<double>() - alone.best["loss"].get<double>()) < 1e-4);
        // The ranks share each validation; its texts and scores are those of one rank.
        for (const char* last : {"step-000010.json", "step-000020.json"}) {
            const auto samplesOf = [&](const std::string& run) {
                return nlohmann::json::parse(readSmallFile(RunPaths{m_tiny->run(run)}.samples() / last, "test"))["examples"];
            };
            QCOMPARE(samplesOf("alone").size(), std::size_t(7));
            QVERIFY2(samplesOf(name) == samplesOf("alone"), samplesOf(name).dump().c_str());
        }
        QCOMPARE(scoresOf(name), scoresOf("alone"));
    }

    void severalRanksDrawTheSame() {
        const Recipe before = m_tiny->recipe;
        m_tiny->recipe.loss.smoothing = "unigram";
        m_tiny->recipe.loss.scheduledSampling = "0.5";
        m_tiny->recipe.optimiser.encoderLayerDrop = m_tiny->recipe.optimiser.stochasticDepth = 0.3;
        const Finished alone = runWorkerProgram(m_tiny->arguments("drawn")),
                       two = runWorkerProgram(m_tiny->arguments("drawn2", {"--ranks", "2"}));
        m_tiny->recipe = before;
        QVERIFY2(alone.status == 0, alone.err.c_str());
        QVERIFY2(two.status == 0, two.err.c_str());
        const double apart = weightsApart(model("drawn"), model("drawn2"));
        QVERIFY2(apart < 1e-6, std::to_string(apart).c_str());
        QVERIFY(weightsApart(model("drawn"), model("alone")) > 1e-3);
    }

    /// Gradients of a frozen encoder are not there, then they are. Adam's first step for the encoder is g / (|g| + ε): of a
    /// gradient that is rounding alone it makes a step of full size, unless ε is larger than rounding.
    void severalRanksFreezeTheEncoder_data() {
        QTest::addColumn<double>("epsilon");
        QTest::addColumn<double>("bound");
        QTest::newRow("rounding is below epsilon") << 1e-4 << 1e-6;
        QTest::newRow("as in recipes") << m_tiny->recipe.optimiser.epsilon << 1e-4; // 1.4e-5 was seen
    }
    void severalRanksFreezeTheEncoder() {
        QFETCH(double, epsilon);
        QFETCH(double, bound);
        const std::string name = "frozen" + std::to_string(epsilon);
        const Recipe before = m_tiny->recipe;
        m_tiny->recipe.optimiser.freezeEncoderUpdates = 7;
        m_tiny->recipe.optimiser.epsilon = epsilon;
        const Finished alone = runWorkerProgram(m_tiny->arguments(name)),
                       three = runWorkerProgram(m_tiny->arguments(name + "three", {"--ranks", "3"}));
        m_tiny->recipe = before;
        QVERIFY2(alone.status == 0, alone.err.c_str());
        QVERIFY2(three.status == 0, three.err.c_str());
        const double apart = weightsApart(model(name), model(name + "three"));
        qInfo("%.1e", apart);
        QVERIFY2(apart < bound, qPrintable(QString::number(apart)));
        QVERIFY(weightsApart(model(name), model("alone")) > 1e-3);
    }

    void aStoppedRunGoesOnWithAnotherNumberOfRanks_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("two, then one") << "2" << "1";
        QTest::newRow("one, then three") << "1" << "3";
        QTest::newRow("three, then two") << "3" << "2";
        QTest::newRow("two, then as before") << "2" << "";
    }
    void aStoppedRunGoesOnWithAnotherNumberOfRanks() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        const std::string name = "other" + before.toStdString() + after.toStdString();
        const auto arguments = m_tiny->arguments(name, {"--ranks", before});
        QProcess process;
        process.start(kWorker, arguments);
        QTRY_VERIFY_WITH_TIMEOUT(hasBegun(name), 180000);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(180000));
        QCOMPARE(process.exitCode(), 0);
        if (readRun(m_tiny->run(name)).state == RunState::Finished)
            QSKIP("The run ended before it could be stopped.");
        QVERIFY(readRun(m_tiny->run(name)).state == RunState::Stopped);
        QStringList again{"train", "--run", TinyTraining::text(m_tiny->run(name)), "--resume"};
        if (!after.isEmpty())
            again += {"--ranks", after};
        const Finished ended = runWorkerProgram(again);
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QCOMPARE(readRun(m_tiny->run(name)).decided.ranks, (after.isEmpty() ? before : after).toLongLong());
        const double apart = weightsApart(model("alone"), model(name));
        QVERIFY2(apart < 1e-6, std::to_string(apart).c_str());
    }

    /// Its child is killed, as by the kernel when memory runs out.
    void aRankThatDiesEndsTheRunWithASentence() {
        const Recipe before = m_tiny->recipe;
        m_tiny->recipe.length.maxUpdates = 1000000;
        const auto arguments = m_tiny->arguments("dies", {"--ranks", "2"});
        m_tiny->recipe = before;
        QProcess process;
        process.start(kWorker, arguments);
        QTRY_VERIFY_WITH_TIMEOUT(hasBegun("dies"), 180000);
        const std::string children = "/proc/" + std::to_string(process.processId()) + "/task/" +
                                     std::to_string(process.processId()) + "/children";
        pid_t child = 0;
        std::ifstream(children) >> child;
        QVERIFY(child > 0);
        ::kill(child, SIGKILL);
        QVERIFY(process.waitForFinished(180000));
        const std::string told = process.readAllStandardError().toStdString();
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(told.find("Rank 1 no longer answers.") != std::string::npos, told.c_str());
        const RunInfo info = readRun(m_tiny->run("dies"));
        QVERIFY(info.state == RunState::Failed);
        QCOMPARE(info.error, std::string("Rank 1 no longer answers."));
    }

    void theOthersEndWithTheFirst() {
        const Recipe before = m_tiny->recipe;
        m_tiny->recipe.length.maxUpdates = 1000000;
        const auto arguments = m_tiny->arguments("orphans", {"--ranks", "2"});
        m_tiny->recipe = before;
        QProcess process;
        process.start(kWorker, arguments);
        QTRY_VERIFY_WITH_TIMEOUT(hasBegun("orphans"), 180000);
        pid_t child = 0;
        std::ifstream("/proc/" + std::to_string(process.processId()) + "/task/" +
                      std::to_string(process.processId()) + "/children") >>
            child;
        QVERIFY(child > 0);
        process.kill();
        QVERIFY(process.waitForFinished(180000));
        QTRY_VERIFY_WITH_TIMEOUT(::kill(child, 0) != 0, 180000);
    }

private:
    /// WER and BLEU of every validation.
    std::string scoresOf(const std::string& name) const {
        EventFollower follower(RunPaths{m_tiny->run(name)}.events());
        std::string scores;
        for (const auto& event : follower.poll())
            if (event["event"] == "validation")
                scores += event["wer"].dump() + " " + event["bleu"].dump() + "\n";
        return scores;
    }

    fs::path model(const std::string& name) const {
        return RunPaths{m_tiny->run(name)}.model() / "model.safetensors";
    }

    bool hasBegun(const std::string& name) const {
        std::error_code none;
        const auto size = fs::file_size(RunPaths{m_tiny->run(name)}.events(), none);
        return !none && size > 0;
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

HEADROOM_TEST(TrainRanksTest)

} // namespace headroom::testing::train_ranks_test

#include "train_ranks_test.moc"
