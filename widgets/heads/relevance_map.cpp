// SPDX-License-Identifier: GPL-3.0-or-later
// What the map of relevance knows and hears. How it looks: relevance_map_paint.cpp.
#include "widgets/heads/relevance_map.h"

#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

RelevanceMap::RelevanceMap(QWidget* parent) : QWidget(parent), m_emptySentence(tr("No head relevance yet.")) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Head relevance"));
    updateDescription();
}

void RelevanceMap::setValues(Matrix<double> values, std::vector<std::vector<HeadKind>> kinds) {
    const bool resized = values.rows() != m_values.rows() || values.columns() != m_values.columns();
    m_values = std::move(values);
    m_kinds = std::move(kinds);
    m_hovered.reset();
    if (resized)
        updateGeometry();
    updateDescription();
    update();
}

void RelevanceMap::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    updateDescription();
    update();
}

void RelevanceMap::setSelected(std::optional<HeadId> head) {
    if (head == m_selected)
        return;
    m_selected = head;
    updateDescription();
    update();
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
    const QRectF map = mapIn(rect());
    if (m_values.empty() || !map.contains(position))
        return std::nullopt;
    const auto place = [](double share, std::size_t count) {
        return std::clamp(int(share * double(count)), 0, int(count) - 1);
    };
    return HeadId{place((position.y() - map.top()) / map.height(), m_values.rows()),
                  place((position.x() - map.left()) / map.width(), m_values.columns())};
}

void RelevanceMap::select(HeadId head) {
    if (m_selected == head)
        return;
    setSelected(head);
    Q_EMIT headSelected(head);
}

void RelevanceMap::move(int layers, int heads) {
    if (m_values.empty())
        return;
    HeadId to = m_selected.value_or(HeadId{0, 0});
    if (m_selected) {
        to.layer = std::clamp(to.layer + layers, 0, int(m_values.rows()) - 1);
        to.head = std::clamp(to.head + heads, 0, int(m_values.columns()) - 1);
    }
    select(to);
}

bool RelevanceMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto head = headAt(help->pos());
    QToolTip::showText(
        help->globalPos(),
        head ? describe(*head)
             : tr("Head relevance: the share of a head in the output of its layer, median over tokens. The "
                  "heads of one token sum to 1; their medians need not. Sant et al. 2022, Eq. 4. Use the "
                  "arrow keys to move, Enter to show the head."),
        this);
    return true;
}

void RelevanceMap::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position());
    if (event->button() != Qt::LeftButton || !head) {
        event->ignore();
        return;
    }
    select(*head);
    Q_EMIT headActivated(*head);
}

void RelevanceMap::mouseMoveEvent(QMouseEvent* event) {
    const auto head = headAt(event->position());
    setCursor(head ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (head == m_hovered)
        return;
    m_hovered = head;
    update();
}

void RelevanceMap::leaveEvent(QEvent* event) {
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

void RelevanceMap::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return move(0, -1);
    case Qt::Key_Right:
        return move(0, 1);
    case Qt::Key_Up:
        return move(-1, 0);
    case Qt::Key_Down:
        return move(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_selected) {
            Q_EMIT headActivated(*m_selected);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void RelevanceMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void RelevanceMap::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void RelevanceMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        update();
    }
}

void RelevanceMap::updateDescription() {
    setAccessibleDescription(m_values.empty() ? m_emptySentence
                             : m_selected
                                 ? describe(*m_selected) + QLatin1Char('.')
                                 : tr("%1 layers, %2 heads.").arg(m_values.rows()).arg(m_values.columns()));
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
