// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <QString>

#include <memory>
#include <vector>

namespace headroom::widgets {

/// CCD (cumulative contribution diagonality, the mean of D(w) over w = 1 … 2N) by layer, one line per model.
/// Models differ in colour, dash and marker. A click or ←/→ selects a layer. Window's thread only.
class CcdPlot : public PlotFrame {
    Q_OBJECT

public:
    struct Model {
        QString name;
        std::vector<double> ccd; ///< one per layer; NaN if unknown
        int style = 0;           ///< 0 … 35: colour, dash and marker, see runPen()
    };

    explicit CcdPlot(QWidget* parent = nullptr);
    ~CcdPlot() override;

    void setModels(std::vector<Model> models); ///< at most six can be distinguished
    void setCurrentLayer(int layer);           ///< from 0; −1: none
    int currentLayer() const;

Q_SIGNALS:
    void layerSelected(int layer); ///< from 0

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void redraw() override;

private:
    struct Private;
    void select(int layer);
    int layerCount() const;

    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
