// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/layer_map.h"

#include "widgets/curves/whole_ticker.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr double kScaleWidth = 12, kScaleRoom = 64, kLayerFoot = 40, kLayerSide = 44,
                 kLayerTop = 8; ///< pixels at 1×

QString layerNumber(double value) {
    return numberText(value, 3);
}

QString layerMapAxes(const LayerMap::Content& content) {
    return content.rows.isEmpty()
               ? LayerMap::tr("%1. Rows and columns: layers. 0 is the input of layer 1.").arg(content.measure)
               : LayerMap::tr("%1. Rows: layers of %2. Columns: layers of %3. 0 is the input of layer 1.")
                     .arg(content.measure, content.rows, content.columns);
}

} // namespace

LayerMap::LayerMap(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Similarity of layers"));
}

void LayerMap::setContent(Content content) {
    m_content = std::move(content);
    m_pointed.reset();
    m_chosen.reset();
    setAccessibleDescription(tr("%1 of %2 by %3")
                                 .arg(m_content.measure, QString::number(m_content.values.rows()),
                                      counted(m_content.values.columns(), tr("1 layer"), tr("%1 layers"))));
    setToolTip(layerMapAxes(m_content)); // the line below the map is cut in a narrow tab
    update();
}

double LayerMap::scaleStart() const {
    constexpr double kFinest = 0.001; // as many digits as the map gives its values
    double least = 1;
    for (std::size_t row = 0; row < m_content.values.rows(); ++row)
        for (std::size_t column = 0; column < m_content.values.columns(); ++column)
            if (const double value = m_content.values(row, column); value < least) // no NaN is
                least = value;
    if (1 - least < kFinest)
        return 0;
    const double steps = std::pow(10, -std::floor(std::log10(1 - least) + 1e-9));
    return std::max(0.0, std::floor(least * steps + 1e-9) / steps);
}

QStringList LayerMap::scaleLabels() const {
    const double start = scaleStart();
    const int decimals = std::max(decimalsOf(start), decimalsOf((start + 1) / 2));
    return {numberText(start, decimals), numberText((start + 1) / 2, decimals), numberText(1, decimals)};
}

QRectF LayerMap::mapRect(QSizeF room) const {
    const double left = scaledPixels(kLayerSide), top = scaledPixels(kLayerTop);
    const double wide = room.width() - left - scaledPixels(kScaleRoom), high = room.height() - top - scaledPixels(kLayerFoot);
    const auto rows = static_cast<double>(std::max<std::size_t>(m_content.values.rows(), 1)),
               columns = static_cast<double>(std::max<std::size_t>(m_content.values.columns(), 1));
    const double cell = std::max(1.0, std::min(wide / columns, high / rows));
    return {left, top, cell * columns, cell * rows};
}

QRectF LayerMap::cellRect(Cell cell, QSizeF room) const {
    const QRectF map = mapRect(room);
    const double side = map.width() / static_cast<double>(m_content.values.columns());
    return {map.left() + cell.column * side, map.top() + cell.row * side, side, side};
}

std::optional<LayerMap::Cell> LayerMap::cellAt(QPointF position) const {
    const QRectF map = mapRect(size());
    if (m_content.values.empty() || !map.contains(position))
        return std::nullopt;
    const double side = map.width() / static_cast<double>(m_content.values.columns());
    const Cell cell{static_cast<int>((position.y() - map.top()) / side),
                    static_cast<int>((position.x() - map.left()) / side)};
    if (cell.row >= static_cast<int>(m_content.values.rows()) ||
        cell.column >= static_cast<int>(m_content.values.columns()))
        return std::nullopt;
    return cell;
}

QString LayerMap::describe(Cell cell) const {
    const QString value =
        layerNumber(m_content.values(static_cast<std::size_t>(cell.row), static_cast<std::size_t>(cell.column)));
    if (m_content.rows.isEmpty())
        return tr("Layer %1 and layer %2: %3 %4").arg(cell.row).arg(cell.column).arg(m_content.measure, value);
    // In one call, because a name may hold a %1.
    return tr("Layer %1 of %2 and layer %3 of %4: %5 %6")
        .arg(QString::number(cell.row), m_content.rows, QString::number(cell.column), m_content.columns, m_content.measure, value);
}

void LayerMap::renderTo(QPainter& painter, const QRect& target) const {
    painter.save();
    painter.translate(target.topLeft());
    const double more = moreLines(target.width());
    paint(painter, target.size() - QSizeF(0, more), std::nullopt, more);
    painter.restore();
}

