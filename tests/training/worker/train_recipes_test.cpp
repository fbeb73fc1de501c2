// SPDX-License-Identifier: GPL-3.0-or-later
// What the papers' recipes ask of a run beyond the demo's.
#include "core/architecture/architecture.h"
#include "core/runs/events.h"
#include "core/tensors/safetensors.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cmath>
#include <map>
#include <set>

namespace headroom::testing::train_recipes_test {

namespace fs = std::filesystem;

namespace {

using Weights = std::map<std::string, std::vector<double>>;

Weights weightsIn(const fs::path& file) {
    const Safetensors tensors(file);
    Weights weights;
    for (const std::string& name : tensors.names())
        weights[name] = toDoubles(tensors.tensor(name));
    return weights;
}

/// The largest difference of tensors whose name has `part`; −1: there are none.
double difference(const Weights& left, const Weights& right, const std::string& part) {
    double largest = -1;
    for (const auto& [name, values] : left)
        if (name.find(part) != std::string::npos && name.rfind("adam.", 0) != 0)
            for (std::size_t i = 0; i < values.size(); ++i)
                largest = std::max(largest, std::abs(values[i] - right.at(name)[i]));
    return largest;
}

} // namespace

class TrainRecipesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        const fs::path place = m_place.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 16, 3);
    }
    void aFrozenEncoderWaitsForItsUpdate();
    void everythingTogetherMayBeStopped();
    void drawnLayersAndTokensMayBeStopped();
    void aPlateauLowersTheLearningRate();
    void anyScoreMayDecide();
    void noiseOnTheWeightsStaysOutOfThem();
    void averagedWeightsGetStatisticsOfTheirOwn();
    void theModelHasTheCtcOutputOfTheArchitectureAlone();
    void theLastUpdateOfARunIsLogged();

private:
    TinyTraining training(const std::string& folder) const {
        return TinyTraining(fs::path(m_place.path().toStdString()) / folder, m_corpus->folder());
    }
    static Weights at(const TinyTraining& tiny, const std::string& run, int update) {
        char name[40];
        std::snprintf(name, sizeof name, "step-%06d.safetensors", update);
        return weightsIn(RunPaths{tiny.run(run)}.checkpoints() / name);
    }
    static std::vector<RunCurves::Point> curve(const TinyTraining& tiny, const std::string& run,
                                               const std::string& name) {
        RunCurves curves;
        for (const auto& event : EventFollower(RunPaths{tiny.run(run)}.events()).poll())
            curves.add(event);
        return curves.series().at(name);
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
};

void TrainRecipesTest::aFrozenEncoderWaitsForItsUpdate() {
    TinyTraining tiny = training("frozen");
    tiny.recipe.optimiser.freezeEncoderUpdates = 10;
    tiny.recipe.checkpoints.keep = 100;
    const Finished ended = runWorkerProgram(tiny.arguments("run"));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    const Weights early = at(tiny, "run", 2), thawed = at(tiny, "run", 10), late = at(tiny, "run", 12);
    QCOMPARE(difference(early, thawed, "model.encoder."), 0.0);
    QVERIFY(difference(early, thawed, "model.decoder.") > 1e-4);
    QVERIFY(difference(thawed, late, "model.encoder.") > 1e-4);
}

/// Freezing, hold, plateau, noise and adaptive masks: what they remember is in the checkpoint.
void TrainRecipesTest::everythingTogetherMayBeStopped() {
    TinyTraining tiny = training("together");
    Recipe& recipe = tiny.recipe;
    recipe.optimiser.schedule = "plateau";
    recipe.optimiser.initialFactor = 0.1;
    recipe.optimiser.holdUpdates = 2;
    recipe.optimiser.freezeEncoderUpdates = 7;
    recipe.optimiser.weightNoise = 0.02;
    recipe.optimiser.weightDecay = 0.01;
    recipe.optimiser.learningRate = 0.5; // so that a plateau comes
    recipe.validation.everyUpdates = 3;
    recipe.augmentation.timeMasks = 5;
    recipe.augmentation.timeMasksShare = 0.05;
    QCOMPARE(runWorkerProgram(tiny.arguments("whole")).status, 0);
    const auto rates = curve(tiny, "whole", "learningRate");
    QVERIFY2(rates.back().value < 0.5, "no plateau was found");
    stopAndResume(tiny, "stopped");
    if (QTest::currentTestFailed())
        return;
    QVERIFY(tiny.weights("stopped") == tiny.weights("whole"));
}

