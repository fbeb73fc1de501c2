// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/head_tab.h"

#include "app/parts/breakable.h"
#include "app/parts/least_height_area.h"
#include "app/parts/tab_parts.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "widgets/study_table/study_table_view.h"

#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace headroom::app {

HeadTab::HeadTab(EvidenceField* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_head(new TabHead(this))
    , m_pages(new QStackedLayout)
    , m_empty(emptyPage(this))
    , m_table(new widgets::StudyTableView)
    , m_note(new MetricsNote(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_head->add(evidence);
    m_pages->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addLayout(m_pages, 1);
    layout->addWidget(m_note);
    m_note->hide();
}

void HeadTab::setBody(QWidget* picture) {
    if (m_evidence)
        m_head->add(m_evidence->makeModelField(picture ? picture : m_table, this));
    if (!picture) {
        m_pages->addWidget(m_table);
        return;
    }
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setHandleWidth(1);
    parts->addWidget(picture);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    m_pages->addWidget(new LeastHeightArea(parts, this));
}

void HeadTab::setEmptySentence(const QString& sentence) {
    m_empty->setText(breakable(sentence));
}

void HeadTab::setRows(StudyTable rows) {
    if (rows.columns.empty())
        rows.columns = m_table->study()->table().columns;
    m_table->setTable(std::move(rows));
}

const HeadContent* HeadTab::content() const {
    return m_content && !m_content->isEmpty() ? m_content.get() : nullptr;
}

bool HeadTab::hasPlaces(int column) const {
    return content() && !content()->study.isEmpty() && !m_table->study()->table().columns[std::size_t(column)].text;
}

QString HeadTab::figureCaption() const {
    if (!content())
        return {};
    return (content()->whose + QLatin1Char(' ') + QString::fromStdString(m_table->study()->table().caption)).trimmed();
}

void HeadTab::showContent(std::shared_ptr<const HeadContent> content) {
    m_content = std::move(content);
    const HeadContent* any = this->content();
    m_pages->setCurrentIndex(any ? 1 : 0);
    m_note->setVisible(any);
    m_note->setSentence(any ? noteOf(*any) : QString());
    refresh();
}

} // namespace headroom::app
