// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <cstdint>
#include <vector>

namespace headroom::app {

class AlignmentStore;

/// The labels of the open utterances with what they count as: unknown ones first, then the most frequent. The
/// class is edited in place. Window's thread.
class LabelTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Label, Count, Class, ColumnCount };
    /// What the class column holds for editing: 0 … 35, 36 silence, kLeftOut; nothing for a label that is unknown.
    static constexpr int kLeftOut = -1;

    explicit LabelTable(AlignmentStore* store, QObject* parent = nullptr);
    void refresh();
    int unknown() const { return m_unknown; } ///< labels that the map does not know
    static QString nameOf(int phoneClass);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString label;
        std::int64_t count = 0;
        bool isKnown = false;
        int phoneClass = kLeftOut;
        bool operator==(const Row&) const = default;
    };
    AlignmentStore* m_store;
    std::vector<Row> m_rows;
    int m_unknown = 0;
};

/// A combo box with the 36 classes, silence and “left out” in the class column.
class ClassDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

} // namespace headroom::app
