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

// Phone attention relation (PAR) of an attention map. Shim et al. 2022, §4, Eq. 4–6. Pure; safe from every
// thread.

/// What is said at each token: the class (phones.h) of the interval that contains the token's centre;
/// kSilenceClass for silence, for labels that are silence, and outside all intervals; kUnknownPhone for a
/// label that is no ARPABET phone. An interval holds its start, not its end; one without a length holds
/// nothing. `phones` in order of their starts, not overlapping.
inline constexpr int kUnknownPhone = -1;
std::vector<int> tokenPhones(std::span<const Interval> phones, const TokenClock& clock, std::int64_t tokens);
/// The same, with labels as `map` reads them: what it leaves out or does not know is kUnknownPhone.
std::vector<int> tokenPhones(std::span<const Interval> phones, const PhoneMap& map, const TokenClock& clock,
                             std::int64_t tokens);

/// The tokens that count: silence and unknown labels taken out, rows and columns alike. Choice: T and all
/// distances are those of the sequence that is left; contiguity is judged on the whole sequence (silence
/// breaks a run).
struct SpokenTokens {
    std::vector<std::int64_t> tokens; ///< kept, ascending, in the whole sequence
    std::vector<int> classes;         ///< 0 … 35, one per kept token
    std::vector<int> runs;            ///< number of the contiguous run of one class, one per kept token
    std::int64_t size() const { return static_cast<std::int64_t>(tokens.size()); } ///< T
};
SpokenTokens spokenTokens(std::span<const int> phones);

/// The map without silence, rows made to sum to 1 again (a row without weight on speech becomes NaN). Also
/// the map that CAD is taken of (Shim et al. 2022, §4). [T, T].
Matrix<float> spokenMap(MatrixView<const float> map, const SpokenTokens& spoken);
/// Rows of NaN as zeros: one row without weight on speech would make the whole diagonal profile NaN, and with
/// it CAD. Such a row then counts nothing.
Matrix<float> withoutEmptyRows(Matrix<float> map);

/// The last layer of the lower half, from 0; of an odd number the middle one is in it. Shim et al. 2022, §4,
/// take 1 to 8 of 16.
constexpr std::int64_t lastOfLowerHalf(std::int64_t layers) {
    return (layers + 1) / 2 - 1;
}

/// PAR of one map, [36, 36], row p attends column q; NaN where undefined:
///   P[p, q] = T / (|C_p| |C_q|) · Σ_{i ∈ C_p, j ∈ C_q} A_ij        (Eq. 4, p ≠ q)
///   P[p, p] = mean over i ∈ C_p of T / |C_p ∖ E(i)| · Σ_{j ∈ C_p ∖ E(i)} A_ij   (Eq. 5)
/// E(i) is the contiguous run that holds i; an i whose class has no other run is skipped, and where no i is
/// left the diagonal is undefined. A uniform map gives 1 for every defined pair. `map` is the whole one,
/// [N, N]; silence is left out and rows are renormalised here. Rows without weight on speech (or of NaN) are
/// skipped and not counted in |C_p|. O(T²). Throws std::invalid_argument for a map that is not square or has
/// fewer rows than the tokens of `spoken`; so does spokenMap.
Matrix<double> phoneAttention(MatrixView<const float> map, const SpokenTokens& spoken);

/// Mean over several, and in how many each pair is defined; NaN where in none.
class PhoneAttentionMean {
public:
    PhoneAttentionMean();
    void add(const Matrix<double>& par);
    Matrix<double> mean() const;
    const Matrix<std::int32_t>& counts() const { return m_counts; }

private:
    Matrix<double> m_sums;
    Matrix<std::int32_t> m_counts;
};

/// PAR coverage, Eq. 6: mean over rows p of the mean of min(P[p, q] / R[p, q], 1) over the 10 columns q with
/// the largest defined R[p, q]. Of these, cells that P leaves undefined are skipped. Both numbers are at
/// least 1e-12, so that nothing is wholly covered by nothing. Rows without a defined cell do not count; NaN
/// where none is left.
double phoneAttentionCoverage(const Matrix<double>& par, const Matrix<double>& reference, int largest = 10);
/// The coverage of the mean of the first l maps, l = 1 … L (cell by cell over those that define it).
std::vector<double> accumulatedCoverage(std::span<const Matrix<double>> layers,
                                        const Matrix<double>& reference, int largest = 10);

} // namespace headroom
