// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/head_products.h"

#include "models/kernels/contributions.h"
#include "models/kernels/packed_matrix.h"
#include "models/kernels/pieces.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <vector>

namespace headroom::models {
namespace {

bool canBePacked(const at::Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && !(c10::GradMode::is_enabled() && x.requires_grad());
}

/// Rows of a head that a product may read where they are: their numbers lie side by side.
bool haveWholeRows(const at::Tensor& x) {
    return canBePacked(x) && (x.stride(2) == 1 || x.size(2) == 1);
}

/// y = x of head h times w.
void multiplyHead(const PackedMatrix& w, const at::Tensor& x, std::int64_t h, std::int64_t first, std::int64_t count, float* y) {
    multiply(w, {x.const_data_ptr<float>() + h * x.stride(0) + first * x.stride(1), x.stride(1), count, y, w.out()});
}

/// Lays out each head's matrix [out, in], `headStride` numbers behind that of the head before.
void setHeads(std::vector<PackedMatrix>& heads, std::int64_t out, const float* from, std::int64_t headStride, std::int64_t outStride,
              std::int64_t inStride) {
    onThreads(static_cast<std::int64_t>(heads.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t h = begin; h < end; ++h)
            heads[static_cast<std::size_t>(h)].set(0, out, from + h * headStride, outStride, inStride);
    });
}

} // namespace

struct HeadWeights::Packed {
    std::vector<PackedMatrix> heads; // W_O^h [width, valueWidth]
};

HeadWeights::HeadWeights(const at::Tensor& outputWeight, std::int64_t heads)
    : m_weight(outputWeight) {
    if (!canBePacked(outputWeight))
        return;
    const std::int64_t width = outputWeight.size(0), valueWidth = outputWeight.size(1) / heads;
    auto packed = std::make_unique<Packed>();
    for (std::int64_t h = 0; h < heads; ++h)
        packed->heads.emplace_back(width, valueWidth);
    setHeads(packed->heads, width, outputWeight.const_data_ptr<float>(), valueWidth * outputWeight.stride(1),
             outputWeight.stride(0), outputWeight.stride(1));
    m_packed = std::move(packed);
}

HeadWeights::~HeadWeights() = default;
HeadWeights::HeadWeights(HeadWeights&&) noexcept = default;

void HeadWeights::write(const at::Tensor& values, at::Tensor to) const {
    if (!m_packed || !haveWholeRows(values)) {
        to.copy_(transformedValues(values, m_weight));
        return;
    }
    const std::int64_t rows = values.size(1);
    auto* y = to.mutable_data_ptr<float>();
    for (std::size_t h = 0; h < m_packed->heads.size(); ++h, y += rows * to.size(2))
        multiplyHead(m_packed->heads[h], values, static_cast<std::int64_t>(h), 0, rows, y);
}

at::Tensor mixedValues(const at::Tensor& map, const at::Tensor& values) {
    if (!haveWholeRows(map) || !canBePacked(values))
        return at::bmm(map, values);
    const std::int64_t heads = map.size(0), queries = map.size(1), keys = map.size(2), valueWidth = values.size(2);
    at::Tensor mixed = at::empty({heads, queries, valueWidth}, map.options());
    auto* to = mixed.mutable_data_ptr<float>();
    std::vector<PackedMatrix> packed; // v of each head, turned round
    for (std::int64_t h = 0; h < heads; ++h)
        packed.emplace_back(valueWidth, keys);
    setHeads(packed, valueWidth, values.const_data_ptr<float>(), values.stride(0), values.stride(2), values.stride(1));
    inPieces(queries, [&](std::int64_t first, std::int64_t count) {
        for (std::int64_t h = 0; h < heads; ++h)
            multiplyHead(packed[static_cast<std::size_t>(h)], map, h, first, count, to + (h * queries + first) * valueWidth);
    });
    return mixed;
}

} // namespace headroom::models
