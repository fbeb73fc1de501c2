// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"
#include "widgets/curves/plot_frame.h"

#include <memory>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// D(w) of the current layer over the odd windows, the other layers thin and grey behind it, and the layer's
/// window as a draggable marker with D, the share of contributions kept (Alastruey et al. 2022, Eq. 6), and
/// CL.
///
/// Edits a window exactly as WindowBand does: click or drag in the plot; keys ↑/↓ or ]/[ ± 2, Shift ± 10,
/// Home 1, End full, Esc cancels a drag. Windows are odd; 0 is full. Window's thread only.
class DiagonalityPlot : public PlotFrame {
    Q_OBJECT

public:
    explicit DiagonalityPlot(QWidget* parent = nullptr);
    ~DiagonalityPlot() override;

    /// `layer` counts from 0; `millisecondsPerToken` is shown below the axis; 0: tokens
    /// have no length in time.
    void setCurrent(int layer, DiagonalProfile profile, double millisecondsPerToken = 40);
    void setOthers(const std::vector<DiagonalProfile>& profiles);
    /// Curves of other models or of a compared layer, on the same axes; their index is their id in the key. If there are any, the current curve
    /// gets its model's name and style (`own`); its profile is ignored.
    struct Compared {
        QString name;
        int style = 0; ///< 0 … 35: colour and dash, see runPen()
        DiagonalProfile profile;
        double millisecondsPerToken = 0; ///< 0: those of the current curve. Others stand at windows of the same length in time
    };
    void setCompared(const Compared& own, std::vector<Compared> compared);
    /// Mean and standard deviation of D over a corpus at w = 1, 3, 5 …; empty: none.
    void setAverage(std::vector<double> mean, std::vector<double> deviation, int utterances);
    /// "conv", "reuse 1": what the layer's heads are where a centred window is not what they see; empty: full
    /// and centred-local heads only. The flag then says this instead of a window and its CL.
    void setKinds(const QString& kinds);
    /// "contributions": what D is of, said in the title; empty where every map on the screen is of the same.
    void setMeasured(const QString& of);
    /// The layer's heads see nothing later: CL counts that too, and is more than 1 − D(w).
    void setMasked(bool masked);
    void setWholeRange(bool whole); ///< x to 2N instead of 61
    void setWindow(int window);     ///< 0: full. Cancels a drag in progress.

    int window() const;
    int shownWindow() const;                  ///< the one being dragged, otherwise window()
    double diagonalityHere() const;           ///< D of shownWindow(); NaN without a profile
    QString titleText() const;                ///< "D(w), layer 3"
    std::vector<double> comparedHere() const; ///< D of each compared curve, at its window nearest in length to shownWindow()
    QPoint positionOf(int window) const;      ///< position of a window on screen, in this widget

Q_SIGNALS:
    void windowDragged(int window);
    void windowEdited(int oldWindow, int newWindow);
    /// Its entry in the key was clicked, or its number typed (1 is the first compared curve).
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
    void showNames();
    void moveMarker();
    void placeComparedDots();
    void describe();
    void commit(int window);
    void dragTo(int window);
    int windowAt(double x) const;

    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
