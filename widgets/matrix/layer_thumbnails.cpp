// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/layer_thumbnails.h"

#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "core/architecture/edits.h"
#include "core/statistics/undefined.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/matrix/map_tag.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headroom::widgets {

namespace {

/// Maps beside each other: those of few layers are larger.
int columnsOf(int layers) {
    return std::clamp(layers, 2, 4);
}

constexpr double kLabel = 2.75, kHeads = 1.5; ///< units: line below a map, and the heads above it

} // namespace

bool ThumbnailState::hasWindow() const {
    return kinds.isEmpty() || (shape.kind == BandShape::Kind::Masked && oneWindowOf(heads));
}

QString ThumbnailState::windowText() const {
    return shape.window > 0 ? LayerThumbnails::tr("w\u202f%1").arg(shape.window)
           : shape.full()   ? LayerThumbnails::tr("full")
                            : LayerThumbnails::tr("masked");
}

LayerThumbnails::LayerThumbnails(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Layers"));
    updateDescription();
}

void LayerThumbnails::setLayers(std::vector<ThumbnailState> layers) {
    m_entries.clear();
    m_entries.resize(layers.size());
    m_anyHeads = false;
    if (m_current >= count()) // first: each layer below describes the current one
        m_current = -1;
    if (m_compared >= count())
        m_compared = -1;
    m_hovered = m_hoveredHead = -1;
    for (std::size_t index = 0; index < layers.size(); ++index)
        setLayer(static_cast<int>(index), std::move(layers[index]));
    updateGeometry();
    updateDescription();
    update();
}

void LayerThumbnails::setLayer(int layer, ThumbnailState state) {
    auto& entry = m_entries.at(static_cast<std::size_t>(layer));
    const bool sameMap = entry.state.map == state.map;
    entry.state = std::move(state);
    if (!sameMap) {
        entry.sampled = {};
        entry.image = {};
        if (entry.state.map && !entry.state.map->empty())
            entry.range = offDiagonalRange(entry.state.map->level(0).view());
    }
    if (!entry.state.heads.empty() && !m_anyHeads) {
        m_anyHeads = true;
        updateGeometry();
    }
    updateDescription();
    update();
}

void LayerThumbnails::setWindow(int layer, const BandShape& shape, const QString& kinds, std::optional<double> loss) {
    auto& state = m_entries.at(static_cast<std::size_t>(layer)).state;
    state.shape = shape;
    state.kinds = kinds;
    state.loss = loss;
    updateDescription();
    update(cell(layer, width()).adjusted(-4, -4, 4, 4));
}

void LayerThumbnails::setCurrent(int layer) {
    const int before = std::exchange(m_current, layer < count() ? layer : -1);
    updateDescription();
    update();
    if (m_current != before)
        Q_EMIT currentChanged(m_current);
}

void LayerThumbnails::setHead(int head) {
    if (head == m_head)
        return;
    m_head = head;
    updateDescription();
    update();
}

void LayerThumbnails::setCompared(int layer) {
    m_compared = layer < count() ? layer : -1;
    update();
}

void LayerThumbnails::forgetPictures(bool samplesToo) {
    m_table.reset();
    for (auto& entry : m_entries) {
        entry.image = {};
        if (samplesToo)
            entry.sampled = {};
    }
    update();
}

void LayerThumbnails::setColourMap(ColourMap::Name name) {
    m_colourMap = name;
    forgetPictures(false);
}

void LayerThumbnails::setGamma(double gamma) {
    m_gamma = std::clamp(gamma, 0.2, 1.0);
    forgetPictures(false);
}

void LayerThumbnails::setRange(std::optional<ValueRange> range) {
    m_range = range;
    forgetPictures(false);
}

void LayerThumbnails::setHideDiagonal(bool hide) {
    m_hideDiagonal = hide;
    forgetPictures(true);
}

double LayerThumbnails::lossOf(int layer) const {
    const auto& state = m_entries.at(static_cast<std::size_t>(layer)).state;
    if (state.loss)
        return *state.loss;
    if (state.status != ThumbnailState::Status::Ready || !state.hasWindow())
        return kUndefined;
    if (state.shape.full())
        return 0;
    if (state.shape.kind == BandShape::Kind::Block || state.profile.empty())
        return kUndefined;
    return state.shape.kind == BandShape::Kind::Masked ? maskedContributionLoss(state.profile, state.shape.window)
                                                       : contributionLoss(state.profile, state.shape.window);
}

