// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <QString>

#include <memory>
#include <vector>

namespace headroom::widgets {

/// A histogram of values with the mean as a line. Window's thread.
class HistogramPlot : public PlotFrame {
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget* parent = nullptr);
    ~HistogramPlot() override;

    /// Ignores NaN. `step`: the values are multiples of it, so bins hold whole steps. `brief`: the title where that has no room.
    void setValues(const QString& title, const QString& xName, const std::vector<double>& values,
                   double step = 1, const QString& brief = {});
    /// Vertical lines: mean, window …; at most two.
    struct Mark {
        double x = 0;
        QString name;
    };
    void setMarks(std::vector<Mark> marks);
    int barCount() const;

protected:
    void redraw() override;

private:
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
