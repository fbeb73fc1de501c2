// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <vector>

namespace headroom {

/// Global CMVN: mean and standard deviation of each bin over the frames of the training data. A value, stored
/// with the model.
struct GlobalCmvn {
    std::vector<double> mean, deviation; ///< one number per bin; deviation > 0
    bool operator==(const GlobalCmvn&) const = default;
};

/// (x − mean) / deviation for each bin, in place. [frames, bins]; as many bins as numbers, otherwise
/// std::invalid_argument.
void applyGlobalCmvn(Matrix<float>& features, const GlobalCmvn& cmvn);

/// Collects the statistics: sums of x and x² in double, as Kaldi's compute-cmvn-stats. Not thread-safe.
class CmvnSums {
public:
    void add(MatrixView<const float> features); ///< [frames, bins]
    void add(const CmvnSums& other);
    std::int64_t frames() const { return m_frames; }
    /// deviation = √max(E[x²] − mean², 1e-20), population variance. Throws std::logic_error without frames.
    GlobalCmvn result() const;

private:
    std::int64_t m_frames = 0;
    std::vector<double> m_sums, m_squares;
};

} // namespace headroom
