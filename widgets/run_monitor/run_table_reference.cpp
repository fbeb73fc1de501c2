// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment that others are compared with, and the best ones.
#include "core/runs/score_decimals.h"
#include "widgets/look/number_text.h"
#include "widgets/run_monitor/run_comparison.h"
#include "widgets/run_monitor/run_table_model.h"

#include <cmath>

namespace headroom::widgets {

void RunTableModel::setReference(const QString& key) {
    m_wantedReference = key;
    settleReference();
}

/// What was chosen or taken once stays, whatever is ticked later. While it is not there, as in the wastebasket, another one stands in.
void RunTableModel::settleReference() {
    const QString before = m_reference;
    const auto fits = [this](const QString& key) {
        const int row = rowOf(key);
        return row >= 0 && hasFinalScore(m_groups[static_cast<std::size_t>(row)]);
    };
    if (fits(m_wantedReference)) {
        m_reference = m_wantedReference;
    } else if (!fits(m_reference)) {
        m_reference.clear();
        for (const RunGroup* group : compared())
            if (m_reference.isEmpty() && hasFinalScore(*group))
                m_reference = group->key;
    }
    if (m_wantedReference.isEmpty())
        m_wantedReference = m_reference;
    if (m_reference == before)
        return;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Delta), index(rowCount() - 1, PValue));
    Q_EMIT referenceChanged();
}

namespace {

/// Which numbers a mean is compared with; empty: it is not compared, as with Δ and p.
QString comparedIn(const RunGroup& group, int column, double mean) {
    if (!std::isfinite(mean) || !hasFinalScore(group))
        return {};
    return QString::number(column) + u'\n' + (column == RunTableModel::Loss ? lossSetOf(group) : scoreSetOf(group));
}

} // namespace

void RunTableModel::findBest() {
    m_best.clear();
    for (const RunGroup& group : m_groups)
        for (const int column : {Loss, Wer, Bleu}) {
            const double mean = raw(group, column).toDouble();
            const QString set = comparedIn(group, column, mean);
            if (set.isEmpty())
                continue;
            Best& best = m_best[set];
            if (++best.experiments == 1 || (column == Bleu ? mean > best.mean : mean < best.mean))
                best.mean = mean;
        }
    m_best.removeIf([](QHash<QString, Best>::iterator one) { return one->experiments < 2; });
}

bool RunTableModel::isBest(const RunGroup& group, int column) const {
    if (column != Loss && column != Wer && column != Bleu)
        return false;
    const double mean = raw(group, column).toDouble();
    const auto best = m_best.constFind(comparedIn(group, column, mean));
    // As printed: of two rows that read the same, neither is better.
    const int decimals = column == Loss ? kLossDecimals : kScoreDecimals;
    return best != m_best.constEnd() && numberText(mean, decimals) == numberText(best->mean, decimals);
}

const RunGroup* RunTableModel::reference() const {
    // Asked for every cell: the row is remembered.
    const auto at = [this](int row) { return &m_groups[static_cast<std::size_t>(row)]; };
    if (m_referenceRow < 0 || m_referenceRow >= rowCount() || at(m_referenceRow)->key != m_reference)
        m_referenceRow = m_reference.isEmpty() ? -1 : rowOf(m_reference);
    return m_referenceRow < 0 ? nullptr : at(m_referenceRow);
}

} // namespace headroom::widgets
