// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/attention_statistics.h"
#include "core/analysis/phone_attention.h"
#include "core/matrix/matrix.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace headroom {

// The metrics of one attention head on one utterance, computed here for the window and for studies. Pure;
// thread-safe.

/// Which tokens are silent, as attentionStatistics takes them (a std::vector<bool> has no span). Movable.
class SilentTokens {
public:
    SilentTokens() = default; ///< not known
    /// `phones`: one class per token (tokenPhones).
    explicit SilentTokens(std::span<const int> phones);
    std::span<const bool> span() const { return {m_flags.get(), m_size}; }

private:
    std::unique_ptr<bool[]> m_flags;
    std::size_t m_size = 0;
};

struct HeadMetrics {
    /// Of the map as it is. Over compressed keys: entropy and maximum over these keys, and no distance.
    AttentionStatistics statistics{NAN, NAN, NAN, NAN};
    /// CAD; NaN over compressed keys, and if no row has weight on the tokens that count.
    double cad = NAN;
    std::vector<double> curve; ///< D(r) at 101 nodes; empty if `cad` is NaN
};

/// What the columns of a map are.
enum class MapKeys { AllTokens, Compressed };

/// `map`: [N, keys], rows sum to 1; empty: everything is NaN. `silent`: one per token, or empty if not known;
/// ignored over compressed keys, because it is not known which of them are silent. `spoken`: CAD and its curve
/// are those of the map without silence (spokenMap; rows without weight on speech count nothing); null: of the
/// whole map. O(N²).
HeadMetrics headMetrics(MatrixView<const float> map, MapKeys keys, std::span<const bool> silent,
                        const SpokenTokens* spoken);

} // namespace headroom
