// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_map/measure_tiles.h"

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

constexpr int kColumns = 3;

int tileGap() {
    return qRound(2 * Sizes::unit());
}
int titleHeight() {
    return qRound(QFontMetricsF(Sizes::caption()).height() + Sizes::unit());
}
int tileWidth(int width) {
    return std::max((width - (kColumns + 1) * tileGap()) / kColumns, 1);
}
int mapHeight(int width) {
    return std::clamp(tileWidth(width) * 9 / 20, qRound(8 * Sizes::unit()), qRound(24 * Sizes::unit()));
}

} // namespace

MeasureTiles::MeasureTiles(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred); // Fixed would be the height of the hinted width
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Measures of mixing"));
    describe();
}

void MeasureTiles::setTiles(std::vector<MeasureTile> tiles) {
    if (tiles == m_tiles)
        return;
    m_pictures.resize(tiles.size());
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (i >= m_tiles.size() || tiles[i].map != m_tiles[i].map)
            m_pictures[i] = QImage();
    m_tiles = std::move(tiles);
    for (int* tile : {&m_shown, &m_current})
        *tile = std::min(*tile, static_cast<int>(m_tiles.size()) - 1);
    describe();
    updateGeometry();
    update();
}

void MeasureTiles::setCurrent(int tile) {
    const int shown = tile >= 0 && tile < static_cast<int>(m_tiles.size()) ? tile : -1;
    if (shown == m_shown)
        return;
    m_shown = shown;
    moveFrame(shown);
}

void MeasureTiles::moveFrame(int tile) {
    m_current = tile;
    describe();
    update();
}

void MeasureTiles::setMarkedRows(std::optional<std::pair<int, int>> rows) {
    m_marked = rows;
    update();
}

void MeasureTiles::setColours(ColourMap::Name name, double gamma) {
    m_colourMap = name;
    m_gamma = gamma;
    std::fill(m_pictures.begin(), m_pictures.end(), QImage());
    update();
}

void MeasureTiles::describe() {
    setAccessibleDescription(m_current < 0 ? tr("No measure") : m_tiles[static_cast<std::size_t>(m_current)].title);
}

QRect MeasureTiles::tileRect(int tile) const {
    const int width = tileWidth(this->width()), height = mapHeight(this->width()) + titleHeight();
    return {tileGap() + tile % kColumns * (width + tileGap()), tileGap() + tile / kColumns * (height + tileGap()), width,
            height};
}

QRect MeasureTiles::mapRect(int tile) const {
    return tileRect(tile).adjusted(0, 0, 0, -titleHeight());
}

QRect MeasureTiles::titleRect(int tile) const {
    return tileRect(tile).adjusted(tileGap() / 4, mapRect(tile).height(), -tileGap() / 4, 0);
}

int MeasureTiles::tileAt(QPoint position) const {
    for (int tile = 0; tile < static_cast<int>(m_tiles.size()); ++tile)
        if (tileRect(tile).contains(position))
            return tile;
    return -1;
}

QSize MeasureTiles::sizeHint() const {
    const int width = qRound(66 * Sizes::unit());
    return {width, heightForWidth(width)};
}

QSize MeasureTiles::minimumSizeHint() const {
    const int width = qRound(30 * Sizes::unit());
    return {width, heightForWidth(width)};
}

int MeasureTiles::heightForWidth(int width) const {
    const int rows = (static_cast<int>(m_tiles.size()) + kColumns - 1) / kColumns;
    return rows * (mapHeight(width) + titleHeight() + tileGap()) + tileGap();
}

const QImage& MeasureTiles::picture(int tile) {
    QImage& image = m_pictures[static_cast<std::size_t>(tile)];
    const auto& map = m_tiles[static_cast<std::size_t>(tile)].map;
    const QSize pixels = mapRect(tile).size() * devicePixelRatioF();
    if (map && image.size() != pixels)
        image = smallMap(*map, pixels, SmallMapRange::Percentile99, m_colourMap, m_gamma, devicePixelRatioF());
    return image;
}

