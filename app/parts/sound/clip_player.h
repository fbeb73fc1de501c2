// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/sound/sound_devices.h"
#include "core/audio/audio_file.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>

namespace headroom::app {

/// Plays one recording of a list at a time, from its start to its end, without opening it in Analyse. The
/// file, or the part of one, is read on another thread. Window's thread.
class ClipPlayer : public QObject {
    Q_OBJECT

public:
    explicit ClipPlayer(QObject* parent = nullptr);
    ~ClipPlayer() override;

    /// Stops what plays. `audio` may name a part of a file (core/audio/audio_name.h).
    void play(const std::filesystem::path& audio);
    void stop();
    /// What is being read or played; empty: nothing.
    const std::filesystem::path& current() const { return m_current; }
    bool isPlaying() const { return m_look.isActive(); }

Q_SIGNALS:
    void changed();                                  ///< current() or isPlaying()
    void failed(const QString& sentence);            ///< the file cannot be read, there is no sound card
    void played(const std::filesystem::path& audio); ///< to its end, or until stop()

private:
    struct Read {
        std::filesystem::path audio;
        std::shared_ptr<const Recording> recording;
        QString mistake;
    };
    void start(const Read& read);

    SoundDevices m_devices;
    std::unique_ptr<Player> m_player;
    std::filesystem::path m_current;
    QFutureWatcher<Read> m_reader;
    QTimer m_look;
};

} // namespace headroom::app
