// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "widgets/matrix/matrix_mapping.h"

#include <QPainterPath>
#include <QPolygonF>

#include <vector>

namespace headroom::widgets {

/// The keys a query sees under a window. Window 0: no limit; full, unless the heads are masked.
struct BandShape {
    enum class Kind {
        Centred, ///< odd w: ⌊w/2⌋ tokens on each side
        Masked,  ///< odd w: the query itself and ⌊w/2⌋ earlier tokens; 0: all earlier ones
        Block,   ///< blocks of b = ⌊w/3⌋ (at least 1): the query's own block and its two neighbours
    };
    Kind kind = Kind::Centred;
    int window = 0;

    bool full() const { return window <= 0 && kind != Kind::Masked; }
    int block() const { return window / 3 > 1 ? window / 3 : 1; }
    /// Tokens on each side of a centred window.
    int reach() const { return window / 2; }
    /// Returns the keys [first, last) that this query sees among `tokens`.
    std::pair<std::int64_t, std::int64_t> keysOf(std::int64_t query, std::int64_t tokens) const;
    bool operator==(const BandShape&) const = default;
};

/// The two edges of a band on screen, in the mapping's pixels: straight lines through cell corners if
/// centred or masked, stairs if block-local. Empty if the window is full or covers everything.
struct BandEdges {
    QPolygonF upper; ///< keys after the query: right of the diagonal
    QPolygonF lower; ///< keys before the query
    bool empty() const { return upper.isEmpty(); }
    double distance(QPointF point) const; ///< to the nearer edge; infinite if empty
};
BandEdges bandEdges(const MatrixMapping& mapping, const BandShape& shape);
/// Returns the area of the band, for clipping and dimming.
QPainterPath bandArea(const MatrixMapping& mapping, const BandShape& shape);

/// CL of block windows, which the diagonal profile cannot provide: row prefix sums of the matrix, O(N) per
/// window. Immutable; safe on every thread.
class BlockLoss {
public:
    BlockLoss() = default;
    explicit BlockLoss(MatrixView<const float> matrix);
    bool empty() const { return m_prefix.empty(); }
    /// Returns the share of the map outside the block window; NaN if empty.
    double loss(const BandShape& shape) const;

private:
    Matrix<double> m_prefix; // N × (N + 1)
};

} // namespace headroom::widgets
