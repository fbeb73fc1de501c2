// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/ranks.h"

#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace headroom {

std::vector<double> averageRanks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        const double shared = (static_cast<double>(first + 1) + static_cast<double>(end)) / 2;
        for (; first < end; ++first)
            ranks[order[first]] = shared;
    }
    return ranks;
}

double correlation(std::span<const double> a, std::span<const double> b) {
    if (a.size() != b.size())
        throw std::invalid_argument("correlation: lists of different lengths");
    if (a.size() < 2)
        return kUndefined;
    const auto n = static_cast<double>(a.size());
    const double meanA = std::accumulate(a.begin(), a.end(), 0.0) / n,
                 meanB = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double product = 0, squareA = 0, squareB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += (a[i] - meanA) * (b[i] - meanB);
        squareA += (a[i] - meanA) * (a[i] - meanA);
        squareB += (b[i] - meanB) * (b[i] - meanB);
    }
    if (squareA == 0 || squareB == 0)
        return kUndefined;
    return std::clamp(product / std::sqrt(squareA * squareB), -1.0, 1.0);
}

double spearman(std::span<const double> a, std::span<const double> b) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(a.begin(), a.end(), finite) || !std::all_of(b.begin(), b.end(), finite))
        return kUndefined;
    return correlation(averageRanks(a), averageRanks(b));
}

} // namespace headroom
