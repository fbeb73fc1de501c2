// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/table.h"

#include <QAbstractTableModel>

#include <functional>

namespace headroom::widgets {

/// The table of a study as an item model: cells as shown; Qt::UserRole has the raw value (a double, NaN if
/// unknown, or the text), and kSortRole what sorts it. Window's thread.
class StudyTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kRawRole = Qt::UserRole;
    /// A double also where a column of texts has a number: "9", "1.23 ± 0.4", "12.3 %". NaN for "–" and for nothing.
    static constexpr int kSortRole = Qt::UserRole + 1;

    explicit StudyTableModel(QObject* parent = nullptr);
    void setTable(StudyTable table);
    const StudyTable& table() const { return m_table; }
    /// What else a cell's tool tip says, on a line of its own, by its row and column in the table; an empty text: nothing.
    void setRemark(std::function<QString(int row, int column)> remark) { m_remark = std::move(remark); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    StudyTable m_table;
    std::function<QString(int row, int column)> m_remark;
};

} // namespace headroom::widgets