QString MeasureTiles::shownTitle(int tile) const {
    const MeasureTile& one = m_tiles[static_cast<std::size_t>(tile)];
    QFont bold = Sizes::caption();
    bold.setBold(true);
    const int note =
        one.note.isEmpty() ? 0 : QFontMetrics(Sizes::caption()).horizontalAdvance(one.note) + tileGap() / 2;
    return QFontMetrics(bold).elidedText(one.title, Qt::ElideRight, titleRect(tile).width() - note);
}

/// The title first where it is cut.
QString MeasureTiles::tipOf(int tile) const {
    const MeasureTile& one = m_tiles[static_cast<std::size_t>(tile)];
    return shownTitle(tile) == one.title || one.toolTip.startsWith(one.title) ? one.toolTip
           : one.toolTip.isEmpty()                                            ? one.title
                                   : one.title + QLatin1Char('\n') + one.toolTip;
}

void MeasureTiles::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::current();
    painter.setFont(Sizes::caption());
    for (int number = 0; number < static_cast<int>(m_tiles.size()); ++number) {
        const MeasureTile& tile = m_tiles[static_cast<std::size_t>(number)];
        const QRect box = mapRect(number), whole = tileRect(number);
        const bool chosen = number == m_shown;
        if (chosen)
            painter.fillRect(whole.adjusted(0, box.height(), 0, 0), theme.selectedRow);
        if (tile.map) {
            painter.drawImage(box.topLeft(), picture(number));
            if (m_marked && m_marked->second <= static_cast<int>(tile.map->rows())) {
                painter.setPen(QPen(theme.crossHair, 1));
                const double row = static_cast<double>(box.height()) / static_cast<double>(tile.map->rows());
                for (const int bound : {m_marked->first, m_marked->second}) {
                    const double y = std::clamp(std::floor(box.top() + bound * row) + 0.5, box.top() + 0.5, box.bottom() + 0.5);
                    painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
                }
            }
        } else {
            painter.fillRect(box, theme.alternate);
            painter.setPen(theme.text2);
            painter.drawText(box.adjusted(tileGap() / 2, 0, -tileGap() / 2, 0), Qt::AlignCenter | Qt::TextWordWrap,
                             tile.sentence);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(chosen ? theme.accent : theme.line, chosen ? 2 : 1));
        painter.drawRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5));
        if (number == m_current && hasFocus()) {
            painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
            painter.drawRect(QRectF(whole).adjusted(-1.5, -1.5, 1.5, 1.5));
        }
        const QRect line = titleRect(number);
        painter.setPen(theme.text2);
        painter.setFont(Sizes::caption());
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, tile.note);
        QFont bold = Sizes::caption();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shownTitle(number));
        painter.setFont(Sizes::caption());
    }
}

void MeasureTiles::mousePressEvent(QMouseEvent* event) {
    const int tile = event->button() == Qt::LeftButton ? tileAt(event->pos()) : -1;
    if (tile < 0)
        return QWidget::mousePressEvent(event);
    setCurrent(tile);
    moveFrame(tile);
    Q_EMIT tileChosen(tile);
}

void MeasureTiles::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_tiles.size()) - 1;
    const auto go = [&](int by) { moveFrame(std::clamp(std::max(m_current, 0) + by, 0, last)); };
    switch (event->key()) {
    case Qt::Key_Left:
        return go(-1);
    case Qt::Key_Right:
        return go(1);
    case Qt::Key_Up:
        return go(-kColumns);
    case Qt::Key_Down:
        return go(kColumns);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current < 0)
            return;
        setCurrent(m_current);
        Q_EMIT tileChosen(m_current);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void MeasureTiles::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void MeasureTiles::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    moveFrame(m_shown);
}

bool MeasureTiles::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int tile = tileAt(help->pos());
    if (tile >= 0)
        QToolTip::showText(help->globalPos(), tipOf(tile), this, tileRect(tile));
    else
        QToolTip::hideText();
    return true;
}

void MeasureTiles::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        setColours(m_colourMap, m_gamma); // pictures and sizes are made anew
    QWidget::changeEvent(event);
}

void MeasureTiles::resizeEvent(QResizeEvent* event) {
    std::fill(m_pictures.begin(), m_pictures.end(), QImage());
    QWidget::resizeEvent(event);
}

} // namespace headroom::widgets
