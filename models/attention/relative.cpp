// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/relative.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::models {

namespace {

/// A row of sinusoids at the place of each offset reach … −reach; without a place, zeros.
template <typename Number, typename PlaceOf>
void fill(Number* row, std::int64_t reach, std::int64_t width, const PlaceOf& placeOf) {
    const auto step = -std::log(Number(10000)) / static_cast<Number>(width);
    for (std::int64_t offset = reach; offset >= -reach; --offset, row += width) {
        const std::optional<std::int64_t> place = placeOf(offset);
        for (std::int64_t k = 0; place && k + 1 < width; k += 2) {
            const Number angle = static_cast<Number>(*place) * std::exp(static_cast<Number>(k) * step);
            row[k] = std::sin(angle);
            row[k + 1] = std::cos(angle);
        }
    }
}

template <typename PlaceOf>
at::Tensor tableOf(std::int64_t reach, std::int64_t width, bool inDouble, const PlaceOf& placeOf) {
    at::Tensor table = at::zeros({2 * reach + 1, width}, inDouble ? at::kDouble : at::kFloat);
    if (inDouble)
        fill(table.mutable_data_ptr<double>(), reach, width, placeOf);
    else
        fill(table.mutable_data_ptr<float>(), reach, width, placeOf);
    return table;
}

} // namespace

at::Tensor relativePositions(std::int64_t reach, std::int64_t width, bool inDouble) {
    return tableOf(reach, width, inDouble, [](std::int64_t offset) { return std::optional(offset); });
}

at::Tensor relativeLegacyPositions(std::int64_t reach, std::int64_t width, std::int64_t tokens, bool inDouble) {
    const std::int64_t before = std::max(kLegacyTable, tokens) - tokens;
    return tableOf(reach, width, inDouble, [&](std::int64_t offset) -> std::optional<std::int64_t> {
        if (offset == -1)
            return std::nullopt;
        return before + (offset >= 0 ? offset : tokens + 1 + offset);
    });
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

at::Tensor relativeLegacyBandScores(const at::Tensor& q, const RelativeTerms& terms) {
    const std::int64_t reach = terms.positions.size(1) / 2, queries = q.size(2), later = std::max<std::int64_t>(reach - 1, 0);
    const auto scores = [&](const at::Tensor& queriesOf, std::int64_t first, std::int64_t count) {
        return at::matmul(queriesOf.add(terms.positionBias), terms.positions.narrow(1, first, count).transpose(1, 2));
    };
    const at::Tensor earlier = scores(q, 0, reach + 1); // [batch, head, query, reach + 1]
    if (reach == 0)
        return earlier;
    // The query behind each; behind the last one there is no key, so any vector will do.
    const at::Tensor next = at::cat({q.narrow(2, 1, queries - 1), q.narrow(2, queries - 1, 1)}, 2);
    const at::Tensor none = at::zeros({earlier.size(0), earlier.size(1), queries, 1}, earlier.options());
    return at::cat({earlier, none, scores(next, reach + 2, later)}, 3);
}

at::Tensor relativeShifted(const at::Tensor& scores) {
    const std::int64_t tokens = scores.size(2);
    const at::Tensor byOffset = scores.contiguous(); // [batch, head, query, offset]
    // Row i begins at offset column token − 1 − i: in memory one step less than a row further each time.
    return byOffset.as_strided({scores.size(0), scores.size(1), tokens, tokens},
                               {byOffset.stride(0), byOffset.stride(1), 2 * tokens - 2, 1}, tokens - 1);
}

at::Tensor relativeScores(const at::Tensor& q, const RelativeTerms& terms) {
    return relativeShifted(relativeBandScores(q, terms));
}

} // namespace headroom::models
