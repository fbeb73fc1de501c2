// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/screen_area.h"

class QStackedWidget;

namespace headroom::app {

/// Holds the workspaces. The window has room for the largest of them, so that it need not grow from one to another; where the screen has not,
/// the one that is shown scrolls. Window's thread.
class PageArea : public ScreenArea {
    Q_OBJECT

public:
    explicit PageArea(QWidget* parent);
    QStackedWidget* pages() const { return m_pages; }
    QSize leastOfContent() const override;

private:
    QStackedWidget* m_pages;
};

} // namespace headroom::app
