// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/latency_panel.h"

#include "core/statistics/moments.h"
#include "core/statistics/quantiles.h"
#include "widgets/study_plots/spread_plot.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

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
    : LatencyPanel(evidence, new widgets::SpreadPlot, parent) {}

LatencyPanel::LatencyPanel(StudyEvidence* evidence, widgets::SpreadPlot* times, QWidget* parent)
    : StudyPlotTab(evidence, StudyKind::Latency, times,
                   {QStringLiteral("latencyTab"), tr("Table"),
                    tr("Time of the attention and the rest by length on this machine. Run a "
                       "latency study to see it; it needs no recordings."),
                    2, 3},
                   parent)
    , m_times(times) {
    showStudy();
}

void LatencyPanel::showPlot() {
    std::vector<widgets::SpreadPlot::Series> series;
    for (int model = 1; model <= study().modelCount(); ++model) {
        const auto lengths = study().numbers(model, "lengths");
        const auto times = study().numbers(model, "milliseconds");
        if (lengths.isEmpty() || times.shape.size() != 3 || times.shape[1] != 3)
            continue;
        const QString name =
            QString::fromStdString(study().document.models[static_cast<std::size_t>(model - 1)].name);
        const bool several = study().modelCount() > 1;
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
