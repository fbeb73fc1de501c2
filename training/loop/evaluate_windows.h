// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"
#include "training/decoding/long_recording.h"
#include "training/loop/validation.h"

#include <vector>

namespace headroom::training {

/// Takes the recordings that are longer than a window out of `set`. Both keep corpus order.
std::vector<Example> takeLongRecordings(ExampleSet& set, const WindowSettings& windows);

/// Decodes each recording in overlapping windows, all of one at a time, and stitches the texts. `options` as
/// for validate(). Throws Error, which names the utterance: the errors of loading and of the features.
std::vector<std::string> decodeLongRecordings(const models::Checkpoint& model,
                                              const std::vector<Example>& recordings,
                                              const WindowSettings& windows, const Tokenizer& tokenizer,
                                              const ValidationOptions& options);

} // namespace headroom::training
