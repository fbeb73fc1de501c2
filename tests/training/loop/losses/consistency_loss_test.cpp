// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/recipe.h"
#include "models/checkpoints/checkpoint.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "training/loop/batch_loss.h"
#include "training/loop/losses/consistency_loss.h"
#include "training/loop/initial_weights.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <QTest>

#include <cmath>
#include <vector>

namespace headroom::testing::consistency_loss_test {

using namespace headroom::training;

namespace {

std::vector<double> shares(std::vector<double> logits) {
    double sum = 0;
    for (double& one : logits)
        sum += one = std::exp(one);
    for (double& one : logits)
        one /= sum;
    return logits;
}

double divergenceOf(const std::vector<double>& p, const std::vector<double>& q) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        sum += p[i] * std::log(p[i] / q[i]);
    return sum;
}

Batch twoTexts() {
    Batch batch;
    batch.bins = 1;
    batch.longest = 5;
    batch.frames = {5, 3};
    batch.features = {7, 8, 9, 10, 2, 11, 12, 2, 0, 0};
    batch.targets = {{9, 10, 11}, {14}};
    return batch;
}

} // namespace

class ConsistencyLossTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void divergencesAreTheirFormulasWithoutPadding() {
        const std::vector<double> a{0.5, -1, 2}, b{1, 0.25, -0.5};
        std::vector<double> mean;
        for (std::size_t i = 0; i < a.size(); ++i)
            mean.push_back((a[i] + b[i]) / 2);
        const at::Tensor one = at::tensor({0.5, -1.0, 2.0, 9.0, 0.0, 0.0}, at::kDouble).view({1, 2, 3}),
                         other = at::tensor({1.0, 0.25, -0.5, 0.0, 9.0, 0.0}, at::kDouble).view({1, 2, 3}),
                         labels = at::tensor({2, 1}, at::kLong).view({1, 2}); // the second is <pad>
        const auto p = shares(a), q = shares(b), m = shares(mean);
        QVERIFY(std::abs(cutoffDivergence(one, other, labels).item<double>() -
                         (divergenceOf(m, p) + divergenceOf(m, q)) / 2) < 1e-12);
        QVERIFY(std::abs(rDropDivergence(one, other, labels).item<double>() -
                         (divergenceOf(p, q) + divergenceOf(q, p)) / 2) < 1e-12);
        QVERIFY(std::abs(rDropDivergence(one, one, labels).item<double>()) < 1e-15);
    }

    void aShareOfTheTokensIsCutAndNoEnd() {
        at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
        generator.set_current_seed(1);
        std::vector<int> ids(10000, 7);
        ids[5] = 2;
        ids[6] = 1;
        cutTokens(ids, 0.05);
        QCOMPARE(ids[5], 2);
        QCOMPARE(ids[6], 1);
        const auto cut = std::count(ids.begin(), ids.end(), 3);
        QVERIFY(cut > 400 && cut < 600);
        std::vector<int> none(100, 7);
        cutTokens(none, 0);
        QCOMPARE(std::count(none.begin(), none.end(), 7), 100);
    }

    void theLossHasASecondPassInTrainingAlone() {
        const auto model = models::readCheckpoint(repositoryGoldens() / "parity/decoding/text/model");
        Architecture architecture = model.info.architecture;
        architecture.encoder.dropout = architecture.encoder.attentionDropout = 0; // both passes alike
        models::Parameters parameters;
        model.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            parameters.set(name, tensor.clone().requires_grad_(true));
        });
        const auto gradient = [&](const Recipe::Loss& recipe, BatchLoss& loss) {
            parameters.forEach(
                [](const std::string&, const at::Tensor& tensor) { tensor.mutable_grad().reset(); });
            loss = batchLoss(parameters, architecture, recipe, twoTexts(), true, true);
            return parameters.get("model.encoder.layers.0.fc1.weight").grad().clone();
        };
        Recipe::Loss plain, rDrop, cutoff;
        rDrop.rDrop = 5;
        cutoff.tokenCutoff = 0.9;
        BatchLoss one, two, three;
        const at::Tensor first = gradient(plain, one), second = gradient(rDrop, two),
                         third = gradient(cutoff, three);
        QCOMPARE(one.consistency, 0.0);
        // Without dropout the second pass is the first: its cross entropy is added, and no divergence.
        QVERIFY(std::abs(two.consistency - two.crossEntropy.lossSum) < 1e-4);
        QVERIFY(std::abs(two.total(0) - 2 * one.total(0)) < 1e-4);
        QVERIFY(second.sub(first.mul(2)).abs().max().item<double>() < 1e-5);
        QVERIFY(three.consistency > three.crossEntropy.lossSum); // cut tokens are harder
        QCOMPARE(three.crossEntropy.lossSum, one.crossEntropy.lossSum);
        QVERIFY(third.sub(second).abs().max().item<double>() > 1e-3);
        QCOMPARE(batchLoss(parameters, architecture, rDrop, twoTexts(), false, false).consistency, 0.0);
    }

    void bothLossesTogetherAreRefused() {
        Recipe recipe;
        overrideRecipe(recipe, "loss.tokenCutoff=0.05");
        const auto model = models::readCheckpoint(repositoryGoldens() / "parity/decoding/text/model");
        checkTrainable(model.info.architecture, recipe.loss, "x.json");
        Recipe::Loss both = recipe.loss;
        both.rDrop = 5;
        QVERIFY_EXCEPTION_THROWN(checkTrainable(model.info.architecture, both, "x.json"), Error);
        Architecture speech; // reads no text, and has neither decoder nor CTC output
        QVERIFY_EXCEPTION_THROWN(checkTrainable(speech, recipe.loss, "x.json"), Error);
        // A recipe without these keys has none of them, and its text stays as it was.
        const std::string text = canonicalText(Recipe());
        QVERIFY(text.find("rDrop") == std::string::npos && text.find("tokenCutoff") == std::string::npos);
        QVERIFY(parseRecipe(canonicalText(recipe), "x").loss.tokenCutoff == 0.05);
    }
};

HEADROOM_TEST(ConsistencyLossTest)

} // namespace headroom::testing::consistency_loss_test

#include "consistency_loss_test.moc"
