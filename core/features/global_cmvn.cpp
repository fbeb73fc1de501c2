// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/global_cmvn.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace headroom {

void applyGlobalCmvn(Matrix<float>& features, const GlobalCmvn& cmvn) {
    if (features.columns() != cmvn.mean.size() || features.columns() != cmvn.deviation.size())
        throw std::invalid_argument("CMVN of another number of bins");
    for (std::size_t frame = 0; frame < features.rows(); ++frame) {
        const auto row = features.row(frame);
        for (std::size_t bin = 0; bin < row.size(); ++bin)
            row[bin] =
                static_cast<float>((static_cast<double>(row[bin]) - cmvn.mean[bin]) / cmvn.deviation[bin]);
    }
}

void CmvnSums::add(MatrixView<const float> features) {
    m_sums.resize(std::max(m_sums.size(), features.columns()));
    m_squares.resize(m_sums.size());
    for (std::size_t frame = 0; frame < features.rows(); ++frame) {
        const auto row = features.row(frame);
        for (std::size_t bin = 0; bin < row.size(); ++bin) {
            const auto value = static_cast<double>(row[bin]);
            m_sums[bin] += value;
            m_squares[bin] += value * value;
        }
    }
    m_frames += static_cast<std::int64_t>(features.rows());
}

void CmvnSums::add(const CmvnSums& other) {
    m_sums.resize(std::max(m_sums.size(), other.m_sums.size()));
    m_squares.resize(m_sums.size());
    for (std::size_t bin = 0; bin < other.m_sums.size(); ++bin) {
        m_sums[bin] += other.m_sums[bin];
        m_squares[bin] += other.m_squares[bin];
    }
    m_frames += other.m_frames;
}

GlobalCmvn CmvnSums::result() const {
    if (m_frames == 0)
        throw std::logic_error("CMVN of no frames");
    constexpr double kFloor = 1e-20;
    const auto count = static_cast<double>(m_frames);
    GlobalCmvn cmvn;
    for (std::size_t bin = 0; bin < m_sums.size(); ++bin) {
        const double mean = m_sums[bin] / count;
        cmvn.mean.push_back(mean);
        cmvn.deviation.push_back(std::sqrt(std::max(m_squares[bin] / count - mean * mean, kFloor)));
    }
    return cmvn;
}

} // namespace headroom
