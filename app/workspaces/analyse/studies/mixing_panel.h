// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_plot_tab.h"

#include <string>
#include <vector>

namespace headroom::widgets {
class SpreadPlot;
}

namespace headroom::app {

/// The Mixing tab: how far the measures of mixing agree in each layer, or how diagonal each of them is, as a plot and as a
/// table. Needs a study. Window's thread.
class MixingPanel : public StudyPlotTab {
    Q_OBJECT

public:
    explicit MixingPanel(StudyEvidence* evidence, QWidget* parent = nullptr);

private:
    MixingPanel(StudyEvidence* evidence, widgets::SpreadPlot* plot, QWidget* parent);
    void showPlot() override;
    void showChosen() override;
    void showRanks();
    void showDiagonality();
    struct Curve;
    void showCurves(const QString& title, const std::string& array, const std::vector<Curve>& curves);

    widgets::SpreadPlot* m_plot;
};

} // namespace headroom::app
