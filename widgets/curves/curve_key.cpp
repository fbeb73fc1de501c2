// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/curve_key.h"

#include "widgets/curves/plot_style.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace headroom::widgets {

namespace {

/// The line or the marker, and the space behind it.
double keySample(const KeyEntry& entry) {
    return (entry.sample == KeyEntry::Sample::Line ? 3.5 : 1.75) * Sizes::unit();
}
double keySpacing() {
    return 2 * Sizes::unit();
}
double keyRowHeight() {
    return QFontMetricsF(Sizes::small()).height() + Sizes::unit() / 4;
}

struct KeyWidths {
    double fixed, name; ///< what cannot give way, and the whole name
};

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

std::vector<KeyWidths> keyWidths(const std::vector<KeyEntry>& entries) {
    const QFontMetricsF font(Sizes::small());
    std::vector<KeyWidths> widths;
    for (const KeyEntry& entry : entries)
        widths.push_back({keySample(entry) + (entry.detail.isEmpty() ? 0
                                                               : font.horizontalAdvance(entry.detail) +
                                                                     Sizes::unit() * 0.75),
                          font.horizontalAdvance(entry.name) + 1});
    return widths;
}

/// The room for each name where all share `room` fairly: the largest equal share that uses no more.
double fairShare(const std::vector<KeyWidths>& widths, std::size_t from, std::size_t to, double room) {
    std::vector<double> names;
    for (std::size_t i = from; i < to; ++i) {
        names.push_back(widths[i].name);
        room -= widths[i].fixed + (i > from ? keySpacing() : 0);
    }
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double share = room / static_cast<double>(names.size() - i);
        if (names[i] > share)
            return share;
        room -= names[i];
    }
    return names.empty() ? 0 : names.back();
}

/// Where the rows of whole names begin, filled from the left. A name that alone is wider than `width` has a row of its own.
std::vector<std::size_t> wholeRows(const std::vector<KeyWidths>& widths, double width) {
    std::vector<std::size_t> starts;
    double used = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const double needed = widths[i].fixed + widths[i].name;
        if (starts.empty() || used + keySpacing() + needed > width - 0.01) { // sums are rounded
            starts.push_back(i);
            used = needed;
        } else {
            used += keySpacing() + needed;
        }
    }
    return starts;
}

/// How many names to put into each row, so that as few rows as possible leave every name readable: in `most` rows.
std::size_t evenRows(const std::vector<KeyWidths>& widths, double width, std::size_t most) {
    const double readable = 9 * Sizes::unit();
    const std::size_t count = widths.size();
    for (std::size_t rows = 1;; ++rows) {
        const std::size_t each = (count + rows - 1) / rows;
        double smallest = readable;
        for (std::size_t from = 0; from < count; from += each) {
            const std::size_t to = std::min(from + each, count);
            const double share = fairShare(widths, from, to, width);
            double longest = 0;
            for (std::size_t i = from; i < to; ++i)
                longest = std::max(longest, widths[i].name);
            smallest = std::min(smallest, share >= longest ? readable : share);
        }
        if (smallest >= readable || rows >= most || each == 1)
            return each;
    }
}

} // namespace

KeyRows layKey(const std::vector<KeyEntry>& entries, double width, int mostRows) {
    KeyRows laid;
    if (entries.empty())
        return laid;
    const auto widths = keyWidths(entries);
    const QFontMetricsF font(Sizes::small());
    const double least = 3.5 * Sizes::unit();
    const double more = font.horizontalAdvance(QStringLiteral("and 99 more")) + keySpacing();
    const auto most = static_cast<std::size_t>(std::max(mostRows, 1));
    std::size_t count = entries.size();
    std::vector<std::size_t> starts = wholeRows(widths, width);
    const auto isBrief = [](const KeyEntry& entry) { return !entry.brief.isEmpty(); };
    if (starts.size() > most && std::any_of(entries.begin(), entries.end(), isBrief)) {
        std::vector<KeyEntry> brief;
        std::vector<bool> isShown;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            isShown.push_back(i == 0 || !isBrief(entries[i]) || entries[i].brief != entries[i - 1].brief);
            if (!isShown.back())
                continue;
            brief.push_back(entries[i]);
            if (isBrief(entries[i]))
                brief.back().name = std::exchange(brief.back().brief, {});
        }
        const KeyRows shown = layKey(brief, width, mostRows);
        KeyRows all{{}, shown.left, shown.height};
        for (std::size_t i = 0, at = 0; i < entries.size() && (!isShown[i] || at < shown.entries.size()); ++i)
            all.entries.push_back(isShown[i] ? shown.entries[at++] : KeyRows::Placed());
        return all;
    }
    if (starts.size() > most) {
        std::size_t each = evenRows(widths, width, most);
        const auto isTooNarrow = [&] {
            for (std::size_t from = 0; from < count; from += each) {
                const std::size_t to = std::min(from + each, count);
                double longest = 0;
                for (std::size_t i = from; i < to; ++i)
                    longest = std::max(longest, widths[i].name);
                if (fairShare(widths, from, to, width - (count < entries.size() ? more : 0)) < std::min(least, longest))
                    return true;
            }
            return false;
        };
        // Where even that is too little, the last ones are counted instead.
        while (count > 1 && isTooNarrow()) {
            --count;
            each = std::min(each, (count + most - 1) / most);
        }
        starts.clear();
        for (std::size_t from = 0; from < count; from += each)
            starts.push_back(from);
    }
    laid.left = static_cast<int>(entries.size() - count);
    double y = 0;
    for (std::size_t row = 0; row < starts.size(); ++row) {
        const std::size_t from = starts[row], to = row + 1 < starts.size() ? starts[row + 1] : count;
        const double share = fairShare(widths, from, to, width - (laid.left > 0 ? more : 0));
        double x = 0;
        for (std::size_t i = from; i < to; ++i) {
            const double room = std::max(std::min(widths[i].name, share), least);
            const QString text =
                widths[i].name <= room ? entries[i].name : elidedInMiddle(entries[i].name, font, room);
            const double used = widths[i].fixed + std::min(font.horizontalAdvance(text) + 1, room);
            laid.entries.push_back({QRectF(x, y, used, keyRowHeight()), text});
            x += used + keySpacing();
        }
        y += keyRowHeight();
    }
    laid.height = y;
    return laid;
}

double widestKeyEntry(const std::vector<KeyEntry>& entries) {
    double widest = 0;
    for (const KeyWidths& one : keyWidths(entries))
        widest = std::max(widest, one.fixed + one.name);
    return widest;
}

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

QRect CurveKey::entryRect(int index) const {
    const KeyRows rows = layKey(m_entries, width(), m_mostRows);
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
    return static_cast<int>(layKey(m_entries, width, m_mostRows).height + 0.999);
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
    const KeyRows rows = layKey(m_entries, width(), m_mostRows);
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
