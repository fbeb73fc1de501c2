// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_table_text.h"

#include "core/runs/score_decimals.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/evaluated_text.h"
#include "widgets/run_monitor/run_comparison.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/run_monitor/table_text.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <functional>

namespace headroom::widgets {

namespace {

using Column = RunTableModel::Column;

struct CopiedRow {
    const RunGroup* group;
    QModelIndex at; ///< of the shown model
};

class CopiedRuns {
public:
    CopiedRuns(const RunTable& table, RunNumbers form) : m_table(table), m_form(form) {
        const auto& shown = static_cast<const QSortFilterProxyModel&>(*table.model());
        const bool some = table.selectionModel()->hasSelection();
        for (int row = 0; row < shown.rowCount(); ++row)
            if (const QModelIndex at = shown.index(row, 0); !some || table.selectionModel()->isRowSelected(row, {}))
                m_rows.push_back({&table.runs()->groups()[static_cast<std::size_t>(shown.mapToSource(at).row())], at});
        m_out.rows.resize(m_rows.size());
    }

    CopiedRunTable made() {
        for (int visual = 0; visual < RunTableModel::ColumnCount; ++visual)
            if (const int column = m_table.horizontalHeader()->logicalIndex(visual); !m_table.isColumnHidden(column))
                addColumn(Column(column));
        m_out.name = "runs";
        m_out.caption = caption().toStdString();
        return {std::move(m_out), std::move(m_best)};
    }

private:
    using Cell = std::function<StudyCell(const CopiedRow&)>;

    void add(const QString& title, const QString& unit, int decimals, bool isText, const Cell& cell) {
        m_out.columns.push_back({title.toStdString(), title.toStdString(), unit.toStdString(), decimals, isText});
        for (std::size_t row = 0; row < m_rows.size(); ++row)
            m_out.rows[row].push_back(cell(m_rows[row]));
    }

    /// The column that was added last shows this one of Runs: what is bold there is the best.
    void noteBest(Column column) {
        for (std::size_t row = 0; row < m_rows.size() && m_form == RunNumbers::Printed; ++row)
            if (m_rows[row].at.siblingAtColumn(column).data(Qt::FontRole).isValid())
                m_best.insert({row, m_out.columns.size() - 1});
    }

    /// Mean and deviation: in two columns, or as they are printed.
    void addMean(const QString& title, const QString& unit, int decimals, const std::function<SeedStatistics(const RunGroup&)>& of) {
        if (m_form == RunNumbers::Printed)
            return add(title, unit, decimals, false, [&](const CopiedRow& row) { return StudyCell(meanText(of(*row.group), decimals).toStdString()); });
        add(title, unit, decimals, false, [&](const CopiedRow& row) { return StudyCell(of(*row.group).mean); });
        add(tr("%1 std").arg(title), unit, decimals, false, [&](const CopiedRow& row) { return StudyCell(of(*row.group).deviation); });
    }

    void addColumn(Column column) {
        // "Dev WER, %": what is behind the comma is the unit.
        const QStringList head = m_table.runs()->headerData(column, Qt::Horizontal).toString().split(QStringLiteral(", "));
        const QString title = head.value(0), unit = head.value(1);
        const auto asShown = [column](const CopiedRow& row) { return StudyCell(row.at.siblingAtColumn(column).data().toString().toStdString()); };
        const auto raw = [column](const CopiedRow& row) { return StudyCell(row.at.siblingAtColumn(column).data(kRawRole).toDouble()); };
        const auto over = [](double (RunItem::*value)() const) { return [value](const RunGroup& group) { return overSeeds(group, value); }; };
        const RunGroup* reference = m_table.runs()->reference();
        switch (column) {
        case Column::Compared:
        case Column::ColumnCount:
            break;
        case Column::Name:
        case Column::Recipe:
            add(title, unit, 0, true, asShown);
            break;
        case Column::State:
        case Column::Started:
            if (m_form == RunNumbers::Apart)
                add(title, unit, 0, true, asShown);
            break;
        case Column::Seeds:
            add(title, unit, 0, false, asShown); // "1 of 2"
            break;
        case Column::Parameters:
            add(title, unit, 2, false, raw);
            break;
        case Column::Macs:
            add(title, unit, 0, false, raw);
            break;
        case Column::Loss:
            addMean(title, unit, kLossDecimals, over(&RunItem::bestLoss));
            noteBest(column);
            break;
        case Column::Wer:
            addMean(title, unit, kScoreDecimals, over(&RunItem::bestWer));
            noteBest(column);
            addDecoded(tr("Dev WER of"));
            break;
        case Column::Bleu:
            addMean(title, unit, kScoreDecimals, over(&RunItem::bestBleu));
            noteBest(column);
            if (m_table.isColumnHidden(Column::Wer))
                addDecoded(tr("Dev BLEU of"));
            break;
        case Column::Test:
            addEvaluated();
            break;
        case Column::Delta:
            add(title, unit, reference && comparesLosses(*reference) ? kLossDecimals : kScoreDecimals, false,
                [&](const CopiedRow& row) { // as printed: with its sign, + too
                    const bool isReference = reference && row.group->key == reference->key;
                    return isReference || m_form == RunNumbers::Printed ? asShown(row) : raw(row);
                });
            break;
        case Column::PValue:
            add(title, unit, 3, false, raw);
            break;
        }
    }

