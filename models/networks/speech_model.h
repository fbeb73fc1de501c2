// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/matrix/matrix.h"
#include "models/checkpoints/model_info.h"
#include "models/contributions/layer_analysis.h"
#include "models/networks/encoder_times.h"
#include "models/networks/token_scorer.h"
#include "models/networks/written_text.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace headroom::models {

struct EncoderAnalysis {
    std::int64_t frames = 0, tokens = 0;
    Matrix<float> encoderOutput; ///< [N, d], after the final LayerNorm
    Matrix<float> input;         ///< [N, d], the input of layer 1: "layer 0". Empty unless states are kept
    std::vector<int>
        ctcIds; ///< the best label of every token of the CTC output: N, fewer with a length adapter; or empty
};

/// The analysis of the two attention blocks of a decoder layer. T targets, N encoder tokens.
struct DecoderLayerAnalysis {
    int layer = 0;       ///< from 1
    LayerAnalysis self;  ///< causal: [T, T]
    LayerAnalysis cross; ///< [T, N + 1]; the last column is the residual
};

struct DecoderAnalysis {
    std::int64_t frames = 0, tokens = 0;
    std::vector<int> inputs;  ///< T input tokens, starting with </s>: the rows of every map
    std::vector<int> outputs; ///< T, the most likely token after each input
    /// T, ln P of the token that follows each input: the next input; behind the last one, the end of the text.
    std::vector<double> logProbabilities;
};

/// A speech model (S2T Transformer, Conformer with CTC …) in evaluation mode on the CPU in float32. This
/// header contains no torch type, so that including it is cheap. One thread at a time per object.
class SpeechModel {
public:
    virtual ~SpeechModel() = default;
    /// Opens a model folder (Headroom's, or Hugging Face Speech2Text). Throws Error "model.…" with one
    /// sentence that names the file and the first problem (a missing, unexpected, mis-shaped or truncated
    /// tensor; a config that contradicts the weights; a tokenizer of the wrong size); its values contain the
    /// whole report.
    /// `draft`: an architecture document whose heads it runs untrained (models/checkpoints/draft.h); empty: none.
    /// `say`: as readCheckpoint.
    static std::unique_ptr<SpeechModel> open(const std::filesystem::path& folder,
                                             const std::filesystem::path& draft = {},
                                             const std::function<void(const std::string&)>& say = {});

    /// As open(), and also a Transformer language model, which can only be analysed: `info().architecture` has its layers
    /// as those of an encoder (core/architecture/language_layers.h), what it reads starts with </s>
    /// (languageFeatures), and everything that writes text throws Error "model.noDecoder".
    static std::unique_ptr<SpeechModel> openToAnalyse(const std::filesystem::path& folder,
                                                      const std::filesystem::path& draft = {},
                                                      const std::function<void(const std::string&)>& say = {});

    virtual const ModelInfo& info() const = 0;

    /// Returns the same model for another thread. The weights are shared.
    virtual std::unique_ptr<SpeechModel> share() const = 0;

    /// Encodes what the model reads (core/features/model_input.h), [frames, features]. Returns [N, d] after the final LayerNorm.
    virtual Matrix<float> encode(MatrixView<const float> features) = 0;

    /// Returns the natural logarithms of the CTC output, [N, ctc]. Throws Error "model.noCtc" if the model
    /// has none.
    virtual Matrix<float> ctcLogProbabilities(MatrixView<const float> features) = 0;

    /// Encodes the features and measures the time.
    virtual EncoderTimes timeEncoder(MatrixView<const float> features) = 0;

    /// Encodes the features and analyses every layer; calls `onLayer` in order, on this thread, when each is
    /// ready. Throws before it starts for more frames than maxSourceFrames ("model.tooLong", values {frames,
    /// limit, seconds}) and for insufficient memory ("model.memory", values {needed, free} in bytes).
    virtual EncoderAnalysis analyse(MatrixView<const float> features, const AnalysisOptions& options,
                                    const std::function<void(LayerAnalysis&&)>& onLayer,
                                    const CancelFlag* cancel = nullptr) = 0;

    /// Analyses every decoder layer at the inputs `tokens` (starting with </s>, id 2; teacher forcing), or,
    /// if empty, at the output of greedy decoding with at most `maximumTokens`; the maps are those of the
    /// inference itself. `options.layers` are those of the decoder. Throws like analyse() and forcedLogits().
    virtual DecoderAnalysis analyseDecoder(MatrixView<const float> features, const std::vector<int>& tokens,
                                           const AnalysisOptions& options,
                                           const std::function<void(DecoderLayerAnalysis&&)>& onLayer,
                                           const CancelFlag* cancel = nullptr, int maximumTokens = 200) = 0;

    /// Returns teacher-forced logits [targets, vocabulary] for decoder inputs `tokens` (starting with </s>,
    /// id 2).
    virtual Matrix<float> forcedLogits(MatrixView<const float> features, const std::vector<int>& tokens) = 0;

    /// Greedy decoding. Returns the ids after the start token, with the final </s> if it came before the
    /// limit. For a model with only a CTC output: its best path, without </s> and without a limit.
    virtual std::vector<int> greedy(MatrixView<const float> features, int maximumTokens = 200) = 0;

    /// Greedy decoding by the rules of the model's tokens (ModelInfo::tokens): language, task, forbidden tokens,
    /// times. Throws Error "model.noDecoder" and as TokenRules::prompt.
    virtual WrittenText write(MatrixView<const float> features, const TextRequest& request) = 0;

    /// The text of greedy() with its score: of a decoder Σ ln P of the ids, of a CTC output ln P of the best path
    /// (ctc.h), of a transducer Σ ln P of the labels, without those of the blanks.
    virtual GreedyText greedyScored(MatrixView<const float> features, int maximumTokens = 200) = 0;

    /// Returns the decoder on this recording, for a search; it borrows this model's weights. Throws Error
    /// "model.noDecoder", or "model.noSearch" for a model that is only decoded greedily.
    virtual std::unique_ptr<TokenScorer> scorer(MatrixView<const float> features);
    /// Returns the decoder's internal language model (model_scorers.h). Throws like scorer().
    virtual std::unique_ptr<TokenScorer> internalLanguageModel();
};

} // namespace headroom::models
