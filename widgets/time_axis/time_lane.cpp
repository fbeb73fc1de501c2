// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/time_axis/time_lane.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>

#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>

namespace headroom::widgets {

TimeLane::TimeLane(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent); // paintEvent fills the ground itself
}

void TimeLane::setAxis(TimeAxis* axis) {
    if (m_axis == axis)
        return;
    if (m_axis)
        m_axis->disconnect(this);
    m_axis = axis;
    if (axis) {
        const auto repaint = [this] { update(); };
        connect(axis, &TimeAxis::extentChanged, this, repaint);
        connect(axis, &TimeAxis::visibleChanged, this, repaint);
        connect(axis, &TimeAxis::selectionChanged, this, repaint);
        connect(axis, &TimeAxis::cursorChanged, this, [this] {
            updateLine(m_cursorDrawn, m_axis->cursor());
            cursorMoved();
        });
        connect(axis, &TimeAxis::pointerChanged, this,
                [this] { updateLine(m_pointerDrawn, m_axis->pointer()); });
    }
    update();
}

void TimeLane::updateLine(std::optional<Seconds> before, std::optional<Seconds> now) {
    // Only the strips where a line was and where it will be: playing must not repaint the whole column.
    const int half = int(std::ceil(Sizes::unit()));
    for (const auto& time : {before, now})
        if (time)
            update(QRect(int(std::floor(xOf(*time))) - half, 0, 2 * half + 1, height()));
}

int TimeLane::leastWidth() {
    return qRound(3.6 * Sizes::gutter());
}

QRect TimeLane::laneRect() const {
    return QRect(QPoint(0, 0), m_exportSize.value_or(size()));
}

QRectF TimeLane::plotRect() const {
    const int gutter = Sizes::gutter();
    return QRectF(laneRect()).adjusted(gutter, 0, -gutter, 0);
}

double TimeLane::xOf(Seconds time) const {
    const QRectF plot = plotRect();
    if (!hasSound())
        return plot.left();
    const TimeSpan visible = m_axis->visible();
    return plot.left() + (time - visible.start).value() / visible.length().value() * plot.width();
}

Seconds TimeLane::timeAt(double x) const {
    const QRectF plot = plotRect();
    if (!hasSound() || plot.width() <= 0)
        return Seconds(0.0);
    const TimeSpan visible = m_axis->visible();
    return Seconds(visible.start.value() + (x - plot.left()) / plot.width() * visible.length().value());
}

bool TimeLane::hasSound() const {
    return m_axis && m_axis->visible().length() > Seconds(0.0);
}

double TimeLane::pixelRatio(const QPainter& painter) const {
    // Not the device's ratio: a widget rendered into an image reports its screen's.
    return isExporting() ? 3.0 : std::max(1.0, std::abs(painter.deviceTransform().m11()));
}

void TimeLane::paintEmpty(QPainter& painter, const QString& sentence) const {
    painter.setFont(Sizes::caption());
    painter.setPen(Theme::current().text3);
    QRectF room = plotRect();
    if (!isExporting()) // left of a button that stands in the lane
        for (const auto* child : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (!child->isHidden() && room.intersects(child->geometry()))
                room.setRight(std::max(room.left(), child->x() - Sizes::unit()));
    const QFontMetricsF metrics(painter.font());
    constexpr int kWrapped = Qt::AlignCenter | Qt::TextWordWrap;
    if (!room.contains(metrics.boundingRect(room, kWrapped, sentence))) // a low lane, or beside a wide button
        painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine,
                         metrics.elidedText(sentence, Qt::ElideRight, room.width()));
    else
        painter.drawText(room, kWrapped, sentence);
}

void TimeLane::paintFrame(QPainter& painter) const {
    const QRectF plot = plotRect();
    const QColor line = Theme::current().line;
    const double width = std::max(1.0, std::round(Sizes::unit() / 8));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(plot.left() - width, plot.top(), width, plot.height()), line);
    painter.fillRect(QRectF(plot.right(), plot.top(), width, plot.height()), line);
    painter.fillRect(QRectF(plot.left() - width, plot.bottom() - width, plot.width() + 2 * width, width),
                     line);
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void TimeLane::renderTo(QPainter& painter, const QRect& target) {
    painter.save();
    painter.translate(target.topLeft());
    m_exportSize = target.size();
    painter.setClipRect(laneRect(), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(laneRect(), Theme::current().panel);
    painter.save();
    paintLane(painter);
    painter.restore();
    painter.save();
    paintOverlay(painter);
    painter.restore();
    m_exportSize.reset();
    painter.restore();
}

void TimeLane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    // Not antialiased: a lane that begins within a device pixel (at 1.5×) would leave there half of what stood below it before.
    painter.fillRect(rect(), Theme::current().panel);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    paintLane(painter);
    painter.restore();
    painter.save();
    paintOverlay(painter);
    painter.restore();
    m_cursorDrawn = m_axis ? m_axis->cursor() : std::nullopt;
    m_pointerDrawn = m_axis ? m_axis->pointer() : std::nullopt;
    if (m_hasKeyboardFocus) {
        const double width = Sizes::unit() / 4;
        painter.setPen(QPen(Theme::current().accent, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plotRect().adjusted(width / 2, width / 2, -width / 2, -width / 2));
    }
}

void TimeLane::paintOverlay(QPainter& painter) {
    if (!hasSound())
        return;
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    painter.setClipRect(plot);

    if (const auto selection = m_axis->selection()) {
        const double left = xOf(selection->start), right = xOf(selection->end);
        if (tintsSelection()) {
            QColor tint = theme.accent;
            tint.setAlphaF(theme.isDark ? 0.22f : 0.16f);
            painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), tint);
        }
        QColor edge = theme.accent;
        edge.setAlphaF(0.6f);
        painter.setPen(QPen(edge, unit / 8));
        for (const double x : {left, right})
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        if (showsSelectionGrips() && !isExporting()) {
            painter.setPen(QPen(theme.accent, 1.5 * unit / 8));
            painter.setBrush(theme.panel);
            for (const double x : {left, right}) {
                const QSizeF grip(6 * unit / 8, 18 * unit / 8);
                const QRectF box(QPointF(x - grip.width() / 2, plot.center().y() - grip.height() / 2), grip);
                painter.drawRoundedRect(box, unit / 4, unit / 4);
            }
        }
    }
    if (const auto pointer = m_axis->pointer(); pointer && !isExporting()) {
        const double x = std::floor(xOf(*pointer)) + 0.5;
        painter.setPen(QPen(theme.text, unit / 8, Qt::CustomDashLine, Qt::FlatCap));
        QPen dashed = painter.pen();
        dashed.setDashPattern({3, 3});
        painter.setPen(dashed);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    if (const auto cursor = m_axis->cursor()) {
        const double width = std::max(1.0, 2 * unit / 8);
        painter.setPen(QPen(theme.accent, width, Qt::SolidLine, Qt::FlatCap));
        const double x = xOf(*cursor);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
}

void TimeLane::focusInEvent(QFocusEvent* event) {
    // A ring for those who walk by keyboard; a click already shows where it went.
    const auto reason = event->reason();
    m_hasKeyboardFocus =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    update();
    QWidget::focusInEvent(event);
}

void TimeLane::focusOutEvent(QFocusEvent* event) {
    m_hasKeyboardFocus = false;
    update();
    QWidget::focusOutEvent(event);
}

void TimeLane::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::ApplicationFontChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace headroom::widgets
