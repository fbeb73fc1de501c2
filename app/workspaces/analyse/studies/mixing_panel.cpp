// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/mixing_panel.h"

#include "app/documents/map_names.h"
#include "core/analysis/mixing.h"
#include "core/statistics/moments.h"
#include "widgets/study_plots/spread_plot.h"

#include <algorithm>

namespace headroom::app {

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

/// ρ of each measure with value zeroing, or with the first where there is none.
void MixingPanel::showPlot() {
    const std::vector<MixingMeasure> measures = measuresOf(study().document);
    const auto zeroing = std::find(measures.begin(), measures.end(), MixingMeasure{Mixing::ValueZeroing, false});
    const auto against = zeroing == measures.end() ? 0 : zeroing - measures.begin();
    const bool several = study().modelCount() > 1;
    std::vector<widgets::SpreadPlot::Series> series;
    for (int model = 1; model <= study().modelCount(); ++model) {
        const auto rho = study().numbers(model, "rho"); // [layer, measure, measure, utterance]
        if (rho.isEmpty() || rho.shape.size() != 4 || rho.shape[1] != std::int64_t(measures.size()))
            continue;
        const QString name =
            QString::fromStdString(study().document.models[static_cast<std::size_t>(model - 1)].name);
        for (std::int64_t measure = 0; measure < rho.shape[1]; ++measure) {
            if (measure == against)
                continue;
            widgets::SpreadPlot::Series one;
            const MapSource source = MapSource::of(measures[static_cast<std::size_t>(measure)]);
            const QString title = mapTitle(source);
            one.name = several ? tr("%1, %2").arg(name, title) : title;
            if (several) // the caption says what the symbols are
                one.brief = tr("%1, %2").arg(name, mapSymbol(source));
            one.style = static_cast<int>(series.size() % 18);
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
