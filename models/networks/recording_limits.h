// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/matrix/matrix.h"
#include "models/checkpoints/model_info.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

// What a model accepts, and what is no result. Values and exceptions only; any thread.
namespace headroom::models {

/// Returns the frames (or samples) of the recording itself, without the rows that the front end appends.
std::int64_t ownFrames(const ModelInfo& info, MatrixView<const float> features);
/// Returns the length of `frames` frames (or samples) of the model's input, in seconds.
double secondsOf(const ModelInfo& info, std::int64_t frames);

/// Returns what a model reads from `samples` (modelFeatures). Throws what that throws, but where more is needed for one token than
/// for one frame, "model.tooShort" as checkFeatures(), so that whoever chooses a longer recording need not do it twice. Where a window is
/// too short, the sentence names the model, which may be one of several.
Matrix<float> featuresOf(const ModelInfo& info, std::span<const float> samples);

/// Refuses features [frames, features] of another width or with a number that is not finite ("model.badFeatures"), more frames
/// than maxSourceFrames ("model.tooLong", values {frames, limit, seconds}) and fewer than one token needs
/// ("model.tooShort", values {frames, needed}). Of a text: an empty one, one with more than maxSourceFrames tokens, and
/// numbers that are no tokens ("model.badTokens"). Throws Error.
void checkFeatures(const ModelInfo& info, MatrixView<const float> features);

/// Whether a model refuses a recording because of its length: "features.tooLong", whose limit is in samples
/// at 16 kHz, or "model.tooLong", whose limit is in frames.
bool isTooLong(const Error& error);
/// Returns such an error with `advice`, what can be done where it was met, in place of "Select a part of it."; empty: nothing.
/// Any other error as it is.
Error withAdvice(const Error& error, const std::string& advice);

/// Refuses target tokens that are none, too many, or not in the vocabulary. Throws Error "model.badTokens".
void checkTokens(const ModelInfo& info, const std::vector<int>& tokens);

/// Refuses an output with NaN or infinity, which would look like a map or a text. Throws Error "model.notFinite".
void requireFinite(const ModelInfo& info, const at::Tensor& output);
/// The same of the sum of its numbers in double.
void requireFiniteSum(const ModelInfo& info, double sum);

} // namespace headroom::models
