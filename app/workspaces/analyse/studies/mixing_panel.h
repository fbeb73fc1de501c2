// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_plot_tab.h"

#include <string>
#include <vector>

namespace headroom::widgets {
class SpreadPlot;
}

namespace headroom::app {

/// The tab Measures: how far the measures of mixing agree in each layer, or how diagonal each of them is, as a plot and as a
/// table. A click on a layer in either chooses it. Needs a study. Window's thread.
class MixingPanel : public StudyPlotTab {
    Q_OBJECT

public:
    explicit MixingPanel(StudyEvidence* evidence, QWidget* parent = nullptr);

    void setLayer(int layer); ///< from 1

Q_SIGNALS:
    void layerChosen(int layer); ///< from 1

private:
    MixingPanel(StudyEvidence* evidence, widgets::SpreadPlot* plot, QWidget* parent);
    void showPlot() override;
    void showChosen() override;
    void showLayer();
    void choose(int layer);
    void showRanks();
    void showDiagonality();
    struct Curve;
    void showCurves(const QString& title, const StudyTable* table, const std::string& number, std::size_t rowsOfLayer,
                    const std::vector<Curve>& curves);

    widgets::SpreadPlot* m_plot;
    int m_layer = 1;
};

} // namespace headroom::app
