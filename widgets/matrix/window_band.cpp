// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/window_band.h"

#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "core/statistics/undefined.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include <cmath>

namespace headroom::widgets {

namespace {

constexpr double kNear = 6; // pixels at 100 % within which a line is taken

} // namespace

WindowBand::WindowBand(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Window on the map"));
    updateDescription();
}

void WindowBand::setMapping(const MatrixMapping& mapping) {
    const bool wasEmpty = m_mapping.empty();
    m_mapping = mapping;
    if (wasEmpty != m_mapping.empty()) // without a map the focus would be nowhere to be seen
        refreshEditable();
}

void WindowBand::setProfile(DiagonalProfile profile) {
    m_profile = std::move(profile);
    updateDescription();
    update();
}

void WindowBand::setBlockLoss(BlockLoss loss) {
    m_blockLoss = std::move(loss);
    updateDescription();
    update();
}

void WindowBand::setKind(BandShape::Kind kind) {
    m_kind = kind;
    updateDescription();
    update();
}

void WindowBand::setWindow(int window) {
    endDrag();
    m_typed.clear();
    m_window = std::max(window, 0);
    updateDescription();
    update();
}

void WindowBand::setSuggestedWindow(int window, bool staysFull, double meanLoss, bool ofSeveral) {
    m_suggested = std::max(window, 0);
    m_suggestsFull = staysFull;
    m_suggestedLoss = meanLoss;
    m_suggestedOfSeveral = ofSeveral;
    update();
}

void WindowBand::setKinds(const QString& kinds) {
    m_kinds = kinds;
    if (!isDragging())
        m_kindsBefore = kinds;
    updateDescription();
    update();
}

void WindowBand::setBandVisible(bool visible) {
    m_visible = visible;
    refreshEditable();
}

void WindowBand::setInPlace(const WindowBand* other) {
    m_inPlace = other;
    updateDescription();
    refreshEditable();
}

void WindowBand::refreshEditable() {
    const bool possible = editable();
    setFocusPolicy(possible ? Qt::TabFocus : Qt::NoFocus);
    if (!possible) {
        cancelDrag();
        setHovered(false);
    }
    update();
}

bool WindowBand::editable() const {
    return m_visible && !m_inPlace && !m_mapping.empty();
}

BandShape WindowBand::graspable() const {
    return {m_kind, shownWindow() > 0 || m_ofDifference ? shownWindow() : m_suggested};
}

double WindowBand::lossOf(int window) const {
    if (m_kind == BandShape::Kind::Block && window > 0)
        return m_blockLoss.loss({m_kind, window});
    if (m_profile.empty())
        return kUndefined;
    return m_kind == BandShape::Kind::Masked ? maskedContributionLoss(m_profile, window)
           : window <= 0                     ? 0
                                             : contributionLoss(m_profile, window);
}

int WindowBand::largest() const {
    const auto tokens = static_cast<int>(std::max<std::int64_t>(m_mapping.tokens, 1));
    return m_kind == BandShape::Kind::Block ? 3 * tokens : 2 * tokens - 1;
}

double WindowBand::edgeOffset(int window) const {
    return m_kind == BandShape::Kind::Block ? 1.5 * BandShape{m_kind, window}.block() : window / 2 + 0.5;
}

int WindowBand::snapped(double tokensFromDiagonal) const {
    if (m_kind == BandShape::Kind::Block) // the stairs' middle lies one and a half blocks from the diagonal
        return std::clamp(3 * static_cast<int>(std::lround(tokensFromDiagonal / 1.5)), 3, largest());
    return std::clamp(2 * static_cast<int>(std::lround(tokensFromDiagonal - 0.5)) + 1, 1, largest());
}

double WindowBand::offsetAt(QPointF point) const {
    return m_mapping.indexAt(m_mapping.keyAt(point.x())) - m_mapping.indexAt(m_mapping.queryAt(point.y()));
}

std::pair<QPointF, QPointF> WindowBand::grips() const {
    const auto shape = graspable();
    if (shape.window <= 0 || m_mapping.empty())
        return {};
    const double half = edgeOffset(shape.window) / 2;
    double anchor = m_anchor;
    if (anchor < 0) {
        const double from = std::max(
            {m_mapping.indexAt(m_mapping.keys.start), m_mapping.indexAt(m_mapping.queries.start), 0.0});
        const double to =
            std::min({m_mapping.indexAt(m_mapping.keys.end), m_mapping.indexAt(m_mapping.queries.end),
                      static_cast<double>(m_mapping.tokens)});
        anchor = from + 0.35 * (to - from);
    }
    const auto at = [this](double query, double key) {
        return QPointF(m_mapping.xOf(m_mapping.edge(key)), m_mapping.yOf(m_mapping.edge(query)));
    };
    const QPointF lower = at(anchor + half, anchor - half);
    return {m_kind == BandShape::Kind::Masked ? lower : at(anchor - half, anchor + half), lower};
}

double WindowBand::distanceToLines(QPointF point) const {
    BandEdges edges = bandEdges(m_mapping, graspable());
    if (m_kind == BandShape::Kind::Masked)
        edges.upper.clear(); // that of the mask does not move
    return edges.distance(point);
}

bool WindowBand::isNear(QPointF point) const {
    if (!editable() || graspable().window <= 0 || !m_mapping.plot.contains(point))
        return false;
    if (distanceToLines(point) <= scaledPixels(kNear))
        return true;
    if (!m_hovered && !hasFocus())
        return false;
    const auto [upper, lower] = grips();
    const double half = 1.5 * Sizes::unit(); // 24 px to hit
    const auto inside = [&](QPointF grip) { return std::abs(point.x() - grip.x()) <= half && std::abs(point.y() - grip.y()) <= half; };
    return inside(upper) || inside(lower);
}

void WindowBand::setHovered(bool hovered) {
    // Lines run down the diagonal: across it is the direction in which they move.
    hovered ? setCursor(Qt::SizeFDiagCursor) : unsetCursor();
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    Q_EMIT hoveredChanged(hovered);
    update();
}

void WindowBand::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !isNear(event->position())) {
        event->ignore();
        return;
    }
    m_typed.clear();
    m_grabbed = std::abs(offsetAt(event->position())) - edgeOffset(graspable().window);
    m_dragged = graspable().window;
    grabKeyboard(); // Esc is for the drag, wherever the focus is
    setHovered(true);
    if (*m_dragged != m_window)
        Q_EMIT windowDragged(*m_dragged);
    event->accept();
}

