// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/statistics_panel.h"

#include "app/parts/tab_parts.h"
#include "widgets/study_table/study_table_view.h"

#include <QItemSelectionModel>
#include <QLineEdit>
#include <QScrollBar>

namespace headroom::app {

using widgets::HeadId;

namespace {

/// Scrolls so that the other heads of the current layer are in sight too, unless the user has scrolled away from the first one: it may
/// be the only layer with numbers.
void keepLayerInSight(widgets::StudyTableView* table) {
    const QModelIndex first = table->currentIndex().siblingAtColumn(table->frozenColumn()); // which scrolls nothing sideways
    if (!first.isValid() || table->selectionModel()->hasSelection() || !table->visualRect(first).intersects(table->viewport()->rect()))
        return;
    const auto layerOf = [](const QModelIndex& index) { return index.siblingAtColumn(0).data(); };
    QModelIndex last = first;
    for (QModelIndex next = first; next.isValid() && layerOf(next) == layerOf(first); next = next.siblingAtRow(next.row() + 1))
        last = next;
    table->scrollTo(last);
    table->scrollTo(first);
}

} // namespace

StatisticsPanel::StatisticsPanel(EvidenceField* evidence, QWidget* parent)
    : HeadTab(evidence, parent), m_filter(tableFilter(table(), this, tr("Filter the heads"))) { // whole beside a study's name
    table()->setAccessibleName(tr("Attention statistics by head"));
    table()->setToolTip(
        tr("Means over the rows of a head's map. Entropy: −Σ A ln A. Distance: Σ A |i − j|, in tokens. "
           "Maximum: the largest weight of a row. On silence: the weight on silence. Ctrl+C copies the rows, "
           "Ctrl+Shift+C copies them as LaTeX."));
    m_filter->setToolTip(tr("Filter by layer, head or kind: “6” is layer 6, “6 4” its head 4, “head 4” that head of all layers."));
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
    connect(table()->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] { keepLayerInSight(table()); }, Qt::QueuedConnection);
    setEmptySentence(tr("Open a model and an utterance to see statistics."));
}

void StatisticsPanel::refresh() {
    const int row = table()->currentRow();
    setRows(content() ? statisticsTable(*content()) : StudyTable());
    table()->setCurrentRow(row);
}

void StatisticsPanel::setSelected(std::optional<HeadId> head, int layer) {
    table()->setCurrentRow(content() && head ? rowOfHead(*content(), *head) : -1);
    if (!content() || head)
        return;
    table()->reveal(rowOfHead(*content(), HeadId{layer, 0}));
    keepLayerInSight(table());
}

} // namespace headroom::app