/// What is drawn follows from the numbers of epoch and update: a stopped run draws the same.
void TrainRecipesTest::drawnLayersAndTokensMayBeStopped() {
    TinyTraining tiny = training("drawn");
    tiny.recipe.loss.smoothing = "unigram";
    tiny.recipe.loss.scheduledSampling = "0.75 0.5";
    tiny.recipe.loss.scheduledSamplingFrom = 2;
    tiny.recipe.optimiser.encoderLayerDrop = 0.3;
    tiny.recipe.optimiser.decoderLayerDrop = 0.2;
    tiny.recipe.optimiser.stochasticDepth = 0.2;
    const Finished whole = runWorkerProgram(tiny.arguments("whole"));
    QVERIFY2(whole.status == 0, whole.err.c_str());
    stopAndResume(tiny, "stopped");
    if (QTest::currentTestFailed())
        return;
    QVERIFY(tiny.weights("stopped") == tiny.weights("whole"));
    // Each of them changes the run.
    const Recipe before = tiny.recipe;
    const std::vector<std::string> without{"loss.smoothing=\"uniform\"", "loss.scheduledSampling=\"1\"",
                                           "optimiser.encoderLayerDrop=0", "optimiser.stochasticDepth=0"};
    for (std::size_t i = 0; i < without.size(); ++i) {
        tiny.recipe = before;
        overrideRecipe(tiny.recipe, without[i]);
        const std::string name = "without" + std::to_string(i);
        QCOMPARE(runWorkerProgram(tiny.arguments(name)).status, 0);
        QVERIFY2(tiny.weights(name) != tiny.weights("whole"), without[i].c_str());
    }
}

void TrainRecipesTest::aPlateauLowersTheLearningRate() {
    TinyTraining tiny = training("plateau");
    tiny.recipe.optimiser.schedule = "plateau";
    tiny.recipe.optimiser.learningRate = 1e-12; // nothing is learnt, so the first validation stays the best
    tiny.recipe.optimiser.warmupUpdates = 1;
    tiny.recipe.optimiser.plateauPatience = 1;
    tiny.recipe.optimiser.plateauFactor = 0.5;
    tiny.recipe.validation.everyUpdates = 2;
    tiny.recipe.loss.labelSmoothing = 0;
    const Finished ended = runWorkerProgram(tiny.arguments("run"));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    const auto losses = curve(tiny, "run", "validation.loss");
    const auto rates = curve(tiny, "run", "learningRate");
    double best = INFINITY;
    std::int64_t since = 0, reductions = 0;
    std::size_t next = 1; // update 1 has the rate of update 0
    for (const auto& loss : losses) {
        for (; next < static_cast<std::size_t>(loss.update); ++next)
            QCOMPARE(rates[next].value, 1e-12 * std::pow(0.5, static_cast<double>(reductions)));
        since = loss.value < best ? 0 : since + 1;
        best = std::min(best, loss.value);
        if (since > 1) {
            ++reductions;
            since = 0;
        }
    }
    QVERIFY(reductions > 1);
}

