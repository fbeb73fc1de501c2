// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matrix/diagonal_profile.h"

#include <numeric>
#include <stdexcept>
#include <string>

namespace headroom {

namespace {

template <class T>
std::vector<double> sumsAlongDiagonals(MatrixView<const T> matrix) {
    if (matrix.rows() != matrix.columns())
        throw std::invalid_argument("A diagonal profile needs a square matrix, not " +
                                    std::to_string(matrix.rows()) + " x " + std::to_string(matrix.columns()) +
                                    ".");
    const std::size_t side = matrix.rows();
    if (side == 0)
        return {};
    std::vector<double> sums(2 * side - 1, 0.0);
    // Row i adds its elements, in order, to the run of sums that begins at offset −i: both are read in memory
    // order.
    for (std::size_t i = 0; i < side; ++i) {
        const T* row = matrix.data() + i * side;
        double* run = sums.data() + (side - 1 - i);
        for (std::size_t j = 0; j < side; ++j)
            run[j] += static_cast<double>(row[j]);
    }
    return sums;
}

} // namespace

DiagonalProfile::DiagonalProfile(MatrixView<const float> matrix) : m_sums(sumsAlongDiagonals(matrix)) {}

DiagonalProfile::DiagonalProfile(MatrixView<const double> matrix) : m_sums(sumsAlongDiagonals(matrix)) {}

DiagonalProfile::DiagonalProfile(std::vector<double> sums) : m_sums(std::move(sums)) {
    if (!m_sums.empty() && m_sums.size() % 2 == 0)
        throw std::invalid_argument("A diagonal profile holds 2N - 1 sums, not " +
                                    std::to_string(m_sums.size()) + ".");
}

double DiagonalProfile::at(std::int64_t offset) const {
    const std::int64_t side = size();
    if (offset <= -side || offset >= side)
        return 0;
    return m_sums[static_cast<std::size_t>(offset + side - 1)];
}

double DiagonalProfile::mean(std::int64_t offset) const {
    const std::int64_t length = size() - (offset < 0 ? -offset : offset);
    return length > 0 ? at(offset) / static_cast<double>(length) : 0;
}

double DiagonalProfile::total() const {
    return std::accumulate(m_sums.begin(), m_sums.end(), 0.0);
}

} // namespace headroom