double LayerMap::moreLines(double width) const {
    if (m_content.values.empty())
        return 0;
    const QFontMetricsF metrics(Sizes::small());
    const QRectF lines(0, 0, width - scaledPixels(8), 100 * metrics.height());
    const double needed = metrics.boundingRect(lines, Qt::TextWordWrap, layerMapAxes(m_content)).height();
    return std::max(0.0, std::ceil(needed - metrics.height() - 0.01));
}

QSize LayerMap::figureSize() const {
    return size() + QSize(0, static_cast<int>(moreLines(width())));
}

void LayerMap::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::current();
    QPainter painter(this);
    paint(painter, size(), m_pointed ? m_pointed : m_chosen, 0);
    if (!m_chosen || m_content.values.empty())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.bandCasing, scaledPixels(4)));
    painter.drawRect(cellRect(*m_chosen, size()));
    painter.setPen(QPen(theme.crossHair, scaledPixels(2)));
    painter.drawRect(cellRect(*m_chosen, size()));
}

void LayerMap::paint(QPainter& painter, QSizeF room, std::optional<Cell> shown, double more) const {
    const auto& theme = Theme::current();
    painter.fillRect(QRectF(QPointF(0, 0), room + QSizeF(0, more)), theme.panel);
    if (m_content.values.empty())
        return;
    const ColourMap& colours = ColourMap::named(ColourMap::Name::Magma, theme.isDark);
    const QRectF map = mapRect(room);
    const int rows = static_cast<int>(m_content.values.rows()), columns = static_cast<int>(m_content.values.columns());
    const double start = scaleStart();
    painter.setPen(Qt::NoPen);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const double value = m_content.values(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
            painter.fillRect(cellRect({row, column}, room),
                             std::isnan(value) ? QColor(theme.alternate) : QColor(colours.at((value - start) / (1 - start))));
        }
    painter.setFont(Sizes::small());
    const QFontMetricsF metrics(Sizes::small());
    const double side = map.width() / columns;
    const int every = std::max(1, static_cast<int>(std::ceil(metrics.height() * 1.4 / side)));
    painter.setPen(theme.text2);
    for (int row = 0; row < rows; row += every)
        painter.drawText(QRectF(0, map.top() + row * side, map.left() - scaledPixels(4), side),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, QString::number(row));
    for (int column = 0; column < columns; column += every)
        painter.drawText(QRectF(map.left() + column * side, map.bottom() + scaledPixels(2), side, metrics.height()),
                         Qt::AlignHCenter | Qt::AlignTop | Qt::TextDontClip, QString::number(column));
    // Below: the cell that is looked at, otherwise what the axes are.
    const QRectF foot(scaledPixels(4), map.bottom() + metrics.height() + scaledPixels(4), room.width() - scaledPixels(8),
                      metrics.height() + scaledPixels(2) + more);
    const QString text = shown ? describe(*shown) : layerMapAxes(m_content);
    if (more > 0)
        painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text);
    else
        painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, foot.width()));
    const QRectF scale(map.right() + scaledPixels(10), map.top(), scaledPixels(kScaleWidth), map.height());
    for (int y = 0; y < static_cast<int>(scale.height()); ++y)
        painter.fillRect(QRectF(scale.left(), scale.top() + y, scale.width(), 1),
                         QColor(colours.at(1 - y / std::max(1.0, scale.height() - 1))));
    const QStringList labels = scaleLabels();
    for (int i = 0; i < labels.size(); ++i)
        painter.drawText(QRectF(scale.right() + scaledPixels(4), scale.bottom() - i * scale.height() / 2 - 8,
                                scaledPixels(28), 16),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, labels[i]);
}

void LayerMap::point(std::optional<Cell> cell) {
    if (cell == m_pointed)
        return;
    m_pointed = cell;
    update();
}

void LayerMap::choose(Cell cell) {
    m_chosen = cell;
    setAccessibleDescription(describe(cell));
    update();
}

void LayerMap::mouseMoveEvent(QMouseEvent* event) {
    point(cellAt(event->position()));
}

void LayerMap::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position()))
        choose(*cell);
}

void LayerMap::leaveEvent(QEvent*) {
    point(std::nullopt);
}

void LayerMap::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (m_content.values.empty() ||
        (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down))
        return QWidget::keyPressEvent(event);
    Cell cell = m_chosen.value_or(Cell{});
    cell.row += key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    cell.column += key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    cell.row = std::clamp(cell.row, 0, static_cast<int>(m_content.values.rows()) - 1);
    cell.column = std::clamp(cell.column, 0, static_cast<int>(m_content.values.columns()) - 1);
    choose(cell);
}

QSize LayerMap::sizeHint() const {
    return QSize(qRound(scaledPixels(360)), qRound(scaledPixels(320)));
}

QSize LayerMap::minimumSizeHint() const {
    return QSize(qRound(scaledPixels(160)), qRound(scaledPixels(140)));
}

} // namespace headroom::widgets
