// SPDX-License-Identifier: GPL-3.0-or-later
// Layer drop and stochastic depth, against models without the layers.
#include "core/errors/error.h"
#include "models/networks/language_model.h"
#include "models/networks/s2t_encoder.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"
#include "tests/training/loop/pass_batches.h"
#include "training/loop/batch_loss.h"
#include "training/loop/initial_weights.h"
#include "training/loop/layer_drop.h"

#include <ATen/ops/randn.h>

#include <QtTest/QtTest>

namespace headroom::testing::layer_drop_test {

using namespace headroom::training;
using namespace pass_batches;
using models::LayerFactors;

class LayerDropTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDroppedLayerIsNotThere_data();
    void aDroppedLayerIsNotThere();
    void aFactorScalesWhatALayerAdds();
    void aLanguageModelDropsLayersToo();
    void drawnLayersHaveTheirProbabilities();
    void leftOutLayersGetZeros();
    void whatCannotBeDroppedIsRefused();
};

void LayerDropTest::aDroppedLayerIsNotThere_data() {
    QTest::addColumn<bool>("conformer");
    QTest::newRow("Transformer") << false;
    QTest::newRow("Conformer") << true;
}

void LayerDropTest::aDroppedLayerIsNotThere() {
    QFETCH(bool, conformer);
    SmallSizes sizes;
    sizes.decoderLayers = 3;
    sizes.pieces = kPieces;
    const std::vector<std::string> heads{"4 full", "4 local 5", "2 local 3 + 2 full"};
    const auto make = [&](const std::vector<std::string>& layers) {
        Architecture architecture = conformer ? smallConformer(layers, sizes) : smallTransformer(layers, sizes);
        architecture = quiet(std::move(architecture));
        return architecture;
    };
    const Architecture whole = make(heads);
    Architecture rest = make({heads[0], heads[2]});
    if (rest.decoder)
        rest.decoder->layers = 1;
    const Recipe::Loss recipe{0.1, whole.decoder ? 0 : 1.0};
    const models::Parameters parameters = initialWeights(whole, false, 8);
    models::Parameters fewer;
    const std::map<std::string, std::string> places{{"encoder.layers.1.", "encoder.layers.2."},
                                                    {"decoder.layers.0.", "decoder.layers.1."}};
    const auto source = [&](std::string name) {
        for (const auto& [own, theirs] : places)
            if (const auto at = name.find(own); at != std::string::npos)
                return name.replace(at, own.size(), theirs);
        return name;
    };
    const models::Parameters shape = initialWeights(rest, false, 1);
    shape.forEach([&](const std::string& name, const at::Tensor&) {
        const at::Tensor values = parameters.get(source(name)).detach().clone();
        if (shape.isBuffer(name))
            fewer.setBuffer(name, values);
        else
            fewer.set(name, at::Tensor(values).set_requires_grad(true));
    });
    const LayerFactors factors{{1, 0, 1}, whole.decoder ? std::vector<double>{0, 1, 0} : std::vector<double>()};
    PassOptions options;
    options.layers = &factors;
    const Batch batch = batchOf({0, 1, 2});
    const auto found = batchLoss(parameters, whole, recipe, batch, true, true, options);
    const auto wanted = batchLoss(fewer, rest, recipe, batch, true, true);
    QCOMPARE(found.crossEntropy.lossSum, wanted.crossEntropy.lossSum);
    const Gradients gradients = takeGradients(parameters), expected = takeGradients(fewer);
    QCOMPARE(gradients.size(), expected.size());
    for (const auto& [name, gradient] : expected)
        QVERIFY2(largest(gradient.sub(gradients.at(source(name)))) == 0, name.c_str());
}

