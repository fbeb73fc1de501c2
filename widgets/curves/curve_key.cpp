// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/curve_key.h"

#include "widgets/curves/curve_key_private.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headroom::widgets {

namespace {

/// The sample of an entry, whose left end is at `at`.
void paintSample(QPainter& painter, const KeyEntry& entry, QPointF at) {
    const double unit = Sizes::unit(), radius = 0.45 * unit;
    const QPointF middle = at + QPointF(radius, 0);
    switch (entry.sample) {
    case KeyEntry::Sample::Line:
        painter.drawLine(at, at + QPointF(2.75 * unit, 0));
        return;
    case KeyEntry::Sample::Disc:
        painter.setBrush(entry.pen.color());
        painter.drawEllipse(middle, radius, radius);
        break;
    case KeyEntry::Sample::Triangle:
        painter.setBrush(Qt::NoBrush);
        painter.drawPolygon(QPolygonF({middle + QPointF(-radius, 0.755 * radius), middle + QPointF(radius, 0.755 * radius),
                                       middle + QPointF(0, -0.977 * radius)}));
        break;
    }
    painter.setBrush(Qt::NoBrush);
}

} // namespace

void paintKey(QPainter& painter, QPointF topLeft, double width, const std::vector<KeyEntry>& entries,
              const KeyRows& rows) {
    const Theme& theme = Theme::current();
    const QFontMetricsF font(Sizes::small());
    const double unit = Sizes::unit();
    painter.save();
    painter.setFont(Sizes::small());
    double end = 0;
    for (std::size_t i = 0; i < rows.entries.size(); ++i) {
        if (rows.entries[i].text.isEmpty())
            continue;
        const QRectF box = rows.entries[i].box.translated(topLeft);
        const double middle = box.center().y(), line = middle + (font.ascent() - font.descent()) / 2;
        painter.setPen(entries[i].pen);
        paintSample(painter, entries[i], QPointF(box.left(), middle));
        painter.setPen(theme.text);
        const double behind = box.left() + keySample(entries[i]);
        painter.drawText(QPointF(behind, line), rows.entries[i].text);
        painter.setPen(theme.text2);
        if (!entries[i].detail.isEmpty())
            painter.drawText(QPointF(behind + 0.75 * unit + font.horizontalAdvance(rows.entries[i].text), line),
                             entries[i].detail);
        end = box.right();
    }
    if (rows.left > 0)
        painter.drawText(QRectF(end + keySpacing(), topLeft.y(), topLeft.x() + width - end, keyRowHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, CurveKey::tr("and %1 more").arg(rows.left));
    painter.restore();
}

std::vector<KeyEntry> inOneKey(std::vector<KeyEntry> first, const std::vector<KeyEntry>& second) {
    for (const KeyEntry& entry : second)
        if (std::none_of(first.begin(), first.end(), [&](const KeyEntry& one) {
                return one.name == entry.name || (one.pen.color() == entry.pen.color() && one.pen.dashPattern() == entry.pen.dashPattern());
            }))
            first.push_back(entry);
    return first;
}

CurveKey::CurveKey(int mostRows, QWidget* parent) : QWidget(parent), m_mostRows(mostRows) {
    QSizePolicy policy(QSizePolicy::Expanding, mostRows > 1 ? QSizePolicy::Fixed : QSizePolicy::Preferred);
    policy.setHeightForWidth(mostRows > 1);
    setSizePolicy(policy);
    setAccessibleName(tr("Key of the curves"));
}

void CurveKey::setEntries(std::vector<KeyEntry> entries) {
    if (entries == m_entries)
        return;
    m_entries = std::move(entries);
    QStringList said;
    for (const KeyEntry& entry : m_entries)
        said << (entry.detail.isEmpty() ? entry.name : entry.name + QLatin1Char(' ') + entry.detail);
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    setToolTip(said.join(QLatin1Char('\n')));
    if (m_mostRows > 1)
        updateGeometry();
    update();
}

/// Twice as many rows where fewer leave names that cannot be told apart.
KeyRows CurveKey::laid(int width) const {
    KeyRows rows = layKey(m_entries, width, m_mostRows);
    for (int most = m_mostRows + 1; m_mostRows > 1 && most <= 2 * m_mostRows && !isReadable(m_entries, rows); ++most)
        rows = layKey(m_entries, width, most);
    return rows;
}

QRect CurveKey::entryRect(int index) const {
    const KeyRows rows = laid(width());
    if (index < 0 || static_cast<std::size_t>(index) >= rows.entries.size())
        return {};
    const double above = (height() - rows.height) / 2;
    return rows.entries[static_cast<std::size_t>(index)].box.translated(0, above).toAlignedRect();
}

QSize CurveKey::sizeHint() const {
    const int height = m_mostRows > 1 ? heightForWidth(width()) : Sizes::smallControl();
    return {qRound(Sizes::unit() * 30), height};
}

QSize CurveKey::minimumSizeHint() const {
    return {qRound(Sizes::unit() * 10),
            m_mostRows > 1 ? heightForWidth(width()) : Sizes::smallControl()}; // whole letters
}

int CurveKey::heightForWidth(int width) const {
    return static_cast<int>(laid(width).height + 0.999);
}

void CurveKey::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // Resized while it was hidden, the key is told no old size when it is shown, and its layout still has the height of then.
    if (m_mostRows > 1 && (!event->oldSize().isValid() || heightForWidth(width()) != heightForWidth(event->oldSize().width())))
        updateGeometry();
}

void CurveKey::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const KeyRows rows = laid(width());
    paintKey(painter, QPointF(0, (height() - rows.height) / 2), width(), m_entries, rows);
}

void CurveKey::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (event->button() == Qt::LeftButton && m_entries[i].id >= 0 &&
            entryRect(static_cast<int>(i)).contains(event->position().toPoint())) {
            Q_EMIT chosen(m_entries[i].id);
            return;
        }
    event->ignore();
}

} // namespace headroom::widgets
