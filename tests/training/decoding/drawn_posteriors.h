// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "training/decoding/log_sum.h"

#include <cstdint>

namespace headroom::testing {

/// ln P [frame, label], drawn; every frame's P sum to 1.
inline Matrix<double> drawnPosteriors(std::size_t frames, std::size_t labels, unsigned seed) {
    using namespace headroom::training;
    Matrix<double> logP(frames, labels);
    std::uint64_t state = seed;
    for (std::size_t t = 0; t < frames; ++t) {
        double sum = kLogZero;
        for (double& value : logP.row(t)) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            value = static_cast<double>(state >> 40) / (1 << 22) - 2;
            sum = logSum(sum, value);
        }
        for (double& value : logP.row(t))
            value -= sum;
    }
    return logP;
}

} // namespace headroom::testing
