// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/head_metrics.h"

#include "core/analysis/diagonality.h"
#include "core/matrix/diagonal_profile.h"

namespace headroom {

SilentTokens::SilentTokens(std::span<const int> phones)
    : m_flags(std::make_unique<bool[]>(phones.size()))
    , m_size(phones.size()) {
    for (std::size_t token = 0; token < phones.size(); ++token)
        m_flags[token] = phones[token] == kSilenceClass;
}

HeadMetrics headMetrics(MatrixView<const float> map, MapKeys keys, std::span<const bool> silent,
                        const SpokenTokens* spoken) {
    HeadMetrics metrics;
    if (map.empty())
        return metrics;
    if (keys == MapKeys::Compressed) {
        metrics.statistics = attentionStatistics(map);
        metrics.statistics.meanDistance = NAN; // one token has as many keys: the map is square by chance
        return metrics;
    }
    metrics.statistics = attentionStatistics(map, silent);
    const Matrix<float> speech = spoken ? withoutEmptyRows(spokenMap(map, *spoken)) : Matrix<float>();
    const DiagonalProfile profile(spoken ? speech.view() : map);
    if (profile.empty() || !(profile.total() > 0))
        return metrics;
    metrics.cad = cumulativeAttentionDiagonality(profile);
    metrics.curve = attentionDiagonalityCurve(profile);
    return metrics;
}

} // namespace headroom
