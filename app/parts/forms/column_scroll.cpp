// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/column_scroll.h"

#include "widgets/look/sizes.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr double kMostColumn = 46; ///< units; a long word makes no panel wider than this

} // namespace

ColumnScroll::ColumnScroll(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
}

QSize ColumnScroll::minimumSizeHint() const {
    const QSize least = QScrollArea::minimumSizeHint();
    if (!widget())
        return least;
    const int column = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {std::min(column, qRound(kMostColumn * widgets::Sizes::unit())), least.height()};
}

bool ColumnScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace headroom::app
