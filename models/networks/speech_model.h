// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/errors/error.h"
#include "core/matrix/diagonal_profile.h"
#include "core/matrix/matrix.h"
#include "core/tensors/tensor.h"
#include "core/time/clocks.h"
#include "models/networks/encoder_times.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::models {

/// The result of opening a model. Names are those of the tensors.
struct LoadReport {
    std::vector<std::string> loaded, missing, unexpected;
    struct WrongShape {
        std::string name;
        std::vector<std::int64_t> expected, found;
    };
    std::vector<WrongShape> wrongShape;
    std::vector<std::string> assumed; ///< one sentence for each value that the folder did not state and that
                                       ///< was assumed
};

struct ModelInfo {
    std::string name; ///< the folder's name; the parent folder's if it is only "model"
    std::filesystem::path folder;
    Architecture architecture;
    TokenClock clock;
    std::int64_t maxSourceFrames = 6000;
    std::int64_t maxTargetTokens = 1024;
    std::int64_t parameters = 0;
    std::int64_t tensors = 0;
    std::string storedAs;            ///< "float16 safetensors"
    std::string weightsHash;         ///< SHA-256 of model.safetensors, hex
    std::filesystem::path tokenizer; ///< empty if there is none
    LoadReport report;
};

struct AnalysisOptions {
    bool keepContributions = true;
    bool keepAttention = false; ///< per head, as applied, and raw if different
    int checkedRows = 16;       ///< rows of the materialised double-precision twin per layer (gram_error)
    bool keepStates = false;    ///< the vectors between the encoder's layers
    /// False: only maps, their profiles and states; no contributions, no relevance, NaN for unchecked errors.
    /// Costs little more than the bare pass.
    bool explain = true;
    /// Norm of head relevance: 2 (Sant et al. 2022, Eq. 4), or 1 (their released code). 0: neither relevance
    /// nor rebuildError (NaN), if only contributions are needed.
    int relevanceNorm = 2;
    std::uint64_t seed = 1;  ///< seed of the checked rows
    std::vector<int> layers; ///< from 1; empty: all
};

/// The analysis of one attention block of an encoder or decoder layer. N tokens, H heads; in cross-attention
/// queries are targets and keys are the encoder's tokens. Array names: contracts of `analyse`.
///
/// If a block is not a sum over tokens (Speechformer's compression), `reason` says so in one sentence, C and
/// its profile are empty, and the errors that do not apply are NaN.
struct LayerAnalysis {
    int layer = 0;               ///< from 1
    std::int64_t queries = 0;    ///< N; targets in a decoder
    std::string reason;          ///< why there are no contributions; otherwise empty
    Matrix<float> contributions; ///< [N, N], rows sum to 1; empty unless kept. Cross-attention: [T, N + 1],
                                 ///< the residual in the last column
    DiagonalProfile contributionProfile;            ///< 2N − 1; empty in cross-attention
    std::vector<DiagonalProfile> attentionProfiles; ///< per head; empty if the map is not N × N
    Matrix<float> headRelevance;                    ///< [N, H], rows sum to 1
    /// Per head [N, N], as applied; [N, N′] if a convolution shortened the keys. Empty unless kept.
    std::vector<Matrix<float>> attention;
    /// The maps before relaxation; empty for heads that are not relaxed, and an empty list if none is.
    std::vector<Matrix<float>> rawAttention;
    /// [N, d], the output of the layer, before the encoder's last LayerNorm. Empty unless states are kept,
    /// and in a decoder.
    Matrix<float> state;
    float rebuildError = 0; ///< max_i ‖Σ_j T_ij + b_O − the captured output of the attention block‖∞ (O1)
    float gramError = 0;   ///< max over the checked rows of |C_ij − its materialised twin in double|
    float rowSumError = 0; ///< max_i |Σ_j C̃_ij − 1|
};

struct EncoderAnalysis {
    std::int64_t frames = 0, tokens = 0;
    Matrix<float> encoderOutput; ///< [N, d], after the final LayerNorm
    Matrix<float> input;         ///< [N, d], the input of layer 1: "layer 0". Empty unless states are kept
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
};

/// Polled between layers and inside long ones. May be set on any thread to stop, which throws Cancelled.
using CancelFlag = std::atomic<bool>;
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
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
    static std::unique_ptr<SpeechModel> open(const std::filesystem::path& folder);

    virtual const ModelInfo& info() const = 0;

    /// Returns the same model for another thread. The weights are shared.
    virtual std::unique_ptr<SpeechModel> share() const = 0;

    /// Encodes features [frames, 80] after CMVN. Returns [N, d] after the final LayerNorm.
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
};

} // namespace headroom::models
