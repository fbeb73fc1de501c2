// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// Means with their spread against a selectable number: D(w) over w, accuracy over layers, time over tokens.
/// One line per series with a band of ± one standard deviation, or between two curves of its own; a click or
/// ←/→ selects the nearest point of the first series. The names of several stand under the plot. Window's thread.
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
    };
    explicit SpreadPlot(QWidget* parent = nullptr);
    ~SpreadPlot() override;

    void setSeries(const Axes& axes, std::vector<Series> series);
    /// The marked x; unset: none. Emits no signal.
    void setCurrent(std::optional<double> x);
    std::optional<double> current() const;

Q_SIGNALS:
    void chosen(double x);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void redraw() override;

private:
    struct Private;
    void choose(double x);
    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
