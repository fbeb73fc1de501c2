// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_weights.h"

#include <string>
#include <vector>

namespace headroom::testing {

/// An attention block with random weights, maps and input, and what it computes, written without the code
/// under test: the mixing is matmul and at::conv1d, and a contribution T_·j is what comes out when only key j
/// has a value.
class MadeBlock {
public:
    struct Options {
        std::int64_t tokens = 17, width = 24;
        bool postNorm = false;
        bool outputBias = true;
        bool doubleValues = false; ///< a layer that reuses a map: v and W_O twice as wide
        std::int64_t memory = 0;   ///< > 0: cross-attention to so many tokens
        bool unevenRows = false;   ///< rows that do not sum to 1
        unsigned long seed = 1;
    };
    /// `heads`: text of the layer's groups.
    MadeBlock(const std::string& heads, const Options& options);

    const models::BlockWeights& weights() const { return m_weights; }
    /// The step as an observer would see it, in double or float. Valid as long as this object.
    models::AttentionStep step() const;
    const std::vector<models::GroupStep>& groups() const { return m_groups; }
    /// The same block in single precision.
    MadeBlock inFloat() const;

    /// ‖T_ij‖ made to sum to 1, by the response to each key alone: [query, key], or [query, key + 1].
    at::Tensor expectedContributions() const;
    /// T_·j without the residual: what comes out when only key j has a value, [query, width].
    at::Tensor term(std::int64_t key) const;
    /// x + attention when the values of keys first … end − 1 are zero in every head, [query, width].
    at::Tensor outputWithout(std::int64_t first, std::int64_t end) const;
    /// ‖W_O^h z^h_i‖, rows sum to 1: [query, head].
    at::Tensor expectedRelevance() const;

private:
    MadeBlock() = default;
    void compute();
    at::Tensor compress(const at::Tensor& values, const models::GroupStep& group, bool bias) const;
    /// [head, query, valueWidth] of all heads.
    at::Tensor mixed(const at::Tensor& values, bool bias) const;
    at::Tensor throughOutput(const at::Tensor& mixed) const; // [query, width], without b_O

    models::BlockWeights m_weights;
    at::Tensor m_input, m_values, m_output;
    std::vector<models::GroupStep> m_groups;
};

} // namespace headroom::testing