QRect LayerThumbnails::cell(int layer, int width) const {
    const double unit = Sizes::unit();
    const int columns = columnsOf(count());
    const int padding = static_cast<int>(1.5 * unit), gap = static_cast<int>(1.25 * unit);
    const int each = std::max((width - 2 * padding - (columns - 1) * gap) / columns, 1);
    const int height = static_cast<int>(each * 0.69) + labelHeight();
    return {padding + layer % columns * (each + gap),
            static_cast<int>(unit) + layer / columns * (height + static_cast<int>(unit / 2)), each, height};
}

int LayerThumbnails::labelHeight() const {
    return static_cast<int>((m_anyHeads ? kLabel + kHeads : kLabel) * Sizes::unit());
}

QRect LayerThumbnails::mapIn(const QRect& cell) const {
    return cell.adjusted(0, 0, 0, -labelHeight());
}

HeadStrip LayerThumbnails::stripOf(int layer, const QRect& cell) const {
    const QRect map = mapIn(cell);
    const double unit = Sizes::unit();
    // Clear of the ring around the current map.
    return {QRectF(map.left(), map.bottom() + 1 + std::round(unit * 0.5), map.width(), std::round(unit)),
            m_entries[static_cast<std::size_t>(layer)].state.heads};
}

QRectF LayerThumbnails::headRect(int layer, int head) const {
    return stripOf(layer, cell(layer, width())).cell(head);
}

QRect LayerThumbnails::cellRect(int layer) const {
    return cell(layer, width());
}

QRect LayerThumbnails::mapRect(int layer) const {
    return mapIn(cell(layer, width()));
}

int LayerThumbnails::layerAt(QPoint position) const {
    for (int layer = 0; layer < count(); ++layer)
        if (cell(layer, width()).contains(position))
            return layer;
    return -1;
}

int LayerThumbnails::heightForWidth(int width) const {
    return count() == 0 ? static_cast<int>(4 * Sizes::unit())
                        : cell(count() - 1, width).bottom() + 1 + static_cast<int>(Sizes::unit() / 2);
}

QSize LayerThumbnails::sizeHint() const {
    const int width = static_cast<int>(58 * Sizes::unit());
    return {width, heightForWidth(width)};
}

QSize LayerThumbnails::minimumSizeHint() const {
    const int width = static_cast<int>(28 * Sizes::unit());
    return {width, heightForWidth(width)};
}

void LayerThumbnails::select(int layer) {
    layer = std::clamp(layer, 0, count() - 1);
    if (count() == 0 || layer == m_current)
        return;
    setCurrent(layer);
    Q_EMIT layerSelected(layer);
}

void LayerThumbnails::selectHead(int layer, int head) {
    const bool same = layer == m_current && head == m_head; // the second click goes back to the layer
    select(layer);
    setHead(same ? -1 : head);
    Q_EMIT headSelected(m_head);
}

void LayerThumbnails::compare(int layer) {
    if (layer < 0)
        return;
    setCompared(layer == m_compared || layer == m_current ? -1 : layer);
    Q_EMIT layerCompared(m_compared);
}

void LayerThumbnails::mousePressEvent(QMouseEvent* event) {
    const int layer = layerAt(event->position().toPoint());
    // A context menu speaks of the layer under the mouse, so the right button selects it too.
    if ((event->button() != Qt::LeftButton && event->button() != Qt::RightButton) || layer < 0) {
        event->ignore();
        return;
    }
    if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier))
        compare(layer);
    else if (const int head = stripOf(layer, cell(layer, width())).headAt(event->position());
             head >= 0 && event->button() == Qt::LeftButton)
        selectHead(layer, head);
    else
        select(layer);
}

void LayerThumbnails::setHovered(QPoint position) {
    const int layer = layerAt(position);
    const int head = layer < 0 ? -1 : stripOf(layer, cell(layer, width())).headAt(position);
    if (layer == m_hovered && head == m_hoveredHead)
        return;
    m_hovered = layer;
    m_hoveredHead = head;
    update();
}

void LayerThumbnails::mouseMoveEvent(QMouseEvent* event) {
    setHovered(event->position().toPoint());
}

void LayerThumbnails::leaveEvent(QEvent* event) {
    setHovered({-1, -1});
    QWidget::leaveEvent(event);
}

