// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/runs/events.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

namespace headroom::testing::train_families_test {

namespace fs = std::filesystem;

namespace {

constexpr SmallSizes kSizes{16, 16, 24, 1, 256};

Architecture familyOf(const std::string& name) {
    const std::string mixed = "2 local 64 block + 2 conv 5/2";
    if (name == "s2t")
        return smallTransformer({"4 full", "4 full"}, kSizes);
    if (name == "locality")
        return smallTransformer({"4 full", "4 local 5", "4 local 9"}, kSizes);
    if (name == "multiformer lc")
        return smallMultiformer({mixed, mixed}, kSizes);
    if (name == "multiformer v1")
        return smallMultiformer({"1 local 64 block + 3 conv 5/2", mixed}, kSizes);
    if (name == "conv attention")
        return smallMultiformer({"4 conv 5/2", "4 conv 5/2"}, kSizes);
    if (name == "conformer")
        return smallConformer({"4 full suppressed 0.5", "4 full suppressed 0.5"}, kSizes);
    if (name == "conformer 4 x 4") {
        std::vector<std::string> layers;
        for (int layer = 0; layer < 16; ++layer)
            layers.push_back(layer % 4 ? "4 reuse " + std::to_string(layer - layer % 4 + 1)
                                       : "4 full suppressed 0.5");
        return smallConformer(layers, kSizes);
    }
    return smallRelaxed(name == "fuzzy" ? "4 full relaxed 0.1 fuzzy 0.03" : "4 full relaxed 0.1",
                        "4 full relaxed 0.25", {4, 4}, kSizes);
}

double meanOf(const std::vector<RunCurves::Point>& points, std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i)
        sum += points[i].value;
    return sum / static_cast<double>(count);
}

} // namespace

class TrainFamiliesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        const fs::path place = m_place.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 16, 3);
    }
    void everyFamilyLearnsOpensAndWrites_data() {
        QTest::addColumn<QString>("family");
        for (const char* name : {"s2t", "locality", "multiformer lc", "multiformer v1", "conv attention",
                                 "conformer", "conformer 4 x 4", "relaxed", "fuzzy"})
            QTest::newRow(name) << QString(name);
    }
    void everyFamilyLearnsOpensAndWrites();
    void aStoppedConformerEndsWithTheSameBytes();
    void aCtcOutputThatNothingTrainsIsRefused();

private:
    TinyTraining trainingOf(const std::string& folder, const Architecture& architecture) const {
        const fs::path place = fs::path(m_place.path().toStdString()) / folder;
        TinyTraining tiny(place, m_corpus->folder());
        std::ofstream(place / "architecture.json") << canonicalText(architecture);
        tiny.recipe.optimiser.learningRate = 5e-3;
        tiny.recipe.optimiser.accumulate = 1;
        tiny.recipe.length.maxUpdates = 24;
        tiny.recipe.validation.everyUpdates = 12;
        tiny.recipe.checkpoints.everyUpdates = 6;
        return tiny;
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
};

void TrainFamiliesTest::everyFamilyLearnsOpensAndWrites() {
    QFETCH(QString, family);
    const Architecture architecture = familyOf(family.toStdString());
    TinyTraining tiny = trainingOf("family " + family.toStdString(), architecture);
    if (!architecture.decoder)
        tiny.recipe.loss.ctcWeight = 0; // CTC is the loss, whatever its weight beside a decoder
    const Finished ended = runWorkerProgram(tiny.arguments("run"));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    RunCurves curves;
    for (const auto& event : EventFollower(RunPaths{tiny.run("run")}.events()).poll())
        curves.add(event);
    const auto& loss = curves.series().at("loss");
    QCOMPARE(loss.size(), std::size_t(24));
    const double before = meanOf(loss, 0, 3), after = meanOf(loss, 21, 3);
    QVERIFY2(after < 0.95 * before, (std::to_string(before) + " → " + std::to_string(after)).c_str());

    QCOMPARE(curves.series().contains("fuzzyGamma"), family == "fuzzy");
    if (family == "fuzzy") {
        const auto& drawn = curves.series().at("fuzzyGamma");
        const double mean = meanOf(drawn, 0, drawn.size());
        QVERIFY2(std::abs(mean - 0.1) < 0.03, std::to_string(mean).c_str()); // σ 0.03, 24 draws
        QVERIFY(meanOf(drawn, 0, 1) != meanOf(drawn, 1, 1));
    }

    const fs::path model = RunPaths{tiny.run("run")}.model();
    const fs::path audio = m_corpus->utterances("dev").front().audio;
    const Finished text =
        runWorkerProgram({"transcribe", "--model", TinyTraining::text(model), TinyTraining::text(audio)});
    QVERIFY2(text.status == 0, text.err.c_str());
    QVERIFY2(text.out.rfind("dev0\t", 0) == 0, text.out.c_str());
    if (family == "conformer") {
        const Finished judged = runWorkerProgram({"evaluate", "--model", TinyTraining::text(model), "--data",
                                        TinyTraining::text(m_corpus->folder()), "--split", "dev", "--out",
                                        TinyTraining::text(tiny.run("judged"))});
        QVERIFY2(judged.status == 0, judged.err.c_str());
    }
}

void TrainFamiliesTest::aStoppedConformerEndsWithTheSameBytes() { // running statistics too
    const TinyTraining tiny = trainingOf("stopped", familyOf("conformer"));
    QCOMPARE(runWorkerProgram(tiny.arguments("whole")).status, 0);
    const std::string whole = tiny.weights("whole");
    stopAndResume(tiny, "stopped");
    if (QTest::currentTestFailed())
        return;
    QVERIFY(tiny.weights("stopped") == whole);
    const char* last = "step-000024.safetensors";
    QVERIFY(readSmallFile(RunPaths{tiny.run("stopped")}.checkpoints() / last, "test") ==
            readSmallFile(RunPaths{tiny.run("whole")}.checkpoints() / last, "test"));
}

void TrainFamiliesTest::aCtcOutputThatNothingTrainsIsRefused() {
    Architecture architecture = familyOf("s2t");
    architecture.ctc = 256;
    TinyTraining tiny = trainingOf("untrained", architecture);
    tiny.recipe.loss.ctcWeight = 0;
    const Finished ended = runWorkerProgram(tiny.arguments("run"));
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("loss.ctcWeight"), ended.err.c_str());
    QVERIFY(!fs::exists(tiny.run("run")));
}

HEADROOM_TEST(TrainFamiliesTest)

} // namespace headroom::testing::train_families_test

#include "train_families_test.moc"
