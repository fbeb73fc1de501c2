// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/mixing_panel.h"

#include "app/parts/map_names.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "core/analysis/mixing.h"
#include "core/statistics/moments.h"
#include "widgets/look/sizes.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// The measures of the study, in the order of its arrays; empty for names of another version.
std::vector<MixingMeasure> measuresOf(const Study& study) {
    try {
        return mixingMeasures(study.settings.at("measures").get<std::string>());
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace

MixingPanel::MixingPanel(StudyEvidence* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_which(new QComboBox(this))
    , m_pages(new QStackedWidget(this))
    , m_plot(new widgets::SpreadPlot)
    , m_table(new widgets::StudyTableView)
    , m_caption(new QLabel) {
    const int unit = qRound(Sizes::unit());
    setObjectName(QStringLiteral("mixingTab"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_which->setProperty("small", true);
    m_which->setAccessibleName(tr("Table"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(unit, unit / 2, unit, unit / 2);
    bar->setSpacing(unit);
    bar->addWidget(new EvidenceField(evidence, StudyKind::Mixing, EvidenceField::Live::Not, this));
    bar->addWidget(m_which);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    auto* empty = new QWidget(m_pages);
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyLayout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    auto* sentence = new QLabel(tr("How far the measures of mixing agree in each layer. Run a mixing study to see it. To "
                                   "see a measure of this utterance, choose it above the map."),
                                empty);
    sentence->setWordWrap(true);
    sentence->setProperty("caption", true);
    emptyLayout->addWidget(sentence);
    emptyLayout->addStretch(1);
    m_pages->addWidget(empty);
    auto* page = new QWidget(m_pages);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(m_plot, 2);
    pageLayout->addWidget(m_table, 3);
    m_caption->setProperty("caption", true);
    m_caption->setWordWrap(true);
    m_caption->setContentsMargins(unit, unit / 2, unit, unit / 2);
    pageLayout->addWidget(m_caption);
    m_pages->addWidget(page);
    layout->addWidget(m_pages, 1);
    connect(m_which, &QComboBox::currentIndexChanged, this, &MixingPanel::showTable);
    connect(evidence, &StudyEvidence::shownChanged, this, &MixingPanel::showStudy);
    showStudy();
}

void MixingPanel::showTable() {
    const auto index = static_cast<std::size_t>(std::max(0, m_which->currentIndex()));
    if (!m_study || index >= m_study->document.tables.size())
        return;
    const StudyTable& table = m_study->document.tables[index];
    m_table->setTable(table);
    m_caption->setText(QString::fromStdString(table.caption));
}

void MixingPanel::showStudy() {
    const OpenStudyPtr study = m_evidence->shown(StudyKind::Mixing);
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
    showPlot();
}

/// ρ of each measure with value zeroing, or with the first where there is none.
void MixingPanel::showPlot() {
    const std::vector<MixingMeasure> measures = measuresOf(m_study->document);
    const auto zeroing = std::find(measures.begin(), measures.end(), MixingMeasure{Mixing::ValueZeroing, false});
    const auto against = zeroing == measures.end() ? 0 : zeroing - measures.begin();
    const bool several = m_study->modelCount() > 1;
    std::vector<widgets::SpreadPlot::Series> series;
    for (int model = 1; model <= m_study->modelCount(); ++model) {
        const auto rho = m_study->numbers(model, "rho"); // [layer, measure, measure, utterance]
        if (rho.isEmpty() || rho.shape.size() != 4 || rho.shape[1] != std::int64_t(measures.size()))
            continue;
        const QString name =
            QString::fromStdString(m_study->document.models[static_cast<std::size_t>(model - 1)].name);
        for (std::int64_t measure = 0; measure < rho.shape[1]; ++measure) {
            if (measure == against)
                continue;
            widgets::SpreadPlot::Series one;
            const QString title = mapTitle(MapSource::of(measures[static_cast<std::size_t>(measure)]));
            one.name = several ? tr("%1, %2").arg(name, title) : title;
            one.style = static_cast<int>(series.size() % 6);
            for (std::int64_t layer = 0; layer < rho.shape[0]; ++layer) {
                Moments utterances;
                for (std::int64_t u = 0; u < rho.shape[3]; ++u)
                    utterances.add(rho.at({layer, against, measure, u}));
                one.x.push_back(static_cast<double>(layer + 1));
                one.mean.push_back(utterances.mean());
                one.deviation.push_back(utterances.deviation());
            }
            series.push_back(std::move(one));
        }
    }
    widgets::SpreadPlot::Axes axes;
    axes.title = measures.empty() ? QString()
                                  : tr("Rank correlation with %1, mean ± std")
                                        .arg(mapNoun(MapSource::of(measures[static_cast<std::size_t>(against)])));
    axes.x = tr("layer");
    axes.marksPoints = true;
    m_plot->setSeries(axes, std::move(series));
}

} // namespace headroom::app
