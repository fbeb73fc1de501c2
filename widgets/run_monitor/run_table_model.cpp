// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_table_model.h"

#include "widgets/run_monitor/fitted_titles.h"

#include <QSet>

#include <algorithm>

namespace headroom::widgets {

RunTableModel::RunTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunTableModel::setGroups(std::vector<RunGroup> groups) {
    QHash<QString, std::size_t> fresh;
    for (std::size_t i = 0; i < groups.size(); ++i)
        fresh.insert(groups[i].key, i);
    // Gone rows leave, known rows change in place, new rows come at the end: the view sorts.
    bool lost = false, changed = false;
    for (int row = rowCount() - 1; row >= 0; --row) {
        const QString key = m_groups[static_cast<std::size_t>(row)].key;
        if (fresh.contains(key))
            continue;
        if (const int style = m_styles.value(key, -1); style >= 0) { // it may come back from the wastebasket
            m_lostStyles.insert(key, style);
            m_styles.remove(key);
            lost = true;
        }
        changed = true;
        beginRemoveRows({}, row, row);
        m_groups.erase(m_groups.begin() + row);
        endRemoveRows();
    }
    QSet<QString> known;
    for (RunGroup& group : m_groups) {
        known.insert(group.key);
        RunGroup& now = groups[fresh.value(group.key)];
        changed = changed || !looksTheSame(group, now);
        group = std::move(now);
    }
    std::vector<RunGroup> added;
    for (RunGroup& group : groups)
        if (!group.key.isEmpty() && !known.contains(group.key))
            added.push_back(std::move(group));
    const int before = rowCount();
    if (!added.empty()) {
        beginInsertRows({}, before, before + static_cast<int>(added.size()) - 1);
        for (RunGroup& group : added)
            m_groups.push_back(std::move(group));
        endInsertRows();
    }
    findBest();
    tellApart();
    settleReference();
    if (before > 0 && (changed || !added.empty())) // all rows: they are compared with one, and the best is bold
        Q_EMIT dataChanged(index(0, 0), index(before - 1, ColumnCount - 1));
    if (lost)
        Q_EMIT comparedChanged();
}

void RunTableModel::tellApart() {
    QStringList names;
    for (const RunGroup& group : m_groups)
        names << group.name;
    if (names == m_names)
        return;
    m_apart = wordsApart(names);
    m_names = names;
}

int RunTableModel::rowOf(const QString& key) const {
    for (std::size_t row = 0; row < m_groups.size(); ++row)
        if (m_groups[row].key == key)
            return static_cast<int>(row);
    return -1;
}

void RunTableModel::setCompared(const QString& key, bool compared) {
    const int row = rowOf(key);
    if (row < 0 || compared == m_styles.contains(key))
        return;
    if (compared) {
        const auto isFree = [this](int one) { return std::find(m_styles.begin(), m_styles.end(), one) == m_styles.end(); };
        int style = m_lostStyles.value(key, 0);
        if (!isFree(style))
            for (style = 0; style < kMostCompared && !isFree(style);)
                ++style;
        if (style == kMostCompared) {
            Q_EMIT comparisonFull(key);
            return;
        }
        m_styles.insert(key, style);
        m_lostStyles.remove(key);
    } else {
        m_styles.remove(key);
    }
    Q_EMIT dataChanged(index(row, Compared), index(row, Compared));
    settleReference();
    Q_EMIT comparedChanged();
}

std::vector<const RunGroup*> RunTableModel::compared() const {
    std::vector<const RunGroup*> chosen;
    for (const RunGroup& group : m_groups)
        if (m_styles.contains(group.key))
            chosen.push_back(&group);
    std::sort(chosen.begin(), chosen.end(), [this](const RunGroup* left, const RunGroup* right) {
        return m_styles.value(left->key) < m_styles.value(right->key);
    });
    return chosen;
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Compared ? flags | Qt::ItemIsUserCheckable : flags;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Compared || role != Qt::CheckStateRole)
        return false;
    const QString key = m_groups[static_cast<std::size_t>(index.row())].key;
    const bool wanted = value.toInt() == Qt::Checked;
    setCompared(key, wanted);
    return isCompared(key) == wanted;
}

} // namespace headroom::widgets
