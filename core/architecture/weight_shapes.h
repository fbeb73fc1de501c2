// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A tensor of a network, by name (models/checkpoints/README.md).
struct WeightShape {
    std::string name;
    std::vector<std::int64_t> shape;
    bool buffer = false; ///< running statistics: stored, not learnt
};

/// Returns every tensor of a network of this architecture, in network order. `tied`: the output projection is the embedding and has
/// no tensor of its own, whatever the document says. The heads must be allowed in their places (layer_rules.h).
std::vector<WeightShape> weightShapes(const Architecture& architecture, bool tied = false);

/// Returns the tensors of the self-attention block of encoder layer `layer` (from 1) except its LayerNorm, as
/// "self_attn.k_proj.weight", in initialisation order.
std::vector<WeightShape> attentionShapes(const Architecture::Encoder& encoder, int layer);

/// Whether a tensor of this name belongs to the encoder: what `--start-from M:encoder` takes, and what
/// optimiser.freezeEncoderUpdates keeps as it is.
inline bool isOfEncoder(std::string_view name) {
    return name.starts_with("model.encoder.");
}

/// Returns the name of the model's tensor from which the tensor `name` of a network starts: its own, or the embedding for the output of a
/// tied model. The model must have that tensor in the same shape. `nullopt`: the tensor starts as without a model. `has`: whether the
/// model has a tensor.
std::optional<std::string> startingWeight(const std::string& name, bool encoderOnly, const std::function<bool(const std::string&)>& has);

} // namespace headroom
