// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/time_axis/time_axis.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr double kShortestVisible = 0.020;

Seconds clamped(Seconds time, Seconds extent) {
    return std::clamp(time, Seconds(0.0), extent);
}

/// The nearest span of allowed length that lies inside the extent. A recording shorter than 20 ms is shown
/// whole.
TimeSpan insideExtent(TimeSpan span, Seconds extent) {
    const double shortest = std::min(kShortestVisible, extent.value());
    const double length = std::clamp(span.length().value(), shortest, extent.value());
    // Grown or shrunk about its middle, then moved inside.
    const double middle = (span.start.value() + span.end.value()) / 2;
    const bool sameLength = length == span.length().value();
    double start = sameLength ? span.start.value() : middle - length / 2;
    start = std::clamp(start, 0.0, extent.value() - length);
    return {Seconds(start), Seconds(start + length)};
}

bool isFinite(TimeSpan span) {
    return std::isfinite(span.start.value()) && std::isfinite(span.end.value());
}

} // namespace

TimeAxis::TimeAxis(QObject* parent) : QObject(parent) {}

void TimeAxis::setExtent(Seconds extent, AxisUnit unit) {
    if (!std::isfinite(extent.value()) || extent < Seconds(0.0))
        extent = Seconds(0.0);
    const bool hasSound = extent > Seconds(0.0);
    const TimeSpan all{Seconds(0.0), extent};
    const std::optional<Seconds> start = hasSound ? std::optional(Seconds(0.0)) : std::nullopt;
    // All of the state first, so that whoever listens to the first signal already sees a consistent axis.
    const bool otherUnit = std::exchange(m_unit, unit) != unit;
    const bool otherExtent = std::exchange(m_extent, extent) != extent || otherUnit;
    const bool otherVisible = std::exchange(m_visible, all) != all;
    const bool otherCursor = std::exchange(m_cursor, start) != start;
    const bool otherPointer = std::exchange(m_pointer, std::nullopt).has_value();
    m_snapBounds.clear();
    const bool otherSelection = std::exchange(m_selection, std::nullopt).has_value();
    if (otherExtent)
        Q_EMIT extentChanged();
    if (otherVisible)
        Q_EMIT visibleChanged();
    if (otherCursor)
        Q_EMIT cursorChanged();
    if (otherPointer)
        Q_EMIT pointerChanged();
    if (otherSelection)
        Q_EMIT selectionChanged();
}

void TimeAxis::setVisible(TimeSpan span) {
    if (!isFinite(span))
        return;
    if (span.end < span.start)
        std::swap(span.start, span.end);
    const TimeSpan wanted = insideExtent(span, m_extent);
    if (wanted == m_visible)
        return;
    m_visible = wanted;
    Q_EMIT visibleChanged();
}

void TimeAxis::fit() {
    setVisible({Seconds(0.0), m_extent});
}

void TimeAxis::zoom(double factor, Seconds around) {
    if (!(factor > 0) || !std::isfinite(factor) || m_extent <= Seconds(0.0))
        return;
    const double length = m_visible.length().value();
    const double shortest = std::min(kShortestVisible, m_extent.value());
    const double wanted = std::clamp(length / factor, shortest, m_extent.value());
    if (length <= 0 || wanted == length)
        return;
    // The share of the picture left of `around` stays the same; the edges of the recording may then move it.
    const double share = (around.value() - m_visible.start.value()) / length;
    const double start = around.value() - share * wanted;
    setVisible({Seconds(start), Seconds(start + wanted)});
}

void TimeAxis::scroll(Seconds by) {
    setVisible({m_visible.start + by, m_visible.end + by});
}

void TimeAxis::reveal(Seconds time) {
    time = clamped(time, m_extent);
    if (time >= m_visible.start && time <= m_visible.end)
        return;
    const double length = m_visible.length().value();
    // A page on, with a tenth of it kept before (or after) the moment, so that playing does not scroll at
    // every frame.
    const double start = time > m_visible.end ? time.value() - 0.1 * length : time.value() - 0.9 * length;
    setVisible({Seconds(start), Seconds(start + length)});
}

void TimeAxis::setCursor(std::optional<Seconds> time) {
    if (time)
        time = clamped(*time, m_extent);
    if (m_extent <= Seconds(0.0))
        time.reset();
    if (std::exchange(m_cursor, time) != time)
        Q_EMIT cursorChanged();
}

void TimeAxis::setPointer(std::optional<Seconds> time) {
    if (time)
        time = clamped(*time, m_extent);
    if (m_extent <= Seconds(0.0))
        time.reset();
    if (std::exchange(m_pointer, time) != time)
        Q_EMIT pointerChanged();
}

void TimeAxis::setSelection(std::optional<TimeSpan> span) {
    if (span) {
        if (span->end < span->start)
            std::swap(span->start, span->end);
        span = TimeSpan{clamped(span->start, m_extent), clamped(span->end, m_extent)};
        if (span->length() <= Seconds(0.0))
            span.reset();
    }
    if (std::exchange(m_selection, span) != span)
        Q_EMIT selectionChanged();
}

} // namespace headroom::widgets
