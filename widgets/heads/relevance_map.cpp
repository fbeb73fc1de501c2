// SPDX-License-Identifier: GPL-3.0-or-later
// What the map of relevance knows and hears. How it looks: relevance_map_paint.cpp.
#include "widgets/heads/relevance_map.h"

#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

RelevanceMap::RelevanceMap(QWidget* parent) : CellMap(tr("No head relevance yet."), parent) {
    setAccessibleName(tr("Head relevance"));
}

void RelevanceMap::setValues(Matrix<double> values, std::vector<std::vector<HeadKind>> kinds) {
    const bool resized = values.rows() != m_values.rows() || values.columns() != m_values.columns();
    m_values = std::move(values);
    m_kinds = std::move(kinds);
    if (resized)
        updateGeometry();
    cellsChanged();
}

void RelevanceMap::setSelected(std::optional<HeadId> head) {
    setSelectedPlace(head ? std::optional(Place{head->layer, head->head}) : std::nullopt);
}

double RelevanceMap::value(HeadId head) const {
    const bool inside = head.layer >= 0 && head.head >= 0 && std::size_t(head.layer) < m_values.rows() &&
                        std::size_t(head.head) < m_values.columns();
    return inside ? m_values(std::size_t(head.layer), std::size_t(head.head)) : double(NAN);
}

std::optional<HeadKind> RelevanceMap::kindOf(HeadId head) const {
    if (head.layer < 0 || std::size_t(head.layer) >= m_kinds.size())
        return std::nullopt;
    const auto& kinds = m_kinds[std::size_t(head.layer)];
    return head.head >= 0 && std::size_t(head.head) < kinds.size()
               ? std::optional(kinds[std::size_t(head.head)])
               : std::nullopt;
}

QColor RelevanceMap::colourAt(HeadId head) const {
    const double found = value(head);
    if (!std::isfinite(found))
        return {};
    return QColor(ColourMap::named(ColourMap::Name::Cividis).at((found - kLow) / (kHigh - kLow)));
}

QString RelevanceMap::describe(HeadId head) const {
    const auto kind = kindOf(head);
    const QString name = kind ? QStringLiteral("%1 (%2)").arg(headName(head), nameOf(*kind)) : headName(head);
    const double found = value(head);
    return std::isfinite(found) ? tr("%1: relevance %2").arg(name, numberText(found, 3))
                                : tr("%1: relevance unknown").arg(name);
}

QRectF RelevanceMap::cellRect(HeadId head) const {
    return cellIn(mapIn(rect()), head);
}

std::optional<HeadId> RelevanceMap::headAt(QPointF position) const {
    return headOf(placeAt(position));
}

std::optional<CellMap::Place> RelevanceMap::placeAt(QPointF position) const {
    const QRectF map = mapIn(rect());
    if (m_values.empty() || !map.contains(position))
        return std::nullopt;
    const auto place = [](double share, std::size_t count) {
        return std::clamp(int(share * double(count)), 0, int(count) - 1);
    };
    return Place{place((position.y() - map.top()) / map.height(), m_values.rows()),
                 place((position.x() - map.left()) / map.width(), m_values.columns())};
}

QString RelevanceMap::toolTipAt(QPointF position) const {
    const auto head = headAt(position);
    return head ? describe(*head)
                : tr("Head relevance: the share of a head in the output of its layer, median over tokens (the "
                     "lower of two middle values). The heads of one token sum to 1; their medians need not. "
                     "Sant et al. 2022, Eq. 4. Use the arrow keys to move, Enter to show the head.");
}

QString RelevanceMap::description() const {
    return selected() ? describe(*selected()) + QLatin1Char('.')
                      : tr("%1, %2.").arg(counted(m_values.rows(), tr("1 layer"), tr("%1 layers")), counted(m_values.columns(), tr("1 head"), tr("%1 heads")));
}

QSize RelevanceMap::sizeHint() const {
    const int layers = m_values.empty() ? 8 : int(m_values.rows());
    return {qRound(40 * Sizes::unit()), qRound((layers * 3 + 6) * Sizes::unit())};
}

QSize RelevanceMap::minimumSizeHint() const {
    const int layers = m_values.empty() ? 4 : int(m_values.rows());
    return {qRound(24 * Sizes::unit()), qRound((layers * 2 + 5) * Sizes::unit())};
}

} // namespace headroom::widgets
