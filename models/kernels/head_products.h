// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace headroom::models {

/// W_O of some heads, for products with a few rows of values at a time. Floats on the CPU without gradients are laid out once
/// (packed_matrix.h): ATen lays W_O out again for every few rows, and its products of such sizes take twice the time. Others
/// are multiplied by ATen. Reading is safe on every thread.
class HeadWeights {
public:
    /// `outputWeight` [width, head · valueWidth], borrowed.
    HeadWeights(const at::Tensor& outputWeight, std::int64_t heads);
    ~HeadWeights();
    HeadWeights(HeadWeights&&) noexcept;

    /// Writes W_O^h times each head's `values` [head, row, valueWidth] to `to` [head, row, width], contiguous.
    void write(const at::Tensor& values, at::Tensor to) const;

private:
    struct Packed;
    at::Tensor m_weight;
    std::unique_ptr<const Packed> m_packed;
};

/// What each head mixes, map · values: [head, query, key] and [head, key, valueWidth] → [head, query, valueWidth], contiguous.
/// Floats on the CPU without gradients: with the values laid out once.
at::Tensor mixedValues(const at::Tensor& map, const at::Tensor& values);

} // namespace headroom::models
