// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"

#include <filesystem>

namespace headroom::models {

/// Gives `model` the heads of the architecture document `draft`, with the weights as they are: what the draft would
/// do untrained. Only heads may differ (and dropout, name and source): attention kinds, windows, relaxation, reused
/// maps. The name ends in "(draft)" and the hash is one of weights and draft.
///
/// Throws Error "model.draft", which names what differs or the first tensor that the draft needs and the model lacks,
/// and the errors of readArchitecture and checkRunnable.
void applyDraft(Checkpoint& model, const std::filesystem::path& draft);

} // namespace headroom::models
