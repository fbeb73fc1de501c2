// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/relative.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace headroom::models {

namespace {

template <typename Number>
void fill(Number* row, std::int64_t reach, std::int64_t width) {
    const auto step = -std::log(Number(10000)) / static_cast<Number>(width);
    for (std::int64_t offset = reach; offset >= -reach; --offset, row += width)
        for (std::int64_t k = 0; k + 1 < width; k += 2) {
            const Number angle = static_cast<Number>(offset) * std::exp(static_cast<Number>(k) * step);
            row[k] = std::sin(angle);
            row[k + 1] = std::cos(angle);
        }
}

} // namespace

at::Tensor relativePositions(std::int64_t reach, std::int64_t width, bool inDouble) {
    at::Tensor table = at::zeros({2 * reach + 1, width}, inDouble ? at::kDouble : at::kFloat);
    if (inDouble)
        fill(table.mutable_data_ptr<double>(), reach, width);
    else
        fill(table.mutable_data_ptr<float>(), reach, width);
    return table;
}

RelativeTerms relativeTerms(const Scope& attention, const at::Tensor& table, std::int64_t first,
                            std::int64_t count) {
    const at::Tensor& u = attention["pos_bias_u"]; // [head, headWidth]
    const std::int64_t headWidth = u.size(1);
    const at::Tensor weight = attention["linear_pos.weight"].narrow(0, first * headWidth, count * headWidth);
    const at::Tensor positions = at::linear(table, weight).view({table.size(0), count, headWidth});
    return {u.narrow(0, first, count).unsqueeze(1),
            attention["pos_bias_v"].narrow(0, first, count).unsqueeze(1), positions.transpose(0, 1)};
}

at::Tensor relativeBandScores(const at::Tensor& q, const RelativeTerms& terms) {
    return at::matmul(q.add(terms.positionBias), terms.positions.transpose(1, 2));
}

at::Tensor relativeScores(const at::Tensor& q, const RelativeTerms& terms) {
    const std::int64_t tokens = q.size(2);
    const at::Tensor byOffset = relativeBandScores(q, terms).contiguous(); // [batch, head, query, offset]
    // Row i begins at offset column token − 1 − i: in memory one step less than a row further each time.
    return byOffset.as_strided({q.size(0), q.size(1), tokens, tokens},
                               {byOffset.stride(0), byOffset.stride(1), 2 * tokens - 2, 1}, tokens - 1);
}

} // namespace headroom::models
