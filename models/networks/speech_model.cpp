// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/speech_model.h"

#include "core/architecture/layer_rules.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/draft.h"
#include "models/contributions/analyse_layer.h"
#include "models/contributions/block_weights.h"
#include "models/contributions/cut_to_recording.h"
#include "models/contributions/layer_profiles.h"
#include "models/contributions/memory.h"
#include "models/layers/device.h"
#include "models/layers/kept_memory.h"
#include "models/layers/numbers.h"
#include "models/mixing/layer_mixing.h"
#include "models/networks/ctc.h"
#include "models/networks/decoder_analysis.h"
#include "models/networks/language_model_analysis.h"
#include "models/networks/made_model.h"
#include "models/networks/model_scorers.h"
#include "models/networks/recording_limits.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "models/networks/text_writer.h"
#include "models/networks/transducer_text.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace headroom::models {
namespace {

/// [1, frame, feature] on the device, a copy: the caller's numbers are never written to.
at::Tensor toBatch(MatrixView<const float> features) {
    at::Tensor batch = at::empty(
        {1, static_cast<std::int64_t>(features.rows()), static_cast<std::int64_t>(features.columns())},
        at::kFloat);
    std::memcpy(batch.mutable_data_ptr(), features.data(),
                features.rows() * features.columns() * sizeof(float));
    return sent(batch, usedDevice());
}

class S2tTransformer final : public SpeechModel {
public:
    explicit S2tTransformer(Checkpoint checkpoint)
        : m_info(std::move(checkpoint.info))
        , m_parameters(onDevice(checkpoint.parameters))
        , m_transducer(std::move(checkpoint.transducer)) {}

    const ModelInfo& info() const override { return m_info; }

    std::unique_ptr<SpeechModel> share() const override { return std::make_unique<S2tTransformer>(*this); }

    Matrix<float> encode(MatrixView<const float> features) override {
        const c10::InferenceMode inference;
        return matrixOf(memoryOf(features, Read::Own).squeeze(0).narrow(0, 0, ownTokens(features)));
    }

    Matrix<float> ctcLogProbabilities(MatrixView<const float> features) override {
        const c10::InferenceMode inference;
        if (!m_info.architecture.ctc)
            throw Error("model.noCtc", m_info.name + " has no CTC output.");
        const at::Tensor logits = logitsOf(features).squeeze(0); // [token′, ctc]
        const std::int64_t own = ctcLengths(m_info.architecture, {tokensOf(heardIn(features))}).front();
        return matrixOf(at::log_softmax(logits.narrow(0, 0, std::min(own, logits.size(0))), -1));
    }

    EncoderTimes timeEncoder(MatrixView<const float> features) override {
        const c10::InferenceMode inference;
        checkFeatures(m_info, features);
        const MatrixView<const float> heard = heardIn(features);
        EncoderTimes times;
        encodeBatch(m_parameters, m_info.architecture, toBatch(heard),
                    {static_cast<std::int64_t>(heard.rows())}, Padding::Safe, {}, {}, {}, &times);
        return times;
    }

