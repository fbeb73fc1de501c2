// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/checkpoint.h"
#include "models/networks/language_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"
#include "training/loop/batch_loss.h"
#include "training/loop/initial_weights.h"

#include <ATen/core/Tensor.h>

#include <QTest>

#include <cmath>

namespace headroom::testing::language_model_loss_test {

using namespace headroom::training;

namespace {

Architecture shapeOf(const QString& kind) {
    Architecture result = smallLanguageModel(kind == "lstm" ? LanguageModelKind::Lstm : LanguageModelKind::Transformer, 2);
    result.languageModel->tiedEmbeddings = kind == "lstm";
    return result;
}

Batch sentences(std::vector<std::vector<int>> targets) {
    Batch batch;
    for (const auto& target : targets)
        batch.frames.push_back(static_cast<std::int64_t>(target.size()) + 1);
    batch.targets = std::move(targets);
    return batch;
}

/// In double, as leaves whose gradients are kept.
models::Parameters weightsOf(const Architecture& architecture) {
    models::Parameters weights;
    initialWeights(architecture, false, 1).forEach([&](const std::string& name, const at::Tensor& one) {
        weights.set(name, one.detach().to(at::kDouble).set_requires_grad(true));
    });
    return weights;
}

void everyKind() {
    QTest::addColumn<QString>("kind");
    QTest::newRow("transformer") << "transformer";
    QTest::newRow("lstm") << "lstm";
}

} // namespace

class LanguageModelLossTest : public QObject {
    Q_OBJECT
    const std::vector<std::vector<int>> m_texts{{9, 31, 9, 7, 22}, {4}, {12, 13, 39}};

private Q_SLOTS:
    void lossIsMinusTheLogProbabilityOfEverySentence_data() { everyKind(); }
    void lossIsMinusTheLogProbabilityOfEverySentence() {
        QFETCH(QString, kind);
        const Architecture architecture = shapeOf(kind);
        const models::Parameters parameters = weightsOf(architecture);
        double expected = 0;
        for (std::vector<int> text : m_texts) {
            text.push_back(2);
            for (const double one : models::tokenLogProbabilities(parameters, architecture, text))
                expected -= one;
        }
        const BatchLoss found = batchLoss(parameters, architecture, {0, 0}, sentences(m_texts), false, false);
        QCOMPARE(found.crossEntropy.tokens, std::int64_t(12)); // with each </s>
        QVERIFY(std::abs(found.crossEntropy.nllSum - expected) < 1e-9);
        QVERIFY(std::abs(found.crossEntropy.lossSum - expected) < 1e-9);
    }

    /// The golden log-probabilities of parity/decoding, whose texts end without </s>.
    void lossIsThatOfTheGoldens() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = testing::sharedData() / "parity/decoding";
        for (const auto& golden : testing::readJson(folder / "fusion/language_models.json").at("models")) {
            const auto model = models::readCheckpoint(folder / golden.at("folder").get<std::string>());
            const Architecture& architecture = model.info.architecture;
            std::vector<std::vector<int>> targets;
            double expected = 0;
            for (const auto& text : golden.at("texts")) {
                auto ids = text.at("ids").get<std::vector<int>>();
                expected -= text.at("sum").get<double>();
                if (ids.back() == 2) {
                    ids.pop_back();
                } else {
                    auto ended = ids;
                    ended.push_back(2);
                    expected -= models::tokenLogProbabilities(model.parameters, architecture, ended).back();
                }
                targets.push_back(std::move(ids));
            }
            const BatchLoss found =
                batchLoss(model.parameters, architecture, {0, 0}, sentences(targets), false, false);
            QVERIFY(std::abs(found.crossEntropy.nllSum / expected - 1) < 1e-6);
        }
    }

    void gradientIsThatOfTheLoss_data() { everyKind(); }
    void gradientIsThatOfTheLoss() {
        QFETCH(QString, kind);
        const Architecture architecture = shapeOf(kind);
        const models::Parameters parameters = weightsOf(architecture);
        const Batch batch = sentences(m_texts);
        const auto loss = [&] {
            return batchLoss(parameters, architecture, {0.1, 0}, batch, false, false).crossEntropy.lossSum;
        };
        batchLoss(parameters, architecture, {0.1, 0}, batch, false, true);
        int looked = 0;
        parameters.forEach([&](const std::string& name, const at::Tensor& one) {
            const at::Tensor values = one.detach().view({-1});
            const std::int64_t place = values.numel() / 2 + 1;
            if (place >= values.numel())
                return;
            const double found = one.grad().view({-1})[place].item<double>();
            constexpr double kStep = 1e-5;
            const double before = values[place].item<double>();
            values[place].fill_(before + kStep);
            const double above = loss();
            values[place].fill_(before - kStep);
            const double below = loss();
            values[place].fill_(before);
            const double expected = (above - below) / (2 * kStep);
            QVERIFY2(std::abs(found - expected) < 1e-5 * (1 + std::abs(expected)), name.c_str());
            ++looked;
        });
        QVERIFY(looked > 8);
    }

    void everyParameterIsDrawn_data() { everyKind(); }
    void everyParameterIsDrawn() {
        QFETCH(QString, kind);
        const Architecture architecture = shapeOf(kind);
        const models::Parameters first = initialWeights(architecture, false, 1),
                                 second = initialWeights(architecture, false, 2);
        first.forEach([&](const std::string& name, const at::Tensor& one) {
            QVERIFY2(one.isfinite().all().item<bool>(), name.c_str());
            const bool fixed = name.find("norm") != std::string::npos || name.ends_with("out_proj.bias");
            QVERIFY2(one.equal(second.get(name)) == fixed, name.c_str());
        });
    }
};

HEADROOM_TEST(LanguageModelLossTest)

} // namespace headroom::testing::language_model_loss_test

#include "language_model_loss_test.moc"
