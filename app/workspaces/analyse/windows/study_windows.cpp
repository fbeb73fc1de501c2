// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/windows/study_windows.h"

#include "app/parts/breakable.h"
#include "app/parts/number_text.h"
#include "app/studies/study_layers.h"
#include "app/studies/study_names.h"
#include "app/workspaces/analyse/common/caption_text.h"
#include "widgets/curves/ccd_plot.h"
#include "widgets/curves/curve_key.h"
#include "widgets/look/sizes.h"
#include "widgets/study_plots/histogram_plot.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;

namespace {

std::vector<double> rowOfNumbers(const OpenStudy::Numbers& numbers, int row) {
    if (numbers.shape.size() != 2 || row < 0 || row >= numbers.shape[0])
        return {};
    const auto first = numbers.values.begin() + static_cast<std::ptrdiff_t>(row * numbers.shape[1]);
    return {first, first + static_cast<std::ptrdiff_t>(numbers.shape[1])};
}

} // namespace

StudyWindows::StudyWindows(StudyEvidence* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_curves(new widgets::SpreadPlot(this))
    , m_histogram(new widgets::HistogramPlot)
    , m_ccd(new widgets::CcdPlot)
    , m_views(new QVBoxLayout)
    , m_right(new QStackedWidget(this))
    , m_key(new widgets::CurveKey(2, this))
    , m_table(new widgets::StudyTableView(this))
    , m_caption(new QLabel(this)) {
    const int unit = qRound(Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_views, 1);
    m_views->setSpacing(0);
    auto* above = new QVBoxLayout;
    above->setSpacing(0);
    m_views->addLayout(above, 4);
    m_right->addWidget(m_histogram);
    m_right->addWidget(m_ccd);
    auto* plots = new QHBoxLayout;
    plots->setContentsMargins(0, 0, unit, 0);
    plots->setSpacing(0);
    plots->addWidget(m_curves, 16);
    plots->addWidget(m_right, 13);
    // In a low panel the plots give way to the table.
    for (widgets::PlotFrame* plot : {static_cast<widgets::PlotFrame*>(m_curves), static_cast<widgets::PlotFrame*>(m_histogram),
                                     static_cast<widgets::PlotFrame*>(m_ccd)})
        plot->setLeastHeight(12);
    above->addLayout(plots, 1);
    auto* key = new QHBoxLayout; // over the whole width: fewer rows than under the curves alone
    key->setContentsMargins(unit * 2, 0, unit * 2, unit / 2);
    key->addWidget(m_key);
    above->addLayout(key);
    for (widgets::PlotFrame* plot : {static_cast<widgets::PlotFrame*>(m_curves), static_cast<widgets::PlotFrame*>(m_ccd)}) {
        plot->setKeyOutside(true);
        connect(plot, &widgets::PlotFrame::keyChanged, this, &StudyWindows::showKey);
    }
    m_table->setLeastRows(5);
    m_views->addWidget(m_table, 5);
    m_caption->setProperty("caption", true);
    m_caption->setContentsMargins(unit, unit / 2, unit, unit / 2);
    m_caption->setWordWrap(true); // the whole caption is in the tool tip
    m_caption->setObjectName(QStringLiteral("studyCaption"));
    layout->addWidget(m_caption);
    connect(evidence, &StudyEvidence::coloursChanged, this, [this] {
        if (!m_study)
            return;
        m_colours = m_evidence->colours(*m_study);
        showCurves();
        showCcd();
    });
    connect(m_table, &widgets::StudyTableView::rowChosen, this, &StudyWindows::rowChosen);
    connect(m_table, &widgets::StudyTableView::cellClicked, this, [this](int row, int column) {
        if (!m_table->study()->table().columns[static_cast<std::size_t>(column)].text) // a number: the layer's, too
            askForPlaces(row);
    });
    connect(m_table, &widgets::StudyTableView::cellActivated, this,
            [this](int row, int) { askForPlaces(row); });
    connect(m_ccd, &widgets::CcdPlot::layerSelected, this, [this](int layer) {
        setLayer(layer + 1);
        Q_EMIT layerChosen(layer + 1);
    });
}

QString StudyWindows::modelName(int model) const {
    return QString::fromStdString(m_study->document.models[static_cast<std::size_t>(model - 1)].name);
}

void StudyWindows::showStudy(const OpenStudyPtr& study, int model) {
    const bool another = study != m_study || model != m_model;
    m_study = study;
    m_model = model;
    if (!another || !study)
        return showCaption();
    m_colours = m_evidence->colours(*study);
    m_statistic = study->numbers(model, "statistic");
    m_mean = study->numbers(model, "diagonality");
    m_deviation = study->numbers(model, "diagonality_std");
    m_grid = study->numbers(model, "window_grid");
    m_windows.clear();
    const StudyTable* table = layerTable(*study, model);
    m_table->setTable(table ? *table : StudyTable()); // never the rows of another study
    for (std::size_t row = 0; table && row < table->rows.size(); ++row)
        m_windows.push_back(numberAt(*table, static_cast<int>(row), "window").value_or(NAN));
    showCaption();
    m_right->setCurrentWidget(study->document.kind == StudyKind::Diagonality
                                  ? static_cast<QWidget*>(m_ccd)
                                  : static_cast<QWidget*>(m_histogram));
    showCcd();
    showKey();
    m_table->setCurrentRow(rowOf(m_layer));
    setLayer(m_layer);
}

/// The maps beside the tab are those of the current model.
void StudyWindows::showCaption() {
    const StudyTable* table = m_study ? layerTable(*m_study, m_model) : nullptr;
    const QString caption = table ? QString::fromStdString(table->caption) : QString();
    static const QRegularExpression end(QStringLiteral("\\.\\s+(?=\\p{Lu})")); // not that of "et al."
    const auto first = caption.indexOf(end);
    QStringList said;
    if (m_study && m_evidence->lacksCurrent(*m_study))
        said << tr("The current model is not in this study.");
    // The settings in the first sentence of a table of windows are longer than the panel is wide.
    if (table)
        said << (m_study->document.kind == StudyKind::Windows
                     ? tr("%1: w = ⌈μ + σ⌉, made odd. Hover for settings.").arg(breakable(modelName(m_model)))
                 : first < 0 ? caption
                             : caption.left(first + 1));
    m_caption->setText(said.join(QLatin1Char(' ')).trimmed());
    m_caption->setToolTip(caption);
}

QString StudyWindows::figureCaption() const {
    if (!m_study)
        return {};
    QStringList said{whoseNumbers(*m_study, m_model), curvesText(), QString::fromStdString(m_table->study()->table().caption)};
    said.removeAll(QString());
    return said.join(QLatin1Char(' '));
}

/// A table of windows, and so its caption, is of one model; the curves beside it are of all.
QString StudyWindows::curvesText() const {
    if (m_study->modelCount() == 1 || m_study->document.kind != StudyKind::Windows)
        return {};
    QStringList models;
    for (int model = 1; model <= m_study->modelCount(); ++model) {
        const std::vector<double> values = rowOfNumbers(m_study->numbers(model, "statistic"), m_layer - 1);
        const auto measured = std::ranges::count_if(values, [](double value) { return std::isfinite(value); });
        if (measured > 0) // else it has no curve: it has fewer layers
            models << tr("%1, n = %2").arg(modelText(m_study->document.models[static_cast<std::size_t>(model - 1)])).arg(measured);
    }
    return models.isEmpty() ? QString() : tr("D(w) in layer %1, mean ± std over n utterances, of %2.").arg(m_layer).arg(models.join(QStringLiteral("; ")));
}

void StudyWindows::setLayer(int layer) {
    m_layer = layer;
    if (!m_study)
        return;
    // A row that was chosen stays, which may be another model's.
    if (!m_table->selectionModel()->hasSelection() || layerOf(m_table->currentRow()) != layer)
        m_table->setCurrentRow(rowOf(layer));
    m_ccd->setCurrentLayer(layer - 1);
    showCurves();
    showHistogram();
}

int StudyWindows::layerOf(int row) const {
    return layerOfRow(m_table->study()->table(), row);
}

/// Of the model that is shown, where a table has several.
int StudyWindows::rowOf(int layer) const {
    return rowOfLayer(m_table->study()->table(), layer, m_study->document.models[static_cast<std::size_t>(m_model - 1)].name);
}

void StudyWindows::showCurves() {
    std::vector<widgets::SpreadPlot::Series> series;
    const auto add = [&](const OpenStudy::Numbers& grid, const OpenStudy::Numbers& mean,
                         const OpenStudy::Numbers& deviation, int layer, const QString& name, int style,
                         bool quiet) {
        std::vector<double> curve = rowOfNumbers(mean, layer);
        const std::vector<double> none; // the model has fewer layers: its name stays in the key
        series.push_back({name, curve.empty() ? none : grid.values, std::move(curve),
                          quiet ? none : rowOfNumbers(deviation, layer), style, quiet});
    };
    const bool several = m_study->modelCount() > 1;
    const auto colour = [this](int model) { return m_colours[static_cast<std::size_t>(model - 1)]; };
    add(m_grid, m_mean, m_deviation, m_layer - 1, several ? modelName(m_model) : tr("layer %1").arg(m_layer), colour(m_model), false);
    for (int model = 1; model <= m_study->modelCount(); ++model)
        if (model != m_model)
            add(m_study->numbers(model, "window_grid"), m_study->numbers(model, "diagonality"),
                m_study->numbers(model, "diagonality_std"), m_layer - 1, modelName(model), colour(model), false);
    if (!m_mean.isEmpty())
        for (int layer = 0; layer < m_mean.shape[0]; ++layer)
            if (layer != m_layer - 1)
                add(m_grid, m_mean, m_deviation, layer, several ? tr("%1, other layers").arg(modelName(m_model)) : tr("other layers"), 0, true);
    // As far as anything happens: the widest window of the study, and a little.
    constexpr double kLeast = 61;
    double most = kLeast;
    for (const double window : m_windows)
        if (std::isfinite(window))
            most = std::max(most, window + 20);
    for (auto& one : series)
        while (!one.x.empty() && one.x.back() > most) {
            one.x.pop_back();
            if (!one.mean.empty())
                one.mean.pop_back();
            if (!one.deviation.empty())
                one.deviation.pop_back();
        }
    widgets::SpreadPlot::Axes axes;
    axes.title = tr("D(w) ± std, layer %1").arg(m_layer);
    axes.x = tr("w");
    axes.place = tr("w = %1");
    axes.low = 0;
    axes.high = 1;
    axes.decimals = 3;
    m_curves->setSeries(axes, std::move(series));
    const auto layer = static_cast<std::size_t>(m_layer - 1);
    const bool known = layer < m_windows.size() && std::isfinite(m_windows[layer]);
    m_curves->setCurrent(known ? std::optional(m_windows[layer]) : std::nullopt);
}

void StudyWindows::showHistogram() {
    const std::vector<double> values = rowOfNumbers(m_statistic, m_layer - 1);
    m_histogram->setValues(tr("Layer %1, 2\u2009i per utterance").arg(m_layer), tr("2\u2009i_last of Algorithm 1"), values, 2,
                           tr("Layer %1, 2\u2009i").arg(m_layer));
    std::vector<widgets::HistogramPlot::Mark> marks;
    const StudyTable& table = m_table->study()->table();
    const int row = rowOf(m_layer);
    if (const auto mean = numberAt(table, row, "mean"))
        marks.push_back({*mean, tr("μ %1").arg(decimals(*mean, 2))});
    if (const auto window = numberAt(table, row, "window"))
        marks.push_back({*window, tr("w %1").arg(decimals(*window, 0))});
    m_histogram->setMarks(std::move(marks));
}

void StudyWindows::showCcd() {
    std::vector<widgets::CcdPlot::Model> models;
    for (int model = 1; model <= m_study->modelCount(); ++model) {
        const auto ccd = m_study->numbers(model, "ccd");
        if (ccd.isEmpty())
            continue;
        widgets::CcdPlot::Model line{modelName(model), {}, m_colours[static_cast<std::size_t>(model - 1)]};
        for (int layer = 0; layer < ccd.shape[0]; ++layer) {
            double sum = 0;
            int n = 0;
            for (const double value : rowOfNumbers(ccd, layer))
                if (std::isfinite(value)) {
                    sum += value;
                    ++n;
                }
            line.ccd.push_back(n > 0 ? sum / n : NAN);
        }
        models.push_back(std::move(line));
    }
    m_ccd->setModels(std::move(models));
}

/// CCD has a key of its own only where it stands in the place of the histogram.
void StudyWindows::showKey() {
    const bool isThere = m_right->currentWidget() == m_ccd;
    m_key->setEntries(widgets::inOneKey(m_curves->keyEntries(), isThere ? m_ccd->keyEntries() : std::vector<widgets::KeyEntry>()));
}

void StudyWindows::rowChosen(int row) {
    const int layer = layerOf(row);
    if (layer <= 0 || layer == m_layer)
        return;
    setLayer(layer); // also where no model is open that has such a layer
    Q_EMIT layerChosen(layer);
    if (const auto query = placesOf(row)) // a list of another layer would be taken for this one's
        m_evidence->followPlaces(*query);
}

void StudyWindows::askForPlaces(int row) {
    if (const auto query = placesOf(row))
        return m_evidence->requestPlaces(*query);
    if (const int layer = layerOf(row); layer > 0) { // places of another study would be taken for this number's
        PlacesQuery none;
        none.study = m_study;
        none.model = m_model;
        none.title = tr("Layer %1").arg(layer);
        m_evidence->requestPlaces(none);
    }
}

std::optional<PlacesQuery> StudyWindows::placesOf(int row) const {
    const int layer = layerOf(row);
    if (layer <= 0 || m_study->document.kind != StudyKind::Windows)
        return std::nullopt;
    PlacesQuery query;
    query.study = m_study;
    query.model = m_model;
    query.set = "layer";
    query.index = {layer - 1};
    query.title = tr("Layer %1, outside its window").arg(layer);
    const auto& settings = m_study->document.settings;
    query.ofAttention = settings.is_object() && settings.value("source", nlohmann::json()) == "attention";
    query.valueTitle = query.ofAttention ? tr("Attention") : tr("Contribution");
    query.layer = layer;
    return query;
}

} // namespace headroom::app
