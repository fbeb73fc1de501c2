// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/messages.h"

#include "app/documents/items/beyond_session.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headroom::app {

namespace {

constexpr std::size_t kMaximum = 1000; // a folder of broken files must not fill the memory

/// Whoever tries again sees that something was said again.
QString shownSentence(const Message& message) {
    const bool isWrong = message.severity == Severity::Warning || message.severity == Severity::Error;
    return isWrong && message.times > 1 ? Messages::tr("%1 (%2 times)").arg(message.sentence, QString::number(message.times)) : message.sentence;
}

} // namespace

QString causeOf(UtteranceId id) {
    return QStringLiteral("utterance %1").arg(static_cast<int>(id));
}

QString causeOf(ModelId id) {
    return QStringLiteral("model %1").arg(static_cast<int>(id));
}

Messages::Messages(QObject* parent) : QAbstractTableModel(parent) {}

void Messages::post(Severity severity, const QString& sentence, const QString& actionText,
                    std::function<void()> action, const QStringList& causes) {
    const auto same = std::find_if(m_messages.begin(), m_messages.end(), [&](const Message& message) {
        const bool offersElse = message.action && message.causes != causes; // the way back of something else of this name
        return message.severity == severity && message.sentence == sentence && !offersElse;
    });
    const bool isEvent = causes.isEmpty() || causes == QStringList(kBeyondSession);
    const int times = same != m_messages.end() && isEvent ? same->times + 1 : 1;
    if (same != m_messages.end() || m_messages.size() == kMaximum) {
        const int row = same != m_messages.end() ? static_cast<int>(same - m_messages.begin())
                                                 : static_cast<int>(kMaximum) - 1;
        beginRemoveRows({}, row, row);
        m_messages.erase(m_messages.begin() + row);
        endRemoveRows();
    }
    beginInsertRows({}, 0, 0);
    m_messages.insert(m_messages.begin(), Message{QDateTime::currentDateTime(), severity, sentence,
                                                  actionText, std::move(action), causes, times});
    endInsertRows();
    Q_EMIT summaryChanged();
    const Message copy = m_messages.front(); // whoever listens may clear the list
    Q_EMIT posted(copy);
}

int Messages::count(Severity severity) const {
    return static_cast<int>(std::count_if(m_messages.begin(), m_messages.end(), [&](const Message& message) {
        return message.severity == severity;
    }));
}

QString Messages::summary() const {
    const int errors = count(Severity::Error), warnings = count(Severity::Warning);
    QStringList parts;
    if (errors > 0)
        parts << (errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
    if (warnings > 0)
        parts << (warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    if (!parts.isEmpty())
        return parts.join(QStringLiteral(", "));
    if (m_messages.empty())
        return tr("No messages");
    return m_messages.size() == 1 ? tr("1 message") : tr("%1 messages").arg(m_messages.size());
}

void Messages::trigger(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= m_messages.size())
        return;
    if (const auto action = at(row).action) // a copy: the action may clear the list
        action();
}

void Messages::settle(const QString& cause) {
    bool any = std::erase_if(m_aside, [&](const Message& one) { return one.causes.contains(cause); }) > 0;
    for (std::size_t row = m_messages.size(); row-- > 0;) {
        if (!m_messages[row].causes.contains(cause))
            continue;
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
        m_messages.erase(m_messages.begin() + static_cast<std::ptrdiff_t>(row));
        endRemoveRows();
        any = true;
    }
    if (any)
        Q_EMIT summaryChanged();
}

void Messages::putAside() {
    if (m_messages.empty())
        return;
    beginResetModel();
    m_aside.insert(m_aside.begin(), std::make_move_iterator(m_messages.begin()), std::make_move_iterator(m_messages.end()));
    m_aside.resize(std::min(m_aside.size(), kMaximum));
    m_messages.clear();
    endResetModel();
    Q_EMIT summaryChanged();
}

void Messages::bringBack() {
    if (m_aside.empty())
        return;
    beginResetModel();
    for (Message& one : std::exchange(m_aside, {})) // what was said again meanwhile is there already
        if (std::ranges::none_of(m_messages, [&](const Message& now) { return now.severity == one.severity && now.sentence == one.sentence; }))
            m_messages.push_back(std::move(one));
    m_messages.resize(std::min(m_messages.size(), kMaximum));
    endResetModel();
    Q_EMIT summaryChanged();
}

void Messages::clear() {
    const auto isOfSession = [](const Message& one) { return !one.causes.contains(kBeyondSession); };
    if (std::ranges::none_of(m_messages, isOfSession) && std::ranges::none_of(m_aside, isOfSession))
        return;
    beginResetModel();
    std::erase_if(m_messages, isOfSession);
    std::erase_if(m_aside, isOfSession);
    endResetModel();
    Q_EMIT summaryChanged();
}

int Messages::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_messages.size());
}

int Messages::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant Messages::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Message& message = at(index.row());
    if (role == SeverityRole)
        return static_cast<int>(message.severity);
    if (role == Qt::ToolTipRole && index.column() == Sentence)
        return shownSentence(message);
    if (role == Qt::AccessibleTextRole && index.column() == SeverityIcon) {
        switch (message.severity) {
        case Severity::Good:
            return tr("good");
        case Severity::Info:
            return tr("information");
        case Severity::Warning:
            return tr("warning");
        case Severity::Error:
            return tr("error");
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Time:
        return message.time.toString(QStringLiteral("HH:mm:ss"));
    case Sentence:
        return shownSentence(message);
    case Action:
        return message.actionText;
    default:
        return {};
    }
}

QVariant Messages::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Sentence:
        return tr("Message");
    case Action:
        return tr("Action");
    default:
        return {};
    }
}

} // namespace headroom::app
