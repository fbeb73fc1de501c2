// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tiers/tier_lane.h"

#include "core/alignment/label_at.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace headroom::widgets {

TierLane::TierLane(Kind kind, QWidget* parent) : TimeLane(parent), m_kind(kind) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(kind == Kind::Words ? tr("Words") : tr("Phones"));
    m_describe.setSingleShot(true);
    m_describe.setInterval(500);
    connect(&m_describe, &QTimer::timeout, this, &TierLane::describe);
    describe();
}

void TierLane::setIntervals(std::vector<Interval> intervals, const QString& missing) {
    m_intervals = std::move(intervals);
    m_missing = missing;
    m_current = nullptr;
    describe();
    update();
}

void TierLane::setName(const QString& name, const QString& whole) {
    m_name = name;
    m_wholeName = whole;
    setAccessibleName(whole);
    update();
}

void TierLane::setNote(const QString& note, const QString& toolTip) {
    m_note = note;
    m_noteTip = toolTip;
    update();
}

void TierLane::setMarks(std::vector<Mark> marks) {
    m_marks = std::move(marks);
    update();
}

/// Underlined, so that the label stays as it is; a moment gets the width of a bound.
void TierLane::paintMarks(QPainter& painter) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit(), height = std::max(2.0, std::round(unit / 4));
    for (const Mark& mark : m_marks) {
        const double left = xOf(mark.start), right = std::max(xOf(mark.end), left + unit / 2);
        painter.fillRect(QRectF(left, plotRect().bottom() - height, right - left, height), theme.warning);
    }
}

const Interval* TierLane::intervalAt(Seconds time) const {
    return headroom::intervalAt(m_intervals, time);
}

bool TierLane::isSilence(const Interval& interval) const {
    // The names that aligners give to it (MFA: empty, sil, sp, spn is noise; Kaldi: SIL; Buckeye and WebMAUS:
    // <p:>).
    static constexpr std::array kNames{"", "sil", "sp", "SIL", "<sil>", "<eps>", "<p:>", "silence"};
    return std::find(kNames.begin(), kNames.end(), interval.label) != kNames.end();
}

QString TierLane::shownLabel(const Interval& interval) const {
    if (isSilence(interval))
        return m_kind == Kind::Words ? tr("silence") : tr("sil");
    return QString::fromStdString(interval.label);
}

/// Words stand apart from the bounds, or two of them read as one: "The|dog". A phone needs what room there
/// is.
double TierLane::spaceBeside() const {
    return m_kind == Kind::Words ? Sizes::unit() / 4 : 0;
}

bool TierLane::labelFits(const Interval& interval) const {
    const double width = QFontMetricsF(Sizes::small()).horizontalAdvance(shownLabel(interval));
    return width + 2 * spaceBeside() <= xOf(interval.end) - xOf(interval.start);
}

/// The label where it barely fits, or its beginning where at least two letters of it do; else empty. Half a phone would be
/// another phone. Never smaller: two sizes side by side read as emphasis.
QString TierLane::elidedLabel(const Interval& interval, double width) const {
    const QFontMetricsF metrics(Sizes::small());
    const QString whole = shownLabel(interval);
    const double room = width - spaceBeside();
    if (metrics.horizontalAdvance(whole) <= room)
        return whole;
    if (m_kind == Kind::Phones)
        return {};
    const QString cut = metrics.elidedText(whole, Qt::ElideRight, room);
    return cut.size() >= 3 ? cut : QString();
}

QSize TierLane::sizeHint() const {
    return {leastWidth(), Sizes::listRow()};
}

