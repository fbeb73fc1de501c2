// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/segmented_control.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAccessible>
#include <QAction>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

SegmentedControl::SegmentedControl(QWidget* parent) : QWidget(parent) {
    QAccessible::installFactory(segmentsForReaders); // once; before the name, which is told to readers at once
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Workspace"));
}

QRect SegmentedControl::segmentRect(std::size_t index) const {
    int x = 0;
    for (std::size_t before = 0; before < index; ++before)
        x += segmentWidth(m_actions[before]);
    return {x, 0, segmentWidth(m_actions[index]), height()};
}

void SegmentedControl::addSegment(QAction* action) {
    m_actions.push_back(action);
    connect(action, &QAction::changed, this, qOverload<>(&QWidget::update));
    updateGeometry();
}

int SegmentedControl::segmentWidth(const QAction* action) const {
    const QFontMetrics metrics(Sizes::heading());
    return metrics.horizontalAdvance(action->text()) + Sizes::icon() + qRound(Sizes::unit() * 4.5);
}

QSize SegmentedControl::sizeHint() const {
    int width = 0;
    for (const QAction* action : m_actions)
        width += segmentWidth(action);
    return {width, Sizes::control()};
}

QAction* SegmentedControl::actionAt(const QPoint& position, QRect* where) const {
    int x = 0;
    for (QAction* action : m_actions) {
        const QRect segment(x, 0, segmentWidth(action), height());
        if (segment.contains(position)) {
            if (where)
                *where = segment;
            return action;
        }
        x += segment.width();
    }
    return nullptr;
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double unit = Sizes::unit();
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(frame, unit / 2, unit / 2);
    painter.fillPath(outline, theme.panel);
    painter.setClipPath(outline);
    int x = 0;
    for (const QAction* action : m_actions) {
        const QRect segment(x, 0, segmentWidth(action), height());
        const bool chosen = action->isChecked();
        if (chosen)
            painter.fillRect(segment, theme.accent);
        const QColor ink = chosen ? theme.textOnAccent : theme.text;
        const int icon = Sizes::icon();
        const QRect iconRect(segment.left() + qRound(unit * 1.5), (height() - icon) / 2, icon, icon);
        widgets::icon(action->data().toString(), ink).paint(&painter, iconRect);
        painter.setPen(ink);
        painter.setFont(chosen ? Sizes::heading() : Sizes::text());
        painter.drawText(QRectF(iconRect.right() + unit, 0, segment.right() - iconRect.right(), height()),
                         Qt::AlignVCenter | Qt::AlignLeft, action->text());
        x += segment.width();
        if (x < width() && !chosen)
            painter.fillRect(QRect(x - 1, 0, 1, height()), theme.buttonBorder);
    }
    painter.setClipping(false);
    painter.setPen(QPen(hasFocus() ? theme.text : theme.buttonBorder, hasFocus() ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);
}

void SegmentedControl::mousePressEvent(QMouseEvent* event) {
    if (QAction* action = actionAt(event->position().toPoint()))
        action->trigger();
}

void SegmentedControl::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0)
        return QWidget::keyPressEvent(event);
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        const auto next = static_cast<std::ptrdiff_t>(i) + step;
        if (m_actions[i]->isChecked() && next >= 0 && next < static_cast<std::ptrdiff_t>(m_actions.size()))
            return m_actions[static_cast<std::size_t>(next)]->trigger();
    }
}

bool SegmentedControl::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (QAction* action = actionAt(help->pos()))
            QToolTip::showText(help->globalPos(), action->toolTip(), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace headroom::app
