// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/path_field.h"

#include <QStyleOptionFrame>
#include <QStylePainter>
#include <QToolButton>

#include <algorithm>

namespace headroom::app {

PathField::PathField(QWidget* parent) : QLineEdit(parent) {
    connect(this, &QLineEdit::textChanged, this, &QWidget::setToolTip);
}

QRect PathField::textRect() const {
    QStyleOptionFrame option;
    initStyleOption(&option);
    QRect rect = style()->subElementRect(QStyle::SE_LineEditContents, &option, this).marginsRemoved(textMargins());
    int beside = 0; // what the buttons of actions take, which QLineEdit keeps free within its frame
    for (const QToolButton* button : findChildren<QToolButton*>())
        if (button->isVisibleTo(this))
            beside = std::max(beside, width() - button->x());
    rect.setRight(rect.right() - beside);
    return rect.adjusted(2, 0, -2, 0); // as far as QLineEdit keeps from its edges
}

QString PathField::shownText() const {
    const int room = textRect().width() - 1; // QLineEdit keeps one for the caret
    return hasFocus() ? text() : fontMetrics().elidedText(text(), Qt::ElideLeft, room);
}

void PathField::paintEvent(QPaintEvent* event) {
    const QString shown = shownText();
    if (shown == text())
        return QLineEdit::paintEvent(event);
    QStylePainter painter(this);
    QStyleOptionFrame option;
    initStyleOption(&option);
    painter.drawPrimitive(QStyle::PE_PanelLineEdit, option);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    painter.drawText(textRect(), Qt::AlignVCenter | Qt::AlignLeft, shown);
}

} // namespace headroom::app