    EncoderAnalysis analyse(MatrixView<const float> features, const AnalysisOptions& options,
                            const std::function<void(LayerAnalysis&&)>& onLayer,
                            const CancelFlag* cancel) override {
        const c10::InferenceMode inference;
        checkFeatures(m_info, features);
        const KeptMemory kept;
        const auto frames = static_cast<std::int64_t>(features.rows());
        const MatrixView<const float> heard = heardIn(features);
        const std::int64_t own = ownTokens(features);
        const bool cut = m_info.architecture.frontEnd.input().window().has_value();
        refuseWhatDoesNotFit(analysisBytes(m_info.architecture, frames, options), freeMemoryToCompute(),
                             secondsOf(m_info, frames));

        checkLayers(m_info, options, static_cast<int>(m_info.architecture.encoder.layers.size()));
        const NormPlace place = m_info.architecture.encoder.norm;
        const double epsilon = m_info.architecture.encoder.normEpsilon;
        std::optional<LayerAnalysis> waiting;
        const at::Tensor batch = toBatch(heard);
        std::optional<ProfilesOfLayers> together; // what of a layer is little is read with that of the others
        if (!cut && ProfilesOfLayers::serve(options, batch))
            together.emplace(m_info.architecture.encoder.layers.size());
        LayerMixing mixing(options.mixing);
        const auto observe = [&](int layer) -> AttentionObserver {
            const bool wanted = wantsLayer(options, layer, cancel);
            if (!wanted && !(mixing.needsEarlierLayers() && layer < lastWantedLayer(options, layer)))
                return {};
            return [&, layer, wanted](const AttentionStep& step) {
                const Scope scope = Scope(m_parameters) / "model" / "encoder" / "layers" / (layer - 1);
                const BlockWeights block = blockWeights(scope, "self_attn", "self_attn_layer_norm", place, epsilon);
                if (together)
                    return together->add(block, layer, step);
                std::vector<MixingMap> mixed = mixing.ofLayer(block, step, layer, wanted, cancel, cut ? own : 0);
                if (!wanted)
                    return;
                LayerAnalysis found = analyseLayer(block, layer, step, options, cancel, cut ? own : 0);
                found.mixing = std::move(mixed);
                if (cut)
                    cutMixing(found, own, step.input.size(1));
                if (options.keepStates) // it waits for the end of its layer
                    waiting = std::move(found);
                else
                    onLayer(std::move(found));
            };
        };
        EncoderAnalysis result;
        result.frames = ownFrames(m_info, features);
        StateObserver afterLayer;
        if (options.keepStates)
            afterLayer = [&](int layer, const at::Tensor& x) {
                if (layer == 0)
                    result.input = matrixOf(x.squeeze(0).narrow(0, 0, own));
                if (!waiting)
                    return;
                waiting->state = matrixOf(x.squeeze(0).narrow(0, 0, own));
                LayerAnalysis found = std::move(*waiting);
                waiting.reset();
                onLayer(std::move(found));
            };
        const at::Tensor output =
            encodeBatch(m_parameters, m_info.architecture, batch,
                        {static_cast<std::int64_t>(heard.rows())}, Padding::Safe, observe, {}, afterLayer,
                        nullptr, nullptr, cut && mixing.isEmpty() ? own : 0); // mixing reads whole maps
        result.tokens = own;
        if (together)
            requireFiniteSum(m_info, together->read(output, onLayer));
        else
            requireFinite(m_info, output.narrow(1, 0, own));
        if (!options.keepOutput)
            return result;
        result.encoderOutput = matrixOf(output.squeeze(0).narrow(0, 0, own));
        if (m_info.architecture.ctc) {
            // A length adapter reads across the border of masked tokens, so it needs their vectors too.
            const bool whole = m_info.architecture.lengthAdapter && heard.rows() < features.rows();
            const at::Tensor logits =
                whole ? logitsOf(features) : ctcLogits(m_parameters, m_info.architecture, output);
            const at::Tensor best = logits.argmax(-1).cpu().contiguous(); // [1, token′]
            const auto* ids = best.const_data_ptr<std::int64_t>();
            result.ctcIds.assign(ids, ids + best.size(1));
        }
        return result;
    }

    DecoderAnalysis analyseDecoder(MatrixView<const float> features, const std::vector<int>& tokens,
                                   const AnalysisOptions& options,
                                   const std::function<void(DecoderLayerAnalysis&&)>& onLayer,
                                   const CancelFlag* cancel, int maximumTokens) override {
        const c10::InferenceMode inference;
        requireDecoder();
        const Architecture::Decoder& plan = *m_info.architecture.decoder;
        checkLayers(m_info, options, plan.layers);
        checkFeatures(m_info, features);
        const DecoderMemory read = readByDecoder(heardIn(features), options.mixing, cancel);
        const at::Tensor& memory = read.output; // [1, token, width]
        DecoderAnalysis result;
        const std::int64_t own = ownTokens(features);
        const bool cut = m_info.architecture.frontEnd.input().window().has_value();
        result.frames = ownFrames(m_info, features);
        result.tokens = own;
        result.inputs = tokens;
        if (tokens.empty()) {
            TextRequest request;
            request.maximumTokens = maximumTokens;
            WrittenText text = writeText(m_parameters, m_info, memory, request, cancel);
            result.inputs = std::move(text.prompt);
            result.inputs.insert(result.inputs.end(), text.ids.begin(), text.ids.end());
            result.inputs.pop_back();
        }
        checkTokens(m_info, result.inputs);
        const auto targets = static_cast<std::int64_t>(result.inputs.size());
        refuseWhatDoesNotFit(decoderAnalysisBytes(m_info.architecture, memory.size(1), targets, options),
                             freeMemoryToCompute(), secondsOf(m_info, result.frames));

        const at::Tensor logits = analyseDecoderLayers(m_parameters, m_info, read, cut ? own : 0, result.inputs,
                                                       options, onLayer, cancel); // [target, vocabulary]
        requireFinite(m_info, logits);
        readLogits(m_info, logits, result);
        return result;
    }

