// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/band_shape.h"

#include "core/statistics/undefined.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::widgets {

namespace {

QPointF at(const MatrixMapping& mapping, double query, double key) {
    return {mapping.xOf(mapping.edge(key)), mapping.yOf(mapping.edge(query))};
}

double distanceToSegment(QPointF point, QPointF from, QPointF to) {
    const QPointF along = to - from;
    const double squared = QPointF::dotProduct(along, along);
    const double share =
        squared > 0 ? std::clamp(QPointF::dotProduct(point - from, along) / squared, 0.0, 1.0) : 0;
    return QLineF(point, from + along * share).length();
}

double distanceTo(const QPolygonF& line, QPointF point) {
    double nearest = std::numeric_limits<double>::infinity();
    for (qsizetype index = 1; index < line.size(); ++index)
        nearest = std::min(nearest, distanceToSegment(point, line[index - 1], line[index]));
    return nearest;
}

BandEdges stairs(const MatrixMapping& mapping, int block) {
    BandEdges edges;
    const auto count = mapping.tokens;
    for (std::int64_t start = 0; start < count; start += block) {
        const auto end = std::min(start + block, count);
        if (const auto key = start + 2 * block; key < count) {
            edges.upper << at(mapping, double(start), double(key)) << at(mapping, double(end), double(key));
            if (key + block >= count) // the last riser: up to the matrix's right edge
                edges.upper << at(mapping, double(end), double(count));
        }
        if (const auto key = start - block; key > 0) {
            if (edges.lower.isEmpty())
                edges.lower << at(mapping, double(start), 0);
            edges.lower << at(mapping, double(start), double(key)) << at(mapping, double(end), double(key));
        }
    }
    return edges;
}

} // namespace

std::pair<std::int64_t, std::int64_t> BandShape::keysOf(std::int64_t query, std::int64_t tokens) const {
    if (full())
        return {0, tokens};
    if (kind == Kind::Masked)
        return {window > 0 ? std::clamp<std::int64_t>(query - reach(), 0, tokens) : 0,
                std::clamp<std::int64_t>(query + 1, 0, tokens)};
    const auto own = query / block() * block();
    const auto first = kind == Kind::Block ? own - block() : query - reach();
    const auto last = kind == Kind::Block ? own + 2 * block() : query + reach() + 1;
    return {std::clamp<std::int64_t>(first, 0, tokens), std::clamp<std::int64_t>(last, 0, tokens)};
}

BandEdges bandEdges(const MatrixMapping& mapping, const BandShape& shape) {
    if (shape.full() || mapping.empty())
        return {};
    if (shape.kind == BandShape::Kind::Block)
        return stairs(mapping, shape.block());
    const double count = static_cast<double>(mapping.tokens);
    const double offset = shape.reach() + 0.5;
    BandEdges edges;
    if (shape.kind == BandShape::Kind::Masked) { // to the right of the main diagonal nothing is seen
        edges.upper << at(mapping, 0, 0.5) << at(mapping, count - 0.5, count);
        if (shape.window > 0 && offset < count)
            edges.lower << at(mapping, offset, 0) << at(mapping, count, count - offset);
        return edges;
    }
    if (offset >= count)
        return {};
    edges.upper << at(mapping, 0, offset) << at(mapping, count - offset, count);
    edges.lower << at(mapping, offset, 0) << at(mapping, count, count - offset);
    return edges;
}

QPainterPath bandArea(const MatrixMapping& mapping, const BandShape& shape) {
    QPainterPath area;
    const double count = static_cast<double>(mapping.tokens);
    const QRectF all(at(mapping, 0, 0), at(mapping, count, count));
    const auto edges = bandEdges(mapping, shape);
    if (edges.empty()) {
        area.addRect(all);
        return area;
    }
    QPolygonF outline{all.topLeft()};
    outline << QPointF(edges.upper.first().x(), all.top());
    outline += edges.upper;
    outline << all.bottomRight();
    if (!edges.lower.isEmpty()) {
        outline << QPointF(edges.lower.last().x(), all.bottom());
        for (auto point = edges.lower.crbegin(); point != edges.lower.crend(); ++point)
            outline << *point;
    } else {
        outline << all.bottomLeft();
    }
    area.addPolygon(outline);
    area.closeSubpath();
    return area;
}

double BandEdges::distance(QPointF point) const {
    return std::min(distanceTo(upper, point), distanceTo(lower, point));
}

BlockLoss::BlockLoss(MatrixView<const float> matrix) : m_prefix(matrix.rows(), matrix.columns() + 1) {
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < matrix.columns(); ++column) {
            const float value = matrix(row, column);
            sum += std::isnan(value) ? 0.0 : static_cast<double>(value);
            m_prefix(row, column + 1) = sum;
        }
    }
}

double BlockLoss::loss(const BandShape& shape) const {
    if (empty())
        return kUndefined;
    const auto count = static_cast<std::int64_t>(m_prefix.rows());
    double inside = 0, total = 0;
    for (std::int64_t query = 0; query < count; ++query) {
        const auto row = static_cast<std::size_t>(query);
        const auto [first, last] = shape.keysOf(query, static_cast<std::int64_t>(m_prefix.columns()) - 1);
        inside +=
            m_prefix(row, static_cast<std::size_t>(last)) - m_prefix(row, static_cast<std::size_t>(first));
        total += m_prefix(row, m_prefix.columns() - 1);
    }
    return total > 0 ? 1 - inside / total : kUndefined;
}

} // namespace headroom::widgets
