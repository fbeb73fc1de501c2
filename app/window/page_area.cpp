// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_area.h"

#include <QLayout>
#include <QStackedWidget>

namespace headroom::app {

namespace {

/// Scrolls for the page that is shown, not for a larger one behind it.
class ShownPage : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    QSize minimumSizeHint() const override { return currentWidget() ? currentWidget()->minimumSizeHint() : QSize(); }
};

} // namespace

PageArea::PageArea(QWidget* parent) : ScreenArea(new ShownPage, parent), m_pages(static_cast<QStackedWidget*>(widget())) {}

QSize PageArea::leastOfContent() const {
    return m_pages->layout()->minimumSize();
}

} // namespace headroom::app