    Matrix<float> forcedLogits(MatrixView<const float> features, const std::vector<int>& tokens) override {
        const c10::InferenceMode inference;
        requireDecoder();
        checkTokens(m_info, tokens);
        const at::Tensor memory = memoryOf(features);
        return matrixOf(S2tDecoder(m_parameters, m_info.architecture, memory).feed(tokens));
    }

    std::vector<int> greedy(MatrixView<const float> features, int maximumTokens) override {
        const c10::InferenceMode inference;
        if (!m_info.architecture.decoder && m_info.architecture.ctc)
            return ctcGreedy(logitsOf(features), {}, m_info.architecture.ctcBlank).front();
        if (m_transducer)
            return transducerGreedy(*m_transducer, memoryOf(features).cpu()).ids; // a few small products
        requireDecoder();
        TextRequest request;
        request.maximumTokens = maximumTokens;
        return writeText(m_parameters, m_info, memoryOf(features), request).ids;
    }

    GreedyText greedyScored(MatrixView<const float> features, int maximumTokens) override {
        const c10::InferenceMode inference;
        if (!m_info.architecture.decoder && m_info.architecture.ctc) {
            BestPath path = ctcBestPath(logitsOf(features).squeeze(0), m_info.architecture.ctcBlank);
            return {std::move(path.ids), path.sum, std::move(path.logProbabilities)};
        }
        GreedyText text;
        if (m_transducer) {
            TransducerText written = transducerGreedy(*m_transducer, memoryOf(features).cpu());
            text = {std::move(written.ids), 0, std::move(written.logProbabilities)};
        } else {
            TextRequest request;
            request.maximumTokens = maximumTokens;
            WrittenText written = write(features, request);
            text = {std::move(written.ids), 0, std::move(written.logProbabilities)};
        }
        text.score = std::accumulate(text.tokenScores.begin(), text.tokenScores.end(), 0.0);
        return text;
    }

    WrittenText write(MatrixView<const float> features, const TextRequest& request) override {
        const c10::InferenceMode inference;
        requireDecoder();
        const at::Tensor memory = memoryOf(features);
        WrittenText text = writeText(m_parameters, m_info, memory, request);
        if (request.starts)
            text.startSeconds = startsOfTokens(m_parameters, m_info, memory, text, ownFrames(m_info, features) / 2);
        return text;
    }

    std::unique_ptr<TokenScorer> scorer(MatrixView<const float> features) override {
        const c10::InferenceMode inference;
        requireDecoder();
        requireSearch();
        return decoderScorer(m_parameters, m_info.architecture, memoryOf(features), {},
                             m_info.maxTargetTokens);
    }

    std::unique_ptr<TokenScorer> internalLanguageModel() override {
        requireDecoder();
        requireSearch();
        return internalScorer(m_parameters, m_info.architecture, 1, m_info.maxTargetTokens);
    }

private:
    /// The tokens of the recording itself: all, or fewer than the window that was computed.
    std::int64_t ownTokens(MatrixView<const float> features) const {
        return m_info.architecture.frontEnd.ownTokens(static_cast<std::int64_t>(heardIn(features).rows()));
    }

    /// A search starts with one token and forbids none.
    void requireSearch() const {
        if (m_info.tokens != TokenRules())
            throw Error("model.noSearch", m_info.name + " can only be decoded greedily, with one beam.");
    }

    void requireDecoder() const {
        if (!m_info.architecture.decoder)
            throw Error("model.noDecoder", m_info.name + " has no decoder and cannot produce text.");
    }

    /// The rows that are not masked. No vector of the encoder depends on the others, so they are left out
    /// wherever only the recording's own tokens are of interest.
    MatrixView<const float> heardIn(MatrixView<const float> features) const {
        const std::int64_t rows = m_info.architecture.frontEnd.input().validRows(features);
        return {features.data(), static_cast<std::size_t>(rows), features.columns()};
    }

    std::int64_t tokensOf(MatrixView<const float> heard) const {
        return m_info.clock.tokenCount(Frames(static_cast<std::int64_t>(heard.rows()))).value();
    }

    enum class Read { All, Own }; ///< of a fixed window: all tokens, or the recording's own
    at::Tensor memoryOf(MatrixView<const float> features, Read read = Read::All) const { // [1, token, width]
        checkFeatures(m_info, features);
        const MatrixView<const float> heard = heardIn(features);
        at::Tensor memory = encodeBatch(m_parameters, m_info.architecture, toBatch(heard), {static_cast<std::int64_t>(heard.rows())},
                                        Padding::Safe, {}, {}, {}, nullptr, nullptr, read == Read::Own ? ownTokens(features) : 0);
        requireFinite(m_info, memory);
        return memory;
    }

