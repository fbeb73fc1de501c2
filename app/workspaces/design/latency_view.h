// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/latency_measurements.h"
#include "widgets/curves/cost_plot.h"

#include <QWidget>

class QAction;
class QLabel;

namespace headroom::app {

class ActionButton;

/// Latency of the encoder by length as latency studies of this machine measured it: this architecture and the
/// baseline, medians with quartiles, and a button that measures them. Nothing is predicted: an architecture
/// that was not measured has no curve. Window's thread.
class LatencyView : public QWidget {
    Q_OBJECT

public:
    /// `measurements`: borrowed; null: the view says that nothing is measured, and measures nothing.
    explicit LatencyView(LatencyMeasurements* measurements, QWidget* parent = nullptr);

    /// `marks` and `longest` as of the plots above it, in tokens.
    void show(const LatencyMeasurements::Wanted& shown, std::vector<widgets::CostPlot::Mark> marks,
              double longest);
    void showNothing();
    /// Measured time by that of the baseline at this length; nullopt: not measured there.
    std::optional<double> share(std::int64_t tokens) const { return m_found.share(tokens); }
    /// What stands there, a line per length, in full precision: "Latency\t96\t45.88\t46.02".
    QStringList lines() const;
    QAction* measureAction() const { return m_measure; }
    QString sentence() const;

Q_SIGNALS:
    void changed(); ///< other measurements; the owner shows its content again

private:
    void refresh();
    void showState(const QString& whyNot);
    void measureOrStop();
    QString conditions() const;
    QString table() const;

    LatencyMeasurements* m_measurements;
    LatencyMeasurements::Wanted m_shown;
    LatencyMeasurements::Found m_found;
    std::vector<widgets::CostPlot::Mark> m_marks;
    double m_longest = 1;
    bool m_any = false, m_running = false;
    QString m_problem; ///< why the study could not be started
    widgets::CostPlot* m_plot;
    QLabel* m_sentence;
    QAction* m_measure;
    ActionButton* m_button;
};

} // namespace headroom::app
