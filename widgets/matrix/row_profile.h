// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "widgets/matrix/band_shape.h"
#include "widgets/time_axis/time_lane.h"

#include <memory>

namespace headroom::widgets {

/// The row of the cursor's token as bars over key time: what the query attends to. Bars inside the window are
/// accent, outside grey; on the right the share of the row outside, whose tip says why there is none. Bars narrower than a pixel show their
/// maximum. Placed above the matrix on the same axis. Window's thread only.
class RowProfile : public TimeLane {
    Q_OBJECT

public:
    explicit RowProfile(QWidget* parent = nullptr);

    void setAxis(TimeAxis* axis) override;
    /// A square map; shared, not copied. Null: empty.
    void setMatrix(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock);
    void setPart(std::optional<TimeSpan> part); ///< of the sound, which the map is of; unset: all of it, or not known
    /// The map is a difference: bars start at a centre line, up if positive and down if negative.
    void setSigned(bool isSigned);
    /// Not `isOfAllHeads`: the heads have several windows, so that no share lies outside one.
    void setWindow(const BandShape& shape, bool isOfAllHeads = true);
    void setHideDiagonal(bool hide); ///< leaves the diagonal out of the scale; initially on

    std::optional<Tokens> row() const; ///< the cursor's token
    /// Returns the share of the row outside the window: 0 for full, NaN without a row or one window of all heads. The diagonal counts as
    /// inside.
    double outside() const;
    double scaleMaximum() const; ///< end of the lane: the row's largest bar, up or down, rounded up

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintLane(QPainter& painter) override;
    bool event(QEvent* event) override; ///< the tip of the number on the right
    bool dragSelects() const override { return false; }

private:
    void paintBars(QPainter& painter, Tokens query) const;
    QString outsideText() const;
    QString emptySentence() const; ///< in place of a row
    void updateDescription();

    std::shared_ptr<const MaxPyramid> m_map;
    TokenClock m_clock;
    std::optional<TimeSpan> m_part;
    BandShape m_shape;
    bool m_isOfAllHeads = true, m_hideDiagonal = true, m_signed = false;
};

} // namespace headroom::widgets
