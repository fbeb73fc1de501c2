// SPDX-License-Identifier: GPL-3.0-or-later
// Where the map lies: which queries are seen beside the keys of the axis, and which token is at a time.
#include "widgets/look/sizes.h"
#include "widgets/matrix/matrix_view.h"

#include <algorithm>

namespace headroom::widgets {

void LayerMatrixView::setLinkedAxes(bool linked) {
    if (m_linked == linked)
        return;
    m_queries = visibleQueries();
    m_linked = linked;
    layOut();
    update();
    Q_EMIT visibleQueriesChanged();
}

void LayerMatrixView::setVisibleQueries(TimeSpan queries) {
    if (m_linked || !axis())
        return;
    const double extent = axis()->extent().value();
    const double length = std::clamp(queries.length().value(), std::min(0.02, extent), extent);
    const double start = std::clamp(queries.start.value(), 0.0, extent - length);
    const TimeSpan clamped{Seconds(start), Seconds(start + length)};
    if (clamped == m_queries)
        return;
    m_queries = clamped;
    layOut();
    update();
    Q_EMIT visibleQueriesChanged();
}

void LayerMatrixView::setEqualScale(bool equal) {
    m_equal = equal;
    m_firstQuery.reset();
    followCursor();
    layOut();
    update();
}

void LayerMatrixView::followCursor() {
    const auto token = cursorToken();
    if (!m_equal || !m_linked || !token)
        return;
    const TimeSpan keys = axis()->visible(), queries = visibleQueries();
    const Seconds half = shownClock().cellStep() / 2, at = shownClock().cellCentre(*token);
    if (at + half < keys.start || at - half > keys.end) // scrolled away from it
        return;
    if (at - half < queries.start)
        m_firstQuery = at - half;
    else if (at + half > queries.end)
        m_firstQuery = at + half - queries.length();
    else
        return;
    layOut();
}

QRectF LayerMatrixView::mapRect() const {
    const double axisHeight = 3.5 * Sizes::unit();
    const QRectF plot = plotRect();
    return QRectF(plot.topLeft(), QSizeF(plot.width(), std::max(plot.height() - axisHeight, 0.0)));
}

TimeSpan LayerMatrixView::visibleQueries() const {
    if (!axis())
        return m_queries;
    const TimeSpan keys = axis()->visible();
    if (m_equal) {
        const QRectF map = mapRect();
        const TimeSpan around = m_linked ? keys : m_queries;
        const Seconds length = keys.length() * (map.width() > 0 ? map.height() / map.width() : 1);
        // Queries start where the keys start while that shows everything; else where the cursor took them, at first around
        // the middle.
        if (m_linked && length >= keys.length())
            return {keys.start, keys.start + length};
        if (m_linked && m_firstQuery) {
            const double first = std::clamp(m_firstQuery->value(), keys.start.value(), (keys.end - length).value());
            return {Seconds(first), Seconds(first) + length};
        }
        const Seconds middle = (around.start + around.end) / 2;
        return {middle - length / 2, middle + length / 2};
    }
    return m_linked ? keys : m_queries;
}

MatrixMapping LayerMatrixView::mappingOf(const MaxPyramid* map, const TokenClock& clock) const {
    MatrixMapping mapping;
    mapping.plot = mapRect();
    mapping.clock = clock;
    if (axis()) {
        mapping.keys = axis()->visible();
        mapping.unit = axis()->unit();
        mapping.queries = visibleQueries();
    }
    mapping.tokens = map ? static_cast<std::int64_t>(map->rows()) : 0;
    return mapping;
}

MatrixMapping LayerMatrixView::mapping() const {
    return m_map ? mappingOf(&shown(), shownClock()) : mappingOf(nullptr, m_clock);
}

void LayerMatrixView::layOut() {
    MatrixMapping inBand = mapping();
    const QRect place = inBand.plot.toRect();
    m_band->setGeometry(place);
    inBand.plot.translate(-place.topLeft());
    m_band->setMapping(inBand);
    m_tag->raise();
    followReadout();
}

std::optional<Tokens> LayerMatrixView::tokenAt(Seconds time) const {
    if (!m_map)
        return std::nullopt;
    return shownClock().tokenAt(time, Tokens(static_cast<std::int64_t>(shown().rows())));
}

/// None outside the part that the map is of.
std::optional<Tokens> LayerMatrixView::tokenUnderTime(Seconds time) const {
    if (!m_map || !axis())
        return std::nullopt;
    return tokenUnder(time, shownClock(), Tokens(static_cast<std::int64_t>(shown().rows())),
                      axis()->extent(), m_part);
}

std::optional<Tokens> LayerMatrixView::cursorToken() const {
    const auto cursor = axis() ? axis()->cursor() : std::nullopt;
    return cursor ? tokenUnderTime(*cursor) : std::nullopt;
}

} // namespace headroom::widgets
