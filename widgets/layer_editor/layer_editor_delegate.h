// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace headroom::widgets {

class LayerEditor;
class LayerEditorModel;

/// Paints chips, small maps and bars, and provides the HeadsField of a cell being edited.
class LayerEditorDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit LayerEditorDelegate(LayerEditor* editor);

    /// Returns the position of the chip in a cell. In a row with a mistake all chips move up, so that they
    /// stay aligned and leave room for the message.
    static QRect chipRect(const QRect& cell, bool rowIsMistaken);
    /// Returns the line below the chips.
    static QRect sentenceRect(const QRect& row);
    static QRect mapRect(const QRect& cell);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void paintFrameRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintMap(QPainter* painter, const QRect& cell, int layer) const;
    void paintMacs(QPainter* painter, const QRect& cell, int layer, const QString& text) const;
    LayerEditor* m_editor;
};

} // namespace headroom::widgets
