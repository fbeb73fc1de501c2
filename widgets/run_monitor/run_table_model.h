// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/run_item.h"
#include "widgets/run_monitor/seed_statistics.h"

#include <QAbstractTableModel>
#include <QHash>

namespace headroom::widgets {

/// The experiments, one row each, with all seeds. Ticked rows are compared and get the first six free styles
/// in order. Window's thread only.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Compared,
        Name,
        Recipe,
        Seeds,
        Parameters,
        Macs,
        Loss,
        Wer,
        Bleu,
        Test,   ///< the newest evaluation of each run on one split
        Delta,  ///< score minus that of the reference
        PValue, ///< of the paired test over the seeds that both have
        State,
        Started,
        ColumnCount
    };
    enum Role { StyleRole = Qt::UserRole + 2, TitlesRole }; ///< int: runPen(); −1: not compared; Titles: the name, for little room
    static constexpr int kMostCompared = 6;

    explicit RunTableModel(QObject* parent = nullptr);

    /// Remaining rows keep their tick and style; the view keeps its selection.
    void setGroups(std::vector<RunGroup> groups);
    const std::vector<RunGroup>& groups() const { return m_groups; }
    int rowOf(const QString& key) const; ///< −1: none

    void setCompared(const QString& key, bool compared);
    bool isCompared(const QString& key) const { return m_styles.contains(key); }
    int styleOf(const QString& key) const { return m_styles.value(key, -1); }
    /// In the order of their styles.
    std::vector<const RunGroup*> compared() const;
    /// What Δ and p are against: the experiment that was chosen, else the first ticked one with a final score, from then on. Null:
    /// there is none.
    const RunGroup* reference() const;
    void setReference(const QString& key); ///< it may appear, or have its first score, later
    /// reference(), or the one that was chosen and is not there yet; empty: none.
    QString referenceKey() const { return m_reference.isEmpty() ? m_wantedReference : m_reference; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void comparedChanged();
    void referenceChanged();
    /// A seventh experiment was ticked, which stays unticked.
    void comparisonFull(const QString& key);

private:
    QVariant raw(const RunGroup& group, int column) const;
    QString text(const RunGroup& group, int column) const;
    void settleReference();
    void findBest();
    void tellApart();
    bool isBest(const RunGroup& group, int column) const; ///< of its dev set, in a column that has a best; of losses, among those of one measure

    std::vector<RunGroup> m_groups;
    QStringList m_names;
    QHash<QString, QList<int>> m_apart; ///< their words
    QHash<QString, int> m_styles; ///< key → style of the ticked ones
    QHash<QString, int> m_lostStyles; ///< of ticked ones that have left
    QString m_wantedReference, m_reference; ///< keys: as chosen, or as taken first, also while it is not there; as shown
    mutable int m_referenceRow = -1; ///< where reference() was found last
    struct Best {
        int experiments = 0;
        double mean = kUndefined;
    };
    QHash<QString, Best> m_best; ///< column with scoreSetOf(), of losses lossSetOf() → of its experiments, where it has several
};

} // namespace headroom::widgets
