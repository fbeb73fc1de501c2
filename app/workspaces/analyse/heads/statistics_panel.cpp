// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/statistics_panel.h"

#include "app/parts/tab_parts.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::HeadId;
using widgets::Sizes;

StatisticsPanel::StatisticsPanel(QWidget* evidence, QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedLayout)
    , m_empty(emptyPage(this))
    , m_filter(new QLineEdit(this))
    , m_table(new widgets::StudyTableView)
    , m_note(new MetricsNote(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_table->setAccessibleName(tr("Attention statistics by head"));
    m_table->setToolTip(
        tr("Means over the rows of a head's map. Entropy: −Σ A ln A. Distance: Σ A |i − j|, in tokens. "
           "Maximum: the largest weight of a row. On silence: the weight on silence. Ctrl+C copies the rows, "
           "Ctrl+Shift+C copies them as LaTeX."));
    m_filter->setProperty("small", true);
    m_filter->setPlaceholderText(tr("Filter by layer, head or kind"));
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    auto* head = new TabHead(this);
    head->add(evidence);
    head->addStretch();
    head->add(m_filter);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_table);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addLayout(m_pages, 1);
    layout->addWidget(m_note);
    connect(m_filter, &QLineEdit::textChanged, m_table, &widgets::StudyTableView::setFilter);
    connect(m_table, &widgets::StudyTableView::rowChosen, this, [this](int row) {
        if (m_content && row >= 0)
            Q_EMIT headSelected(headOfRow(*m_content, row));
    });
    connect(m_table, &widgets::StudyTableView::cellActivated, this, [this](int row) {
        if (m_content && row >= 0)
            Q_EMIT headActivated(headOfRow(*m_content, row));
    });
    setEmptySentence(tr("Open a model and an utterance to see statistics."));
    showContent(nullptr);
}

void StatisticsPanel::setEmptySentence(const QString& sentence) {
    m_empty->setText(sentence);
}

void StatisticsPanel::showContent(std::shared_ptr<const HeadContent> content) {
    const int row = m_table->currentRow();
    m_content = std::move(content);
    const bool any = m_content && !m_content->isEmpty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    m_note->setVisible(any);
    m_note->setSentence(any ? m_content->statisticsNote : QString());
    m_table->setTable(any ? statisticsTable(*m_content) : StudyTable());
    m_table->setCurrentRow(row);
}

void StatisticsPanel::setSelected(std::optional<HeadId> head) {
    m_table->setCurrentRow(m_content && head ? rowOfHead(*m_content, *head) : -1);
}

} // namespace headroom::app
