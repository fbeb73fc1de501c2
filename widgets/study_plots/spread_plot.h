// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// Means with their spread against a number: D(w) over w, accuracy over layers, time over tokens. One line per series
/// with a band of ± one standard deviation, or between two curves of its own. The names of several stand under the plot.
///
/// A solid line marks the current x, which the rest of the panel is about: setCurrent(). A click or ←/→ goes to the nearest point of
/// the first series. Either it asks for another current x (Axes::chooses), or it only reads the values out, at a dotted line that no
/// figure has. Window's thread.
class SpreadPlot : public PlotFrame {
    Q_OBJECT

public:
    struct Series {
        QString name;
        std::vector<double> x, mean, deviation; ///< deviation empty: unknown; NaN leaves a gap
        int style = 0;                          ///< 0 … 35: colour and dash, see runPen()
        bool isQuiet = false;                   ///< thin and grey, without a band: context; once in the key, if it has a name
        QString brief{};                        ///< for the key where the names have no room; empty: the name
        std::vector<double> lower{}, upper{};   ///< the band in place of ± `deviation`: quartiles about a median
    };
    struct Axes {
        QString title, x;                ///< of the values, and the name of the x axis; both stand under the plot
        std::optional<double> low, high; ///< of y; unset: from the data
        int decimals = 2;                ///< of the read-out
        bool whole = true;               ///< ticks of x are whole numbers
        bool marksPoints = false;
        bool logarithmic = false;        ///< x, which is then > 0; ticks are powers of ten
        bool chooses = false;            ///< a click emits chosen(), and whoever follows it calls setCurrent()
        QString place{};                 ///< one x in the read-out: "layer %1"; empty: `x`, and the number
    };
    explicit SpreadPlot(QWidget* parent = nullptr);
    ~SpreadPlot() override;

    void setSeries(const Axes& axes, std::vector<Series> series);
    /// The x that the panel is about; unset: none. Emits no signal.
    void setCurrent(std::optional<double> x);
    std::optional<double> current() const;

Q_SIGNALS:
    void chosen(double x); ///< another than the current one

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void redraw() override;

private:
    struct Private;
    void goTo(double x);
    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