void LayerThumbnails::keyPressEvent(QKeyEvent* event) {
    if (count() == 0)
        return QWidget::keyPressEvent(event);
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->modifiers().testFlag(Qt::ControlModifier) && m_current >= 0 &&
        (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        const int heads = headCount(m_entries[static_cast<std::size_t>(m_current)].state.heads);
        const int head = std::clamp(m_head + (event->key() == Qt::Key_Right ? 1 : -1), -1, heads - 1);
        if (head != m_head)
            selectHead(m_current, head);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_PageUp:
        return select(m_current - 1);
    case Qt::Key_Right:
    case Qt::Key_PageDown:
        return select(m_current + 1);
    case Qt::Key_Up:
        return m_current >= columnsOf(count()) ? select(m_current - columnsOf(count())) : void();
    case Qt::Key_Down:
        return m_current + columnsOf(count()) < count() ? select(m_current + columnsOf(count())) : void();
    case Qt::Key_Home:
        return select(0);
    case Qt::Key_End:
        return select(count() - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        // With the keyboard the compared layer is the one that was current before the last step.
        if (shift)
            return compare(m_compared >= 0 ? m_compared : m_current > 0 ? m_current - 1 : m_current + 1);
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

/// Other layers that came while nobody saw them asked no scroll area for their height.
void LayerThumbnails::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    updateGeometry();
}

void LayerThumbnails::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    forgetPictures(true);
}

void LayerThumbnails::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        forgetPictures(true);
        updateGeometry();
    }
}

bool LayerThumbnails::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // Ctrl + ←/→ moves the cursor by a word elsewhere
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers().testFlag(Qt::ControlModifier) && (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right))
            event->accept();
        return QWidget::event(event);
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int layer = layerAt(help->pos());
    if (layer < 0) {
        QToolTip::hideText();
        return true;
    }
    const QRect whole = cell(layer, width());
    const HeadStrip strip = stripOf(layer, whole);
    const int head = strip.headAt(help->pos());
    QToolTip::showText(help->globalPos(), toolTipOf(layer, head), this, head < 0 ? whole : strip.cell(head).toAlignedRect());
    return true;
}

QString LayerThumbnails::toolTipOf(int layer, int head) const {
    const auto& state = m_entries[static_cast<std::size_t>(layer)].state;
    if (head >= 0)
        return tr("Layer %1, head %2: %3. Click to show its attention, again for the whole layer. Ctrl+←, Ctrl+→: previous, "
                  "next head.")
            .arg(layer + 1)
            .arg(head + 1)
            .arg(stripOf(layer, cell(layer, width())).text(head));
    if (!state.sentence.isEmpty())
        return state.sentence;
    QString about = QString::number(layer + 1); // the line below a narrow map may have no room for it
    if (state.status == ThumbnailState::Status::Ready)
        about = state.hasWindow() ? tr("%1: %2, CL %3").arg(about, state.windowText(), state.shape.full() ? QStringLiteral("0") : number(lossOf(layer), 3))
                                  : tr("%1: %2").arg(about, state.kinds);
    return tr("Layer %1. Click to show it, Shift+click to compare. PgUp, PgDn: previous, next layer.").arg(about);
}

void LayerThumbnails::updateDescription() {
    if (m_current < 0) {
        setAccessibleDescription(count() == 0 ? tr("No layers yet.")
                                              : counted(count(), tr("1 layer, not selected."), tr("%1 layers, none selected.")));
        return;
    }
    const auto& state = m_entries[static_cast<std::size_t>(m_current)].state;
    const QString loss = number(lossOf(m_current), 3);
    QString said =
        state.status != ThumbnailState::Status::Ready
            ? tr("Layer %1 of %2: %3").arg(m_current + 1).arg(count()).arg(state.sentence)
        : !state.hasWindow() ? tr("Layer %1 of %2, %3").arg(m_current + 1).arg(count()).arg(state.kinds)
        : state.shape.window <= 0 && !state.shape.full()
            ? tr("Layer %1 of %2, masked, CL %3").arg(m_current + 1).arg(count()).arg(loss)
        : state.shape.full() ? tr("Layer %1 of %2, full, CL 0").arg(m_current + 1).arg(count())
                             : tr("Layer %1 of %2, window %3, CL %4").arg(m_current + 1).arg(count()).arg(state.shape.window).arg(loss);
    if (!state.heads.empty())
        said += tr(". Heads: %1").arg(QString::fromStdString(toText(state.heads)));
    if (const HeadStrip strip({}, state.heads); m_head >= 0 && m_head < strip.count())
        said += tr(". Head %1, %2, is shown").arg(m_head + 1).arg(strip.text(m_head));
    setAccessibleDescription(said);
}

} // namespace headroom::widgets
