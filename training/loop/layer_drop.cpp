// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/layer_drop.h"

#include "core/errors/error.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace headroom::training {

namespace {

std::vector<double> drawnFactors(Random& random, std::size_t layers, double layerDrop, double depth) {
    std::vector<double> factors;
    for (std::size_t layer = 1; layer <= layers; ++layer) {
        const double skipped = depth * static_cast<double>(layer) / static_cast<double>(layers);
        const bool dropped = random.share() < layerDrop; // both are drawn, so that one does not move the other
        const bool shallow = random.share() < skipped;
        factors.push_back(dropped || shallow ? 0 : 1 / (1 - skipped));
    }
    return factors;
}

} // namespace

bool dropsLayers(const Recipe::Optimiser& recipe) {
    return recipe.encoderLayerDrop > 0 || recipe.decoderLayerDrop > 0 || recipe.stochasticDepth > 0;
}

models::LayerFactors drawnLayers(const Architecture& architecture, const Recipe::Optimiser& recipe, std::uint64_t seed,
                                 std::int64_t update, std::int64_t pass) {
    Random random = randomFor(seed, Purpose::Layers, static_cast<std::uint64_t>(update), static_cast<std::uint64_t>(pass));
    models::LayerFactors factors;
    factors.encoder = drawnFactors(random, architecture.encoder.layers.size(), recipe.encoderLayerDrop,
                                   recipe.stochasticDepth);
    const int layers = architecture.languageModel ? architecture.languageModel->layers
                       : architecture.decoder     ? architecture.decoder->layers
                                                  : 0;
    factors.decoder = drawnFactors(random, static_cast<std::size_t>(layers), recipe.decoderLayerDrop,
                                   recipe.stochasticDepth);
    return factors;
}

void fillGradientsOfLayers(const models::Parameters& parameters) {
    parameters.forEach([](const std::string& name, const at::Tensor& parameter) {
        if (parameter.requires_grad() && !parameter.grad().defined() && name.find(".layers.") != std::string::npos)
            parameter.mutable_grad() = at::zeros_like(parameter.detach());
    });
}

void checkLayerDrop(const Architecture& architecture, const Recipe::Optimiser& recipe, const std::string& file) {
    if (!dropsLayers(recipe))
        return;
    const auto refuse = [&](const std::string& what) {
        throw Error("train.layerDrop", file + ": " + what, {{"file", file}});
    };
    if (const auto& language = architecture.languageModel) {
        if (language->kind == LanguageModelKind::Lstm)
            refuse("the layers of an LSTM cannot be left out; set optimiser.decoderLayerDrop and "
                   "optimiser.stochasticDepth to 0.");
        if (recipe.encoderLayerDrop > 0)
            refuse("a language model has no encoder; set optimiser.encoderLayerDrop to 0.");
        return;
    }
    if (recipe.decoderLayerDrop > 0 && !architecture.decoder)
        refuse("it has no decoder; set optimiser.decoderLayerDrop to 0.");
    const auto& layers = architecture.encoder.layers;
    const bool reuses = std::any_of(layers.begin(), layers.end(), [](const Architecture::Layer& layer) {
        return std::any_of(layer.heads.begin(), layer.heads.end(),
                           [](const HeadGroup& group) { return group.kind == HeadKind::Reuse; });
    });
    if (reuses && (recipe.encoderLayerDrop > 0 || recipe.stochasticDepth > 0))
        refuse("its layers reuse maps of others, which must not be left out; set optimiser.encoderLayerDrop and "
               "optimiser.stochasticDepth to 0.");
}

} // namespace headroom::training
