// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/finding_table.h"

#include "app/alignments/alignment_severity.h"
#include "app/parts/number_text.h"
#include "widgets/look/icons.h"
#include "widgets/look/theme.h"

#include <algorithm>

namespace headroom::app {

namespace {

/// Of the numbers in the sentence; each on a line of its own.
QString definitionOf(const AlignmentFinding& finding) {
    if (finding.code != "alignment.otherFile" && finding.code != "alignment.poorFit" &&
        finding.code != "alignment.shifted")
        return {};
    return FindingTable::tr(
        "Labels predict loudness: silence 0, stops 0.5, fricatives 0.65, sonorants 0.85, vowels 1.\n"
        "Per cent: pairs of neighbouring intervals whose mean level differs in the predicted direction.\n"
        "Correlation: Pearson's, of level in dB and prediction over frames of 10 ms. 1: they rise and fall "
        "together, 0: no relation.\n");
}

} // namespace

FindingTable::FindingTable(const Session* session, QObject* parent)
    : QAbstractTableModel(parent)
    , m_session(session) {}

void FindingTable::refresh() {
    beginResetModel();
    m_rows.clear();
    m_utterances = m_leftOut = 0;
    const UtteranceList* list = m_session->utterances();
    for (int row = 0; row < list->count(); ++row) {
        const OpenUtterance& utterance = list->at(row);
        if (!utterance.alignmentReport)
            continue;
        ++m_utterances;
        m_leftOut += !utterance.alignmentReport->usable();
        for (const AlignmentFinding& finding : utterance.alignmentReport->findings)
            m_rows.push_back({utterance.id, utterance.shownName(), finding, utterance.alignment ? severityOf(*utterance.alignmentReport) : Severity::Error});
    }
    std::stable_sort(m_rows.begin(), m_rows.end(),
                     [](const Row& a, const Row& b) { return a.finding.severity > b.finding.severity; });
    endResetModel();
}

int FindingTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int FindingTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant FindingTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = at(index.row());
    const bool isError = row.finding.severity == AlignmentFinding::Severity::Error;
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Name)
            return row.name;
        if (index.column() == Time)
            return secondsInListBare(row.finding.start);
        return QString::fromStdString(row.finding.sentence) + (isError && row.severity != Severity::Error ? u' ' + tr("Phone studies leave it out.") : QString());
    case Qt::DecorationRole:
        if (index.column() != Name)
            return {};
        return row.severity == Severity::Error ? widgets::icon(QStringLiteral("error"), widgets::Theme::current().error)
                       : widgets::icon(QStringLiteral("warning"), widgets::Theme::current().warning);
    case Qt::TextAlignmentRole:
        return index.column() == Time ? int(Qt::AlignRight | Qt::AlignVCenter)
                                      : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        if (index.column() == Name)
            return (row.severity == Severity::Error ? tr("Error, %1") : tr("Warning, %1")).arg(row.name);
        return data(index, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return QString::fromStdString(row.finding.sentence) + QLatin1Char('\n') + definitionOf(row.finding) +
               (isError ? tr("Phone studies leave this utterance out. Click to go to the place.")
                        : tr("Phone studies include this utterance. Click to go to the place."));
    default:
        return {};
    }
}

QVariant FindingTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Time ? int(Qt::AlignRight | Qt::AlignVCenter)
                               : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Utterance") : section == Time ? tr("s") : tr("Problem");
}

} // namespace headroom::app
