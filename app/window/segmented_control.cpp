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

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

SegmentedControl::SegmentedControl(const QString& name, QWidget* parent) : QWidget(parent) {
    QAccessible::installFactory(segmentsForReaders); // once; before the name, which is told to readers at once
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(name);
}

QRect SegmentedControl::segmentRect(std::size_t index) const {
    int x = 0;
    for (std::size_t before = 0; before < index; ++before)
        x += segmentWidth(m_actions[before], m_form);
    return {x, 0, segmentWidth(m_actions[index], m_form), height()};
}

void SegmentedControl::addSegment(QAction* action) {
    m_actions.push_back(action);
    connect(action, &QAction::changed, this, qOverload<>(&QWidget::update));
    updateGeometry();
}

int SegmentedControl::segmentWidth(const QAction* action, Form form) const {
    const int icon = Sizes::icon(), word = QFontMetrics(Sizes::heading()).horizontalAdvance(action->text());
    const double unit = Sizes::unit();
    switch (form) {
    case Form::IconsAndWords:
        return icon + word + qRound(unit * 4.5);
    case Form::Words:
        return word + qRound(unit * 3);
    case Form::Icons:
        break;
    }
    return icon + qRound(unit * 2.5);
}

int SegmentedControl::widthIn(Form form) const {
    int width = 0;
    for (const QAction* action : m_actions)
        width += segmentWidth(action, form);
    return width;
}

QSize SegmentedControl::sizeHint() const {
    return {widthIn(m_form), Sizes::control()};
}

void SegmentedControl::setForm(Form form) {
    m_form = form;
    if (size() != sizeHint()) // a change asks for another layout
        setFixedSize(sizeHint());
    update();
}

QAction* SegmentedControl::actionAt(const QPoint& position, QRect* where) const {
    int x = 0;
    for (QAction* action : m_actions) {
        const QRect segment(x, 0, segmentWidth(action, m_form), height());
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
        const QRect segment(x, 0, segmentWidth(action, m_form), height());
        const bool chosen = action->isChecked();
        if (chosen)
            painter.fillRect(segment, theme.accent);
        const QColor ink = chosen ? theme.textOnAccent : action->isEnabled() ? theme.text : theme.text3;
        painter.setPen(ink);
        painter.setFont(chosen ? Sizes::heading() : Sizes::text());
        const int icon = Sizes::icon();
        const int left = m_form == Form::Icons ? (segment.width() - icon) / 2 : qRound(unit * 1.5);
        const QRect iconRect(segment.left() + left, (height() - icon) / 2, icon, icon);
        if (m_form != Form::Words)
            widgets::icon(action->data().toString(), ink).paint(&painter, iconRect);
        if (m_form == Form::Words)
            painter.drawText(segment, Qt::AlignCenter, action->text());
        else if (m_form == Form::IconsAndWords)
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
    QAction* action = actionAt(event->position().toPoint());
    if (action && !action->isEnabled())
        return QToolTip::showText(event->globalPosition().toPoint(), action->toolTip(), this); // the reason
    if (action && !action->isChecked()) // or a second click would take the choice back
        action->trigger();
}

void SegmentedControl::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0)
        return QWidget::keyPressEvent(event);
    const auto count = static_cast<std::ptrdiff_t>(m_actions.size());
    const auto chosen =
        std::find_if(m_actions.begin(), m_actions.end(), [](const QAction* one) { return one->isChecked(); });
    for (auto next = chosen - m_actions.begin() + step;
         chosen != m_actions.end() && next >= 0 && next < count; next += step)
        if (QAction* action = m_actions[static_cast<std::size_t>(next)]; action->isEnabled())
            return action->trigger();
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
