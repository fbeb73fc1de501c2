// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/language_layers.h"

namespace headroom {

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
    encoder.layers.assign(static_cast<std::size_t>(model.layers), {model.selfAttention});
    return architecture;
}

void takeLanguageHeads(Architecture& architecture) {
    if (architecture.languageModel && !architecture.encoder.layers.empty())
        architecture.languageModel->selfAttention = architecture.encoder.layers.front().heads;
}

Matrix<float> sourceFeatures(const Architecture& architecture, std::span<const int> ids) {
    return architecture.languageModel ? languageFeatures(ids) : textFeatures(ids);
}

} // namespace headroom
