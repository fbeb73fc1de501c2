// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "training/loop/schedule.h"

#include <QtTest/QtTest>

#include <cmath>
#include <fstream>

namespace headroom::testing::schedule_test {

using namespace headroom::training;

namespace {

constexpr std::int64_t kLength = 200;

Recipe::Optimiser recipeOf(const std::string& schedule) {
    Recipe::Optimiser recipe;
    recipe.schedule = schedule;
    recipe.learningRate = 1e-3;
    recipe.warmupUpdates = 10;
    return recipe;
}

double rate(const Recipe::Optimiser& recipe, std::int64_t update, std::int64_t reductions = 0) {
    return learningRate(recipe, kLength, update, reductions);
}

bool near(double found, double wanted) {
    return std::abs(found - wanted) <= 1e-15;
}

} // namespace

class ScheduleTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void relaxationRisesLinearly() {
        Recipe::Optimiser recipe;
        QCOMPARE(relaxationShare(recipe, 0), 1.0); // without a warm-up
        recipe.relaxationWarmupUpdates = 4;
        const std::vector<double> wanted{0.25, 0.5, 0.75, 1, 1, 1};
        for (std::int64_t update = 0; update < 6; ++update)
            QCOMPARE(relaxationShare(recipe, update), wanted[static_cast<std::size_t>(update)]);
        Recipe whole;
        overrideRecipe(whole, "optimiser.relaxationWarmupUpdates=4000");
        QVERIFY(parseRecipe(canonicalText(whole), "x") == whole);
        QVERIFY(canonicalText(Recipe()).find("relaxationWarmup") == std::string::npos); // older recipes stay as they are
    }

    void theDefaultIsFairseqs_data() { testing::addGoldenFolders(); }
    void theDefaultIsFairseqs();
    void theHoldAnchorsTheInverseSquareRoot();
    void triStageIsFairseqs();
    void linearAndCosineReachTheEnd();
    void aPlateauCountsReductions();
    void everyScheduleIsContinuousAndNeverRises_data();
    void everyScheduleIsContinuousAndNeverRises();
};

void ScheduleTest::theDefaultIsFairseqs() {
    const auto file = testing::goldens() / "parity" / "losses" / "inverse_sqrt.json";
    const auto reference = nlohmann::json::parse(std::ifstream(file));
    Recipe::Optimiser recipe;
    recipe.learningRate = reference["base_lr"];
    recipe.warmupUpdates = reference["warmup_updates"];
    for (std::size_t i = 0; i < reference["lr"].size(); ++i)
        QVERIFY(near(rate(recipe, reference["updates"][i]), reference["lr"][i]));
}

void ScheduleTest::theHoldAnchorsTheInverseSquareRoot() { // Shim et al. 2022: 5k, 95k, then √(100k / u)
    Recipe::Optimiser recipe = recipeOf("inverse-sqrt");
    recipe.holdUpdates = 30;
    QVERIFY(near(rate(recipe, 5), 5e-4));
    for (const std::int64_t held : {10, 25, 39, 40})
        QVERIFY(near(rate(recipe, held), 1e-3));
    QVERIFY(near(rate(recipe, 160), 5e-4));
}

/// fairseq's tri_stage_lr_scheduler: init 0.01, then exp(ln(final) · step / decay).
void ScheduleTest::triStageIsFairseqs() {
    Recipe::Optimiser recipe = recipeOf("exponential");
    recipe.initialFactor = 0.01;
    recipe.holdUpdates = 5;
    recipe.decayUpdates = 100;
    recipe.finalFactor = 0.05;
    QVERIFY(near(rate(recipe, 0), 1e-5));
    QVERIFY(near(rate(recipe, 5), 1e-5 + (1e-3 - 1e-5) / 10 * 5));
    QVERIFY(near(rate(recipe, 12), 1e-3));
    QVERIFY(near(rate(recipe, 45), 1e-3 * std::exp(std::log(0.05) * 0.3)));
    QVERIFY(near(rate(recipe, 115), 5e-5));
    QVERIFY(near(rate(recipe, 100000), 5e-5));
}

void ScheduleTest::linearAndCosineReachTheEnd() {
    for (const char* schedule : {"linear", "cosine"}) {
        Recipe::Optimiser recipe = recipeOf(schedule);
        recipe.finalFactor = 0.2; // decayUpdates 0: from 10 to the end, 200
        QVERIFY(near(rate(recipe, 105), 6e-4));
        QVERIFY(near(rate(recipe, 200), 2e-4));
        QVERIFY(near(rate(recipe, 300), 2e-4));
        recipe.decayUpdates = 10;
        QVERIFY(near(rate(recipe, 15), 6e-4));
        QVERIFY(near(rate(recipe, 20), 2e-4));
    }
    Recipe::Optimiser cosine = recipeOf("cosine");
    cosine.finalFactor = 0;
    cosine.decayUpdates = 90;
    QVERIFY(near(rate(cosine, 40), 1e-3 * (1 + std::cos(std::acos(-1) / 3)) / 2));
}

void ScheduleTest::aPlateauCountsReductions() {
    Recipe::Optimiser recipe = recipeOf("plateau");
    recipe.plateauFactor = 0.1;
    QVERIFY(near(rate(recipe, 150), 1e-3));
    QVERIFY(near(rate(recipe, 150, 2), 1e-5));
    QVERIFY(near(rate(recipe, 5, 2), 5e-4)); // the warm-up goes first
}

void ScheduleTest::everyScheduleIsContinuousAndNeverRises_data() {
    QTest::addColumn<QString>("schedule");
    for (const char* schedule : {"inverse-sqrt", "constant", "linear", "cosine", "exponential", "plateau"})
        QTest::addRow("%s", schedule) << schedule;
}

void ScheduleTest::everyScheduleIsContinuousAndNeverRises() {
    QFETCH(QString, schedule);
    Recipe::Optimiser recipe = recipeOf(schedule.toStdString());
    recipe.warmupUpdates = 100;
    recipe.holdUpdates = 50;
    for (std::int64_t update = 100; update < 3000; ++update) {
        const double now = learningRate(recipe, 2000, update), next = learningRate(recipe, 2000, update + 1);
        QVERIFY2(next <= now && next > now - 1e-5, qPrintable(QString::number(update)));
    }
}

HEADROOM_TEST(ScheduleTest)

} // namespace headroom::testing::schedule_test

#include "schedule_test.moc"
