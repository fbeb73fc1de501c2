// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/heads_panel.h"

#include "app/parts/tab_parts.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/study_table/study_table_view.h"

#include <QLabel>
#include <QScrollArea>

namespace headroom::app {

using widgets::HeadId;

HeadsPanel::HeadsPanel(EvidenceField* evidence, QWidget* parent)
    : HeadTab(evidence, parent), m_map(new widgets::RelevanceMap) {
    table()->setAccessibleName(tr("Head relevance by layer"));
    auto* mode = new QLabel(tr("Head relevance"), this);
    mode->setProperty("caption", true);
    head()->addStretch();
    head()->add(mode);
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Heads"));
    scroll->setWidget(m_map);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setBody(scroll);
    connect(m_map, &widgets::RelevanceMap::headSelected, this, [this](HeadId chosen) {
        table()->setCurrentRow(chosen.layer);
        Q_EMIT headSelected(chosen);
    });
    connect(m_map, &widgets::RelevanceMap::headActivated, this, &HeadsPanel::headActivated);
    connect(table(), &widgets::StudyTableView::cellClicked, this, [this](int row, int column) {
        if (column > 0) {
            m_map->setSelected(HeadId{row, column - 1});
            Q_EMIT headSelected(HeadId{row, column - 1});
            if (hasPlaces(column))
                Q_EMIT headActivated(HeadId{row, column - 1});
        }
    });
    connect(table(), &widgets::StudyTableView::cellActivated, this, [this](int row, int column) {
        if (column > 0)
            Q_EMIT headActivated(HeadId{row, column - 1});
    });
    table()->study()->setRemark([this](int row, int column) {
        return content() && column > 0 ? relevanceEstimateText(*content(), HeadId{row, column - 1}) : QString();
    });
    setEmptySentence(tr("Open a model and an utterance to see head relevance."));
}

void HeadsPanel::refresh() {
    const HeadContent* any = content();
    m_map->setValues(any ? any->relevance : Matrix<double>(),
                     any ? any->kinds : std::vector<std::vector<HeadKind>>());
    setRows(any ? relevanceTable(*any) : StudyTable());
    if (const auto chosen = m_map->selected())
        table()->setCurrentRow(chosen->layer);
}

std::string HeadsPanel::fullData() const {
    const StudyTable table = content() ? relevanceEstimates(*content()) : StudyTable();
    return table.rows.empty() ? std::string() : csvText(table);
}

void HeadsPanel::setSelected(std::optional<HeadId> head, int layer) {
    m_map->setSelected(head);
    table()->setCurrentRow(!content() ? -1 : head ? head->layer : layer < content()->layers() ? layer : -1);
}

} // namespace headroom::app
