// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/distance_pairs.h"

#include <cstdlib>

namespace headroom {

std::vector<DistancePair> strongestByDistance(MatrixView<const float> map) {
    const auto size = static_cast<std::int64_t>(map.rows());
    std::vector<DistancePair> strongest(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
        const auto row = map.row(static_cast<std::size_t>(i));
        for (std::int64_t j = 0; j < size; ++j) {
            const double value = static_cast<double>(row[static_cast<std::size_t>(j)]);
            DistancePair& best = strongest[static_cast<std::size_t>(std::abs(i - j))];
            if (value > best.value)
                best = {i, j, value};
        }
    }
    return strongest;
}

std::vector<DistancePair> strongestByDistance(std::span<const double> values, std::span<const double> queries) {
    const auto size = (static_cast<std::int64_t>(values.size()) + 1) / 2;
    std::vector<DistancePair> strongest(static_cast<std::size_t>(size));
    for (std::int64_t distance = 0; distance < size; ++distance) {
        DistancePair& best = strongest[static_cast<std::size_t>(distance)];
        for (const std::int64_t offset : {-distance, distance}) { // of one query, the earlier key first
            const auto place = static_cast<std::size_t>(offset + size - 1);
            const auto query = static_cast<std::int64_t>(queries[place]);
            if (values[place] > best.value || (values[place] > 0 && values[place] == best.value && query < best.query))
                best = {query, query + offset, values[place]};
        }
    }
    return strongest;
}

} // namespace headroom
