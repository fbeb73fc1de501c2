// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/eliding.h"

#include <QLabel>
#include <QPainter>
#include <QStyle>

namespace headroom::widgets {

/// A line of text that can be selected, elided as other labels are: Qt paints selectable text without the style, and clips it.
/// While some of it is selected, it is painted as Qt does. Window's thread.
class SelectableLine : public QLabel {
public:
    explicit SelectableLine(QWidget* parent = nullptr) : QLabel(parent) {
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        if (hasSelectedText() || fontMetrics().horizontalAdvance(text()) <= contentsRect().width())
            return QLabel::paintEvent(event);
        QPainter painter(this);
        style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(), text(), foregroundRole());
    }
};

} // namespace headroom::widgets
