// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/named_tensors.h"

#include <optional>
#include <string>

namespace headroom::models {

/// The name that a tensor of fairseq's S2T, Multiformer or Conformer has here (README.md); nothing for one
/// that holds nothing learnt: versions, tables of positions, counters.
std::optional<std::string> fromFairseqName(const std::string& name);

/// All of them under our names. `tied`: the output projection repeats the embedding and is left out. Throws
/// Error "model.duplicateName" where two have one name here.
NamedTensors fromFairseqNames(const NamedTensors& weights, bool tied, const std::string& file);

} // namespace headroom::models
