// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/named_tensors.h"

#include <optional>
#include <string>

namespace headroom::models {

/// Returns Headroom's name of a tensor of fairseq's S2T, Multiformer or Conformer (README.md); `nullopt` for
/// one without parameters: versions, position tables, counters.
std::optional<std::string> fromFairseqName(const std::string& name);

/// Renames all tensors. `tied`: the output projection repeats the embedding and is left out. Throws Error
/// "model.duplicateName" if two get the same name.
NamedTensors fromFairseqNames(const NamedTensors& weights, const std::vector<std::string>& repeated, const std::string& file);

} // namespace headroom::models
