// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace headroom {

namespace {

/// What lies inside |i − j| ≤ half for half = 0 … N−1, summed outwards. The last element is the total, so
/// that shares of it never pass 1 by rounding and end at exactly 1.
std::vector<double> insideHalfWidths(const DiagonalProfile& profile) {
    std::vector<double> inside(static_cast<std::size_t>(profile.size()));
    double sum = 0;
    for (std::size_t half = 0; half < inside.size(); ++half) {
        const auto offset = static_cast<std::int64_t>(half);
        sum += half == 0 ? profile.at(0) : profile.at(offset) + profile.at(-offset);
        inside[half] = sum;
    }
    return inside;
}

/// E|i − j|, weighted by the map.
double meanDistance(const DiagonalProfile& profile) {
    double sum = 0, total = profile.at(0);
    for (std::int64_t offset = 1; offset < profile.size(); ++offset) {
        const double both = profile.at(offset) + profile.at(-offset);
        sum += static_cast<double>(offset) * both;
        total += both;
    }
    return sum / total;
}

} // namespace

double diagonality(const DiagonalProfile& profile, std::int64_t window) {
    if (window < 1)
        throw std::invalid_argument("A window is at least 1 token wide, not " + std::to_string(window) + ".");
    if (profile.empty())
        return kUndefined;
    const auto inside = insideHalfWidths(profile);
    return inside[static_cast<std::size_t>(std::min(window / 2, profile.size() - 1))] / inside.back();
}

std::vector<double> cumulativeDiagonality(const DiagonalProfile& profile) {
    const auto inside = insideHalfWidths(profile);
    std::vector<double> result(2 * inside.size());
    for (std::size_t index = 0; index < result.size(); ++index) // result[index] is D(index + 1)
        result[index] = inside[std::min((index + 1) / 2, inside.size() - 1)] / inside.back();
    return result;
}

double contributionLoss(const DiagonalProfile& profile, std::int64_t window) {
    return 1 - diagonality(profile, window);
}

double cumulativeContributionDiagonality(const DiagonalProfile& profile) {
    if (profile.empty())
        return kUndefined;
    const auto side = static_cast<double>(profile.size());
    const double elsewhere = 1 - diagonality(profile, 1);
    return 1 - meanDistance(profile) / side + elsewhere / (2 * side);
}

double cumulativeContributionDiagonalityTrapezoid(const DiagonalProfile& profile) {
    if (profile.empty())
        return kUndefined;
    // The rule gives the two ends half weight: mean · 2N, less half of D(1) and of D(2N) = 1.
    const auto count = 2 * static_cast<double>(profile.size());
    const double ends = (diagonality(profile, 1) + 1) / 2;
    return (cumulativeContributionDiagonality(profile) * count - ends) / (count - 1);
}

double cumulativeAttentionDiagonality(const DiagonalProfile& profile) {
    if (profile.empty())
        return kUndefined;
    if (profile.size() == 1)
        return profile.at(0) / profile.at(0); // 1, or NaN for a map without a number
    return 1 - meanDistance(profile) / static_cast<double>(profile.size() - 1);
}

double cumulativeAttentionDiagonalityTrapezoid(const DiagonalProfile& profile) {
    const double exact = cumulativeAttentionDiagonality(profile);
    if (profile.size() <= 1)
        return exact;
    return exact + (1 - diagonality(profile, 1)) / (2 * static_cast<double>(profile.size() - 1));
}

} // namespace headroom
