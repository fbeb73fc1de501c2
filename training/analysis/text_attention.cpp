// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/analysis/text_attention.h"

#include "core/tensors/npy.h"
#include "core/tensors/text_array.h"
#include "core/text/tokenizer.h"
#include "training/analysis/analysis_arrays.h"
#include "training/analysis/find_words.h"

#include <cstdint>

namespace headroom::training {

namespace {

void addAll(NpzWriter& npz, const std::vector<NamedTensor>& arrays, const std::string& prefix = {}) {
    for (const auto& [name, tensor] : arrays)
        npz.add(prefix + name, tensor.view());
}

/// The maps alone: attention, head.h.attention, head.h.raw_attention.
void addMaps(NpzWriter& npz, const std::vector<NamedTensor>& arrays, const std::string& prefix = {}) {
    for (const auto& [name, tensor] : arrays)
        if (name.ends_with("attention"))
            npz.add(prefix + name, tensor.view());
}

} // namespace

std::vector<NamedTensor> sourceArrays(const models::ModelInfo& model, const Matrix<float>& features) {
    const Tokenizer tokenizer(model.tokenizer);
    const std::vector<std::int32_t> ids(features.values().begin(), features.values().end());
    std::vector<NamedTensor> arrays;
    arrays.emplace_back("source_pieces", textArray(sourcePieces(tokenizer, features)));
    arrays.emplace_back("source_ids", Tensor::of<std::int32_t>({static_cast<std::int64_t>(ids.size())}, ids));
    return arrays;
}

std::vector<NamedTensor> decoderInputArrays(const models::ModelInfo& model, const models::DecoderAnalysis& analysis) {
    std::vector<NamedTensor> arrays = decoderTokens(analysis);
    if (!model.tokenizer.empty()) {
        const Tokenizer tokenizer(model.tokenizer);
        arrays.emplace_back("decoder.input_pieces", textArray(shownPieces(tokenizer, analysis.inputs)));
    }
    return arrays;
}

void writeTextAttention(models::SpeechModel& model, const Matrix<float>& features, const std::vector<int>& prompt,
                        const std::vector<std::vector<int>>& texts, const std::filesystem::path& file) {
    models::AnalysisOptions maps;
    maps.keepAttention = true;
    maps.explain = maps.keepContributions = false;
    NpzWriter npz(file);
    const auto encoder = model.analyse(features, maps, [&](models::LayerAnalysis&& layer) { addMaps(npz, layerArrays(layer)); });
    npz.add("token_seconds", tokenSeconds(model.info().clock, encoder.tokens, Seconds(0)).view());
    if (model.info().architecture.frontEnd.reads == InputKind::Text)
        addAll(npz, sourceArrays(model.info(), features));
    for (std::size_t k = 0; k < texts.size() && model.info().architecture.decoder; ++k) {
        const std::string prefix = k == 0 ? "" : "hypothesis." + std::to_string(k + 1) + ".";
        std::vector<int> inputs = prompt;
        inputs.insert(inputs.end(), texts[k].begin(), texts[k].end());
        if (!texts[k].empty())
            inputs.pop_back(); // nothing follows the last one, be it the end of the text or of the limit
        const auto read = model.analyseDecoder(features, inputs, maps, [&](models::DecoderLayerAnalysis&& layer) {
            addMaps(npz, decoderArrays(layer), prefix);
        });
        addAll(npz, decoderInputArrays(model.info(), read), prefix);
    }
    npz.close();
}

} // namespace headroom::training
