// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace headroom::app {

enum class Severity {
    Good,    ///< what the user asked for is done
    Info,    ///< worth knowing; nothing has to be done
    Warning, ///< something is missing or was left out
    Error,   ///< what was asked for was not done
};

/// A sentence to the user in the panel Messages.
struct Message {
    QDateTime time;
    Severity severity = Severity::Info;
    QString sentence;
    QString actionText;           ///< "Start it again", on a button; empty: no button
    std::function<void()> action; ///< what the button does, run by Messages::trigger()
    QStringList causes;           ///< Messages::settle() of one of them removes the message
    int times = 1;                ///< that it was said; counted only without a cause, which is a state and no event
};

/// Causes of messages: what an utterance or a model was said to have.
QString causeOf(UtteranceId id);
QString causeOf(ModelId id);

/// Every message, newest first, until it is put aside or its cause is settled. The session owns the only one; who has something to say
/// calls post(). Columns: time, severity, sentence, action. Window's thread only.
class Messages : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, SeverityIcon, Sentence, Action, ColumnCount };
    enum Role { SeverityRole = Qt::UserRole + 1 }; ///< int(Severity), in every column

    explicit Messages(QObject* parent = nullptr);

    /// `causes`: what the sentence is about, in the words that the caller will give to settle(), such as causeOf(model). The same sentence
    /// said again moves to the top and counts ("2 times"). The status bar counts warnings and errors, and shows others that have an action. The panel opens
    /// for warnings and errors of a QAction (ActionProblems). Where another click would seem to do nothing, call Workspace::showMessages() or
    /// emit Controller::messagesRequested(); in a window of its own, say it there (Banner).
    void post(Severity severity, const QString& sentence, const QString& actionText = {},
              std::function<void()> action = {}, const QStringList& causes = {});
    /// Removes what was said of this cause: the file can be read now, the model is closed.
    void settle(const QString& cause);
    const Message& at(int row) const { return m_messages[static_cast<std::size_t>(row)]; }
    int count(Severity severity) const;
    /// "No messages", "1 error", "2 errors, 1 warning": the status bar.
    QString summary() const;
    /// Runs the row's action; nothing where there is none.
    void trigger(int row);
    /// Takes all of them away; bringBack() shows them again, below newer ones.
    void putAside();
    void bringBack();
    int aside() const { return static_cast<int>(m_aside.size()); } ///< how many bringBack() would show
    /// For good, also those put aside: they were about what is closed. Those with the cause kBeyondSession stay.
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void posted(const headroom::app::Message& message);
    void summaryChanged();

private:
    std::vector<Message> m_messages; ///< newest first; at most kMaximum
    std::vector<Message> m_aside;    ///< newest first
};

} // namespace headroom::app
