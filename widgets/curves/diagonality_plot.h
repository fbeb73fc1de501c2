// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"
#include "widgets/curves/plot_frame.h"

#include <memory>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// D(w) of the current layer over the odd windows, other layers thin and grey behind it, the layer's window
/// as a marker that is dragged: the share of contributions a window keeps (Alastruey et al. 2022, Eq. 6) and
/// what it loses, CL.
///
/// Edits a window exactly as WindowBand does: click or drag in the plot; keys ↑/↓ or ]/[ ± 2, Shift ± 10,
/// Home 1, End full, Esc takes a drag back. Windows are odd; 0 is full. Window's thread only.
class DiagonalityPlot : public PlotFrame {
    Q_OBJECT

public:
    explicit DiagonalityPlot(QWidget* parent = nullptr);
    ~DiagonalityPlot() override;

    /// `layer` counts from 0; `millisecondsPerToken` stands under the axis.
    void setCurrent(int layer, DiagonalProfile profile, double millisecondsPerToken = 40);
    void setOthers(const std::vector<DiagonalProfile>& profiles);
    /// Curves of other models, or of a layer it is compared with, on the same axes. With any of them the
    /// current curve has its model's name and style too (`own`); its profile there is not looked at.
    struct Compared {
        QString name;
        int style = 0; ///< 0 … 5: colour and dash, see runPen()
        DiagonalProfile profile;
    };
    void setCompared(const Compared& own, std::vector<Compared> compared);
    /// Over a corpus: mean and standard deviation of D at w = 1, 3, 5 …; empty: none.
    void setAverage(std::vector<double> mean, std::vector<double> deviation, int utterances);
    void setWholeRange(bool whole); ///< x to 2N instead of 61
    void setWindow(int window);     ///< 0: full. A drag in progress is dropped.

    int window() const;
    int shownWindow() const;                  ///< the one being dragged, else window()
    double diagonalityHere() const;           ///< D of shownWindow(); NaN without a profile
    std::vector<double> comparedHere() const; ///< the same of each compared curve
    QRect keyRect(int compared) const;   ///< its entry in the key, in this widget; empty where it has none
    QPoint positionOf(int window) const; ///< where a window stands on the screen, in this widget

Q_SIGNALS:
    void windowDragged(int window);
    void windowEdited(int oldWindow, int newWindow);
    /// Its entry in the key was clicked, or its number typed (1 is the first of the compared curves).
    void comparedChosen(int compared);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void redraw() override;
    bool event(QEvent* event) override;

private:
    struct Private; // keeps qcustomplot.h out of everybody's way
    void moveMarker();
    void placeComparedDots(double x);
    void describe();
    void commit(int window);
    void dragTo(int window);
    int windowAt(double x) const;

    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
