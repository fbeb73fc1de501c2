// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/sound/sound_transport.h"

#include <algorithm>

namespace headroom::app {

namespace {
constexpr int kFrameMilliseconds = 16;
constexpr int kTakeMilliseconds = 50;
/// A cursor this near to the end plays from the start instead.
constexpr Seconds kAtEnd{0.005};
} // namespace

SoundTransport::SoundTransport(SoundDevices* devices, widgets::TimeAxis* axis, QObject* parent)
    : QObject(parent)
    , m_devices(devices)
    , m_axis(axis) {
    m_playTimer.setTimerType(Qt::PreciseTimer);
    m_playTimer.setInterval(kFrameMilliseconds);
    m_recordTimer.setInterval(kTakeMilliseconds);
    connect(&m_playTimer, &QTimer::timeout, this, &SoundTransport::followPlayer);
    connect(&m_recordTimer, &QTimer::timeout, this, &SoundTransport::takeSamples);
}

SoundTransport::~SoundTransport() = default;

void SoundTransport::setRecording(std::shared_ptr<const Recording> recording) {
    if (recording == m_recording)
        return;
    stop();
    m_recording = std::move(recording);
}

std::optional<TimeRange> SoundTransport::loopRange() const {
    if (!m_looping || !m_recording)
        return std::nullopt;
    if (const auto selection = m_axis->selection())
        return TimeRange{selection->start, selection->end};
    return TimeRange{Seconds(0), m_recording->duration()};
}

void SoundTransport::play() {
    if (const QString sentence = tryToPlay(); !sentence.isEmpty())
        Q_EMIT failed(sentence);
}

QString SoundTransport::tryToPlay() {
    if (!m_recording || m_recording->samples.empty())
        return {};
    Sound sound{std::shared_ptr<const std::vector<float>>(m_recording, &m_recording->samples),
                kModelSampleRate};
    Seconds from = m_axis->cursor().value_or(Seconds(0));
    if (const auto selection = m_axis->selection()) {
        from = selection->start;
        if (!m_looping) {
            // The end is exact, to the sample, because there is nothing behind it.
            const auto end = std::clamp<std::int64_t>(kModelSampleRate.nearest(selection->end).value(), 0,
                                                      std::int64_t(m_recording->samples.size()));
            sound.samples = std::make_shared<const std::vector<float>>(m_recording->samples.begin(),
                                                                       m_recording->samples.begin() + end);
        }
    } else if (from + kAtEnd >= m_recording->duration()) {
        from = Seconds(0);
    }
    try {
        if (!m_player)
            m_player = m_devices->makePlayer();
        m_player->play(sound, from, loopRange());
    } catch (const Error& error) {
        m_player.reset();
        return QString::fromUtf8(error.what());
    }
    m_playTimer.start();
    Q_EMIT playingChanged(true);
    return {};
}

void SoundTransport::stop() {
    if (!isPlaying())
        return;
    m_playTimer.stop();
    m_player->stop();
    Q_EMIT playingChanged(false);
}

void SoundTransport::setLooping(bool looping) {
    m_looping = looping;
    if (isPlaying())
        m_player->setLoop(loopRange());
}

void SoundTransport::followPlayer() {
    const Seconds position = std::min(m_player->position(), m_axis->extent());
    m_axis->setCursor(position);
    m_axis->reveal(position);
    if (m_player->playing())
        return;
    m_playTimer.stop();
    Q_EMIT playingChanged(false);
}

void SoundTransport::startRecording() {
    if (isRecording())
        return;
    stop();
    try {
        m_recorder = m_devices->makeRecorder();
        m_recorder->start();
    } catch (const Error& error) {
        m_recorder.reset();
        Q_EMIT failed(QString::fromUtf8(error.what()));
        Q_EMIT recordingChanged(false);
        return;
    }
    m_samples.clear();
    m_recordTimer.start();
    Q_EMIT recordingChanged(true);
    Q_EMIT recordingProgressed(0, 0);
}

void SoundTransport::takeSamples() {
    m_recorder->take(m_samples);
    Q_EMIT recordingProgressed(m_recorder->rate().duration(Samples(std::int64_t(m_samples.size()))).value(),
                               m_recorder->level());
}

void SoundTransport::stopRecording() {
    if (!isRecording())
        return;
    m_recordTimer.stop();
    m_recorder->stop();
    m_recorder->take(m_samples);
    const SampleRate rate = m_recorder->rate();
    const std::int64_t dropped = m_recorder->dropped();
    m_recorder.reset();
    Q_EMIT recordingChanged(false);
    if (m_samples.empty())
        return Q_EMIT failed(tr("Nothing was recorded. The microphone delivered no samples."));
    Recording recording;
    recording.originalRate = rate;
    recording.originalFormat = "recorded here";
    recording.samples =
        rate == kModelSampleRate ? std::move(m_samples) : resample(m_samples, rate, kModelSampleRate);
    if (dropped > 0)
        recording.warnings.push_back(
            {"audio.dropped", "The machine was too slow: " + std::to_string(dropped) +
                                  " samples of this recording were lost."});
    m_samples.clear();
    Q_EMIT recorded(recording);
}

} // namespace headroom::app
