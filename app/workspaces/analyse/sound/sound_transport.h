// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/sound/sound_devices.h"
#include "core/audio/audio_file.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>
#include <QTimer>

namespace headroom::app {

/// Plays what is open and records what is not: playing moves the axis's cursor 60 times a second, so that
/// every view follows; a recording grows and says how loud it is. Failures are sentences. Window's thread;
/// the devices' own threads stay behind their interface.
class SoundTransport : public QObject {
    Q_OBJECT

public:
    /// Both borrowed.
    SoundTransport(SoundDevices* devices, widgets::TimeAxis* axis, QObject* parent = nullptr);
    ~SoundTransport() override;

    /// What play() plays; null: nothing. Another sound stops the playing.
    void setRecording(std::shared_ptr<const Recording> recording);

    /// The selection, or from the cursor to the end (from the start where the cursor is at the end).
    void play();
    /// The same; returns why there is no sound in place of emitting failed(). Empty: it plays, or there is nothing to play.
    QString tryToPlay();
    void stop();
    bool isPlaying() const { return m_playTimer.isActive(); }
    void setLooping(bool looping);

    void startRecording();
    void stopRecording();
    bool isRecording() const { return m_recorder != nullptr; }

Q_SIGNALS:
    void playingChanged(bool playing);
    void recordingChanged(bool recording);
    void recordingProgressed(double seconds, float level); ///< level: largest |sample| since the last time
    void recorded(const headroom::Recording& recording);   ///< at 16 kHz
    void failed(const QString& sentence);

private:
    std::optional<TimeRange> loopRange() const;
    void followPlayer();
    void takeSamples();

    SoundDevices* m_devices;
    widgets::TimeAxis* m_axis;
    std::shared_ptr<const Recording> m_recording;
    std::unique_ptr<Player> m_player;
    std::unique_ptr<Recorder> m_recorder;
    std::vector<float> m_samples;
    QTimer m_playTimer, m_recordTimer;
    bool m_looping = false;
};

} // namespace headroom::app
