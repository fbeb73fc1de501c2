// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/token_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom {

namespace {

void standardiseOverRows(Matrix<float>& map) {
    const auto rows = static_cast<double>(map.rows());
    for (std::size_t key = 0; key < map.columns(); ++key) {
        double mean = 0, squares = 0;
        for (std::size_t row = 0; row < map.rows(); ++row)
            mean += static_cast<double>(map(row, key)) / rows;
        for (std::size_t row = 0; row < map.rows(); ++row)
            squares += std::pow(static_cast<double>(map(row, key)) - mean, 2);
        const double deviation = std::sqrt(squares / rows);
        for (std::size_t row = 0; row < map.rows(); ++row) // a key that all rows see alike says nothing
            map(row, key) = deviation > 0
                                ? static_cast<float>((static_cast<double>(map(row, key)) - mean) / deviation)
                                : 0.0F;
    }
}

void medianAlongKeys(Matrix<float>& map, int width) {
    const auto keys = static_cast<std::int64_t>(map.columns()), half = std::int64_t(width / 2);
    if (keys <= half) // too short to be mirrored; the library leaves it, too
        return;
    std::vector<float> around(static_cast<std::size_t>(width)), row(map.columns());
    for (std::size_t r = 0; r < map.rows(); ++r) {
        std::ranges::copy(map.row(r), row.begin());
        for (std::int64_t key = 0; key < keys; ++key) {
            for (std::int64_t i = 0; i < width; ++i) {
                std::int64_t at = std::abs(key + i - half);
                at = at < keys ? at : 2 * (keys - 1) - at;
                around[static_cast<std::size_t>(i)] = row[static_cast<std::size_t>(at)];
            }
            std::nth_element(around.begin(), around.begin() + half, around.end());
            map(r, static_cast<std::size_t>(key)) = around[static_cast<std::size_t>(half)];
        }
    }
}

/// cost(i, j) = −m(i, j) + the least of what lies before: diagonally only if strictly smallest, then up (the
/// row before) only if strictly smallest, else left (the key before).
std::vector<std::int64_t> warped(const Matrix<double>& mean) {
    enum : char { Diagonal, Up, Left };
    const std::size_t rows = mean.rows(), keys = mean.columns();
    Matrix<double> cost(rows + 1, keys + 1, std::numeric_limits<double>::infinity());
    Matrix<char> from(rows + 1, keys + 1, Left);
    cost(0, 0) = 0;
    for (std::size_t j = 1; j <= keys; ++j)
        for (std::size_t i = 1; i <= rows; ++i) {
            const double diagonal = cost(i - 1, j - 1), up = cost(i - 1, j), left = cost(i, j - 1);
            const char step = diagonal < up && diagonal < left ? Diagonal
                              : up < diagonal && up < left     ? Up
                                                               : Left;
            const double least = step == Diagonal ? diagonal : step == Up ? up : left;
            cost(i, j) = least - mean(i - 1, j - 1);
            from(i, j) = step;
        }
    std::vector<std::int64_t> first(rows, 0);
    for (std::size_t i = rows, j = keys; i > 0 && j > 0;) {
        first[i - 1] = static_cast<std::int64_t>(j) - 1;
        const char step = from(i, j);
        i -= step == Left ? 0 : 1;
        j -= step == Up ? 0 : 1;
    }
    return first;
}

} // namespace

std::vector<std::int64_t> firstKeysOfRows(const std::vector<Matrix<float>>& maps, int medianWidth) {
    if (maps.empty() || maps.front().empty())
        return {};
    Matrix<double> mean(maps.front().rows(), maps.front().columns());
    for (Matrix<float> map : maps) {
        standardiseOverRows(map);
        medianAlongKeys(map, medianWidth);
        for (std::size_t i = 0; i < mean.values().size(); ++i)
            mean.values()[i] += static_cast<double>(map.values()[i]) / static_cast<double>(maps.size());
    }
    return warped(mean);
}

} // namespace headroom
