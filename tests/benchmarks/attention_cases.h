// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_plan.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::benchmarks {

/// One kind of attention to be measured: its `heads` text, and the positions of its encoder.
struct AttentionKind {
    const char* heads;
    const char* positions;
    std::string name() const;
};
/// Every kind that models/attention offers, each alone.
const std::vector<AttentionKind>& attentionKinds();

/// The attention operation alone, from projected queries, keys and values to the mixed values, d 256, H 4,
/// on usedDevice(); what a kind does beside that (its convolutions, its table of offsets) is in it. Masks and tables
/// that the layers of a pass share are made before.
class AttentionCase {
public:
    explicit AttentionCase(const AttentionKind& kind, std::int64_t tokens, std::int64_t batch = 1,
                           c10::ScalarType type = c10::ScalarType::Float);
    ~AttentionCase();
    AttentionCase(const AttentionCase&) = delete;
    AttentionCase& operator=(const AttentionCase&) = delete;

    at::Tensor ours() const; ///< [batch, head, token, valueWidth]
    at::Tensor full() const; ///< at::scaled_dot_product_attention of the same queries, keys and values
    /// at::_flash_attention_forward of the same in the window of a local kind. Of torch's devices only GPUs have it, for
    /// short numbers.
    at::Tensor flash() const;
    /// The gradients of queries, keys, values and weights, all of what was read.
    void backward(const at::Tensor& mixed, bool ofOurs) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// The attention blocks of some layers, projections and LayerNorm included, d 256, batch 1, relative
/// positions.
class AttentionLayers {
public:
    AttentionLayers(const std::vector<std::string>& heads, std::int64_t tokens);
    void forward() const;
    void forwardAndBackward() const;

private:
    at::Tensor run(const at::Tensor& x) const;
    std::vector<models::AttentionPlan> m_plans;
    models::Parameters m_parameters;
    at::Tensor m_input, m_gradOut; // [1, token, width]
};

} // namespace headroom::benchmarks
