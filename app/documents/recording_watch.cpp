// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/recording_watch.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/items/paths.h"
#include "core/audio/audio_name.h"

#include <QFileInfo>
#include <QMetaObject>

#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr qsizetype kMostWatchedFolders = 500; ///< the system has only so many watches; the others are looked at when the program becomes active

} // namespace

RecordingWatch::RecordingWatch(Session* session, QObject* parent) : FileWatch(parent), m_session(session), m_gone(session->messages(), QStringLiteral("recording files")) {
    connect(session, &Session::utteranceChanged, this, &RecordingWatch::follow);
    connect(session, &Session::utteranceRemoved, this, &RecordingWatch::forget);
}

RecordingWatch::~RecordingWatch() {
    waitForLooks();
}

/// One that was just read is there.
void RecordingWatch::follow(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || utterance->state != OpenState::Ready || utterance->isText || utterance->file.empty())
        return forget(id);
    fs::path& known = m_open[id];
    if (known == utterance->file)
        return;
    known = utterance->file;
    if (const auto [folder, isNew] = m_folders.insert(audioName(known).file.parent_path()); isNew)
        watch(*folder);
    m_session->setRecordingGone(id, false);
}

void RecordingWatch::forget(UtteranceId id) {
    if (m_open.erase(id) > 0 && !m_gone.empty())
        look(); // what was said of its file is over
}

/// A folder reports which files go and come.
void RecordingWatch::watch(const fs::path& folder) {
    if (m_files.directories().size() < kMostWatchedFolders && QFileInfo::exists(toQString(folder)))
        m_files.addPath(toQString(folder));
}

void RecordingWatch::begin() {
    if (m_looking || m_session->isReading())
        return look();
    m_looking = true;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        follow(m_session->utterances()->at(row).id); // saving puts recordings into files
    std::vector<Open> open;
    for (const auto& [id, file] : m_open)
        open.push_back({id, file});
    m_pool.start([this, open = std::move(open)]() mutable {
        for (Open& one : open)
            one.isThere = !isGone(audioName(one.file).file);
        QMetaObject::invokeMethod(this, [this, open = std::move(open)] { take(open); }, Qt::QueuedConnection);
    });
}

void RecordingWatch::take(const std::vector<Open>& now) {
    m_looking = false;
    std::set<fs::path> gone; // a file may be open in parts
    for (const Open& one : now) {
        const auto open = m_open.find(one.id);
        if (open == m_open.end() || open->second != one.file)
            continue;
        m_session->setRecordingGone(one.id, !one.isThere);
        if (!one.isThere)
            gone.insert(audioName(one.file).file);
    }
    m_gone.set(gone, tr("%1 was moved or deleted. What was read from it is still shown, but studies leave it out."),
               tr("%1 recordings were moved or deleted. What was read from them is still shown, but studies leave them out."));
    const QStringList watched = m_files.directories();
    for (const fs::path& folder : m_folders) // one that was moved away and is back
        if (!watched.contains(toQString(folder)))
            watch(folder);
}

} // namespace headroom::app
