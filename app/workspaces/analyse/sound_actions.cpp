// SPDX-License-Identifier: GPL-3.0-or-later
// How the ANALYSE workspace plays and records.
#include "app/parts/actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

void AnalyseWorkspace::connectSound() {
    const Actions& a = *m_parts.actions;
    m_transport = new SoundTransport(&m_devices, &m_axis, this);
    connect(a.play, &QAction::triggered, this,
            [this] { m_transport->isPlaying() ? m_transport->stop() : m_transport->play(); });
    connect(a.loop, &QAction::toggled, m_transport, &SoundTransport::setLooping);
    connect(a.record, &QAction::triggered, this, [this] {
        m_transport->isRecording() ? m_transport->stopRecording() : m_transport->startRecording();
    });
    connect(m_transport, &SoundTransport::playingChanged, this, [this](bool playing) {
        QAction* play = m_parts.actions->play;
        play->setIcon(widgets::icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
        play->setText(playing ? tr("Stop playing") : tr("Play"));
        setToolTipWithKey(play, playing ? tr("Stop; the cursor stays where it is.")
                                        : tr("Play the selection, or from the cursor."));
    });
    connect(m_transport, &SoundTransport::recordingChanged, this, [this](bool recording) {
        m_parts.actions->record->setChecked(recording);
        m_recordingBar->setVisible(recording);
    });
    connect(m_transport, &SoundTransport::recordingProgressed, m_recordingBar, &RecordingBar::setProgress);
    connect(m_transport, &SoundTransport::recorded, this, [this](const Recording& recording) {
        m_parts.session->addRecording(recording);
        Q_EMIT recordingAdded();
    });
    connect(m_transport, &SoundTransport::failed, this, [this](const QString& sentence) {
        m_parts.session->messages()->post(Severity::Error, sentence);
        showMessages(); // a button that does nothing must not look as if it were broken
    });
}

} // namespace headroom::app
