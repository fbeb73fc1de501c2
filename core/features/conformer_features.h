// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/model_input.h"
#include "core/matrix/matrix.h"

#include <cstdint>
#include <span>

namespace headroom {

/// Features of which the last rows may be masked: the model reads them, but they are no sound of the recording.
struct MaskedFeatures {
    Matrix<float> values;
    std::int64_t valid = 0; ///< rows that are not masked; at least 1
};

/// The front end of wav2vec2-BERT (transformers' SeamlessM4TFeatureExtractor).
struct StackedKaldiSettings {
    int bins = 80;
    int stacked = 2;         ///< frames side by side in one row
    double paddingValue = 1; ///< of the frames that fill the last row
};
/// `samples` at 16 kHz in [−1, 1]. Kaldi's filterbank (features.h; any number of bins), per bin (x − mean) /
/// √(variance + 1e-7) with the sample variance (n − 1) over the recording, `stacked` frames side by side. F = 1 +
/// ⌊(samples − 400)/160⌋ frames make ⌈F/stacked⌉ rows of stacked · bins numbers. A row is valid if all its frames are
/// frames of the recording: the original takes the mask of the last one. Throws Error "features.tooShort" if there
/// are fewer than 2 frames or no valid row.
MaskedFeatures stackedKaldiFeatures(std::span<const float> samples, const StackedKaldiSettings& settings = {});

/// The front end of Parakeet (transformers' ParakeetFeatureExtractor, after NeMo's).
struct ParakeetSettings {
    int bins = 80;
    double preEmphasis = 0.97;
};
/// `samples` at 16 kHz in [−1, 1]. Pre-emphasis over the whole signal, x[0] kept; frames of 512 around sample 160 f
/// (256 zeros at both ends) with a symmetric Hann window of 400 in their middle; power; Slaney's filters from 0 to
/// 8000 Hz; ln(x + 2⁻²⁴); per bin (x − mean) / (deviation + 1e-5) over the first ⌊samples/160⌋ frames, sample deviation
/// (n − 1). Returns [1 + ⌊samples/160⌋, bins]: the last frame is zeros and masked. Throws Error "features.tooShort"
/// below 320 samples.
MaskedFeatures parakeetFeatures(std::span<const float> samples, const ParakeetSettings& settings = {});

/// What ESPnet subtracts from each bin over the recording, and divides it by (population variance).
enum class EspnetCmvn { None, Mean, MeanAndVariance };
/// The front end “default” of ESPnet (espnet2/asr/frontend/default.py).
struct EspnetSettings {
    int bins = 80;
    EspnetFrames frames;
    EspnetCmvn cmvn = EspnetCmvn::Mean;
};
/// `samples` at 16 kHz in [−1, 1], reflected by half a transform at both ends; frames with a periodic Hann window;
/// power; Slaney's filters from 0 to 8000 Hz; ln(max(x, 1e-10)). Returns [1 + ⌊samples/hop⌋, bins]. Throws Error
/// "features.tooShort" for fewer samples than a window, or than can be reflected.
Matrix<float> espnetFeatures(std::span<const float> samples, const EspnetSettings& settings = {});

/// The front end of AST (transformers' ASTFeatureExtractor), before its mean and deviation.
struct AstSettings {
    int bins = 128;
    int windowFrames = 1024; ///< the most frames
};
/// `samples` at 16 kHz in [−1, 1]. Kaldi's filterbank (features.h), but of any number of bins, with a symmetric Hann
/// window, and of the samples as they are, not times 32768: what is quiet falls below the floor of 1.19e-7. Returns
/// [frames + kAstFramesBehind, bins]; the last row is zeros, which fill the window. Throws Error "features.tooShort" below
/// 400 samples and "features.tooLong" for more frames than the window has; the original cuts these off.
Matrix<float> astFeatures(std::span<const float> samples, const AstSettings& settings = {});

} // namespace headroom