void LayerDropTest::aFactorScalesWhatALayerAdds() {
    const Architecture architecture = quiet(smallTransformer({"4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 9);
    const at::Tensor features = at::randn({1, 40, 80});
    const auto states = [&](const LayerFactors* factors) {
        std::vector<at::Tensor> result;
        models::encodeBatch(parameters, architecture, features, {40}, models::Padding::Safe, {}, {},
                            [&](int, const at::Tensor& x) { result.push_back(x.detach().clone()); }, nullptr, factors);
        return result;
    };
    const LayerFactors stretched{{1.25}, {}};
    const auto plain = states(nullptr), scaled = states(&stretched);
    const at::Tensor wanted = plain[0].add(plain[1].sub(plain[0]).mul(1.25));
    QVERIFY(largest(scaled[1].sub(wanted)) < 1e-5);
}

void LayerDropTest::aLanguageModelDropsLayersToo() {
    const Architecture architecture = smallLanguageModel(LanguageModelKind::Transformer, 3),
                       rest = smallLanguageModel(LanguageModelKind::Transformer, 1);
    const models::Parameters parameters = initialWeights(architecture, false, 4);
    models::Parameters fewer;
    initialWeights(rest, false, 4).forEach([&](const std::string& name, const at::Tensor&) {
        std::string source = name;
        if (const auto at = source.find("layers.0."); at != std::string::npos)
            source.replace(at, 9, "layers.2.");
        fewer.set(name, parameters.get(source).detach().clone());
    });
    const LayerFactors factors{{}, {0, 0, 1}};
    const std::vector<std::vector<int>> texts{{2, 4, 5, 6}, {2, 7, 8, 9}};
    const at::Tensor found = models::LanguageModel(parameters, architecture, 2, {}, &factors).feedBatch(texts),
                     wanted = models::LanguageModel(fewer, rest, 2).feedBatch(texts);
    QCOMPARE(largest(found.sub(wanted)), 0.0);
}

void LayerDropTest::drawnLayersHaveTheirProbabilities() {
    SmallSizes sizes;
    sizes.decoderLayers = 2;
    const Architecture architecture = smallTransformer({"4 full", "4 full", "4 full", "4 full"}, sizes);
    Recipe::Optimiser recipe;
    QVERIFY(!dropsLayers(recipe));
    recipe.encoderLayerDrop = 0.25;
    recipe.stochasticDepth = 0.4;
    QVERIFY(dropsLayers(recipe));
    constexpr int kPasses = 20000;
    std::vector<double> there(4), sums(4), decoder(2);
    for (int update = 0; update < kPasses; ++update) {
        const LayerFactors drawn = drawnLayers(architecture, recipe, 1, update, 0);
        for (std::size_t layer = 0; layer < 4; ++layer) {
            there[layer] += drawn.encoder[layer] > 0 ? 1.0 / kPasses : 0;
            sums[layer] += drawn.encoder[layer] / kPasses;
        }
        for (std::size_t layer = 0; layer < 2; ++layer)
            decoder[layer] += drawn.decoder[layer] / kPasses;
    }
    for (std::size_t layer = 0; layer < 4; ++layer) {
        const double stays = 1 - 0.1 * static_cast<double>(layer + 1);
        QVERIFY(std::abs(there[layer] - 0.75 * stays) < 0.02);
        QVERIFY(std::abs(sums[layer] - 0.75) < 0.02); // stochastic depth changes no mean, layer drop does
    }
    for (const double mean : decoder)
        QVERIFY(std::abs(mean - 1) < 0.02);
    // The same numbers give the same layers, whatever was drawn in between.
    const LayerFactors once = drawnLayers(architecture, recipe, 1, 7, 0), again = drawnLayers(architecture, recipe, 1, 7, 0);
    QVERIFY(once.encoder == again.encoder && once.decoder == again.decoder);
    bool differs = false;
    for (int update = 0; update < 10; ++update)
        differs = differs || drawnLayers(architecture, recipe, 1, update, 0).encoder !=
                                 drawnLayers(architecture, recipe, 1, update, 1).encoder;
    QVERIFY(differs);
}

void LayerDropTest::leftOutLayersGetZeros() {
    const Architecture architecture = quiet(smallTransformer({"4 full", "4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 4);
    const LayerFactors factors{{0, 1}, {1, 1}};
    PassOptions options;
    options.layers = &factors;
    batchLoss(parameters, architecture, {0.1, 0}, batchOf({0}), true, true, options);
    const at::Tensor& left = parameters.get("model.encoder.layers.0.fc1.weight");
    QVERIFY(!left.grad().defined());
    fillGradientsOfLayers(parameters);
    QCOMPARE(largest(left.grad()), 0.0);
    QVERIFY(largest(parameters.get("model.encoder.layers.1.fc1.weight").grad()) > 0);
}

void LayerDropTest::whatCannotBeDroppedIsRefused() {
    const auto refusal = [](const Architecture& architecture, const std::string& key) {
        Recipe recipe;
        overrideRecipe(recipe, "optimiser." + key + "=0.2");
        try {
            checkLayerDrop(architecture, recipe.optimiser, "a.json");
        } catch (const Error& error) {
            return QString(error.what());
        }
        return QString();
    };
    const Architecture whole = smallTransformer({"4 full", "4 full"}), conformer = smallConformer({"4 full"});
    for (const char* key : {"encoderLayerDrop", "decoderLayerDrop", "stochasticDepth"})
        QCOMPARE(refusal(whole, key), QString());
    QCOMPARE(refusal(conformer, "encoderLayerDrop"), QString());
    QVERIFY(refusal(conformer, "decoderLayerDrop").startsWith("a.json: it has no decoder"));
    QVERIFY(refusal(smallTransformer({"4 full", "4 reuse 1"}), "encoderLayerDrop").contains("reuse"));
    QCOMPARE(refusal(smallTransformer({"4 full", "4 reuse 1"}), "decoderLayerDrop"), QString());
    const Architecture lm = smallLanguageModel(LanguageModelKind::Transformer, 2);
    QCOMPARE(refusal(lm, "decoderLayerDrop"), QString());
    QVERIFY(refusal(lm, "encoderLayerDrop").contains("no encoder"));
    QVERIFY(refusal(smallLanguageModel(LanguageModelKind::Lstm, 2), "stochasticDepth").contains("LSTM"));
}

HEADROOM_TEST(LayerDropTest)

} // namespace headroom::testing::layer_drop_test

#include "layer_drop_test.moc"
