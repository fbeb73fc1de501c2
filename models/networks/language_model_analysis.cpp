// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/language_model_analysis.h"

#include "core/architecture/language_layers.h"
#include "models/contributions/analyse_layer.h"
#include "models/contributions/block_weights.h"
#include "models/contributions/memory.h"
#include "models/layers/device.h"
#include "models/layers/kept_memory.h"
#include "models/layers/numbers.h"
#include "models/mixing/layer_mixing.h"
#include "models/networks/decoder_analysis.h"
#include "models/networks/language_model.h"
#include "models/networks/recording_limits.h"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <optional>
#include <utility>
#include <vector>

namespace headroom::models {
namespace {

class AnalysedLanguageModel final : public SpeechModel {
public:
    explicit AnalysedLanguageModel(Checkpoint checkpoint)
        : m_info(std::move(checkpoint.info))
        , m_parameters(onDevice(checkpoint.parameters)) {}

    const ModelInfo& info() const override { return m_info; }

    std::unique_ptr<SpeechModel> share() const override { return std::make_unique<AnalysedLanguageModel>(*this); }

    Matrix<float> encode(MatrixView<const float> features) override {
        const c10::InferenceMode inference;
        return matrixOf(LanguageModel(m_parameters, m_info.architecture).states(tokensOf(features)).squeeze(0));
    }

    EncoderAnalysis analyse(MatrixView<const float> features, const AnalysisOptions& options,
                            const std::function<void(LayerAnalysis&&)>& onLayer, const CancelFlag* cancel) override {
        const c10::InferenceMode inference;
        const std::vector<int> tokens = tokensOf(features);
        const KeptMemory kept;
        const auto count = static_cast<std::int64_t>(tokens.size());
        refuseWhatDoesNotFit(analysisBytes(m_info.architecture, count, options), freeMemoryToCompute(), secondsOf(m_info, count));
        checkLayers(m_info, options, m_info.architecture.languageModel->layers);
        EncoderAnalysis result;
        result.frames = result.tokens = count;
        LayerMixing mixing(options.mixing);
        std::optional<LayerAnalysis> waiting; // for the end of its layer
        const auto observe = [&](int layer) -> AttentionObserver {
            const bool wanted = wantsLayer(options, layer, cancel);
            if (!wanted && !(mixing.needsEarlierLayers() && layer < lastWantedLayer(options, layer)))
                return {};
            return [&, layer, wanted](const AttentionStep& step) {
                const BlockWeights block = blockWeights(Scope(m_parameters) / "model" / "layers" / (layer - 1), "self_attn",
                                                        "self_attn_layer_norm", m_info.architecture.languageModel->norm);
                std::vector<MixingMap> mixed = mixing.ofLayer(block, step, layer, wanted, cancel);
                if (!wanted)
                    return;
                waiting = analyseLayer(block, layer, step, options, cancel);
                waiting->mixing = std::move(mixed);
            };
        };
        const auto afterLayer = [&](int layer, const at::Tensor& x) {
            if (layer == 0 && options.keepStates)
                result.input = matrixOf(x.squeeze(0));
            if (!waiting)
                return;
            if (options.keepStates)
                waiting->state = matrixOf(x.squeeze(0));
            onLayer(std::move(*std::exchange(waiting, std::nullopt)));
        };
        result.encoderOutput =
            matrixOf(LanguageModel(m_parameters, m_info.architecture).states(tokens, observe, afterLayer).squeeze(0));
        return result;
    }

    EncoderTimes timeEncoder(MatrixView<const float>) override { refuse(); }
    Matrix<float> ctcLogProbabilities(MatrixView<const float>) override {
        throw Error("model.noCtc", m_info.name + " has no CTC output.");
    }
    DecoderAnalysis analyseDecoder(MatrixView<const float>, const std::vector<int>&, const AnalysisOptions&,
                                   const std::function<void(DecoderLayerAnalysis&&)>&, const CancelFlag*, int) override {
        refuse();
    }
    Matrix<float> forcedLogits(MatrixView<const float>, const std::vector<int>&) override { refuse(); }
    std::vector<int> greedy(MatrixView<const float>, int) override { refuse(); }
    WrittenText write(MatrixView<const float>, const TextRequest&) override { refuse(); }
    GreedyText greedyScored(MatrixView<const float>, int) override { refuse(); }

private:
    [[noreturn]] void refuse() const {
        throw Error("model.noDecoder", m_info.name + " is a language model: it has no decoder that writes another text.");
    }

    std::vector<int> tokensOf(MatrixView<const float> features) const {
        checkFeatures(m_info, features);
        std::vector<int> tokens;
        for (std::size_t row = 0; row < features.rows(); ++row)
            tokens.push_back(static_cast<int>(features.data()[row]));
        return tokens;
    }

    const ModelInfo m_info;
    const Parameters m_parameters;
};

} // namespace

std::unique_ptr<SpeechModel> analysedLanguageModel(Checkpoint checkpoint) {
    ModelInfo& info = checkpoint.info;
    if (info.architecture.languageModel->kind == LanguageModelKind::Lstm)
        throw Error("model.languageModel", info.folder.string() + " is an LSTM, which has no attention to analyse.",
                    {{"folder", info.folder.string()}});
    info.architecture = withLanguageLayers(std::move(info.architecture));
    info.clock = info.architecture.frontEnd.clock();
    return std::make_unique<AnalysedLanguageModel>(std::move(checkpoint));
}

} // namespace headroom::models
