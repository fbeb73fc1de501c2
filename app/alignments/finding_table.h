// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "core/alignment/validator.h"

#include <QAbstractTableModel>

#include <vector>

namespace headroom::app {

/// What was found in the alignments of all open utterances, errors first. A row per finding. Window's thread.
class FindingTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Time, Sentence, ColumnCount };
    struct Row {
        UtteranceId id;
        QString name;
        AlignmentFinding finding;
        Severity severity; ///< of its sign
    };

    explicit FindingTable(const Session* session, QObject* parent = nullptr);
    void refresh();
    const Row& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int utterances() const { return m_utterances; } ///< with a report
    int leftOut() const { return m_leftOut; }       ///< of them, with an error

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Session* m_session;
    std::vector<Row> m_rows;
    int m_utterances = 0, m_leftOut = 0;
};

} // namespace headroom::app
