// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/spectrogram/spectrum.h"
#include "widgets/time_axis/time_lane.h"

#include <memory>

#include <QImage>

namespace headroom::widgets {

/// The spectrogram in grey; colour is kept for what a model computed. Light theme: dark = loud, dark theme:
/// bright = loud; from the 5th to the 99.5th percentile of the recording, to the power 1.15.
///
/// Frequencies are on the left, the scale in dB on the right (0 dB: the 99.5th percentile). The visible
/// picture is cached until range, size, pixel ratio or theme change, so that a moving cursor costs nothing.
/// Window's thread only.
class SpectrogramLane : public TimeLane {
    Q_OBJECT

public:
    explicit SpectrogramLane(QWidget* parent = nullptr);

    /// Null or empty: the lane shows `reason`, or how to get a spectrogram if that is empty.
    void setSpectrum(std::shared_ptr<const Spectrum> spectrum, const QString& reason = QString());

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintLane(QPainter& painter) override;

private:
    struct Picture {
        TimeSpan span;
        QSize size;
        bool isDark = false;
        QImage image;
    };
    const QImage& picture(QSize size);
    void paintFrequencies(QPainter& painter) const;
    void paintScale(QPainter& painter) const;

    std::shared_ptr<const Spectrum> m_spectrum;
    QString m_reason;
    Picture m_picture;
};

} // namespace headroom::widgets
