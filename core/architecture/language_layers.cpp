// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/language_layers.h"

#include <algorithm>

namespace headroom {

void Architecture::LanguageModel::setHeads(std::vector<Layer> heads) {
    selfAttention = heads.front().heads;
    const bool same =
        std::all_of(heads.begin(), heads.end(), [&](const Layer& one) { return one == heads.front(); });
    ownHeads = same ? std::vector<Layer>() : std::move(heads);
}

Architecture::FrontEnd textFrontEnd() {
    Architecture::FrontEnd result;
    result.kind = FrontEndKind::Text;
    result.reads = InputKind::Text;
    result.features = 1;
    result.kernels = result.strides = {};
    result.activation = FrontEndActivation::Relu;
    return result;
}

Architecture withLanguageLayers(Architecture architecture) {
    if (!architecture.languageModel || architecture.languageModel->kind != LanguageModelKind::Transformer)
        return architecture;
    const Architecture::LanguageModel& model = *architecture.languageModel;
    architecture.frontEnd = textFrontEnd();
    Architecture::Encoder& encoder = architecture.encoder = {};
    encoder.kind = EncoderKind::Transformer;
    encoder.width = model.width;
    encoder.feedForward = model.feedForward;
    encoder.norm = model.norm;
    encoder.activation = model.activation;
    encoder.dropout = model.dropout;
    encoder.attentionDropout = model.attentionDropout;
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(model.layers); ++layer)
        encoder.layers.push_back({model.headsOf(layer)});
    return architecture;
}

void takeLanguageHeads(Architecture& architecture) {
    if (architecture.languageModel && !architecture.encoder.layers.empty())
        architecture.languageModel->setHeads(architecture.encoder.layers);
}

Matrix<float> sourceFeatures(const Architecture& architecture, std::span<const int> ids) {
    return architecture.languageModel ? languageFeatures(ids) : textFeatures(ids);
}

} // namespace headroom
