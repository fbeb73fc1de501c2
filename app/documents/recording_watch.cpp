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
    fs::path& known = m_open[id];
    if (known == utterance->file)
        return;
    known = utterance->file;
    const fs::path file = audioName(known).file;
    const bool isOfFile = utterance->sentence.isEmpty(); // else it is another file that was read
    const auto [stamp, isNew] = m_stamps.try_emplace(file, isOfFile ? utterance->stamp : FileStamp());
    if (isNew) { // this one alone: hundreds may be opened at once
        add(file.parent_path(), m_files.directories().size());
        add(file, m_files.files().size());
    } else if (isOfFile && stamp->second != utterance->stamp) {
        stamp->second = {};
    }
    // It may have been written to before it was watched, or while it was being read; or undo put it back as it was.
    if (isNew || utterance->isRecordingGone || stamp->second == FileStamp())
        look();
}

void RecordingWatch::forget(UtteranceId id) {
    if (m_open.erase(id) > 0)
        look(); // what was said of its file is over, and it needs no watch
}

/// A folder reports which files go and come, a file that it is written to. `watched`: how many of its kind are.
void RecordingWatch::add(const fs::path& path, qsizetype watched) {
    if (const QString named = toQString(path); watched < kMostWatchedHere && QFileInfo::exists(named))
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
    std::set<fs::path> files;
    for (const auto& [id, file] : m_open)
        files.insert(audioName(file).file);
    std::erase_if(m_stamps, [&](const auto& one) { return !files.contains(one.first); });
    next.stamps = m_stamps;
    m_pool.start([this, next = std::move(next)]() mutable {
        lookAt(next);
        QMetaObject::invokeMethod(this, [this, next = std::move(next)] { take(next); }, Qt::QueuedConnection);
    });
}

void RecordingWatch::lookAt(Look& look) {
    std::map<fs::path, std::string> hashes; // a file may be open in parts
    for (auto& [file, stamp] : look.stamps) {
        const FileStamp now = FileStamp::of(file);
        if (now == FileStamp() || now == stamp)
            continue;
        if (std::chrono::abs(fs::file_time_type::clock::now() - now.time) < kStillWritten) {
            look.isWritten = true;
            continue;
        }
        try {
            hashes[file] = hashOfFile(file);
            stamp = now;
            look.changed.insert(file);
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
    for (const fs::path& file : now.changed)
        m_stamps[file] = now.stamps.at(file);
    std::set<fs::path> gone;
    for (const Open& one : now.open) {
        const auto open = m_open.find(one.id);
        if (open == m_open.end() || open->second != one.file)
            continue;
        m_session->setRecordingGone(one.id, !one.isThere);
        if (!one.isThere) {
            gone.insert(audioName(one.file).file);
            m_stamps[audioName(one.file).file] = {};
        } else if (const OpenUtterance utterance = *m_session->utterances()->find(one.id);
                   !one.sha256.empty() && !utterance.sha256.empty() && (one.sha256 != utterance.sha256 || !utterance.sentence.isEmpty())) // or could not be read
            m_session->setFiles(one.id, utterance.file, utterance.alignmentFile);
    }
    watch(now.changed);
    if (now.isWritten || !now.changed.empty()) // more may have been written before it was watched
        look();
    m_gone.set(gone, tr("%1 was moved or deleted. What was read from it is still shown, but studies leave it out."),
               tr("%1 recordings were moved or deleted. What was read from them is still shown, but studies leave them out."));
}

/// One of which not all has been read, or that is gone.
bool RecordingWatch::isUnfinished(UtteranceId id, const fs::path& file) const {
    const OpenUtterance* open = m_session->utterances()->find(id);
    return m_stamps.at(file) == FileStamp() || (open && lacksSound(*open));
}

/// The files that are unfinished first. `replaced`: files that are listed as watched, but may be others than those that are.
void RecordingWatch::watch(const std::set<fs::path>& replaced) {
    std::set<fs::path> folders;
    std::vector<fs::path> files;
    for (const bool unfinished : {true, false})
        for (const auto& [id, name] : m_open)
            if (const fs::path file = audioName(name).file; m_stamps.contains(file) && isUnfinished(id, file) == unfinished) {
                folders.insert(file.parent_path());
                files.push_back(file);
            }
    if (files.size() > std::size_t(kMostWatchedHere))
        files.resize(kMostWatchedHere);
    const std::set<fs::path> wanted(files.begin(), files.end());
    QStringList over;
    for (const QString& watched : m_files.files())
        if (const fs::path file = toPath(watched); !wanted.contains(file) || replaced.contains(file))
            over << watched;
    for (const QString& watched : m_files.directories())
        if (!folders.contains(toPath(watched)))
            over << watched;
    if (!over.isEmpty())
        m_files.removePaths(over);
    const QStringList known = m_files.files() + m_files.directories();
    const std::set<QString> watched(known.begin(), known.end());
    for (const fs::path& folder : folders) // one that was moved away and is back
        if (!watched.contains(toQString(folder)))
            add(folder, m_files.directories().size());
    for (const fs::path& file : wanted)
        if (!watched.contains(toQString(file)))
            add(file, m_files.files().size());
}

} // namespace headroom::app
