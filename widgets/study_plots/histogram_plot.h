// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <QString>

#include <memory>
#include <vector>

namespace headroom::widgets {

/// How often a number was found: bars with the mean as a line. Window's thread.
class HistogramPlot : public PlotFrame {
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget* parent = nullptr);
    ~HistogramPlot() override;

    /// NaN is not counted. `step`: the values lie on multiples of it, so bins are made of whole steps.
    void setValues(const QString& title, const QString& xName, const std::vector<double>& values,
                   double step = 1);
    /// Lines across: mean, window …; at most two.
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
