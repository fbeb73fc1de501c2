// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/latency_panel.h"

#include "app/workspaces/analyse/common/evidence_field.h"
#include "core/statistics/moments.h"
#include "core/statistics/quantiles.h"
#include "widgets/look/sizes.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// Medians and standard deviations over repeats of one part (0 attention, 1 rest, 2 total) of [T, 3, R].
void addPart(const OpenStudy::Numbers& times, int part, widgets::SpreadPlot::Series& series) {
    for (std::int64_t length = 0; length < times.shape[0]; ++length) {
        std::vector<double> repeats;
        for (std::int64_t repeat = 0; repeat < times.shape[2]; ++repeat)
            repeats.push_back(times.at({length, part, repeat}));
        series.mean.push_back(median(repeats));
        series.deviation.push_back(Moments(repeats).deviation());
    }
}

} // namespace

LatencyPanel::LatencyPanel(StudyEvidence* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_which(new QComboBox(this))
    , m_pages(new QStackedWidget(this))
    , m_times(new widgets::SpreadPlot)
    , m_table(new widgets::StudyTableView)
    , m_caption(new QLabel) {
    const int unit = qRound(Sizes::unit());
    setObjectName(QStringLiteral("latencyTab"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_which->setProperty("small", true);
    m_which->setAccessibleName(tr("Table"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(unit, unit / 2, unit, unit / 2);
    bar->setSpacing(unit);
    auto* field = new EvidenceField(evidence, StudyKind::Latency, EvidenceField::Live::Not, this);
    bar->addWidget(field);
    bar->addWidget(m_which);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    auto* empty = new QWidget(m_pages);
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyLayout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    auto* sentence = new QLabel(tr("Time of the attention and the rest by length on this machine. Run a "
                                   "latency study to see it; it needs no recordings."),
                                empty);
    sentence->setWordWrap(true);
    sentence->setProperty("caption", true);
    emptyLayout->addWidget(sentence);
    auto* study = new QPushButton(tr("Study…"), empty);
    study->setObjectName(QStringLiteral("newStudy"));
    study->setToolTip(tr("Set up a study of this kind."));
    connect(study, &QPushButton::clicked, field, [field] { Q_EMIT field->studyWanted(StudyKind::Latency); });
    emptyLayout->addWidget(study, 0, Qt::AlignLeft);
    emptyLayout->addStretch(1);
    m_pages->addWidget(empty);
    auto* page = new QWidget(m_pages);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(m_times, 2);
    pageLayout->addWidget(m_table, 3);
    m_caption->setProperty("caption", true);
    m_caption->setWordWrap(true);
    m_caption->setContentsMargins(unit, unit / 2, unit, unit / 2);
    pageLayout->addWidget(m_caption);
    m_pages->addWidget(page);
    layout->addWidget(m_pages, 1);
    connect(m_which, &QComboBox::currentIndexChanged, this, &LatencyPanel::showTable);
    connect(evidence, &StudyEvidence::shownChanged, this, &LatencyPanel::showStudy);
    showStudy();
}

void LatencyPanel::showTable() {
    const auto index = static_cast<std::size_t>(std::max(0, m_which->currentIndex()));
    if (!m_study || index >= m_study->document.tables.size())
        return;
    const StudyTable& table = m_study->document.tables[index];
    m_table->setTable(table);
    m_caption->setText(QString::fromStdString(table.caption));
}

void LatencyPanel::showStudy() {
    const OpenStudyPtr study = m_evidence->shown(StudyKind::Latency);
    m_pages->setCurrentIndex(study ? 1 : 0);
    m_which->setVisible(study != nullptr);
    if (!study || study == m_study)
        return;
    m_study = study;
    {
        const QSignalBlocker blocker(m_which);
        m_which->clear();
        for (const StudyTable& table : study->document.tables)
            m_which->addItem(QString::fromStdString(table.title));
    }
    showTable();
    std::vector<widgets::SpreadPlot::Series> series;
    for (int model = 1; model <= study->modelCount(); ++model) {
        const auto lengths = study->numbers(model, "lengths");
        const auto times = study->numbers(model, "milliseconds");
        if (lengths.isEmpty() || times.shape.size() != 3 || times.shape[1] != 3)
            continue;
        const QString name =
            QString::fromStdString(study->document.models[static_cast<std::size_t>(model - 1)].name);
        const bool several = study->modelCount() > 1;
        const auto add = [&](int part, const QString& what, int style) {
            widgets::SpreadPlot::Series one;
            one.name = several ? tr("%1, %2").arg(name, what) : what;
            one.x = lengths.values;
            one.style = style;
            addPart(times, part, one);
            series.push_back(std::move(one));
        };
        add(2, tr("total"), several ? (model - 1) % 6 : 0);
        add(0, tr("attention"), several ? (model + 2) % 6 : 1);
    }
    widgets::SpreadPlot::Axes axes;
    axes.title = tr("Milliseconds, median ± std");
    axes.x = tr("tokens");
    axes.low = 0;
    axes.marksPoints = true;
    m_times->setSeries(axes, std::move(series));
}

} // namespace headroom::app
