// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"

#include <QAbstractListModel>

#include <functional>
#include <vector>

namespace headroom::app {

/// The open utterances, in the order they were opened. Views read it; the session alone changes it. Window's
/// thread only.
class UtteranceList : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole + 1, ///< int(UtteranceId)
        StateRole,                 ///< int(OpenState)
        DurationRole,              ///< double, seconds; 0 until Ready
        SentenceRole,   ///< what to say under the row: why it failed, or its warnings; empty: all is well
        TranscriptRole, ///< for the filter, with the translation and the name of a text, which its row does not show
        TextRole,       ///< QString, the source text; null for a recording
        FindingRole,    ///< QString, what the alignment's check found first; empty: nothing
        LeftOutRole,    ///< bool: studies of phones leave it out
        MissingRole,    ///< bool: its file is not there, whether it was read before or not (OpenUtterance::lacksFile())
        FileRole,       ///< QString, native path; empty for an unsaved recording
    };

    explicit UtteranceList(QObject* parent = nullptr);

    int count() const { return static_cast<int>(m_utterances.size()); }
    const OpenUtterance& at(int row) const { return m_utterances[static_cast<std::size_t>(row)]; }
    const OpenUtterance* find(UtteranceId id) const; ///< null where it is closed; borrowed until the list changes
    int rowOf(UtteranceId id) const;             ///< −1 where it is closed

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void shownNameChanged(headroom::app::UtteranceId id); ///< because another one is called the same, or no longer

private:
    friend class Session;
    void keepApart(const QString& name);
    void append(OpenUtterance utterance);
    void update(UtteranceId id, const std::function<void(OpenUtterance&)>& change);
    void remove(UtteranceId id);
    void move(UtteranceId id, int row);
    void clear();

    std::vector<OpenUtterance> m_utterances;
};

} // namespace headroom::app
