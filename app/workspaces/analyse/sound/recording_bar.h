// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace headroom::app {

class Actions;

/// How loud a microphone is: 60 dB from left to right, the last 1 dB in the colour of a warning because it
/// will clip.
class LevelMeter : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    void setLevel(float level); ///< the largest |sample|, 0 … 1
    float level() const { return m_level; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    float m_level = 0, m_peak = 0;
};

/// Shown while recording: duration, loudness and Stop. Window's thread.
class RecordingBar : public QWidget {
    Q_OBJECT

public:
    explicit RecordingBar(const Actions& actions, QWidget* parent = nullptr);
    void setProgress(double seconds, float level);
    LevelMeter* meter() const { return m_meter; }

private:
    QLabel* m_text;
    LevelMeter* m_meter;
};

} // namespace headroom::app
