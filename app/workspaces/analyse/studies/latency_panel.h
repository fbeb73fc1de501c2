// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_plot_tab.h"

namespace headroom::widgets {
class SpreadPlot;
}

namespace headroom::app {

/// The Latency tab: time of attention and of the rest by length on this machine, as a plot and in the form of
/// Shim et al. 2022, Table 3. Needs a study. Window's thread.
class LatencyPanel : public StudyPlotTab {
    Q_OBJECT

public:
    explicit LatencyPanel(StudyEvidence* evidence, QWidget* parent = nullptr);

    widgets::SpreadPlot* times() const { return m_times; }

private:
    LatencyPanel(StudyEvidence* evidence, widgets::SpreadPlot* times, QWidget* parent);
    void showPlot() override;

    widgets::SpreadPlot* m_times;
};

} // namespace headroom::app
