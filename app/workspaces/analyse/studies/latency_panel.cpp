// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/latency_panel.h"

#include "app/documents/items/open_model.h"
#include "app/studies/latency_measurements.h"
#include "widgets/study_plots/spread_plot.h"

namespace headroom::app {

LatencyPanel::LatencyPanel(StudyEvidence* evidence, QWidget* parent)
    : LatencyPanel(evidence, new widgets::SpreadPlot, parent) {}

LatencyPanel::LatencyPanel(StudyEvidence* evidence, widgets::SpreadPlot* times, QWidget* parent)
    : StudyPlotTab(evidence, StudyKind::Latency, times,
                   {QStringLiteral("latencyTab"), tr("Table"),
                    tr("Time spent on attention and on the rest, by length, on this machine. Run a "
                       "latency study to see it; it needs no recordings."),
                    2, 3},
                   parent)
    , m_times(times) {
    connect(evidence, &StudyEvidence::coloursChanged, this, [this] {
        if (showsStudy())
            showPlot();
    });
    showStudy();
}

/// A model's two curves have its colour, the attention with another dash.
void LatencyPanel::showPlot() {
    const std::vector<int> colours = evidence()->colours(study());
    std::vector<widgets::SpreadPlot::Series> series;
    for (int model = 1; model <= study().modelCount(); ++model) {
        const QString name =
            QString::fromStdString(study().document.models[static_cast<std::size_t>(model - 1)].name);
        const bool several = study().modelCount() > 1;
        const auto add = [&](LatencyPart part, const QString& what, int style) {
            LatencyByLength times = latencyByLength(study(), model, part);
            if (times.tokens.empty())
                return;
            widgets::SpreadPlot::Series one;
            one.name = several ? tr("%1, %2").arg(name, what) : what;
            one.brief = several ? name : QString();
            one.x = std::move(times.tokens);
            one.mean = std::move(times.median);
            one.lower = std::move(times.lower);
            one.upper = std::move(times.upper);
            one.style = style;
            series.push_back(std::move(one));
        };
        const int colour = colours[static_cast<std::size_t>(model - 1)];
        add(LatencyPart::Total, tr("total"), colour);
        add(LatencyPart::Attention, tr("attention"), (colour + kModelStyles / 2) % kModelStyles); // the same colour
    }
    widgets::SpreadPlot::Axes axes;
    // The key of many models names each once.
    axes.title = study().modelCount() > 1 ? tr("Milliseconds, total above its attention, median and quartiles")
                                          : tr("Milliseconds, median and quartiles");
    axes.x = tr("tokens");
    axes.place = tr("%1 tokens");
    axes.low = 0;
    axes.marksPoints = true;
    m_times->setLeastHeight(study().modelCount() > 1 ? 20 : 14); // many curves lie close together
    m_times->setSeries(axes, std::move(series));
}

} // namespace headroom::app
