// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/heads_panel.h"

#include "app/parts/tab_parts.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::HeadId;
using widgets::Sizes;

HeadsPanel::HeadsPanel(QWidget* evidence, QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedLayout)
    , m_empty(emptyPage(this))
    , m_mode(new QLabel(tr("Head relevance"), this))
    , m_map(new widgets::RelevanceMap)
    , m_table(new widgets::StudyTableView)
    , m_note(new MetricsNote(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_table->setAccessibleName(tr("Head relevance by layer"));
    m_mode->setProperty("caption", true);
    auto* head = new TabHead(this);
    head->add(evidence);
    head->addStretch();
    head->add(m_mode);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_map);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setHandleWidth(1);
    parts->addWidget(scroll);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(parts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addLayout(m_pages, 1);
    layout->addWidget(m_note);
    connect(m_map, &widgets::RelevanceMap::headSelected, this, [this](HeadId chosen) {
        m_table->setCurrentRow(chosen.layer);
        Q_EMIT headSelected(chosen);
    });
    connect(m_map, &widgets::RelevanceMap::headActivated, this, &HeadsPanel::headActivated);
    connect(m_table, &widgets::StudyTableView::cellClicked, this, [this](int row, int column) {
        if (column > 0) {
            m_map->setSelected(HeadId{row, column - 1});
            Q_EMIT headSelected(HeadId{row, column - 1});
        }
    });
    connect(m_table, &widgets::StudyTableView::cellActivated, this, [this](int row, int column) {
        if (column > 0)
            Q_EMIT headActivated(HeadId{row, column - 1});
    });
    setEmptySentence(tr("Open a model and an utterance to see head relevance."));
    showContent(nullptr);
}

void HeadsPanel::setEmptySentence(const QString& sentence) {
    m_empty->setText(sentence);
}

void HeadsPanel::showContent(std::shared_ptr<const HeadContent> content) {
    m_content = std::move(content);
    const bool any = m_content && !m_content->isEmpty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    m_note->setVisible(any);
    m_note->setSentence(any ? m_content->relevanceNote : QString());
    m_map->setValues(any ? m_content->relevance : Matrix<double>(),
                     any ? m_content->kinds : std::vector<std::vector<HeadKind>>());
    m_table->setTable(any ? relevanceTable(*m_content) : StudyTable());
    if (const auto chosen = m_map->selected())
        m_table->setCurrentRow(chosen->layer);
}

void HeadsPanel::setSelected(std::optional<HeadId> head) {
    m_map->setSelected(head);
    m_table->setCurrentRow(head ? head->layer : -1);
}

} // namespace headroom::app
