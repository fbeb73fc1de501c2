// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/place_list.h"

#include <QAbstractTableModel>

namespace headroom::app {

/// The places behind a number as a table. widgets::kRawRole holds the raw value, for sorting and copying. Window's thread.
class PlacesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Rank, Utterance, Query, Key, Offset, Words, Phones, Value, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPlaces(PlaceList list);
    const PlaceList& list() const { return m_list; }
    const PlaceRow& at(int row) const { return m_list.rows[static_cast<std::size_t>(row)]; }
    /// The places are tokens of texts, which have no time.
    bool areTexts() const { return !m_list.rows.empty() && !m_list.rows.front().text.isEmpty(); }
    /// The row that is heard now; −1: none.
    void setPlaying(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QVariant raw(const PlaceRow& row, int rank, int column) const;

    PlaceList m_list;
    int m_playing = -1;
};

} // namespace headroom::app
