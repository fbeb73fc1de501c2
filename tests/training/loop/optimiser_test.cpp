// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/npy.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "training/loop/optimiser.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <QtTest/QtTest>

#include <cmath>

namespace headroom::testing::optimiser_test {

using namespace headroom::training;
namespace fs = std::filesystem;

namespace {

template <class T>
std::vector<T> numbers(const fs::path& file) {
    const Tensor tensor = readNpy(file);
    const auto values = toDoubles(tensor.view());
    return {values.begin(), values.end()};
}

/// Ten steps; the largest difference from the reference's parameters after any of them.
template <class T>
double afterTenSteps(const fs::path& losses, const std::string& reference, double decay, bool epsilonFirst) {
    auto parameter = numbers<T>(losses / "optimiser.start.npy");
    const auto gradients = numbers<T>(losses / "optimiser.gradients.npy");
    const auto expected = numbers<double>(losses / reference);
    const std::size_t count = parameter.size();
    std::vector<T> mean(count), variance(count);
    double largest = 0;
    for (int step = 1; step <= 10; ++step) {
        const std::size_t row = static_cast<std::size_t>(step - 1) * count;
        adamStep<T>({2e-3, 0.9, 0.999, 1e-8, decay, step, epsilonFirst, 1}, parameter.data(),
                    gradients.data() + row, mean.data(), variance.data(), static_cast<std::int64_t>(count));
        for (std::size_t i = 0; i < count; ++i)
            largest = std::max(largest, std::abs(static_cast<double>(parameter[i]) - expected[row + i]));
    }
    return largest;
}

} // namespace

class OptimiserTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void adamIsPyTorchs_data() { testing::addGoldenFolders(); }
    void adamIsPyTorchs();
    void adamOfFairseqAddsEpsilonFirst_data() { testing::addGoldenFolders(); }
    void adamOfFairseqAddsEpsilonFirst();
    void weightDecayIsDecoupled_data() { testing::addGoldenFolders(); }
    void weightDecayIsDecoupled();
    void theFactorScalesTheGradient();
    void operationsOfOtherDevicesMakeTheSameStep();
    void theFusedStepIsTheSame();
};

void OptimiserTest::adamIsPyTorchs() {
    const fs::path losses = testing::goldens() / "parity" / "losses";
    const double exact = afterTenSteps<double>(losses, "optimiser.adam.float64.npy", 0, false);
    QVERIFY2(exact < 1e-14, std::to_string(exact).c_str());
    const double single = afterTenSteps<float>(losses, "optimiser.adam.float32.npy", 0, false);
    QVERIFY2(single < 5e-7, std::to_string(single).c_str());
}

void OptimiserTest::adamOfFairseqAddsEpsilonFirst() {
    const fs::path losses = testing::goldens() / "parity" / "losses";
    const double exact = afterTenSteps<double>(losses, "optimiser.adam_fairseq.float64.npy", 0, true);
    QVERIFY2(exact < 1e-14, std::to_string(exact).c_str());
    const double other = afterTenSteps<double>(losses, "optimiser.adam_fairseq.float64.npy", 0, false);
    QVERIFY2(other > 1e-4, "the two kinds must differ where gradients are tiny");
}

void OptimiserTest::weightDecayIsDecoupled() {
    const fs::path losses = testing::goldens() / "parity" / "losses";
    for (const auto& [name, decay] :
         {std::pair("optimiser.adamw_0.1.float64.npy", 0.1), {"optimiser.adamw_1e-5.float64.npy", 1e-5}}) {
        const double exact = afterTenSteps<double>(losses, name, decay, false);
        QVERIFY2(exact < 1e-14, std::to_string(exact).c_str());
    }
}

void OptimiserTest::theFactorScalesTheGradient() {
    float once = 1, meanOnce = 0, varianceOnce = 0, twice = 1, meanTwice = 0, varianceTwice = 0;
    const float gradient = 0.25F, half = 0.125F;
    const AdamStep step{0.1, 0.9, 0.99, 1e-8, 0, 1, false, 1};
    AdamStep halved = step;
    halved.gradientFactor = 0.5;
    adamStep(step, &once, &half, &meanOnce, &varianceOnce, 1);
    adamStep(halved, &twice, &gradient, &meanTwice, &varianceTwice, 1);
    QCOMPARE(once, twice);
    QCOMPARE(varianceOnce, varianceTwice);
}

void OptimiserTest::operationsOfOtherDevicesMakeTheSameStep() {
    constexpr std::int64_t kCount = 50;
    const auto drawn = [] { return at::randn({kCount}, at::kDouble); };
    for (const bool epsilonFirst : {false, true})
        for (const double decay : {0.0, 0.1}) {
            const at::Tensor start = drawn();
            const at::Tensor parameter = start.clone(), mean = at::zeros({kCount}, at::kDouble), variance = mean.clone();
            std::vector<double> values(start.const_data_ptr<double>(), start.const_data_ptr<double>() + kCount),
                means(kCount), variances(kCount);
            for (std::int64_t step = 1; step <= 5; ++step) {
                const AdamStep wanted{2e-3, 0.9, 0.98, 1e-6, decay, step, epsilonFirst, 0.25};
                const at::Tensor gradient = drawn();
                adamStep(wanted, parameter, gradient, mean, variance);
                adamStep(wanted, values.data(), gradient.const_data_ptr<double>(), means.data(), variances.data(), kCount);
            }
            for (std::int64_t i = 0; i < kCount; ++i)
                QVERIFY(std::abs(parameter.const_data_ptr<double>()[i] - values[static_cast<std::size_t>(i)]) < 1e-14);
        }
}

/// What GPUs use for the kind adam. One parameter began to learn two steps later.
void OptimiserTest::theFusedStepIsTheSame() {
    constexpr std::int64_t kCount = 50;
    const at::Tensor factor = at::full({}, 0.25, at::kDouble); // ATen's divides by its reciprocal, which is exact here
    for (const double decay : {0.0, 0.1}) {
        std::vector<at::Tensor> parameters, means, variances, expected, expectedMeans, expectedVariances;
        for (int i = 0; i < 2; ++i) {
            parameters.push_back(at::randn({kCount}, at::kDouble));
            means.push_back(at::zeros({kCount}, at::kDouble));
            variances.push_back(at::zeros({kCount}, at::kDouble));
            expected.push_back(parameters.back().clone());
            expectedMeans.push_back(means.back().clone());
            expectedVariances.push_back(variances.back().clone());
        }
        for (std::int64_t step = 3; step <= 8; ++step) {
            const AdamStep wanted{2e-3, 0.9, 0.98, 1e-6, decay, step, false, 1};
            std::vector<at::Tensor> gradients{at::randn({kCount}, at::kDouble), at::randn({kCount}, at::kDouble)};
            for (std::size_t i = 0; i < 2; ++i) {
                AdamStep own = wanted;
                own.step = i == 0 ? step : step - 2;
                adamStep(own, expected[i], gradients[i], expectedMeans[i], expectedVariances[i], factor);
            }
            fusedAdamStep(wanted, {step, step - 2}, parameters, gradients, means, variances, factor);
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const double apart = parameters[i].sub(expected[i]).abs().max().item<double>();
            QVERIFY2(apart < 1e-13, std::to_string(apart * 1e15).c_str());
            QVERIFY(means[i].sub(expectedMeans[i]).abs().max().item<double>() < 1e-14);
            QVERIFY(variances[i].sub(expectedVariances[i]).abs().max().item<double>() < 1e-14);
        }
    }
}

HEADROOM_TEST(OptimiserTest)

} // namespace headroom::testing::optimiser_test

#include "optimiser_test.moc"
