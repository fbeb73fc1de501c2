// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

// Phone attention relation (PAR) of an attention map. Shim et al. 2022, §4, Eq. 4–6. Pure; safe on every
// thread.

/// Returns the phone class of each token: the class (phones.h) of the interval that contains the token's
/// centre.
/// - kSilenceClass for labels of silence and outside all intervals; kUnknownPhone for a label that is not an
///   ARPABET phone.
/// - An interval includes its start but not its end; a zero-length interval contains nothing.
/// - `phones` are ordered by start and do not overlap.
inline constexpr int kUnknownPhone = -1;
std::vector<int> tokenPhones(std::span<const Interval> phones, const TokenClock& clock, std::int64_t tokens);
/// The same with the classes of `map`; ignored and unknown labels are kUnknownPhone.
std::vector<int> tokenPhones(std::span<const Interval> phones, const PhoneMap& map, const TokenClock& clock,
                             std::int64_t tokens);

/// The tokens that count: silence and unknown labels are removed from rows and columns. T and all distances
/// are those of the remaining sequence, but runs are determined on the whole sequence (silence breaks a run).
struct SpokenTokens {
    std::vector<std::int64_t> tokens; ///< kept token indices in the whole sequence, ascending
    std::vector<int> classes;         ///< 0 … 35, one per kept token
    std::vector<int> runs;            ///< number of the contiguous run of one class, one per kept token
    std::int64_t size() const { return static_cast<std::int64_t>(tokens.size()); } ///< T
};
SpokenTokens spokenTokens(std::span<const int> phones);

/// Returns the map without silence, [T, T], with rows renormalised (a row without weight on speech becomes
/// NaN). CAD is computed on this map too (Shim et al. 2022, §4).
Matrix<float> spokenMap(MatrixView<const float> map, const SpokenTokens& spoken);
/// Replaces rows of NaN by zeros. Otherwise one row without weight on speech would make the whole diagonal
/// profile, and CAD, NaN. Such a row does not count.
Matrix<float> withoutEmptyRows(Matrix<float> map);

/// Returns the last layer of the lower half, from 0. With an odd number of layers the middle one belongs to
/// it. Shim et al. 2022, §4, use layers 1 to 8 of 16.
constexpr std::int64_t lastOfLowerHalf(std::int64_t layers) {
    return (layers + 1) / 2 - 1;
}

/// PAR of one map, [36, 36], row p attends column q; NaN where undefined:
///   P[p, q] = T / (|C_p| |C_q|) · Σ_{i ∈ C_p, j ∈ C_q} A_ij        (Eq. 4, p ≠ q)
///   P[p, p] = mean over i ∈ C_p of T / |C_p ∖ E(i)| · Σ_{j ∈ C_p ∖ E(i)} A_ij   (Eq. 5)
/// E(i) is the contiguous run that contains i. An i whose class has no other run is skipped; if none is left,
/// the diagonal is undefined. A uniform map gives 1 for every defined pair.
/// - `map`: the whole map, [N, N]. Silence is removed and rows are renormalised here.
/// - Rows without weight on speech (or of NaN) are skipped and not counted in |C_p|.
/// - O(T²). Throws std::invalid_argument for a map that is not square or has fewer rows than the tokens of
///   `spoken`; so does spokenMap.
Matrix<double> phoneAttention(MatrixView<const float> map, const SpokenTokens& spoken);

/// The mean of several maps, cell by cell over those that define it.
class PhoneAttentionMean {
public:
    PhoneAttentionMean();
    void add(const Matrix<double>& par); ///< [36, 36], every cell with weight 1
    /// One cell of one map. NaN is left out; `weight` > 0.
    void add(std::size_t p, std::size_t q, double value, double weight = 1);
    Matrix<double> mean() const;                                      ///< NaN if a cell is defined in none
    const Matrix<std::int32_t>& counts() const { return m_counts; } ///< maps that define the cell

private:
    Matrix<double> m_sums, m_weights;
    Matrix<std::int32_t> m_counts;
};
/// The same of whole maps; empty ones (heads without an N × N map) are left out. Empty if none is left.
Matrix<double> meanPhoneAttention(std::span<const Matrix<double>> maps);

/// PAR coverage, Eq. 6: mean over rows p of the mean of min(P[p, q] / R[p, q], 1) over the 10 columns q with
/// the largest defined R[p, q]. Cells that P leaves undefined are skipped. Both values are at least 1e-12,
/// which avoids 0/0. Rows without a defined cell do not count; NaN if no row is left.
double phoneAttentionCoverage(const Matrix<double>& par, const Matrix<double>& reference, int largest = 10);
/// Returns the coverage of the mean of the first l maps, l = 1 … L (each cell over the maps that define it).
std::vector<double> accumulatedCoverage(std::span<const Matrix<double>> layers,
                                        const Matrix<double>& reference, int largest = 10);

} // namespace headroom