void TierLane::paintLane(QPainter& painter) {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    paintFrame(painter);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const QString name = !m_name.isEmpty() ? m_name : m_kind == Kind::Words ? tr("words") : tr("phones");
    const QFontMetricsF metrics(Sizes::small());
    painter.drawText(QRectF(0, 0, plot.left() - unit, plot.height()), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(name, Qt::ElideRight, plot.left() - unit));
    if (!m_note.isEmpty()) {
        const double room = laneRect().right() - plot.right() - unit;
        painter.drawText(QRectF(plot.right() + unit, 0, room, plot.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(m_note, Qt::ElideRight, room));
    }
    if (!hasSound())
        return;
    if (m_intervals.empty()) {
        paintEmpty(painter, m_missing.isEmpty() ? tr("No alignment") : m_missing);
        return;
    }
    painter.setClipRect(plot);
    const TimeSpan visible = axis()->visible();
    m_current = axis()->cursor() ? intervalAt(*axis()->cursor()) : nullptr;
    const double line = std::max(1.0, std::round(unit / 8));
    const double bottom = plot.bottom() - line;
    double lastLine = -1;
    auto interval = std::lower_bound(m_intervals.begin(), m_intervals.end(), visible.start,
                                     [](const Interval& one, Seconds time) { return one.end <= time; });
    for (; interval != m_intervals.end() && interval->start < visible.end; ++interval) {
        const double left = xOf(interval->start), right = xOf(interval->end);
        const bool isCurrent = &*interval == m_current;
        // An hour has more phones than the screen has pixels: one line per pixel is enough.
        if (right - left < 1 && std::floor(right) == lastLine && !isCurrent)
            continue;
        lastLine = std::floor(right);
        const QRectF box(left, plot.top(), right - left, bottom - plot.top());
        const bool isQuiet = isSilence(*interval);
        if (isCurrent)
            painter.fillRect(box, theme.selectedRow);
        else if (isQuiet)
            painter.fillRect(box, theme.alternate);
        painter.fillRect(QRectF(std::floor(left), plot.top(), line, box.height()), theme.buttonBorder);
        painter.fillRect(QRectF(std::floor(right), plot.top(), line, box.height()), theme.buttonBorder);
        if (box.width() <= unit / 2)
            continue;

        painter.setPen(isQuiet && !isCurrent ? theme.text3 : theme.text);
        // Centred in what can be seen of it, so that a long word keeps its name while one scrolls.
        const QRectF seen = box.intersected(plot);
        if (labelFits(*interval) && metrics.horizontalAdvance(shownLabel(*interval)) <= seen.width()) {
            painter.drawText(seen, Qt::AlignCenter | Qt::TextDontClip, shownLabel(*interval));
        } else if (const QString cut = elidedLabel(*interval, seen.width()); !cut.isEmpty()) {
            painter.drawText(seen, Qt::AlignCenter | Qt::TextDontClip, cut);
        } else if (seen.width() > unit / 2) { // half a letter at the edge would be another letter
            painter.setBrush(isQuiet ? theme.text3 : theme.text2);
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(seen.center(), unit / 6, unit / 6);
        }
    }
    paintMarks(painter);
}

void TierLane::cursorMoved() {
    const auto cursor = axis()->cursor();
    if ((cursor ? intervalAt(*cursor) : nullptr) == m_current)
        return;
    update();
    if (!m_describe.isActive())
        m_describe.start();
}

void TierLane::describe() {
    if (m_intervals.empty()) {
        setAccessibleDescription(m_missing.isEmpty() ? tr("No alignment.") : m_missing);
        return;
    }
    QString text = m_intervals.size() == 1 ? tr("1 interval.") : tr("%1 intervals.").arg(m_intervals.size());
    const auto cursor = axis() ? axis()->cursor() : std::nullopt;
    if (const Interval* here = cursor ? intervalAt(*cursor) : nullptr)
        text += QChar(u' ') + tr("At the cursor: %1.").arg(shownLabel(*here));
    setAccessibleDescription(text);
}

bool TierLane::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) // a button came or went, and the sentence has another room
        update();
    if (event->type() != QEvent::ToolTip)
        return TimeLane::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (help->pos().x() > plotRect().right() && !m_note.isEmpty()) {
        QToolTip::showText(help->globalPos(), m_note + QChar(u'\n') + m_noteTip, this);
        return true;
    }
    if (help->pos().x() < plotRect().left() && !m_wholeName.isEmpty()) {
        QToolTip::showText(help->globalPos(), m_wholeName, this);
        return true;
    }
    const bool isInPlot = hasSound() && plotRect().contains(help->pos());
    if (isInPlot && m_intervals.empty() &&
        !m_missing.trimmed().isEmpty()) { // what may have no room in the lane
        QToolTip::showText(help->globalPos(), m_missing, this);
        return true;
    }
    const Interval* interval = isInPlot ? intervalAt(timeAt(help->pos().x())) : nullptr;
    if (!interval) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    const double length = (interval->end - interval->start).value();
    QString said;
    for (const Mark& mark : m_marks)
        if (mark.start < interval->end && interval->start < mark.end)
            said += QChar(u'\n') + mark.sentence;
    // U+202F: the narrow no-break space before a unit.
    QToolTip::showText(help->globalPos(),
                       (axis()->countsTokens()
                            ? tr("%1, token %2").arg(shownLabel(*interval), numberText(interval->start.value(), 0))
                            : tr("%1, %2 to %3\u202Fs, %4\u202Fms")
                                  .arg(shownLabel(*interval), timeText(interval->start.value(), 3),
                                       timeText(interval->end.value(), 3), timeText(length * 1000, 0))) +
                           said,
                       this);
    return true;
}

void TierLane::mousePressEvent(QMouseEvent* event) {
    m_clickFrom = event->button() == Qt::LeftButton ? std::optional(event->position()) : std::nullopt;
    TimeLane::mousePressEvent(event);
}

void TierLane::mouseReleaseEvent(QMouseEvent* event) {
    TimeLane::mouseReleaseEvent(event);
    const auto from = std::exchange(m_clickFrom, std::nullopt);
    if (event->button() != Qt::LeftButton || !from || !hasSound() || !plotRect().contains(event->position()) ||
        std::abs(event->position().x() - from->x()) >= QApplication::startDragDistance())
        return;
    if (const Interval* interval = intervalAt(timeAt(event->position().x())))
        Q_EMIT intervalActivated(static_cast<int>(interval - m_intervals.data()));
}

void TierLane::mouseDoubleClickEvent(QMouseEvent* event) {
    const Interval* interval = hasSound() ? intervalAt(timeAt(event->position().x())) : nullptr;
    if (event->button() != Qt::LeftButton || !interval || !plotRect().contains(event->position())) {
        TimeLane::mouseDoubleClickEvent(event);
        return;
    }
    // A little of what is around it: a word is heard by its edges.
    const Seconds margin = (interval->end - interval->start) * 0.1;
    axis()->setVisible({interval->start - margin, interval->end + margin});
}

} // namespace headroom::widgets
