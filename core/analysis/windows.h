// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"

#include <cstdint>

namespace headroom {

/// Which statistic of Algorithm 1 (Alastruey et al. 2022) is recorded per utterance.
enum class WindowStatistic {
    TableCompatible, ///< 2·i_last, the only reading consistent with the 36 published rows
    AsPrinted,       ///< 2·i_last + 1
};

struct WindowSearchSettings {
    double threshold = 0.01;    ///< t: a diagonal counts while its mean is strictly above t
    double patienceShare = 0.1; ///< stop after this share of N consecutive failed offsets (N/10)
    WindowStatistic statistic = WindowStatistic::TableCompatible;
};

/// Algorithm 1 on one utterance and layer. Goes through offsets i = 0, 1, 2 …; an offset passes if the mean
/// of its super- or sub-diagonal is above the threshold; stops after N/10 consecutive failures. Returns
/// 2·i_last (or 2·i_last + 1); 0 for an empty profile. The rows of the map must sum to 1.
std::int64_t windowStatistic(const DiagonalProfile& profile, const WindowSearchSettings& settings = {});

/// Returns the window of a layer from mean and standard deviation of the statistic over utterances: ⌈μ + σ⌉,
/// rounded up to an odd number, at least 1. Alastruey et al. 2022, §4.1. Reproduces the 36 published windows
/// from the published μ and σ.
std::int64_t windowFromStatistic(double mean, double standardDeviation);

/// Layers whose suggested window would lose more than this stay full. The value separates all 36 published
/// rows as the authors did (Alastruey et al. 2022, Tables 1, 3, 4).
inline constexpr double kFullAboveLoss = 0.25;

} // namespace headroom
