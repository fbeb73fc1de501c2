// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/plot_frame.h"
#include "widgets/curves/plot_style.h"
#include "widgets/run_monitor/curve_math.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// The runs of one experiment in a plot; their curves share a colour and a dash.
struct ComparedRuns {
    QString name;
    int style = 0;                                      ///< 0 … 5: colour and dash, see runPen()
    std::vector<std::shared_ptr<const RunCurves>> runs; ///< one per seed; null: still loading
    /// Runs that repeat the seed of one of `runs`: drawn with single runs, not part of a mean.
    std::vector<std::shared_ptr<const RunCurves>> repeated = {};
    /// Likewise, of runs that go on: each is a line of its own, beside a mean too.
    std::vector<std::shared_ptr<const RunCurves>> goingOn = {};
    bool goesOn = false; ///< points may still come
    bool operator==(const ComparedRuns&) const = default; ///< the very same curves
};

/// How all plots of a row are displayed.
struct CurveReading {
    CurveAxis axis = CurveAxis::Updates;
    double smoothing = 0.6; ///< 0 … 0.99; only measured curves, not the learning rate
    bool mean = true;       ///< mean ± std over seeds; off: single runs
    bool logarithmic = false;
    bool operator==(const CurveReading&) const = default;
};

/// One metric of training against updates or time: a line per experiment, colour and dash, ± std as a band,
/// and a dashed line at the pointer with all values. The wheel zooms the x axis, drag moves it, double click
/// shows all. With the keyboard ←/→ move the line from point to point (Shift: ten), Home and End to the first and the
/// last, + and − zoom around it, 0 shows all, Esc takes it away.
/// Window's thread only; preparing 6 × 3 runs of 1,000 points takes a few ms.
class MetricPlot : public PlotFrame {
    Q_OBJECT

public:
    struct Metric {
        QString key;   ///< of RunCurves::series()
        QString title; ///< "Dev WER, %"
        double factor = 1;
        int decimals = 3;
        bool smoothed = true;         ///< whether CurveReading::smoothing applies
        bool mayBeLogarithmic = true; ///< whether CurveReading::logarithmic applies
        QString brief{};              ///< shown where the title has no room: "LR, × 10⁻³"
        bool isCount = false;         ///< ticks as those of updates: "10 k"
    };

    explicit MetricPlot(Metric metric, QWidget* parent = nullptr);
    ~MetricPlot() override;

    void setMetric(Metric metric);
    const Metric& metric() const;
    void setRuns(std::vector<ComparedRuns> runs);
    void setReading(const CurveReading& reading);
    /// What stands in a plot without curves: "Tick runs below".
    void setEmptySentence(const QString& sentence);
    /// Position of the dashed line in axis units; `nullopt`: the last point.
    void setCursor(std::optional<double> x);
    void setVisibleSpan(std::optional<std::pair<double, double>> span); ///< `nullopt`: everything
    std::pair<double, double> visibleSpan() const;

    bool hasMeansOfFewer() const;           ///< of a mean: some of its seeds have no value somewhere
    int drawnPoints() const;                ///< after decimation, of all lines
    std::vector<double> valuesHere() const; ///< at the cursor, one per experiment; NaN if missing
    std::optional<double> cursor() const;
    /// Every logged point, never smoothed, as TSV: experiment, step or hours, value (mean over seeds where that is drawn), deviation,
    /// and of how many seeds they are.
    QString tableText() const;

Q_SIGNALS:
    void cursorMoved(std::optional<double> x);
    void spanChanged(std::optional<std::pair<double, double>> span);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void redraw() override;

private:
    struct Private; // keeps qcustomplot.h out of everybody's way
    void prepare();
    void zoomAround(double x, double factor);
    void moveCursor(std::optional<double> x);
    QPointF inPlot(QPointF place) const;
    void describe();

    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
