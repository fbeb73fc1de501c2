// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/strongest_pairs.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace {

/// Calls `take(place of the key, pair)` for every pair of one query; places are indices of
/// `spoken.tokens`.
template <typename Take>
void forEachPair(MatrixView<const float> map, const SpokenTokens& spoken, std::size_t query, Take&& take) {
    if (static_cast<std::size_t>(spoken.tokens[query]) >= map.rows())
        return;
    const float* row = map.data() + static_cast<std::size_t>(spoken.tokens[query]) * map.columns();
    double total = 0;
    for (const std::int64_t token : spoken.tokens)
        total += static_cast<double>(row[token]);
    if (!(total > 0))
        return;
    const auto count = static_cast<double>(spoken.size());
    for (std::size_t key = 0; key < spoken.tokens.size(); ++key) {
        if (spoken.runs[key] == spoken.runs[query])
            continue;
        const double weight = static_cast<double>(row[spoken.tokens[key]]) / total;
        take(key, TokenPair{spoken.tokens[query], spoken.tokens[key], weight, weight * count});
    }
}

} // namespace

std::vector<TokenPair> strongestPairs(MatrixView<const float> map, const SpokenTokens& spoken, int attending,
                                      int attended, std::size_t most) {
    std::vector<TokenPair> pairs;
    for (std::size_t query = 0; query < spoken.tokens.size(); ++query)
        if (spoken.classes[query] == attending)
            forEachPair(map, spoken, query, [&](std::size_t key, const TokenPair& pair) {
                if (spoken.classes[key] == attended)
                    pairs.push_back(pair);
            });
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const TokenPair& a, const TokenPair& b) { return a.weight > b.weight; });
    pairs.resize(std::min(pairs.size(), most));
    return pairs;
}

Matrix<TokenPair> strongestPairs(MatrixView<const float> map, const SpokenTokens& spoken,
                                 const std::vector<int>& classes) {
    std::array<std::size_t, kPhoneClasses.size()> places{};
    for (std::size_t place = 0; place < classes.size(); ++place)
        places[static_cast<std::size_t>(classes[place])] = place;
    Matrix<TokenPair> strongest(classes.size(), classes.size(), TokenPair());
    for (std::size_t query = 0; query < spoken.tokens.size(); ++query) {
        const auto cells = strongest.row(places[static_cast<std::size_t>(spoken.classes[query])]);
        forEachPair(map, spoken, query, [&](std::size_t key, const TokenPair& pair) {
            TokenPair& cell = cells[places[static_cast<std::size_t>(spoken.classes[key])]];
            if (!(pair.weight <= cell.weight)) // NaN: none yet
                cell = pair;
        });
    }
    return strongest;
}

} // namespace headroom
