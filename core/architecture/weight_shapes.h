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

/// What the tensors of one self-attention block depend on.
struct AttentionWeights {
    std::vector<HeadGroup> groups; ///< in head order
    std::int64_t heads = 1, width = 0;
    bool bias = true;       ///< of queries, keys and values
    bool keyBias = true;    ///< of the keys, if there is `bias`
    bool outputBias = true; ///< of W_O
    bool reuses = false;    ///< the maps of an earlier layer
    bool relative = false;  ///< scores of relative positions
    bool relativeBias = false;
    std::int64_t distances = 0; ///< learnt vectors of distances; 0: none
};
/// Returns the tensors of a block except its LayerNorm, as "self_attn.k_proj.weight", in initialisation order.
std::vector<WeightShape> attentionShapes(const AttentionWeights& block);

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
