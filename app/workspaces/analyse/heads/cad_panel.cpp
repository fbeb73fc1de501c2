// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/cad_panel.h"

#include "app/parts/choice_focus.h"
#include "app/parts/shown_number.h"
#include "app/parts/tab_parts.h"
#include "app/parts/view_values.h"
#include "core/analysis/attention_statistics.h"
#include "widgets/heads/cad_curve_plot.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::CadPlot;
using widgets::HeadId;

CadPanel::CadPanel(EvidenceField* evidence, QWidget* parent)
    : HeadTab(evidence, parent)
    , m_order(new QComboBox(this))
    , m_split(new QDoubleSpinBox(this))
    , m_plot(new CadPlot)
    , m_curve(new widgets::CadCurvePlot) {
    table()->setAccessibleName(tr("CAD by head"));
    table()->setLeastRows(2); // in a low window too
    auto* plots = new QWidget(this);
    auto* row = new QHBoxLayout(plots);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_plot, 2);
    row->addWidget(m_curve, 1);
    plots->setFocusProxy(m_plot);
    addFields();
    setBody(plots);
    passFocusOn(m_order, m_plot);

    connect(m_order, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_plot->setOrder(index == 0 ? CadPlot::Order::Sorted : CadPlot::Order::ByLayer);
    });
    const auto chooseSplit = [this](double split) {
        m_keptSplit.reset();
        moveSplit(split);
    };
    connect(m_split, &QDoubleSpinBox::valueChanged, this, chooseSplit);
    connect(m_plot, &CadPlot::splitChanged, this, chooseSplit);
    connect(m_plot, &CadPlot::headSelected, this, [this](HeadId head) {
        select(head);
        Q_EMIT headSelected(head);
    });
    connect(m_plot, &CadPlot::headActivated, this, &CadPanel::headActivated);
    connect(table(), &widgets::StudyTableView::rowChosen, this, [this](int at) {
        if (!content() || at < 0)
            return;
        select(headOfRow(*content(), at));
        Q_EMIT headSelected(*m_selected);
    });
    connect(table(), &widgets::StudyTableView::cellClicked, this, [this](int at, int column) {
        if (hasPlaces(column))
            Q_EMIT headActivated(headOfRow(*content(), at));
    });
    connect(table(), &widgets::StudyTableView::cellActivated, this, [this](int at) {
        if (content() && at >= 0)
            Q_EMIT headActivated(headOfRow(*content(), at));
    });
    setEmptySentence(tr("Open a model and an utterance to see CAD."));
}

void CadPanel::addFields() {
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
    auto* labelled = new QWidget(this); // a narrow tab moves both into the next row
    auto* row = new QHBoxLayout(labelled);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(qRound(widgets::Sizes::unit()));
    auto* label = new QLabel(tr("Split"), labelled);
    label->setProperty("caption", true);
    row->addWidget(label);
    row->addWidget(m_split);
    head()->add(m_order);
    head()->addStretch();
    head()->add(labelled);
}

/// The same study may come again: with the kinds of its heads, once its model is read, or after a model without content.
void CadPanel::refresh() {
    if (content() && content()->split && std::exchange(m_splitOf, content()->study) != content()->study) // the study's own, until the reader moves it
        moveSplit(std::exchange(m_keptSplit, std::nullopt).value_or(*content()->split));
    m_plot->setHeads(content() ? content()->headCads() : std::vector<widgets::HeadCad>());
    showTable();
    showSelected();
}

void CadPanel::showTable() {
    setRows(content() ? cadTable(*content(), m_plot->split()) : StudyTable());
}

/// Its rows and points are heads: none of them is the layer.
void CadPanel::setSelected(std::optional<HeadId> head, int) {
    select(head);
}

void CadPanel::select(std::optional<HeadId> head) {
    if (head == m_selected)
        return;
    m_selected = head;
    showSelected();
}

int CadPanel::selectedRow() const {
    return content() && m_selected ? rowOfHead(*content(), *m_selected) : -1;
}

void CadPanel::showSelected() {
    m_plot->setSelected(m_selected);
    table()->setCurrentRow(selectedRow());
    if (selectedRow() < 0)
        return m_curve->setCurve({}, {});
    m_curve->setCurve(content()->curve(*m_selected), widgets::headName(*m_selected),
                      content()->cad(std::size_t(m_selected->layer), std::size_t(m_selected->head)));
}

QString CadPanel::figureCaption() const {
    const bool hasBars = content() && !content()->cadLow.empty();
    return HeadTab::figureCaption() + (hasBars ? tr(" Bars: 95\u202f% intervals of the mean.") : QString());
}

nlohmann::json CadPanel::look() const {
    return {{"byLayer", m_order->currentIndex() == 1},
            {"split", m_keptSplit.value_or(m_plot->split())},
            {"ofStudy", m_keptSplit || !m_splitOf.isEmpty()}};
}

void CadPanel::setLook(const nlohmann::json& look) {
    m_order->setCurrentIndex(truthIn(look, "byLayer", false) ? 1 : 0);
    const double split = std::clamp(numberIn(look, "split", kPhoneticBelow), m_split->minimum(), m_split->maximum());
    m_keptSplit = truthIn(look, "ofStudy", false) ? std::optional(split) : std::nullopt;
    m_splitOf.clear();
    moveSplit(split);
}

void CadPanel::moveSplit(double split) {
    const QSignalBlocker blocker(m_split);
    showNumber(m_split, split);
    if (m_plot->split() != split)
        m_plot->setSplit(split);
    showTable();
    table()->setCurrentRow(selectedRow());
}

} // namespace headroom::app
