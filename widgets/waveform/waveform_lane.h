// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/time_axis/time_lane.h"
#include "widgets/waveform/peak_pyramid.h"

#include <memory>

namespace headroom::widgets {

/// The waveform: its envelope (peak) and the root mean square inside it, from a pyramid; single samples when
/// zoomed in. The amplitude scale is that of the whole recording and does not change with zoom. Window's
/// thread only.
class WaveformLane : public TimeLane {
    Q_OBJECT

public:
    explicit WaveformLane(QWidget* parent = nullptr);

    /// `note` is shown in the right gutter: “16 kHz mono” (a line break is kept). Null: the lane is empty and says
    /// `note`, or what to do if that is empty too.
    void setSound(std::shared_ptr<const PeakPyramid> sound, SampleRate rate = kModelSampleRate,
                  const QString& note = QString());
    double amplitude() const { return m_amplitude; } ///< largest absolute sample; 1 for silence

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintLane(QPainter& painter) override;
    bool showsSelectionGrips() const override { return true; }

private:
    struct Column {
        double x;           ///< its left edge, logical pixels
        double top, bottom; ///< of the peak
        double rmsTop, rmsBottom;
    };
    std::vector<Column> columns(double step) const;
    void paintEnvelope(QPainter& painter) const;
    void paintSamples(QPainter& painter) const;
    void paintGutters(QPainter& painter) const;
    double yOf(double value) const;

    std::shared_ptr<const PeakPyramid> m_sound;
    SampleRate m_rate = kModelSampleRate;
    QString m_note;
    double m_amplitude = 1;
};

} // namespace headroom::widgets
