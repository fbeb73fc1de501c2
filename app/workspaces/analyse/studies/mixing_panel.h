// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_plot_tab.h"

namespace headroom::widgets {
class SpreadPlot;
}

namespace headroom::app {

/// The Mixing tab: how far the measures of mixing agree in each layer, as a plot, and the tables of a study. Needs a
/// study. Window's thread.
class MixingPanel : public StudyPlotTab {
    Q_OBJECT

public:
    explicit MixingPanel(StudyEvidence* evidence, QWidget* parent = nullptr);

private:
    MixingPanel(StudyEvidence* evidence, widgets::SpreadPlot* plot, QWidget* parent);
    void showPlot() override;

    widgets::SpreadPlot* m_plot;
};

} // namespace headroom::app