void WindowBand::mouseMoveEvent(QMouseEvent* event) {
    setMouse(event->position());
    if (m_grabbed && m_dragged) {
        const int window = snapped(std::abs(offsetAt(event->position())) - *m_grabbed);
        if (window != *m_dragged) {
            m_dragged = window;
            Q_EMIT windowDragged(window);
        }
        update();
        event->ignore(); // the map reads the place under the mouse
        return;
    }
    const bool close = event->buttons() == Qt::NoButton && isNear(event->position());
    if (close && distanceToLines(event->position()) <= scaledPixels(kNear)) {
        // The grips follow the pointer along the lines, so that one is always under the hand.
        m_anchor = (m_mapping.indexAt(m_mapping.keyAt(event->position().x())) +
                    m_mapping.indexAt(m_mapping.queryAt(event->position().y()))) /
                   2;
        update();
    }
    setHovered(close);
    event->ignore(); // as above
}

void WindowBand::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_grabbed) {
        event->ignore();
        return;
    }
    // A mere click on a suggestion's line does not take it; a double click does.
    const int window = m_dragged.value_or(m_window);
    const bool moved = m_window > 0 || window != m_suggested;
    endDrag();
    if (moved && window != m_window)
        commit(window);
    else // back where it was
        Q_EMIT windowDragged(m_window);
    update();
}

void WindowBand::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !isNear(event->position())) {
        event->ignore();
        return;
    }
    if (m_suggested > 0)
        commit(suggestedWindow());
}

void WindowBand::leaveEvent(QEvent*) {
    setMouse(std::nullopt);
    if (!m_dragged)
        setHovered(false);
}

void WindowBand::endDrag() {
    m_dragged.reset();
    m_grabbed.reset();
    if (keyboardGrabber() == this)
        releaseKeyboard();
}

void WindowBand::cancelDrag() {
    if (!m_dragged)
        return;
    endDrag();
    Q_EMIT windowDragged(m_window);
    update();
}

