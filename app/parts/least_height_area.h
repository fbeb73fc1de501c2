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

    /// Where a low area would hide a part of the widget that stands last in `views`, that stands first and fills the area: one scrolls to
    /// the rest, and no strip of a plot is left below it. Lines of the content below `views` may be hidden. `views`: the content's
    /// layout, or a part of it; filled.
    void keepLastInSight(QBoxLayout* views);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    class Room;
    QWidget* m_content;
    Room* m_room; ///< around it
    QBoxLayout* m_views = nullptr;
    QWidget* m_last = nullptr; ///< of m_views
};

} // namespace headroom::app
