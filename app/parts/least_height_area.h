// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QBoxLayout;

namespace headroom::app {

/// Gives its content the height there is, and scrolls where that is less than the least height of the content's layout.
/// A QScrollArea scrolls below the preferred height already where something in the layout has a height for its width.
/// At least as wide as its content and the scroll bar. Window's thread.
class LeastHeightArea : public QScrollArea {
    Q_OBJECT

public:
    explicit LeastHeightArea(QWidget* content, QWidget* parent = nullptr); ///< takes `content` over; it has a layout

    /// Where a low area would hide a part of what stands last in `views`, that stands first. Lines of the content below `views` may be
    /// hidden. `views`: the content's layout, or a part of it; filled.
    void keepLastInSight(QBoxLayout* views);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    class Room;
    QWidget* m_content;
};

} // namespace headroom::app
