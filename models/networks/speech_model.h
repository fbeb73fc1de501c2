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

/// What opening a model found. Names are the tensors' own.
struct LoadReport {
    std::vector<std::string> loaded, missing, unexpected;
    struct WrongShape {
        std::string name;
        std::vector<std::int64_t> expected, found;
    };
    std::vector<WrongShape> wrongShape;
    std::vector<std::string> assumed; ///< one sentence each: what the folder did not say and what was taken
};

struct ModelInfo {
    std::string name; ///< the folder's name; that of the folder above where it is only "model"
    std::filesystem::path folder;
    Architecture architecture;
    TokenClock clock;
    std::int64_t maxSourceFrames = 6000;
    std::int64_t maxTargetTokens = 1024;
    std::int64_t parameters = 0;
    std::int64_t tensors = 0;
    std::string storedAs;            ///< "float16 safetensors"
    std::string weightsHash;         ///< SHA-256 of model.safetensors, hex
    std::filesystem::path tokenizer; ///< empty where there is none
    LoadReport report;
};

struct AnalysisOptions {
    bool keepContributions = true;
    bool keepAttention = false; ///< per head, as applied and, where they differ, raw
    int checkedRows = 16;       ///< rows of the materialised double-precision twin per layer (gram_error)
    bool keepStates = false;    ///< the vectors between the encoder's layers
    /// False: maps, their profiles and states alone. No contributions, no relevance; what was not checked is
    /// NaN. Costs little more than the bare pass.
    bool explain = true;
    /// Of head relevance: 2 (Sant et al. 2022, Eq. 4), or 1 (their released code). 0: neither relevance nor
    /// rebuildError (NaN), for who wants contributions alone.
    int relevanceNorm = 2;
    std::uint64_t seed = 1;  ///< draws the checked rows
    std::vector<int> layers; ///< from 1; empty: all
};

/// Everything the analysis says about one attention block: of an encoder layer, or of a decoder layer. N
/// tokens, H heads; in cross-attention queries are targets and keys are the encoder's tokens. Array names:
/// contracts of `analyse`.
///
/// Where a block is not a sum over tokens (Speechformer's compression), `reason` says so in one sentence, C
/// and its profile are empty, and the errors of what does not exist are NaN.
struct LayerAnalysis {
    int layer = 0;               ///< from 1
    std::int64_t queries = 0;    ///< N; targets in a decoder
    std::string reason;          ///< why there are no contributions; empty where there are
    Matrix<float> contributions; ///< [N, N], rows sum to 1; empty unless kept. Cross-attention: [T, N + 1],
                                 ///< the residual in the last column
    DiagonalProfile contributionProfile;            ///< 2N − 1; empty in cross-attention
    std::vector<DiagonalProfile> attentionProfiles; ///< per head; empty for a map that is not N × N
    Matrix<float> headRelevance;                    ///< [N, H], rows sum to 1
    /// Per head [N, N], as applied; [N, N′] where a convolution shortened the keys. Empty unless kept.
    std::vector<Matrix<float>> attention;
    /// The same before relaxation, where that acted; empty for the other heads, and empty as a whole where no
    /// head was relaxed.
    std::vector<Matrix<float>> rawAttention;
    /// [N, d], what the layer passes on, before the encoder's last LayerNorm. Empty unless states are kept,
    /// and in a decoder.
    Matrix<float> state;
    float rebuildError = 0; ///< max_i ‖Σ_j T_ij + b_O − the captured output of the attention block‖∞ (O1)
    float gramError = 0;   ///< max over the checked rows of |C_ij − its materialised twin in double|
    float rowSumError = 0; ///< max_i |Σ_j C̃_ij − 1|
};

struct EncoderAnalysis {
    std::int64_t frames = 0, tokens = 0;
    Matrix<float> encoderOutput; ///< [N, d], after the final LayerNorm
    Matrix<float> input;         ///< [N, d], what layer 1 reads: "layer 0". Empty unless states are kept
};

