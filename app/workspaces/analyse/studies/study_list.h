// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_item.h"

#include <QAbstractListModel>

namespace headroom::app {

struct RowContent;

/// The studies as a list model; the display text is the name. Window's thread.
class StudyList : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setItems(const std::vector<StudyItem>& items);
    const StudyItem& at(int row) const { return m_items[static_cast<std::size_t>(row)]; }
    int rowOf(const std::filesystem::path& folder) const; ///< −1: none
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<StudyItem> m_items;
};

/// "Running", "Finished" …
QString stateWord(StudyItem::State state);
QString stateIcon(StudyItem::State state);
/// "Measuring st-small: 40 of 400, 3 min left".
QString progressText(const StudyItem& study);
/// Whether the first button of its row is Try now: another place computes it, and there is no contact.
bool offersTryNow(const StudyItem& study);
/// What a row of the list shows, and its buttons: Try now and Cancel while it runs, Resume where it can go on.
RowContent describeStudy(const StudyItem& study);
/// "12:31" today, "20 Nov" before.
QString whenText(const QString& utc);

} // namespace headroom::app
