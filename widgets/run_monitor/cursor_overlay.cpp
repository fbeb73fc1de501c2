// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/cursor_overlay.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"

#include <QPainter>

#include <algorithm>

namespace headroom::widgets {

namespace {

constexpr double kBoxSample = 2.25, kBoxLine = 2, kBoxPadding = 1; // units

QFont valueFont() {
    QFont bold = Sizes::caption();
    bold.setBold(true);
    return bold;
}

QStringList linesOf(const CursorReading::Row& row, bool narrow) {
    return narrow ? row.narrow : QStringList{row.value};
}

} // namespace

CursorOverlay::CursorOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setProperty("overlay", true); // it lies on the plot by intent
}

void CursorOverlay::setReading(CursorReading reading) {
    m_reading = std::move(reading);
    update();
}

QSizeF CursorOverlay::boxSize(bool narrow) const {
    const double unit = Sizes::unit();
    const QFontMetricsF small(Sizes::small()), bold(valueFont());
    double widest = small.horizontalAdvance(m_reading.head);
    qsizetype count = 1;
    for (const auto& row : m_reading.rows) {
        const QStringList lines = linesOf(row, narrow);
        count += lines.size();
        widest = std::max(widest, unit * (kBoxSample + 1.5) + bold.horizontalAdvance(lines.front()));
        for (const QString& line : lines.mid(1))
            widest = std::max(widest, small.horizontalAdvance(line));
    }
    return {widest + 2 * unit * kBoxPadding, unit * kBoxLine * static_cast<double>(count) + unit * kBoxPadding};
}

/// A corner, or a side, where the box lies on no curve and not on the line of the cursor.
std::optional<QRectF> CursorOverlay::boxIn(const QRectF& room, QSizeF size) const {
    if (size.width() > room.width() || size.height() > room.height())
        return std::nullopt;
    const double middle = room.center().y() - size.height() / 2;
    for (const QPointF& at :
         {QPointF(room.right() - size.width(), room.top()), room.topLeft(),
          QPointF(room.right() - size.width(), room.bottom() - size.height()),
          QPointF(room.left(), room.bottom() - size.height()), QPointF(room.right() - size.width(), middle),
          QPointF(room.left(), middle), QPointF(room.center().x() - size.width() / 2, room.top())}) {
        const QRectF box(at, size);
        const double slack = Sizes::unit() / 2;
        const bool onLine = m_reading.isLineShown && m_reading.x > box.left() - slack && m_reading.x < box.right() + slack;
        const bool onDot = std::any_of(m_reading.rows.begin(), m_reading.rows.end(), [&](const auto& row) {
            return box.adjusted(-slack, -slack, slack, slack).contains(row.point);
        });
        if (!onLine && !onDot && !(m_reading.isOnCurve && m_reading.isOnCurve(box)))
            return box;
    }
    return std::nullopt;
}

void CursorOverlay::paintEvent(QPaintEvent*) {
    if (m_reading.rows.empty())
        return;
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const QRectF frame = m_reading.frame;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_reading.isLineShown) {
        QPen dashed(theme.text2, unit / 8);
        dashed.setDashPattern({4, 3});
        painter.setPen(dashed);
        painter.drawLine(QPointF(m_reading.x, frame.top()), QPointF(m_reading.x, frame.bottom()));
    }
    for (const auto& row : m_reading.rows) {
        if (!frame.adjusted(-1, -1, 1, 1).contains(row.point))
            continue;
        painter.setPen(QPen(runPen(row.style, 1).color(), unit / 4));
        painter.setBrush(theme.panel);
        painter.drawEllipse(row.point, unit / 2, unit / 2);
    }
    const auto placeOf = [&](QSizeF size) {
        const bool fits = size.width() <= frame.width() * 0.8 && size.height() <= frame.height();
        return fits ? boxIn(frame.adjusted(unit, unit, -unit, -unit), size) : std::nullopt;
    };
    const auto wide = placeOf(boxSize(false));
    const bool narrow = !wide;
    const auto place = narrow ? placeOf(boxSize(true)) : wide;
    if (!place)
        return; // the tool tip of the plot has the numbers
    const QRectF box = *place;
    const double padding = unit * kBoxPadding, line = unit * kBoxLine;
    painter.setPen(QPen(theme.buttonBorder, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), unit / 2, unit / 2);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    QRectF at(box.left() + padding, box.top() + padding / 2, box.width() - 2 * padding, line);
    painter.drawText(at, Qt::AlignVCenter | Qt::AlignLeft, m_reading.head);
    for (const auto& row : m_reading.rows) {
        at.translate(0, line);
        painter.setPen(runPen(row.style, unit / 4));
        painter.drawLine(QPointF(at.left(), at.center().y()), QPointF(at.left() + unit * kBoxSample, at.center().y()));
        const QStringList lines = linesOf(row, narrow);
        painter.setFont(valueFont());
        painter.setPen(theme.text);
        painter.drawText(at, Qt::AlignVCenter | Qt::AlignRight, lines.front());
        painter.setFont(Sizes::small());
        painter.setPen(theme.text2);
        for (const QString& more : lines.mid(1)) {
            at.translate(0, line);
            painter.drawText(at, Qt::AlignVCenter | Qt::AlignRight, more);
        }
    }
}

} // namespace headroom::widgets
