// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace headroom::app {

enum class Severity { Good, Info, Warning, Error };

struct Message {
    QDateTime time;
    Severity severity = Severity::Info;
    QString sentence;
    QString actionText;           ///< "Start it again"; empty: nothing to do
    std::function<void()> action; ///< run by Messages::trigger()
    QStringList causes;           ///< the message goes when settle() names one of them
};

/// Causes of messages: what an utterance or a model was said to have.
QString causeOf(UtteranceId id);
QString causeOf(ModelId id);

/// Everything that was said, newest first, kept until it is cleared or its cause is gone (style.md §5, §7). Columns:
/// time, severity, sentence, action. Window's thread only.
class Messages : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, SeverityIcon, Sentence, Action, ColumnCount };
    enum Role { SeverityRole = Qt::UserRole + 1 }; ///< int(Severity), in every column

    explicit Messages(QObject* parent = nullptr);

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
};

} // namespace headroom::app
