// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/layer_editor_delegate.h"

#include "widgets/layer_editor/head_chip.h"
#include "widgets/layer_editor/heads_field.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace headroom::widgets {

namespace {
const char* const kTaken = "taken"; ///< Enter was pressed: also an unchanged text goes to every selected head
}

LayerEditorDelegate::LayerEditorDelegate(LayerEditor* editor)
    : QStyledItemDelegate(editor)
    , m_editor(editor) {}

QRect LayerEditorDelegate::chipRect(const QRect& cell, bool rowIsMistaken) {
    const double unit = Sizes::unit();
    const int height = int(unit * 3.75), side = int(unit / 2);
    const int top = rowIsMistaken ? cell.top() + int(unit / 2) : cell.top() + (cell.height() - height) / 2;
    return {cell.left() + side, top, cell.width() - 2 * side, height};
}

QRect LayerEditorDelegate::sentenceRect(const QRect& row) {
    const int top = chipRect(row, true).bottom() + 1;
    return {row.left(), top, row.width(), row.bottom() - top};
}

QRect LayerEditorDelegate::mapRect(const QRect& cell) {
    const double unit = Sizes::unit();
    const QSize size(int(unit * 7.125), int(unit * 4.75));
    return {cell.left(), cell.top() + (cell.height() - size.height()) / 2, size.width(), size.height()};
}

void LayerEditorDelegate::paintFrameRow(QPainter* painter, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const bool isSelected = m_editor->gridModel()->isCrossRow(index.row()) && m_editor->isCrossSelected();
    painter->fillRect(option.rect, isSelected ? theme.selectedRow : theme.alternate);
    const bool name = index.column() == LayerEditorModel::LayerColumn;
    painter->setFont(name ? Sizes::heading() : Sizes::text());
    painter->setPen(theme.text);
    const int left = int(Sizes::unit() * (name ? 1.5 : 0.5));
    const QRect room = option.rect.adjusted(left, 0, -int(Sizes::unit()), 0);
    painter->drawText(
        room, Qt::AlignVCenter | Qt::AlignLeft,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, room.width()));
}

void LayerEditorDelegate::paintMap(QPainter* painter, const QRect& cell, int layer) const {
    const Theme& theme = Theme::current();
    const LayerFacts& facts = m_editor->gridModel()->facts(layer);
    const QRect rect = mapRect(cell);
    if (rect.width() > cell.width())
        return; // the column gave way to the heads
    if (facts.map.isNull()) {
        painter->setPen(theme.line);
        painter->setBrush(theme.alternate);
        painter->drawRect(rect.adjusted(0, 0, -1, -1));
        painter->setRenderHint(QPainter::Antialiasing);
        painter->drawLine(rect.topLeft(), rect.bottomRight());
        return;
    }
    painter->drawImage(rect, facts.map);
    if ((facts.window <= 0 && !facts.masked) || facts.tokens <= 0)
        return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(rect);
    // The lines run half a token outside the outermost keys that are seen.
    const double token = rect.width() / double(facts.tokens), reach = (facts.window / 2 + 0.5) * token;
    QList<double> sides{facts.masked ? token / 2 : reach};
    if (facts.window > 0)
        sides << -reach;
    const QRectF map(rect);
    for (const bool casing : {true, false})
        for (const double side : sides) {
            painter->setPen(QPen(casing ? theme.bandCasing : theme.band, casing ? 3 : 1.25));
            painter->drawLine(QPointF(map.left() + side, map.top()),
                              QPointF(map.right() + side, map.bottom()));
        }
    painter->setClipping(false);
}

void LayerEditorDelegate::paintMacs(QPainter* painter, const QRect& cell, int layer,
                                    const QString& text) const {
    const Theme& theme = Theme::current();
    const LayerFacts& facts = m_editor->gridModel()->facts(layer);
    const double unit = Sizes::unit();
    painter->setFont(Sizes::caption());
    painter->setPen(facts.macs ? theme.text : theme.text3);
    const int words = int(unit * 5.5);
    painter->drawText(cell.adjusted(0, 0, -int(unit), 0), Qt::AlignVCenter | Qt::AlignRight, text);
    if (!facts.macs)
        return;
    const QRectF bar(cell.left() + unit / 2, cell.center().y() - unit * 0.4,
                     cell.width() - words - unit * 1.5, unit * 0.85);
    if (bar.width() < unit)
        return;
    painter->fillRect(bar, theme.line);
    const double whole = std::clamp(*facts.macs, 0.0, 1.0),
                 attention = std::min(facts.attention.value_or(0), whole);
    painter->fillRect(QRectF(bar.left(), bar.top(), bar.width() * whole, bar.height()), theme.accent);
    painter->fillRect(QRectF(bar.left(), bar.top(), bar.width() * (whole - attention), bar.height()),
                      theme.waveformPeak);
}

void LayerEditorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const LayerEditorModel& model = *m_editor->gridModel();
    const Theme& theme = Theme::current();
    painter->save();
    if (!model.isLayerRow(index.row())) {
        paintFrameRow(painter, option, index);
    } else {
        const int layer = LayerEditorModel::layerOf(index.row());
        painter->fillRect(option.rect, layer == m_editor->currentLayer() ? theme.tint : theme.panel);
        if (const HeadCell* cell = model.cell(index)) {
            ChipState state;
            state.hovered = option.state.testFlag(QStyle::State_MouseOver);
            state.selected = option.state.testFlag(QStyle::State_Selected);
            state.mistaken = model.mistakeAt(index) != nullptr;
            state.enabled = option.state.testFlag(QStyle::State_Enabled);
            ChipText text = chipText(cell->text);
            if (state.mistaken) // what is wrong is shown as it was written
                text.label = QString::fromStdString(cell->text);
            paintChip(*painter, chipRect(option.rect, model.grid().isMistaken(layer)), text, state);
        } else if (index.column() == LayerEditorModel::LayerColumn) {
            painter->setFont(Sizes::heading());
            painter->setPen(theme.text);
            painter->drawText(option.rect.adjusted(0, 0, -int(Sizes::unit() * 2), 0),
                              Qt::AlignVCenter | Qt::AlignRight, index.data().toString());
        } else if (index.column() == LayerEditorModel::MapColumn) {
            paintMap(painter, option.rect, layer);
        } else if (index.column() == model.macsColumn()) {
            paintMacs(painter, option.rect, layer, index.data().toString());
        } else if (index.column() >= model.reachColumn()) {
            painter->setFont(Sizes::text());
            painter->setPen(theme.text);
            painter->drawText(option.rect.adjusted(0, 0, -int(Sizes::unit()), 0),
                              Qt::AlignVCenter | Qt::AlignRight, index.data().toString());
        }
    }
    painter->restore();
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme.line);
}

QWidget* LayerEditorDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                           const QModelIndex& index) const {
    const LayerEditorModel& model = *m_editor->gridModel();
    if (!model.isHead(index))
        return nullptr;
    auto* field = new HeadsField(m_editor->suggestionContext(index), m_editor->editSentence(index, false),
                                 m_editor->editSentence(index, true), parent);
    auto* self = const_cast<LayerEditorDelegate*>(this);
    connect(field, &HeadsField::finished, self, [self, field](const QString& text) {
        field->setProperty(kTaken, true);
        field->setText(text);
        Q_EMIT self->commitData(field);
        Q_EMIT self->closeEditor(field);
    });
    connect(field, &HeadsField::givenUp, self,
            [self, field] { Q_EMIT self->closeEditor(field, RevertModelCache); });
    return field;
}

void LayerEditorDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* field = qobject_cast<HeadsField*>(editor);
    if (!field || field->isModified())
        return;
    field->setText(index.data(Qt::EditRole).toString());
    field->selectAll();
}

void LayerEditorDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                       const QModelIndex& index) const {
    auto* field = qobject_cast<HeadsField*>(editor);
    if (!field || field->isRefused())
        return;
    // Leaving the field takes what Enter would: a key cap types only the beginning of its kind.
    const QString text = field->property(kTaken).toBool() ? field->text().simplified() : field->meant();
    if (text.isEmpty() || (!field->property(kTaken).toBool() && text == index.data(Qt::EditRole).toString()))
        return;
    model->setData(index, text, Qt::EditRole);
}

void LayerEditorDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                               const QModelIndex& index) const {
    const bool mistaken = m_editor->gridModel()->grid().isMistaken(LayerEditorModel::layerOf(index.row()));
    if (auto* field = qobject_cast<HeadsField*>(editor))
        field->setPlace(chipRect(option.rect, mistaken));
}

bool LayerEditorDelegate::eventFilter(QObject* object, QEvent* event) {
    // The field itself knows what Enter, Tab and Esc mean.
    if (event->type() == QEvent::KeyPress && qobject_cast<HeadsField*>(object))
        return false;
    return QStyledItemDelegate::eventFilter(object, event);
}

} // namespace headroom::widgets