    /// Of which utterances the score is, where it is not of all everywhere.
    void addDecoded(const QString& title) {
        if (m_form == RunNumbers::Apart && std::ranges::any_of(m_rows, [](const CopiedRow& row) { return !decodedText(*row.group).isEmpty(); }))
            add(title, {}, 0, true, [](const CopiedRow& row) {
                const QString text = decodedText(*row.group);
                return StudyCell((text.isEmpty() ? tr("all utterances") : text).toStdString());
            });
    }

    struct Measured {
        QString split, measure; ///< "test" of a recogniser and of a translator are two columns
        int order;
    };
    std::vector<Measured> measured() const {
        std::vector<Measured> found;
        for (const CopiedRow& row : m_rows)
            for (const QString& split : row.group->evaluatedSplits()) {
                const EvaluatedResult result = resultOn(*row.group, split);
                const QString measure = measureWord(result.task);
                if (std::ranges::none_of(found, [&](const Measured& known) { return known.split == split && known.measure == measure; }))
                    found.push_back({split, measure, result.order});
            }
        std::ranges::stable_sort(found, {}, &Measured::order);
        return found;
    }

    void addEvaluated() {
        for (const Measured& one : measured()) {
            const auto resultOf = [&one](const RunGroup& group) {
                EvaluatedResult result = resultOn(group, one.split);
                return measureWord(result.task) == one.measure ? result : EvaluatedResult();
            };
            const auto any = [&](const auto& has) { return std::ranges::any_of(m_rows, [&](const CopiedRow& row) { return has(resultOf(*row.group)); }); };
            const QString title = tr("Evaluated on %1: %2").arg(one.split, one.measure);
            const QString unit = one.measure == measureWord("asr") ? QStringLiteral("%") : QString();
            if (m_form == RunNumbers::Printed) {
                add(title, unit, kScoreDecimals, false, [&](const CopiedRow& row) { return StudyCell(valueText(resultOf(*row.group)).toStdString()); });
            } else {
                addMean(title, unit, kScoreDecimals, [&](const RunGroup& group) { return resultOf(group).score; });
            }
            if (any([](const EvaluatedResult& result) { return result.mapped.count > 0; }))
                addMean(tr("%1 with rules").arg(title), unit, kScoreDecimals, [&](const RunGroup& group) { return resultOf(group).mapped; });
            if (m_form == RunNumbers::Printed)
                continue;
            if (any([](const EvaluatedResult& result) { return result.score.count > 0 && result.score.count < result.seeds; }))
                add(tr("%1, seeds").arg(title), {}, 0, false, [&](const CopiedRow& row) {
                    const int count = resultOf(*row.group).score.count;
                    return count > 0 ? StudyCell(double(count)) : StudyCell();
                });
            if (any([](const EvaluatedResult& result) { return !result.weights.isEmpty(); }))
                add(tr("%1, weights").arg(title), {}, 0, true, [&](const CopiedRow& row) {
                    const EvaluatedResult result = resultOf(*row.group);
                    const QString words = result.weights.isEmpty() ? weightsWords({}) : result.weights;
                    return result.score.count > 0 ? StudyCell(words.toStdString()) : StudyCell();
                });
        }
    }

    QString caption() const {
        QStringList sentences{tr("Dev scores are of the weights of the best validation of each run; other scores are of the exported model, unless other "
                                 "weights are named.")};
        std::vector<const RunGroup*> groups;
        for (const CopiedRow& row : m_rows)
            groups.push_back(row.group);
        sentences << decodedNote(decodedTexts(groups)) << tr("Mean ± sample standard deviation over seeds.");
        if (!m_best.empty())
            sentences << tr("Bold: the best on dev of the experiments in Runs that can be compared.");
        sentences.removeAll(QString());
        return sentences.join(u' ');
    }

    const RunTable& m_table;
    RunNumbers m_form;
    std::vector<CopiedRow> m_rows;
    StudyTable m_out;
    TableCells m_best;
};

} // namespace

CopiedRunTable runsTable(const RunTable& table, RunNumbers form) {
    return CopiedRuns(table, form).made();
}

} // namespace headroom::widgets