/// What the two attention blocks of a decoder layer say. T targets, N tokens of the encoder.
struct DecoderLayerAnalysis {
    int layer = 0;       ///< from 1
    LayerAnalysis self;  ///< causal: [T, T]
    LayerAnalysis cross; ///< [T, N + 1]: the residual, what the target knew before, is the last column
};

struct DecoderAnalysis {
    std::int64_t frames = 0, tokens = 0;
    std::vector<int> inputs;  ///< T, beginning with </s>: the tokens fed, the rows of every map
    std::vector<int> outputs; ///< T, the likeliest token after each input
};

/// Polled between layers and inside long ones; set it from any thread to stop. Stopping throws Cancelled.
using CancelFlag = std::atomic<bool>;
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

/// A speech model (S2T Transformer, Conformer with CTC …) ready to run, in evaluation mode, on the CPU in
/// float32. No torch type stands in this header, so that whoever uses it compiles fast. One thread at a time
/// per object.
class SpeechModel {
public:
    virtual ~SpeechModel() = default;
    /// Opens a model folder (our own, or Hugging Face Speech2Text as it is). Throws Error "model.…": one
    /// sentence that names the file and the first thing that is wrong (missing, unexpected, mis-shaped or
    /// truncated tensor; a config that contradicts the weights; a tokenizer of another size), values hold the
    /// whole report.
    static std::unique_ptr<SpeechModel> open(const std::filesystem::path& folder);

    virtual const ModelInfo& info() const = 0;

    /// The same model once more, for another thread. The weights are not copied.
    virtual std::unique_ptr<SpeechModel> share() const = 0;

    /// The encoder on features [frames, 80] after CMVN. Returns [N, d] after the final LayerNorm.
    virtual Matrix<float> encode(MatrixView<const float> features) = 0;

    /// Natural logarithms of what the CTC output says, [N, ctc], of a model that has one; throws Error
    /// "model.noCtc" where it has none.
    virtual Matrix<float> ctcLogProbabilities(MatrixView<const float> features) = 0;

    /// The encoder on the same, with a clock beside it.
    virtual EncoderTimes timeEncoder(MatrixView<const float> features) = 0;

    /// The encoder with every layer explained; `onLayer` is called in order, on this thread, as each is
    /// ready. Refuses, before it starts, more frames than maxSourceFrames ("model.tooLong", values {frames,
    /// limit, seconds}) and what does not fit into free memory ("model.memory", values {needed, free} in
    /// bytes).
    virtual EncoderAnalysis analyse(MatrixView<const float> features, const AnalysisOptions& options,
                                    const std::function<void(LayerAnalysis&&)>& onLayer,
                                    const CancelFlag* cancel = nullptr) = 0;

    /// The decoder with every layer explained, at the inputs `tokens` (beginning with </s>, id 2; teacher
    /// forcing), or where there are none at what greedy decoding writes, at most `maximumTokens`: its maps
    /// are those of the inference itself. `options.layers` are the decoder's. Refuses as analyse() and
    /// forcedLogits() do.
    virtual DecoderAnalysis analyseDecoder(MatrixView<const float> features, const std::vector<int>& tokens,
                                           const AnalysisOptions& options,
                                           const std::function<void(DecoderLayerAnalysis&&)>& onLayer,
                                           const CancelFlag* cancel = nullptr, int maximumTokens = 200) = 0;

    /// Teacher-forced logits [targets, vocabulary] for decoder inputs `tokens` (beginning with </s>, id 2).
    virtual Matrix<float> forcedLogits(MatrixView<const float> features, const std::vector<int>& tokens) = 0;

    /// Greedy decoding; the ids after the start token, with the final </s> where it came before the limit. A
    /// model without a decoder but with a CTC output: its best path, without </s> and without a limit.
    virtual std::vector<int> greedy(MatrixView<const float> features, int maximumTokens = 200) = 0;
};

} // namespace headroom::models
