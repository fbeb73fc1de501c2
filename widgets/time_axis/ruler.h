// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/time_axis/time_lane.h"

namespace headroom::widgets {

/// The top lane of the column: seconds, the selection as a bar, and the cursor's flag with its time (3
/// decimals), which is shown only here. Window's thread only.
class Ruler : public TimeLane {
    Q_OBJECT

public:
    explicit Ruler(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintLane(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    void cursorMoved() override { update(); } // the flag is wider than the line, and hides labels

private:
    static QFont flagFont();
    QString flagText(Seconds cursor) const;
    QRectF flagRect(Seconds cursor) const;
};

} // namespace headroom::widgets
