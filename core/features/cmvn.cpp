// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/features.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom {

void applyUtteranceCmvn(Matrix<float>& features) {
    const std::size_t frames = features.rows();
    const std::size_t bins = features.columns();
    if (frames == 0)
        return;
    // Two passes: E[x²] − mean² loses what a quiet bin has.
    std::vector<double> mean(bins);
    std::vector<double> variance(bins);
    for (std::size_t f = 0; f < frames; ++f)
        for (std::size_t b = 0; b < bins; ++b)
            mean[b] += features(f, b);
    for (double& value : mean)
        value /= static_cast<double>(frames);
    for (std::size_t f = 0; f < frames; ++f)
        for (std::size_t b = 0; b < bins; ++b) {
            const double distance = features(f, b) - mean[b];
            variance[b] += distance * distance;
        }
    for (double& value : variance)
        value = 1 / std::sqrt(std::max(value / static_cast<double>(frames), 1e-10));
    for (std::size_t f = 0; f < frames; ++f)
        for (std::size_t b = 0; b < bins; ++b)
            features(f, b) = static_cast<float>((features(f, b) - mean[b]) * variance[b]);
}

Matrix<float> modelFeatures(std::span<const float> samples) {
    Matrix<float> features = LogMelFilterbank().compute(samples);
    applyUtteranceCmvn(features);
    return features;
}

} // namespace headroom