void TrainRecipesTest::anyScoreMayDecide() {
    std::set<std::int64_t> decoded;
    for (const char* best : {"cer", "ter", "chrf", "nll"}) {
        TinyTraining tiny = training(std::string("by ") + best);
        tiny.recipe.validation.best = best;
        tiny.recipe.validation.maxUtterances = std::string(best) == "cer" ? 0 : 100'000; // both are all
        const auto done = runWorkerProgram(tiny.arguments("run"));
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto scores = curve(tiny, "run", std::string("validation.") + best);
        QCOMPARE(scores.size(), std::size_t(4));
        double least = 1e9;
        for (const auto& point : scores)
            least = std::min(least, std::string(best) == "chrf" ? -point.value : point.value);
        const auto info = readRun(tiny.run("run"));
        QVERIFY(std::abs(info.best["score"].get<double>() - least) < 1e-9);
        QVERIFY(info.best.contains(best));
        decoded.insert(info.best["decoded"].get<std::int64_t>());
        QCOMPARE(info.best["validated"], info.best["decoded"]);
    }
    QVERIFY(decoded.size() == 1 && *decoded.begin() > 0 && *decoded.begin() < 100'000);
    TinyTraining tiny = training("by ctc");
    tiny.recipe.validation.best = "ctc"; // the tiny model has a decoder alone
    const auto refused = runWorkerProgram(tiny.arguments("run"));
    QVERIFY2(refused.status == 1 && refused.says("needs a CTC output beside a decoder"), refused.err.c_str());
}

void TrainRecipesTest::noiseOnTheWeightsStaysOutOfThem() {
    TinyTraining tiny = training("noise");
    tiny.recipe.optimiser.learningRate = 1e-12;
    tiny.recipe.optimiser.weightNoise = 0.3;
    const Finished ended = runWorkerProgram(tiny.arguments("run"));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    const Weights early = at(tiny, "run", 16), late = at(tiny, "run", 20);
    QVERIFY(difference(early, late, "layers") < 1e-9);
    tiny.recipe.optimiser.weightNoise = 0;
    QCOMPARE(runWorkerProgram(tiny.arguments("quiet")).status, 0);
    const auto noisy = curve(tiny, "run", "loss"), quiet = curve(tiny, "quiet", "loss");
    for (std::size_t update = 0; update < noisy.size(); ++update) // 5 updates of warm-up
        QCOMPARE(noisy[update].value == quiet[update].value, update < 5);
}

/// Form, curves and checkpoints had a CTC output, the model had none, and nothing said so.
void TrainRecipesTest::theModelHasTheCtcOutputOfTheArchitectureAlone() {
    TinyTraining tiny = training("ctc");
    const std::string said = "without the CTC output, which the architecture does not have";
    for (const bool inArchitecture : {false, true}) {
        const std::string run = inArchitecture ? "with" : "without";
        if (inArchitecture) {
            Architecture architecture = readArchitecture(tiny.run("").parent_path() / "architecture.json");
            architecture.ctc = architecture.vocabulary;
            std::ofstream(tiny.run("").parent_path() / "architecture.json") << canonicalText(architecture);
        }
        const Finished ended = runWorkerProgram(tiny.arguments(run));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const RunPaths paths{tiny.run(run)};
        QVERIFY(at(tiny, run, 20).contains("ctc.weight"));
        QCOMPARE(weightsIn(paths.model() / "model.safetensors").contains("ctc.weight"), inArchitecture);
        QCOMPARE(readSmallFile(paths.log(), "test").find(said) == std::string::npos, inArchitecture);
    }
}

/// Nothing is learnt, dropped or masked, so a training epoch's own running statistics are the plain mean over
/// all batches of the final weights: what renewing must find again.
void TrainRecipesTest::averagedWeightsGetStatisticsOfTheirOwn() {
    TinyTraining tiny = training("statistics");
    Architecture architecture = smallConformer({"4 full suppressed 0.5", "4 full"}, {16, 16, 24, 1, 256});
    architecture.encoder.dropout = architecture.encoder.attentionDropout = 0;
    std::ofstream(tiny.run("").parent_path() / "architecture.json") << canonicalText(architecture);
    Recipe& recipe = tiny.recipe;
    recipe.loss.ctcWeight = 0;
    recipe.optimiser.learningRate = 1e-12;
    recipe.optimiser.accumulate = 1;
    recipe.augmentation.frequencyMasks = recipe.augmentation.timeMasks = 0;
    recipe.length.maxEpochs = 1;
    recipe.length.maxUpdates = 1000;
    recipe.validation.everyUpdates = 0;
    recipe.validation.everyEpochs = 1;
    recipe.checkpoints.everyUpdates = 1;
    recipe.checkpoints.keep = 1000;
    recipe.checkpoints.average = 3;
    const Finished averaged = runWorkerProgram(tiny.arguments("averaged"));
    QVERIFY2(averaged.status == 0, averaged.err.c_str());
    recipe.checkpoints.statisticsBatches = 1000;
    const Finished renewed = runWorkerProgram(tiny.arguments("renewed"));
    QVERIFY2(renewed.status == 0, renewed.err.c_str());

    const int last = static_cast<int>(readRun(tiny.run("averaged")).update);
    const Weights whole = at(tiny, "averaged", last);
    const auto model = [&](const char* run) {
        return weightsIn(RunPaths{tiny.run(run)}.model() / "model.safetensors");
    };
    const double own = difference(model("renewed"), whole, "running_");
    QVERIFY2(own >= 0 && own < 1e-4, qPrintable(QString::number(own)));
    const double mixed = difference(model("averaged"), whole, "running_");
    QVERIFY2(mixed > 10 * own, qPrintable(QString::number(mixed)));
}

/// A run of fewer updates than the interval had neither loss nor speed; of a longer one the last updates were missing.
void TrainRecipesTest::theLastUpdateOfARunIsLogged() {
    TinyTraining tiny = training("short");
    Recipe& recipe = tiny.recipe;
    recipe.length.maxUpdates = 6;
    QCOMPARE(runWorkerProgram(tiny.arguments("each")).status, 0);
    const auto updatesOf = [&](const char* run) {
        std::vector<std::int64_t> updates;
        for (const RunCurves::Point& point : curve(tiny, run, "loss"))
            updates.push_back(point.update);
        return updates;
    };
    const auto lastEpoch = [&](const char* run) {
        std::int64_t epoch = 0;
        for (const auto& event : EventFollower(RunPaths{tiny.run(run)}.events()).poll())
            if (event["event"] == "step")
                epoch = event["epoch"].get<std::int64_t>();
        return epoch;
    };
    using Updates = std::vector<std::int64_t>;
    recipe.machine.logEvery = 10;
    QCOMPARE(runWorkerProgram(tiny.arguments("few")).status, 0);
    QCOMPARE(updatesOf("few"), Updates({6}));
    QVERIFY(curve(tiny, "few", "framesPerSecond").back().value > 0);
    QCOMPARE(curve(tiny, "few", "learningRate").back().value, curve(tiny, "each", "learningRate").back().value);
    QCOMPARE(lastEpoch("few"), lastEpoch("each"));
    recipe.machine.logEvery = 4;
    QCOMPARE(runWorkerProgram(tiny.arguments("more")).status, 0);
    QCOMPARE(updatesOf("more"), Updates({4, 6}));
    recipe.machine.logEvery = 3;
    QCOMPARE(runWorkerProgram(tiny.arguments("even")).status, 0);
    QCOMPARE(updatesOf("even"), Updates({3, 6})); // and not twice

    // Ends by epochs and by patience are known after the last update only.
    recipe.machine.logEvery = 1000;
    recipe.length.maxUpdates = 1000;
    recipe.length.maxEpochs = 2;
    QCOMPARE(runWorkerProgram(tiny.arguments("epochs")).status, 0);
    QCOMPARE(updatesOf("epochs"), Updates({readRun(tiny.run("epochs")).update}));
    QCOMPARE(lastEpoch("epochs"), std::int64_t(2));
    recipe.length.maxEpochs = 0;
    recipe.length.patience = 1;
    recipe.validation.everyUpdates = 2;
    recipe.optimiser.learningRate = 1e-12; // nothing gets better
    QCOMPARE(runWorkerProgram(tiny.arguments("patience")).status, 0);
    QCOMPARE(updatesOf("patience"), Updates({readRun(tiny.run("patience")).update}));
}

HEADROOM_TEST(TrainRecipesTest)

} // namespace headroom::testing::train_recipes_test

#include "train_recipes_test.moc"
