// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"

#include <cmath>
#include <memory>
#include <vector>

namespace headroom::widgets {

/// D(r) of one head (Shim et al. 2022, Eq. 2) over r = 0 … 1, evenly spaced; the area below it is its CAD.
/// Compared with the curve of a uniform map. Window's thread only.
class CadCurvePlot : public PlotFrame {
    Q_OBJECT

public:
    explicit CadCurvePlot(QWidget* parent = nullptr);
    ~CadCurvePlot() override;

    /// `curve`: at r = k/(R − 1); empty: none. `name`: "layer 2, head 3".
    void setCurve(std::vector<double> curve, const QString& name, double cad = NAN);
    const std::vector<double>& curve() const;

protected:
    void redraw() override;

private:
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
