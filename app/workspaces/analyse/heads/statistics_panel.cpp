// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/statistics_panel.h"

#include "app/parts/tab_parts.h"
#include "widgets/study_table/study_table_view.h"

#include <QLineEdit>

namespace headroom::app {

using widgets::HeadId;

StatisticsPanel::StatisticsPanel(EvidenceField* evidence, QWidget* parent)
    : HeadTab(evidence, parent), m_filter(tableFilter(table(), this)) {
    table()->setAccessibleName(tr("Attention statistics by head"));
    table()->setToolTip(
        tr("Means over the rows of a head's map. Entropy: −Σ A ln A. Distance: Σ A |i − j|, in tokens. "
           "Maximum: the largest weight of a row. On silence: the weight on silence. Ctrl+C copies the rows, "
           "Ctrl+Shift+C copies them as LaTeX."));
    m_filter->setPlaceholderText(tr("Filter the heads")); // whole beside a study's name
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_filter->setToolTip(tr("Filter by layer, head or kind"));
    head()->addStretch();
    head()->add(m_filter);
    setBody();
    connect(table(), &widgets::StudyTableView::rowChosen, this, [this](int row) {
        if (content() && row >= 0)
            Q_EMIT headSelected(headOfRow(*content(), row));
    });
    connect(table(), &widgets::StudyTableView::cellClicked, this, [this](int row, int column) {
        if (hasPlaces(column))
            Q_EMIT headActivated(headOfRow(*content(), row));
    });
    connect(table(), &widgets::StudyTableView::cellActivated, this, [this](int row) {
        if (content() && row >= 0)
            Q_EMIT headActivated(headOfRow(*content(), row));
    });
    setEmptySentence(tr("Open a model and an utterance to see statistics."));
}

void StatisticsPanel::refresh() {
    const int row = table()->currentRow();
    table()->setTable(content() ? statisticsTable(*content()) : StudyTable());
    table()->setCurrentRow(row);
}

void StatisticsPanel::setSelected(std::optional<HeadId> head, int layer) {
    table()->setCurrentRow(content() && head ? rowOfHead(*content(), *head) : -1);
    if (content() && !head)
        table()->reveal(rowOfHead(*content(), HeadId{layer, 0}));
}

} // namespace headroom::app
