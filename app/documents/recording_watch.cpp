// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/recording_watch.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/session_file.h"
#include "app/documents/items/paths.h"
#include "core/audio/audio_name.h"

#include <QFileInfo>
#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// Folders, and as many files: the system has only so many watches. The others are looked at when the program becomes active.
constexpr qsizetype kMostWatchedHere = 500;
constexpr std::chrono::seconds kStillWritten{1};  ///< a file that was written to so recently may not be whole

/// What was read of its file is not all that it should hold.
bool lacksSound(const OpenUtterance& utterance) {
    return !utterance.sentence.isEmpty() ||
           (utterance.recording && std::ranges::any_of(utterance.recording->warnings, [](const Warning& one) { return one.code == "audio.truncated"; }));
}

} // namespace

RecordingWatch::RecordingWatch(Session* session, QObject* parent) : FileWatch(parent), m_session(session), m_gone(session->messages(), QStringLiteral("recording files")) {
    connect(session, &Session::utteranceChanged, this, &RecordingWatch::follow);
    connect(session, &Session::utteranceRemoved, this, &RecordingWatch::forget);
}

RecordingWatch::~RecordingWatch() {
    waitForLooks();
}

void RecordingWatch::follow(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || utterance->state != OpenState::Ready || utterance->isText || utterance->file.empty())
        return forget(id);
    if (!utterance->sentence.isEmpty() && m_back.try_emplace(audioName(utterance->file).file).second) // it may become one that can
        look();
    fs::path& known = m_open[id];
    if (known == utterance->file)
        return;
    known = utterance->file;
    if (const auto [folder, isNew] = m_folders.insert(audioName(known).file.parent_path()); isNew)
        watch(*folder, m_files.directories());
    // Saving put it into a file, or undo put it back as it was; or a file that came back has been read.
    if (utterance->isRecordingGone || m_back.contains(audioName(known).file))
        look();
}

void RecordingWatch::forget(UtteranceId id) {
    if (m_open.erase(id) > 0 && !m_gone.empty())
        look(); // what was said of its file is over
}

/// A folder reports which files go and come, a file that it is written to.
void RecordingWatch::watch(const fs::path& path, const QStringList& watched) {
    if (const QString named = toQString(path); watched.size() < kMostWatchedHere && !watched.contains(named) && QFileInfo::exists(named))
        m_files.addPath(named);
}

void RecordingWatch::begin() {
    if (m_looking || m_session->isReading())
        return look();
    m_looking = true;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        follow(m_session->utterances()->at(row).id); // saving puts recordings into files
    Look next;
    for (const auto& [id, file] : m_open)
        next.open.push_back({id, file});
    std::erase_if(m_back, [&](const auto& one) {
        return std::ranges::none_of(m_open, [&](const auto& open) { return audioName(open.second).file == one.first; });
    });
    next.back = m_back;
    m_pool.start([this, next = std::move(next)]() mutable {
        lookAt(next);
        QMetaObject::invokeMethod(this, [this, next = std::move(next)] { take(next); }, Qt::QueuedConnection);
    });
}

void RecordingWatch::lookAt(Look& look) {
    std::map<fs::path, std::string> hashes; // a file may be open in parts
    for (auto& [file, stamp] : look.back) {
        std::error_code mistake;
        Stamp now{fs::last_write_time(file, mistake), 0};
        now.size = mistake ? 0 : fs::file_size(file, mistake);
        if (mistake || now == stamp)
            continue;
        if (std::chrono::abs(fs::file_time_type::clock::now() - now.time) < kStillWritten) {
            look.isWritten = true;
            continue;
        }
        try {
            hashes[file] = hashOfFile(file);
            stamp = now;
        } catch (const std::exception&) { // not readable yet
        }
    }
    for (Open& one : look.open) {
        const fs::path file = audioName(one.file).file;
        one.isThere = !isGone(file);
        if (const auto hash = hashes.find(file); hash != hashes.end())
            one.sha256 = hash->second;
    }
}

void RecordingWatch::take(const Look& now) {
    m_looking = false;
    m_back = now.back;
    std::set<fs::path> gone;
    for (const Open& one : now.open) {
        const auto open = m_open.find(one.id);
        if (open == m_open.end() || open->second != one.file)
            continue;
        m_session->setRecordingGone(one.id, !one.isThere);
        if (!one.isThere) {
            gone.insert(audioName(one.file).file);
            m_back[audioName(one.file).file] = {};
        } else if (const OpenUtterance utterance = *m_session->utterances()->find(one.id);
                   !one.sha256.empty() && !utterance.sha256.empty() && (one.sha256 != utterance.sha256 || !utterance.sentence.isEmpty())) // or could not be read
            m_session->setFiles(one.id, utterance.file, utterance.alignmentFile);
    }
    if (now.isWritten)
        look();
    m_gone.set(gone, tr("%1 was moved or deleted. What was read from it is still shown, but studies leave it out."),
               tr("%1 recordings were moved or deleted. What was read from them is still shown, but studies leave them out."));
    for (const fs::path& folder : m_folders) // one that was moved away and is back
        watch(folder, m_files.directories());
    watchUnfinished(now.open);
}

/// A file that is back is watched until all of it has been read.
void RecordingWatch::watchUnfinished(const std::vector<Open>& all) {
    std::set<fs::path> unfinished;
    for (const Open& one : all)
        if (const OpenUtterance* open = m_session->utterances()->find(one.id); open && !m_back.empty())
            if (const auto back = m_back.find(audioName(one.file).file); back != m_back.end())
                if (back->second == Stamp() || open->state == OpenState::Reading || lacksSound(*open))
                    unfinished.insert(back->first);
    for (const QString& watched : m_files.files())
        if (!unfinished.contains(toPath(watched)))
            m_files.removePath(watched);
    for (const fs::path& file : unfinished)
        watch(file, m_files.files());
}

} // namespace headroom::app
