// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_plot_tab.h"

namespace headroom::widgets {
class LayerMap;
}

namespace headroom::app {

/// The Similarity tab: CKA or PWCCA of every pair of layers, of a model with itself or with another one, as a map, and
/// the table of a study. Needs a study. Window's thread.
class SimilarityPanel : public StudyPlotTab {
    Q_OBJECT

public:
    explicit SimilarityPanel(StudyEvidence* evidence, QWidget* parent = nullptr);

private:
    SimilarityPanel(StudyEvidence* evidence, widgets::LayerMap* map, QWidget* parent);
    void fillChooser() override;
    void showChosen() override;
    void showPlot() override;

    widgets::LayerMap* m_map;
};

} // namespace headroom::app