void WindowBand::commit(int window) {
    endDrag();
    m_typed.clear();
    const int old = m_window;
    m_window = window;
    updateDescription();
    update();
    if (old != window)
        Q_EMIT windowEdited(old, window);
}

void WindowBand::step(int by) {
    // Block windows change by whole blocks: 2 becomes one block's 3, 10 becomes 15.
    const int smallest = m_kind == BandShape::Kind::Block ? 3 : 1, unit = m_kind == BandShape::Kind::Block ? 3 : 2;
    const int full = largest() + unit; // as in the field beside the map, it stands above the largest window
    const int next = (m_window > 0 ? m_window : full) + by / 2 * unit;
    commit(by > 0 && next >= full ? 0 : std::max(next, smallest));
}

bool WindowBand::typeKey(const QKeyEvent& event) {
    const QString text = event.text();
    if (text.size() == 1 && text[0] >= u'0' && text[0] <= u'9') {
        if (m_typed.size() < 5)
            m_typed += text;
    } else if (event.key() == Qt::Key_Backspace && !m_typed.isEmpty()) {
        m_typed.chop(1);
    } else if ((event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) && !m_typed.isEmpty()) {
        const int typed = m_typed.toInt();
        // An even number sees as far as the odd one above it: D(2) = D(3).
        commit(m_kind == BandShape::Kind::Block ? snapped(typed / 2.0)
                                                : std::clamp(typed + 1 - typed % 2, 1, largest()));
    } else {
        return false;
    }
    update();
    return true;
}

void WindowBand::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && (m_dragged || !m_typed.isEmpty())) {
        m_typed.clear();
        cancelDrag();
        update();
        return;
    }
    if (!editable() || m_dragged) {
        event->ignore();
        return;
    }
    if (typeKey(*event))
        return;
    const int amount = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 2;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_BracketRight:
    case Qt::Key_BraceRight:
        return step(amount);
    case Qt::Key_Down:
    case Qt::Key_BracketLeft:
    case Qt::Key_BraceLeft:
        return step(-amount);
    case Qt::Key_Home:
        return commit(m_kind == BandShape::Kind::Block ? 3 : 1);
    case Qt::Key_End:
        return commit(0);
    default:
        event->ignore();
    }
}

void WindowBand::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void WindowBand::focusOutEvent(QFocusEvent* event) {
    m_typed.clear();
    QWidget::focusOutEvent(event);
    update();
}

bool WindowBand::event(QEvent* event) {
    // While an edit is in progress Esc and the brackets are ours, not a shortcut's of the window.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* pressed = static_cast<QKeyEvent*>(event);
        const auto key = pressed->key();
        const bool isPlain = !pressed->modifiers().testFlag(Qt::ControlModifier); // Ctrl+2 goes to another workspace
        const bool stepping = key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight || key == Qt::Key_Home || key == Qt::Key_End ||
                              key == Qt::Key_Up || key == Qt::Key_Down || (isPlain && key >= Qt::Key_0 && key <= Qt::Key_9);
        if (stepping || (key == Qt::Key_Escape && (m_dragged || !m_typed.isEmpty()))) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && showTip(*static_cast<const QHelpEvent*>(event)))
        return true;
    if (event->type() == QEvent::PaletteChange)
        update();
    return QWidget::event(event);
}

QMenu* WindowBand::createMenu() {
    auto* menu = new QMenu(this);
    connect(menu->addAction(tr("Full")), &QAction::triggered, this, [this] { commit(0); });
    auto* suggested =
        menu->addAction(m_suggested <= 0  ? tr("No suggested window yet")
                        : m_suggestsFull ? tr("Suggested: full, w = %1 loses too much").arg(m_suggested)
                                         : tr("Suggested, w = %1").arg(m_suggested));
    suggested->setEnabled(m_suggested > 0);
    connect(suggested, &QAction::triggered, this, [this] { commit(suggestedWindow()); });
    menu->addSeparator();
    connect(menu->addAction(tr("Apply to layers…")), &QAction::triggered, this,
            [this] { Q_EMIT applyToLayersRequested(m_window); });
    return menu;
}

void WindowBand::contextMenuEvent(QContextMenuEvent* event) {
    if (!editable() || (event->reason() == QContextMenuEvent::Mouse && !isNear(event->pos()))) {
        event->ignore();
        return;
    }
    auto* menu = createMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
}

} // namespace headroom::widgets
