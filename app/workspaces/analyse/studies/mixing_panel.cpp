// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/mixing_panel.h"

#include "app/documents/map_names.h"
#include "core/analysis/mixing.h"
#include "core/statistics/statistics.h"
#include "widgets/study_plots/spread_plot.h"

#include <algorithm>

namespace headroom::app {

namespace {

constexpr const char* kDiagonalityTable = "mixing-diagonality"; // training/studies/mixing

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
    : MixingPanel(evidence, new widgets::SpreadPlot, parent) {}

MixingPanel::MixingPanel(StudyEvidence* evidence, widgets::SpreadPlot* plot, QWidget* parent)
    : StudyPlotTab(
          evidence, StudyKind::Mixing, plot,
          {QStringLiteral("mixingTab"), tr("Table"),
           tr("How well the measures of mixing agree in each layer. Run a mixing study to see it. To "
              "see a measure of this utterance, choose it above the map."),
           2, 3},
          parent)
    , m_plot(plot) {
    showStudy();
}

/// One measure: its place in the study's list, and in an array of [layer, …, utterance] the index in between.
struct MixingPanel::Curve {
    MapSource source;
    std::vector<std::int64_t> inner;
};

/// Of a study without tables.
void MixingPanel::showPlot() {
    if (!shownTable())
        showRanks();
}

/// The plot is that of the chosen table.
void MixingPanel::showChosen() {
    StudyPlotTab::showChosen();
    const StudyTable* table = shownTable();
    if (table && table->name == kDiagonalityTable)
        showDiagonality();
    else
        showRanks();
}

/// ρ of each measure with value zeroing, or with the first where there is none.
void MixingPanel::showRanks() {
    const std::vector<MixingMeasure> measures = measuresOf(study().document);
    const auto zeroing = std::find(measures.begin(), measures.end(), MixingMeasure{Mixing::ValueZeroing, false});
    const auto against = zeroing == measures.end() ? 0 : zeroing - measures.begin();
    std::vector<Curve> curves;
    for (std::int64_t measure = 0; measure < std::ssize(measures); ++measure)
        if (measure != against)
            curves.push_back({MapSource::of(measures[std::size_t(measure)]), {against, measure}});
    showCurves(measures.empty() ? QString()
                                : tr("Rank correlation with %1, mean with 95 % interval")
                                      .arg(mapNoun(MapSource::of(measures[static_cast<std::size_t>(against)]))),
               "rho", curves);
}

/// CCD of the map of each measure: the first numbers of the table, as in the study's own figure.
void MixingPanel::showDiagonality() {
    const std::vector<MixingMeasure> measures = measuresOf(study().document);
    std::vector<Curve> curves;
    for (std::int64_t measure = 0; measure < std::ssize(measures); ++measure)
        curves.push_back({MapSource::of(measures[std::size_t(measure)]), {measure}});
    showCurves(tr("CCD, mean with 95 % interval"), "ccd", curves);
}

void MixingPanel::showCurves(const QString& title, const std::string& array, const std::vector<Curve>& curves) {
    const bool several = study().modelCount() > 1;
    const auto measures = static_cast<std::int64_t>(measuresOf(study().document).size());
    std::vector<widgets::SpreadPlot::Series> series;
    for (int model = 1; model <= study().modelCount(); ++model) {
        const auto numbers = study().numbers(model, array);
        std::vector<int> speakers = speakerClusters(study().document);
        if (numbers.shape.empty() || std::ssize(speakers) != numbers.shape.back())
            speakers.clear();
        const QString name =
            QString::fromStdString(study().document.models[static_cast<std::size_t>(model - 1)].name);
        for (const Curve& curve : curves) {
            if (numbers.shape.size() != curve.inner.size() + 2 || numbers.shape[1] != measures)
                continue; // of another version
            widgets::SpreadPlot::Series one;
            const QString measure = mapTitle(curve.source);
            one.name = several ? tr("%1, %2").arg(name, measure) : measure;
            if (several) // the caption says what the symbols are
                one.brief = tr("%1, %2").arg(name, mapSymbol(curve.source));
            one.style = static_cast<int>(series.size() % 18);
            for (std::int64_t layer = 0; layer < numbers.shape.front(); ++layer) {
                std::vector<double> utterances;
                for (std::int64_t u = 0; u < numbers.shape.back(); ++u)
                    utterances.push_back(curve.inner.size() == 1 ? numbers.at({layer, curve.inner[0], u})
                                                                 : numbers.at({layer, curve.inner[0], curve.inner[1], u}));
                const MeanEstimate mean = estimateMean(utterances, speakers, study().document.seed); // as in the table
                one.x.push_back(static_cast<double>(layer + 1));
                one.mean.push_back(mean.mean);
                one.lower.push_back(mean.low);
                one.upper.push_back(mean.high);
            }
            series.push_back(std::move(one));
        }
    }
    widgets::SpreadPlot::Axes axes;
    axes.title = title;
    axes.x = tr("layer");
    axes.marksPoints = true;
    m_plot->setSeries(axes, std::move(series));
}

} // namespace headroom::app
