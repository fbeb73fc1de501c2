// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/sound/clip_player.h"

#include <QtConcurrent>

namespace headroom::app {

namespace {
constexpr int kPlaybackLookMilliseconds = 50;
}

ClipPlayer::ClipPlayer(QObject* parent) : QObject(parent) {
    m_look.setInterval(kPlaybackLookMilliseconds);
    connect(&m_look, &QTimer::timeout, this, [this] {
        if (m_player && !m_player->playing())
            stop();
    });
    connect(&m_reader, &QFutureWatcher<Read>::finished, this, [this] {
        if (const Read read = m_reader.result(); read.audio == m_current)
            start(read);
    });
}

ClipPlayer::~ClipPlayer() {
    m_reader.waitForFinished();
}

void ClipPlayer::play(const std::filesystem::path& audio) {
    stop();
    m_current = audio;
    m_reader.setFuture(QtConcurrent::run([audio] {
        Read read{audio, nullptr, {}};
        try {
            read.recording = std::make_shared<const Recording>(loadRecording(audio));
        } catch (const std::exception& failure) {
            read.mistake = QString::fromUtf8(failure.what());
        }
        return read;
    }));
    Q_EMIT changed();
}

void ClipPlayer::start(const Read& read) {
    QString mistake = read.mistake;
    if (mistake.isEmpty()) {
        try {
            m_player = m_devices.makePlayer();
            m_player->play(
                {std::shared_ptr<const std::vector<float>>(read.recording, &read.recording->samples),
                 kModelSampleRate},
                Seconds(0));
            m_look.start();
        } catch (const std::exception& failure) {
            mistake = QString::fromUtf8(failure.what());
        }
    }
    if (!mistake.isEmpty()) {
        stop();
        Q_EMIT failed(mistake);
        return;
    }
    Q_EMIT changed();
}

void ClipPlayer::stop() {
    if (m_current.empty())
        return;
    const bool heard = isPlaying();
    m_look.stop();
    m_player.reset();
    const std::filesystem::path audio = std::exchange(m_current, {});
    if (heard)
        Q_EMIT played(audio);
    Q_EMIT changed();
}

} // namespace headroom::app
