// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace headroom::widgets {

/// Keeps the rows in whose text every word that was typed occurs, in any order and case; three dots match an ellipsis.
/// Window's thread.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& text); ///< words between blanks; none: every row

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    /// What the words are looked for in: the texts of all columns.
    virtual QString textOf(int row, const QModelIndex& parent) const;
    bool hasWords(const QString& text) const; ///< all that were typed

private:
    QStringList m_words;
};

} // namespace headroom::widgets
