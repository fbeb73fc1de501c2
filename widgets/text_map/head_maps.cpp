// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_map/head_maps.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/text_map/small_map.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

QSize preferredCell() {
    return {qRound(11 * Sizes::unit()), qRound(7 * Sizes::unit())};
}
QSize largestCell() { // where few heads have a large panel
    return 2 * preferredCell();
}
QSize smallestCell() {
    return {qRound(4 * Sizes::unit()), qRound(3 * Sizes::unit())};
}
int cellGap() {
    return qRound(Sizes::unit());
}
int numbersWidth() {
    return qRound(6 * Sizes::unit());
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
                             : layers() > 0 ? tr("%1 × %2").arg(counted(layers(), tr("1 layer"), tr("%1 layers")), counted(heads(), tr("1 head"), tr("%1 heads")))
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

QSize HeadMaps::cellSize() const {
    const int columns = std::max(heads(), 1), rows = std::max(layers(), 1), top = fontMetrics().height() + cellGap();
    const int width = (this->width() - numbersWidth() - 2 * cellGap()) / columns - cellGap();
    const int height = (this->height() - top - 2 * cellGap()) / rows - cellGap();
    return QSize(width, height).boundedTo(largestCell()).expandedTo(smallestCell());
}

QSize HeadMaps::sizeWith(const QSize& cell) const {
    const int columns = std::max(heads(), 1), rows = std::max(layers(), 1), top = fontMetrics().height() + cellGap();
    return {numbersWidth() + columns * (cell.width() + cellGap()) + 2 * cellGap(),
            top + rows * (cell.height() + cellGap()) + 2 * cellGap()};
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
    return sizeWith(preferredCell());
}

QSize HeadMaps::minimumSizeHint() const {
    return sizeWith(smallestCell());
}

QString HeadMaps::nameOf(std::pair<int, int> cell) const {
    const QString name = tr("Decoder layer %1, head %2").arg(cell.first).arg(cell.second);
    return std::find(m_marked.begin(), m_marked.end(), cell) == m_marked.end()
               ? name
               : tr("%1 (alignment head)").arg(name);
}

const QImage& HeadMaps::picture(int layer, int head) {
    QImage& image = m_pictures[static_cast<std::size_t>(layer - 1)][static_cast<std::size_t>(head - 1)];
    const auto& map = m_maps[static_cast<std::size_t>(layer - 1)][static_cast<std::size_t>(head - 1)];
    const QSize pixels = cellSize() * devicePixelRatioF();
    if (!map || image.size() == pixels)
        return image;
    image = smallMap(*map, pixels, SmallMapRange::Maximum, m_colourMap, m_gamma, devicePixelRatioF());
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
