// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_map/head_maps.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_raster.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

QSize cellSize() {
    return {qRound(11 * Sizes::unit()), qRound(7 * Sizes::unit())};
}
int cellGap() {
    return qRound(Sizes::unit());
}
int numbersWidth() {
    return qRound(6 * Sizes::unit());
}

/// The cells that each of `pixels` covers.
std::vector<CellRange> spread(int pixels, std::int64_t cells) {
    std::vector<CellRange> ranges;
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
        const auto first = static_cast<std::int32_t>(pixel * cells / pixels),
                   last = static_cast<std::int32_t>(((pixel + 1) * cells + pixels - 1) / pixels);
        ranges.push_back({first, std::max(last, first + 1)});
    }
    return ranges;
}

} // namespace

HeadMaps::HeadMaps(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Cross-attention heads"));
    setAccessibleDescription(tr("No heads"));
}

void HeadMaps::setMaps(std::vector<std::vector<std::shared_ptr<const MaxPyramid>>> maps) {
    m_maps = std::move(maps);
    m_pictures.assign(m_maps.size(), std::vector<QImage>(static_cast<std::size_t>(heads())));
    setCurrent(m_current.first, m_current.second);
    updateGeometry();
    resize(sizeHint());
    update();
}

void HeadMaps::setMarked(std::vector<std::pair<int, int>> heads) {
    m_marked = std::move(heads);
    update();
}

void HeadMaps::setCurrent(int layer, int head) {
    const bool is = layer >= 1 && layer <= layers() && head >= 1 && head <= heads();
    m_current = is ? std::pair(layer, head) : std::pair(0, 0);
    setAccessibleDescription(is             ? nameOf(m_current)
                             : layers() > 0 ? tr("%1 layers × %2 heads").arg(layers()).arg(heads())
                                            : tr("No heads"));
    update();
}

void HeadMaps::setColours(ColourMap::Name name, double gamma) {
    m_colourMap = name;
    m_gamma = gamma;
    for (auto& layer : m_pictures)
        std::fill(layer.begin(), layer.end(), QImage());
    update();
}

QRect HeadMaps::cellRect(int layer, int head) const {
    const QSize cell = cellSize();
    const int top = fontMetrics().height() + cellGap();
    return {QPoint(numbersWidth() + (head - 1) * (cell.width() + cellGap()),
                   top + (layer - 1) * (cell.height() + cellGap())),
            cell};
}

std::pair<int, int> HeadMaps::cellAt(QPoint position) const {
    for (int layer = 1; layer <= layers(); ++layer)
        for (int head = 1; head <= heads(); ++head)
            if (cellRect(layer, head).contains(position))
                return {layer, head};
    return {0, 0};
}

QSize HeadMaps::sizeHint() const {
    const QRect last = cellRect(std::max(layers(), 1), std::max(heads(), 1));
    return {last.right() + 1 + 2 * cellGap(), last.bottom() + 1 + 2 * cellGap()};
}

QString HeadMaps::nameOf(std::pair<int, int> cell) const {
    const QString name = tr("Decoder layer %1, head %2").arg(cell.first).arg(cell.second);
    return std::find(m_marked.begin(), m_marked.end(), cell) == m_marked.end()
               ? name
               : tr("%1 (tells the times of the words)").arg(name);
}

const QImage& HeadMaps::picture(int layer, int head) {
    QImage& image = m_pictures[static_cast<std::size_t>(layer - 1)][static_cast<std::size_t>(head - 1)];
    const auto& map = m_maps[static_cast<std::size_t>(layer - 1)][static_cast<std::size_t>(head - 1)];
    const QSize pixels = cellSize() * devicePixelRatioF();
    if (!map || image.size() == pixels)
        return image;
    const Matrix<float> values =
        sampleMap(*map, spread(pixels.height(), static_cast<std::int64_t>(map->rows())),
                  spread(pixels.width(), static_cast<std::int64_t>(map->columns())), false);
    float largest = 0;
    for (const float value : values.values())
        largest = std::isfinite(value) ? std::max(largest, value) : largest;
    const Theme& theme = Theme::current();
    const ColourTable table(ColourMap::named(m_colourMap, theme.isDark), m_gamma, theme.hiddenCell.rgb());
    image = table.colour(values, {0, largest > 0 ? largest : 1});
    image.setDevicePixelRatio(devicePixelRatioF());
    return image;
}

void HeadMaps::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.setPen(theme.text2);
    for (int head = 1; head <= heads(); ++head) {
        const QRect cell = cellRect(1, head);
        painter.drawText(QRect(cell.left(), 0, cell.width(), cell.top()), Qt::AlignCenter,
                         QString::number(head));
    }
    for (int layer = 1; layer <= layers(); ++layer) {
        const QRect first = cellRect(layer, 1);
        painter.setPen(theme.text2);
        painter.drawText(QRect(0, first.top(), numbersWidth() - cellGap(), first.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
        for (int head = 1; head <= heads(); ++head) {
            const QRect cell = cellRect(layer, head);
            painter.drawImage(cell.topLeft(), picture(layer, head));
            const bool chosen = m_current == std::pair(layer, head);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(chosen ? theme.accent : theme.line, chosen ? 2 : 1));
            painter.drawRect(QRectF(cell).adjusted(0.5, 0.5, -0.5, -0.5));
            if (std::find(m_marked.begin(), m_marked.end(), std::pair(layer, head)) == m_marked.end())
                continue;
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.accent);
            const double radius = 0.7 * Sizes::unit();
            painter.drawEllipse(QPointF(cell.right() - 2 * radius, cell.top() + 2 * radius), radius, radius);
        }
    }
}

void HeadMaps::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->pos());
    // A context menu speaks of the head under the mouse.
    if ((event->button() != Qt::LeftButton && event->button() != Qt::RightButton) || cell.first == 0)
        return;
    setCurrent(cell.first, cell.second);
    if (event->button() == Qt::RightButton)
        return;
    Q_EMIT headChosen(cell.first, cell.second);
}

void HeadMaps::go(std::pair<int, int> cell) {
    setCurrent(std::clamp(cell.first, 1, std::max(layers(), 1)),
               std::clamp(cell.second, 1, std::max(heads(), 1)));
}

void HeadMaps::keyPressEvent(QKeyEvent* event) {
    const auto [layer, head] = m_current;
    switch (event->key()) {
    case Qt::Key_Left:
        return go({layer, head - 1});
    case Qt::Key_Right:
        return go({layer, head + 1});
    case Qt::Key_Up:
        return go({layer - 1, head});
    case Qt::Key_Down:
        return go({layer + 1, head});
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (layer > 0)
            Q_EMIT headChosen(layer, head);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool HeadMaps::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        if (cell.first > 0)
            QToolTip::showText(help->globalPos(), nameOf(cell), this, cellRect(cell.first, cell.second));
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void HeadMaps::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        setColours(m_colourMap, m_gamma); // pictures and sizes are made anew
    QWidget::changeEvent(event);
}

} // namespace headroom::widgets
