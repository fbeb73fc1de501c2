// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mixing/value_zeroing.h"

#include "models/mixing/block_measures.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <vector>

namespace headroom::models {
namespace {

struct RowRange {
    std::int64_t first = 0, end = 0;
};

/// The rows that may see a token of the unit.
RowRange rowsOf(const TokenUnit& unit, std::int64_t reach, std::int64_t queries) {
    return {std::max<std::int64_t>(0, unit.first - reach), std::min(queries, unit.end + reach)};
}

/// y / ‖y‖; a vector of zeros stays.
at::Tensor directions(const at::Tensor& y) {
    const at::Tensor norms = y.norm(2, -1, true);
    return y.div(norms.masked_fill(norms.eq(0), 1));
}

/// Writes a_i − Σ_{j ∈ S} Σ_v maps^v_ij u^v_j of these rows to `place` [row, width].
void withoutUnit(const BlockTerms& terms, const at::Tensor& output, const TokenUnit& unit, const RowRange& rows,
                 at::Tensor place) {
    const std::int64_t tokens = unit.end - unit.first, count = rows.end - rows.first;
    const std::int64_t heads = terms.maps.size(0), width = output.size(1);
    const at::Tensor weights = terms.maps.narrow(1, rows.first, count)
                                   .narrow(2, unit.first, tokens)
                                   .permute({1, 0, 2})
                                   .reshape({count, heads * tokens}); // [row, head · token]
    const at::Tensor vectors = terms.transformed(unit.first, tokens).view({heads * tokens, width});
    at::addmm_out(place, output.narrow(0, rows.first, count), weights, vectors, 1, -1);
}

} // namespace

at::Tensor valueZeroingDistances(const BlockTerms& terms, const at::Tensor& output, const RestOfLayer& rest,
                                 std::span<const TokenUnit> units, const CancelFlag* cancel,
                                 std::int64_t batchTokens) {
    const std::int64_t queries = output.size(0), width = output.size(1);
    const std::int64_t reach = rest.tokenwise ? terms.reach : queries;
    const at::Tensor truth = directions(rest.compute(output.unsqueeze(0)).squeeze(0)); // [query, width]
    at::Tensor distances = at::zeros({queries, static_cast<std::int64_t>(units.size())}, output.options());
    std::size_t next = 0;
    while (next < units.size()) {
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw Cancelled();
        // As many units as fit: tokenwise, their rows stand one behind the other; otherwise each is a recording.
        std::vector<RowRange> rows;
        std::int64_t total = 0;
        const std::size_t first = next;
        while (next < units.size()) {
            const RowRange own = rowsOf(units[next], reach, queries);
            if (!rows.empty() && total + own.end - own.first > batchTokens)
                break;
            rows.push_back(own);
            total += own.end - own.first;
            ++next;
        }
        at::Tensor changed = at::empty({total, width}, output.options());
        std::int64_t at = 0;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const std::int64_t count = rows[k].end - rows[k].first;
            withoutUnit(terms, output, units[first + k], rows[k], changed.narrow(0, at, count));
            at += count;
        }
        const at::Tensor batch = rest.tokenwise ? changed.unsqueeze(0) : changed.view({-1, queries, width});
        const at::Tensor moved = directions(rest.compute(batch).reshape({total, width}));
        at = 0;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const std::int64_t count = rows[k].end - rows[k].first;
            const at::Tensor apart =
                moved.narrow(0, at, count).sub(truth.narrow(0, rows[k].first, count)).square_().sum(-1);
            distances.select(1, static_cast<std::int64_t>(first + k))
                .narrow(0, rows[k].first, count)
                .copy_(apart.mul_(0.5));
            at += count;
        }
    }
    return distances;
}

at::Tensor pooledDistances(const at::Tensor& distances, std::span<const TokenUnit> units, UnitPooling pooling) {
    const auto count = static_cast<std::int64_t>(units.size());
    at::Tensor pooled = at::empty({count, distances.size(1)}, distances.options());
    for (std::int64_t u = 0; u < count; ++u) {
        const TokenUnit& unit = units[static_cast<std::size_t>(u)];
        const at::Tensor own = distances.narrow(0, unit.first, unit.end - unit.first);
        pooled.select(0, u).copy_(pooling == UnitPooling::Mean ? own.mean(0) : own.amax(0));
    }
    return normaliseRows(pooled);
}

} // namespace headroom::models