    /// What the decoder reads. The last recording is remembered, because its layers are looked at one after the other.
    DecoderMemory readByDecoder(MatrixView<const float> heard, const MixingOptions& mixing, const CancelFlag* cancel) {
        const std::span<const float> values(heard.data(), heard.rows() * heard.columns());
        const bool rolls = std::ranges::any_of(mixing.measures, [](const MixingMeasure& one) { return one.rollout; });
        if (!rolls && m_read.output.defined() && std::ranges::equal(values, m_read.features))
            return {m_read.output, nullptr};
        DecoderMemory read = decoderMemory(m_parameters, m_info, toBatch(heard), mixing, cancel);
        requireFinite(m_info, read.output);
        if (!rolls)
            m_read = {{values.begin(), values.end()}, read.output};
        return read;
    }

    /// The CTC output, [1, token′, ctc]: also of a masked token of wav2vec2-BERT, whose library reads its
    /// label; Parakeet's makes it blank.
    at::Tensor logitsOf(MatrixView<const float> features) const {
        checkFeatures(m_info, features);
        const MatrixView<const float> heard = heardIn(features);
        const bool all = m_info.architecture.frontEnd.reads != InputKind::NemoLogMel;
        const at::Tensor memory =
            encodeBatch(m_parameters, m_info.architecture, toBatch(all ? features : heard),
                        {static_cast<std::int64_t>(heard.rows())});
        requireFinite(m_info, memory);
        return ctcLogits(m_parameters, m_info.architecture, memory, {tokensOf(heard)});
    }

    const ModelInfo m_info;
    const Parameters m_parameters;
    const std::optional<Transducer> m_transducer;
    struct {
        std::vector<float> features;
        at::Tensor output; // [1, token, width]
    } m_read; ///< see readByDecoder()
};

} // namespace

std::unique_ptr<TokenScorer> SpeechModel::scorer(MatrixView<const float>) {
    throw Error("model.noSearch", info().name + " can only be decoded greedily, with one beam.");
}

std::unique_ptr<TokenScorer> SpeechModel::internalLanguageModel() {
    throw Error("model.noSearch", info().name + " can only be decoded greedily, with one beam.");
}

namespace {

Checkpoint checkpointOf(const std::filesystem::path& folder, const std::filesystem::path& draft,
                        const std::function<void(const std::string&)>& say) {
    Checkpoint checkpoint = readCheckpoint(folder, {}, say);
    if (!draft.empty())
        applyDraft(checkpoint, draft);
    return checkpoint;
}

} // namespace

std::unique_ptr<SpeechModel> SpeechModel::openToAnalyse(const std::filesystem::path& folder,
                                                        const std::filesystem::path& draft,
                                                        const std::function<void(const std::string&)>& say) {
    const c10::InferenceMode inference;
    Checkpoint checkpoint = checkpointOf(folder, draft, say);
    if (checkpoint.info.architecture.languageModel)
        return analysedLanguageModel(std::move(checkpoint));
    return std::make_unique<S2tTransformer>(std::move(checkpoint));
}

std::unique_ptr<SpeechModel> SpeechModel::open(const std::filesystem::path& folder,
                                               const std::filesystem::path& draft,
                                               const std::function<void(const std::string&)>& say) {
    const c10::InferenceMode inference;
    Checkpoint checkpoint = checkpointOf(folder, draft, say);
    if (checkpoint.info.architecture.languageModel)
        throw Error("model.languageModel",
                    folder.string() + " is a language model and has no speech encoder.",
                    {{"folder", folder.string()}});
    return std::make_unique<S2tTransformer>(std::move(checkpoint));
}

std::unique_ptr<SpeechModel> madeSpeechModel(const std::string& name, const Architecture& architecture,
                                             const Parameters& parameters) {
    if (architecture.languageModel)
        throw Error("model.languageModel", name + " is a language model and has no speech encoder.");
    Checkpoint made;
    made.info.name = name;
    made.info.architecture = architecture;
    made.info.clock = architecture.frontEnd.clock();
    made.info.maxSourceFrames = architecture.frontEnd.input().window().value_or(longestFrames(architecture.frontEnd));
    made.parameters = parameters;
    return std::make_unique<S2tTransformer>(std::move(made));
}

} // namespace headroom::models
