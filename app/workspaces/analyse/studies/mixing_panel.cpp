// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/mixing_panel.h"

#include "app/documents/items/map_names.h"
#include "app/studies/study_layers.h"
#include "core/analysis/mixing.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom::app {

namespace {

constexpr const char *kRanksTable = "mixing-ranks", *kDiagonalityTable = "mixing-diagonality"; // training/studies/mixing

/// The measures of the study, in the order of its arrays; empty for names of another version.
std::vector<MixingMeasure> measuresOf(const Study& study) {
    try {
        return mixingMeasures(study.settings.at("measures").get<std::string>());
    } catch (const std::exception&) {
        return {};
    }
}

/// The rows of each layer of a model, in the order of the table, which is that of the study's measures.
std::map<int, std::vector<int>> rowsByLayer(const StudyTable& table, const std::string& model) {
    std::map<int, std::vector<int>> rows;
    const int names = columnOf(table, "model");
    for (int row = 0; names >= 0 && row < static_cast<int>(table.rows.size()); ++row)
        if (table.rows[std::size_t(row)][std::size_t(names)] == StudyCell(model))
            if (const int layer = layerOfRow(table, row); layer >= 0)
                rows[layer].push_back(row);
    return rows;
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
    connect(plot, &widgets::SpreadPlot::chosen, this, [this](double layer) { choose(static_cast<int>(std::lround(layer))); });
    connect(table(), &widgets::StudyTableView::rowChosen, this, [this](int row) { choose(layerOfRow(table()->study()->table(), row)); });
    showStudy();
}

void MixingPanel::choose(int layer) {
    if (layer <= 0 || layer == m_layer)
        return;
    setLayer(layer); // also where no model is open that has such a layer
    Q_EMIT layerChosen(layer);
}

void MixingPanel::setLayer(int layer) {
    m_layer = layer;
    if (showsStudy())
        showLayer();
}

void MixingPanel::showLayer() {
    m_plot->setCurrent(m_layer);
    revealLayer(table(), m_layer, study().document.models[static_cast<std::size_t>(evidence()->model(study()) - 1)].name);
}

/// A measure, or how it agrees with another one: which of the rows that the table has for a layer of a model is its.
struct MixingPanel::Curve {
    MapSource source;
    std::size_t row;
};

/// Of a study without tables.
void MixingPanel::showPlot() {
    if (shownTable())
        return;
    showRanks();
    showLayer();
}

/// The plot is that of the chosen table.
void MixingPanel::showChosen() {
    StudyPlotTab::showChosen();
    const StudyTable* table = shownTable();
    if (table && table->name == kDiagonalityTable)
        showDiagonality();
    else
        showRanks();
    showLayer();
}

/// ρ of each measure with value zeroing, or with the first where there is none.
void MixingPanel::showRanks() {
    const std::vector<MixingMeasure> measures = measuresOf(study().document);
    const auto zeroing = std::find(measures.begin(), measures.end(), MixingMeasure{Mixing::ValueZeroing, false});
    const std::size_t against = zeroing == measures.end() ? 0 : static_cast<std::size_t>(zeroing - measures.begin());
    std::vector<Curve> curves;
    std::size_t row = 0; // one for each pair
    for (std::size_t first = 0; first < measures.size(); ++first)
        for (std::size_t second = first + 1; second < measures.size(); ++second, ++row)
            if (first == against || second == against)
                curves.push_back({MapSource::of(measures[first == against ? second : first]), row});
    showCurves(measures.empty() ? QString()
                                : tr("Rank correlation with %1, mean with 95\u202f% interval").arg(mapNoun(MapSource::of(measures[against]))),
               study().table(kRanksTable), "rho", row, curves);
}

/// CCD of the map of each measure: the first numbers of the table, as in the study's own figure.
void MixingPanel::showDiagonality() {
    const std::vector<MixingMeasure> measures = measuresOf(study().document);
    std::vector<Curve> curves;
    for (std::size_t measure = 0; measure < measures.size(); ++measure)
        curves.push_back({MapSource::of(measures[measure]), measure});
    showCurves(tr("CCD, mean with 95\u202f% interval"), study().table(kDiagonalityTable), "ccd", measures.size(), curves);
}

/// Drawn are the table's own means and intervals, which took the study thousands of draws each.
void MixingPanel::showCurves(const QString& title, const StudyTable* table, const std::string& number, std::size_t rowsOfLayer,
                             const std::vector<Curve>& curves) {
    const bool several = study().modelCount() > 1;
    std::vector<widgets::SpreadPlot::Series> series;
    for (const StudyModel& model : study().document.models) {
        const auto layers = table ? rowsByLayer(*table, model.name) : std::map<int, std::vector<int>>();
        const QString name = QString::fromStdString(model.name);
        bool isFirst = true;
        for (const Curve& curve : curves) {
            widgets::SpreadPlot::Series one;
            const QString measure = mapTitle(curve.source);
            one.name = several ? tr("%1, %2").arg(name, measure) : measure;
            if (several) // the model once, before its measures
                one.brief = isFirst ? tr("%1: %2").arg(name, measure) : measure;
            one.style = static_cast<int>(series.size() % 18);
            for (const auto& [layer, rows] : layers) {
                if (rows.size() != rowsOfLayer)
                    continue; // of another version
                const auto numberOf = [&, row = rows[curve.row]](const char* what) { return numberAt(*table, row, number + what).value_or(NAN); };
                one.x.push_back(layer);
                one.mean.push_back(numberOf("_mean"));
                one.lower.push_back(numberOf("_low"));
                one.upper.push_back(numberOf("_high"));
            }
            if (one.x.empty())
                continue;
            series.push_back(std::move(one));
            isFirst = false;
        }
    }
    widgets::SpreadPlot::Axes axes;
    axes.title = title;
    axes.x = tr("layer");
    axes.place = tr("layer %1");
    axes.marksPoints = true;
    axes.chooses = true;
    m_plot->setSeries(axes, std::move(series));
}

} // namespace headroom::app
