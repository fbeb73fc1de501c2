// SPDX-License-Identifier: GPL-3.0-or-later
// What keys do in the grid, and where they lead.
#include "widgets/layer_editor/layer_editor.h"

#include <QKeyEvent>

#include <algorithm>

namespace headroom::widgets {

void LayerEditor::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        return copy();
    if (event->matches(QKeySequence::Paste))
        return paste();
    const int width = event->modifiers() & Qt::ShiftModifier ? 10 : 2;
    switch (event->key()) {
    case Qt::Key_BracketLeft:
    case Qt::Key_BraceLeft:
        return stepWindows(-width);
    case Qt::Key_BracketRight:
    case Qt::Key_BraceRight:
        return stepWindows(width);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return writeSelected(m_grid->grid().isMasked() ? QStringLiteral("masked") : QStringLiteral("full"));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (state() != EditingState && m_grid->isHead(currentIndex()))
            return edit(currentIndex());
        if (isCrossSelected())
            return Q_EMIT crossRequested();
        break;
    case Qt::Key_Escape:
        clearSelection();
        event->ignore(); // somebody may have something to cancel
        return;
    default:
        break;
    }
    QTableView::keyPressEvent(event);
}

/// The head, or the row of the cross-attention, where a key that leads to this cell stops: elsewhere nothing would show it.
QModelIndex LayerEditor::nearestSelectable(const QModelIndex& index) const {
    const int layers = m_grid->grid().layerCount();
    if (layers == 0)
        return {};
    if (index.isValid() && m_grid->isCrossRow(index.row()))
        return m_grid->index(index.row(), LayerEditorModel::FirstHead);
    const int layer = index.isValid() ? std::clamp(LayerEditorModel::layerOf(index.row()), 1, layers) : 1;
    const int heads = int(m_grid->grid().layer(layer).cells.size());
    const int head = index.isValid() ? std::clamp(LayerEditorModel::headOf(index.column()), 1, heads) : 1;
    return m_grid->index(LayerEditorModel::rowOf(layer), LayerEditorModel::columnOf(head));
}

QModelIndex LayerEditor::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    const QModelIndex here = nearestSelectable(currentIndex());
    return here == currentIndex() ? nearestSelectable(QTableView::moveCursor(action, modifiers)) : here;
}

/// Who comes by a key goes on with keys, and sees where.
void LayerEditor::focusInEvent(QFocusEvent* event) {
    QTableView::focusInEvent(event);
    const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    if (const QModelIndex here = nearestSelectable(currentIndex()); byKey && here.isValid() && !whyNoClipboard().isEmpty())
        selectionModel()->setCurrentIndex(here, QItemSelectionModel::ClearAndSelect);
}

/// A key that moves takes the selection with it, Ctrl or not: what Backspace writes is where the frame is.
QItemSelectionModel::SelectionFlags LayerEditor::selectionCommand(const QModelIndex& index, const QEvent* event) const {
    if (event && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        if (key->modifiers() & Qt::ControlModifier && key->key() != Qt::Key_Space) {
            const QKeyEvent plain(QEvent::KeyPress, key->key(), key->modifiers() & ~Qt::ControlModifier);
            return QTableView::selectionCommand(index, &plain);
        }
    }
    return QTableView::selectionCommand(index, event);
}

} // namespace headroom::widgets
