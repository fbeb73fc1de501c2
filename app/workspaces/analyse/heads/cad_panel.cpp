// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/cad_panel.h"

#include "app/parts/tab_parts.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "widgets/heads/cad_curve_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::CadPlot;
using widgets::HeadId;

CadPanel::CadPanel(QWidget* evidence, QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedLayout)
    , m_empty(emptyPage(this))
    , m_order(new QComboBox(this))
    , m_split(new QDoubleSpinBox(this))
    , m_plot(new CadPlot)
    , m_curve(new widgets::CadCurvePlot)
    , m_table(new widgets::StudyTableView)
    , m_note(new MetricsNote(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_table->setAccessibleName(tr("CAD by head"));
    auto* plots = new QWidget(this);
    auto* row = new QHBoxLayout(plots);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_plot, 2);
    row->addWidget(m_curve, 1);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setHandleWidth(1);
    parts->addWidget(plots);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(parts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead(evidence));
    layout->addLayout(m_pages, 1);
    layout->addWidget(m_note);

    connect(m_order, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_plot->setOrder(index == 0 ? CadPlot::Order::Sorted : CadPlot::Order::ByLayer);
    });
    connect(m_split, &QDoubleSpinBox::valueChanged, this, &CadPanel::moveSplit);
    connect(m_plot, &CadPlot::splitChanged, this, &CadPanel::moveSplit);
    connect(m_plot, &CadPlot::headSelected, this, [this](HeadId head) {
        setSelected(head);
        Q_EMIT headSelected(head);
    });
    connect(m_plot, &CadPlot::headActivated, this, &CadPanel::headActivated);
    connect(m_table, &widgets::StudyTableView::rowChosen, this, [this](int at) {
        if (!m_content || at < 0)
            return;
        setSelected(headOfRow(*m_content, at));
        Q_EMIT headSelected(*m_selected);
    });
    connect(m_table, &widgets::StudyTableView::cellActivated, this, [this](int at) {
        if (m_content && at >= 0)
            Q_EMIT headActivated(headOfRow(*m_content, at));
    });
    setEmptySentence(tr("Open a model and an utterance to see CAD."));
    showContent(nullptr);
}

QWidget* CadPanel::makeHead(QWidget* evidence) {
    m_order->addItem(tr("Sorted"));
    m_order->addItem(tr("By layer"));
    m_order->setProperty("small", true);
    m_order->setAccessibleName(tr("Order of the heads"));
    m_split->setRange(0, 1);
    m_split->setSingleStep(0.01);
    m_split->setDecimals(2);
    m_split->setValue(m_plot->split());
    m_split->setLocale(QLocale::c());
    m_split->setProperty("small", true);
    m_split->setAccessibleName(tr("Split"));
    m_split->setToolTip(
        tr("Heads with a smaller CAD are phonetic, the others linguistic: 0.75 in Shim et al. "
           "2022, §4."));
    auto* label = new QLabel(tr("Split"), this);
    label->setProperty("caption", true);
    TabHead* head = new TabHead(this);
    head->add(evidence);
    head->add(m_order);
    head->addStretch();
    head->add(label);
    head->add(m_split);
    return head;
}

void CadPanel::setEmptySentence(const QString& sentence) {
    m_empty->setText(sentence);
}

void CadPanel::showContent(std::shared_ptr<const HeadContent> content) {
    const bool another = content != m_content;
    m_content = std::move(content);
    if (another && m_content && m_content->split) // the study's own, until the reader moves it
        moveSplit(*m_content->split);
    const bool any = m_content && !m_content->isEmpty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    m_note->setVisible(any);
    m_plot->setHeads(any ? m_content->headCads() : std::vector<widgets::HeadCad>());
    m_note->setSentence(any ? m_content->cadNote : QString());
    showTable();
    showSelected();
}

void CadPanel::showTable() {
    m_table->setTable(m_content ? cadTable(*m_content, m_plot->split()) : StudyTable());
}

void CadPanel::setSelected(std::optional<HeadId> head) {
    if (head == m_selected)
        return;
    m_selected = head;
    showSelected();
}

void CadPanel::showSelected() {
    m_plot->setSelected(m_selected);
    m_table->setCurrentRow(m_content && m_selected ? rowOfHead(*m_content, *m_selected) : -1);
    const bool known = m_content && m_selected && rowOfHead(*m_content, *m_selected) >= 0;
    if (!known)
        return m_curve->setCurve({}, {});
    m_curve->setCurve(m_content->curve(*m_selected), widgets::headName(*m_selected),
                      m_content->cad(std::size_t(m_selected->layer), std::size_t(m_selected->head)));
}

void CadPanel::moveSplit(double split) {
    const QSignalBlocker blocker(m_split);
    m_split->setValue(split);
    if (m_plot->split() != split)
        m_plot->setSplit(split);
    showTable();
    m_table->setCurrentRow(m_content && m_selected ? rowOfHead(*m_content, *m_selected) : -1);
}

} // namespace headroom::app
