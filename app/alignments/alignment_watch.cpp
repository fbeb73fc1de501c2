// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/alignment_watch.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/items/paths.h"
#include "core/alignment/alignment_folders.h"
#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"

#include <QFileInfo>
#include <QMetaObject>
#include <QSet>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr int kMostWatched = 1000; ///< files and folders; the system has only so many watches. The others are looked at when the program becomes active

QString causeOf(const fs::path& file) {
    return QStringLiteral("alignment file ") + toQString(file);
}

/// A file that is replaced is not watched any more: its folder is watched too.
QStringList watchedFor(const fs::path& file) {
    return {toQString(file), toQString(file.parent_path())};
}

bool canLack(const OpenUtterance& utterance) {
    return utterance.state == OpenState::Ready && !utterance.isText && !utterance.file.empty() && utterance.alignmentFile.empty() &&
           !utterance.alignment;
}

} // namespace

AlignmentWatch::AlignmentWatch(Session* session, QObject* parent)
    : FileWatch(parent), m_session(session), m_gone(session->messages(), QStringLiteral("alignment files")) {
    connect(session, &Session::utteranceChanged, this, &AlignmentWatch::follow);
}

AlignmentWatch::~AlignmentWatch() {
    waitForLooks();
}

void AlignmentWatch::follow(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (utterance && canLack(*utterance))
        for (const fs::path& folder : alignmentFolders(utterance->file))
            list(folder);
    if (!utterance || utterance->state != OpenState::Ready || utterance->alignmentFile.empty())
        return mark(id);
    const fs::path file = utterance->alignmentFile;
    if (const auto names = m_names.find(file.parent_path()); names != m_names.end())
        names->second.insert(file); // not new where it is taken back
    const bool isNew = m_seen.try_emplace(file, Seen{.sha256 = utterance->alignmentSha256}).second;
    if (isNew && utterance->isAlignmentGone) // undo put it back as it was
        look();
    if (isNew && m_files.files().size() + m_files.directories().size() < kMostWatched) // this one alone: hundreds may be opened at once
        m_files.addPaths(watchedFor(file));
    if (const auto awaited = m_awaited.find(file); awaited != m_awaited.end() && utterance->alignment && awaited->second.sha256 == utterance->alignmentSha256) {
        const QString sentence = awaited->second.isNew ? tr("%1 was found beside an open recording and was read.")
                                                       : tr("%1 was changed by another program and was read again.");
        m_awaited.erase(awaited);
        m_session->messages()->post(Severity::Info, sentence.arg(toQString(file.filename())), {}, {}, {causeOf(file)});
    }
    mark(id);
}

/// In its row, while the file is gone that its alignment was read from.
void AlignmentWatch::mark(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    const auto seen = utterance ? m_seen.find(utterance->alignmentFile) : m_seen.end();
    m_session->setAlignmentGone(id, seen != m_seen.end() && !seen->second.isThere);
}

/// What lies in a folder before anything is new there.
void AlignmentWatch::list(const fs::path& folder) {
    if (!m_names.try_emplace(folder).second)
        return;
    ++m_listing;
    m_pool.start([this, folder] {
        QMetaObject::invokeMethod(this, [this, folder, names = namesIn({folder})] {
            --m_listing;
            m_names[folder].insert(names.at(folder).begin(), names.at(folder).end());
        }, Qt::QueuedConnection);
    });
    if (m_files.files().size() + m_files.directories().size() < kMostWatched && QFileInfo::exists(toQString(folder)))
        m_files.addPath(toQString(folder));
}

std::vector<AlignmentWatch::Lacking> AlignmentWatch::lacking() const {
    std::vector<Lacking> all;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        if (const OpenUtterance& open = m_session->utterances()->at(row); canLack(open))
            all.push_back({open.id, open.file, {}});
    return all;
}

void AlignmentWatch::watch() {
    QSet<QString> wanted;
    for (const auto& [file, seen] : m_seen) {
        if (wanted.size() >= kMostWatched)
            break;
        for (const QString& path : watchedFor(file))
            if (QFileInfo::exists(path))
                wanted << path;
    }
    for (const auto& [folder, names] : m_names)
        if (wanted.size() < kMostWatched && QFileInfo::exists(toQString(folder)))
            wanted << toQString(folder);
    const QStringList paths = m_files.files() + m_files.directories();
    const QSet<QString> watched(paths.begin(), paths.end());
    if (const auto over = watched - wanted; !over.isEmpty())
        m_files.removePaths(over.values());
    const auto folders = m_files.directories().size();
    if (const auto missing = wanted - watched; !missing.isEmpty())
        m_files.addPaths(missing.values());
    if (m_files.directories().size() > folders) // files may have come into a new folder before it was watched
        look();
}

bool AlignmentWatch::isOpen(const fs::path& file) const {
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        if (const OpenUtterance& one = m_session->utterances()->at(row); one.alignmentFile == file && one.alignment)
            return true;
    return false;
}

AlignmentWatch::Files AlignmentWatch::lookAt(Files files) {
    for (auto& [file, seen] : files) {
        const FileStamp now = FileStamp::of(file);
        seen.isThere = now != FileStamp() || !isGone(file);
        if (now == FileStamp() || now == seen.stamp)
            continue;
        seen.stamp = now;
        try {
            seen.sha256 = hashOfFile(file);
        } catch (const std::exception&) {
            seen.sha256.clear();
        }
    }
    return files;
}

AlignmentWatch::Names AlignmentWatch::namesIn(const std::set<fs::path>& folders) {
    Names names;
    for (const fs::path& folder : folders) {
        auto& inside = names[folder];
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
            if (looksLikeAlignment(at->path()))
                inside.insert(at->path());
    }
    return names;
}

/// Finds files that were not there before, by the rules that hold at opening.
void AlignmentWatch::lookBeside(Look& look, const Names& before) {
    std::set<fs::path> folders;
    for (const Lacking& one : look.lacking)
        for (fs::path& folder : alignmentFolders(one.recording))
            folders.insert(std::move(folder));
    look.names = namesIn(folders);
    std::set<fs::path> fresh;
    bool hasList = false;
    for (const auto& [folder, names] : look.names)
        if (const auto known = before.find(folder); known != before.end())
            for (const fs::path& file : names)
                if (!known->second.contains(file)) {
                    fresh.insert(file);
                    hasList = hasList || !isOfOneRecording(file);
                }
    if (fresh.empty())
        return;
    const auto mayConcern = [&](const fs::path& recording) { // spares a search in all lists for each of hundreds
        return hasList || std::ranges::any_of(fresh, [&](const fs::path& file) { return file.stem() == recording.stem(); });
    };
    for (Lacking& one : look.lacking) {
        if (!mayConcern(one.recording) || !audioName(one.recording).isWhole())
            continue;
        const fs::path found = alignmentBeside(one.recording);
        if (!fresh.contains(found))
            continue;
        one.found = found;
        look.files.try_emplace(found);
    }
}

void AlignmentWatch::begin() {
    if (m_looking || m_session->isReading()) // what is being read may be what was written
        return look();
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        follow(m_session->utterances()->at(row).id); // saving brings alignments along into files of the session
    if (m_listing > 0)
        return look();
    std::set<fs::path> open;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        open.insert(m_session->utterances()->at(row).alignmentFile);
    std::vector<Lacking> without = lacking();
    std::erase_if(m_offered, [&](const auto& one) { return std::ranges::find(without, one.first, &Lacking::id) == without.end(); });
    for (const auto& [id, file] : m_offered)
        open.insert(file);
    std::erase_if(m_seen, [&](const auto& one) { return !open.contains(one.first); });
    std::erase_if(m_awaited, [&](const auto& one) { return !open.contains(one.first); });
    m_looking = true;
    m_pool.start([this, files = m_seen, without = std::move(without), names = m_names] {
        Look look{files, {}, without};
        try {
            lookBeside(look, names);
        } catch (const std::exception&) { // memory; what was found by then counts
        }
        look.files = lookAt(look.files);
        QMetaObject::invokeMethod(this, [this, look = std::move(look)] { take(look); }, Qt::QueuedConnection);
    });
}

void AlignmentWatch::take(const Look& all) {
    m_looking = false;
    m_names = all.names; // of a folder that has been added since, follow() asks again
    std::set<fs::path> gone;
    for (const auto& [file, now] : all.files) {
        const auto known = m_seen.find(file);
        if (known == m_seen.end())
            continue;
        const Seen before = std::exchange(known->second, now);
        const bool isOffered = std::ranges::any_of(m_offered, [&](const auto& one) { return one.second == file; });
        if (!now.isThere && !isOffered && isOpen(file))
            gone.insert(file);
        if (now.isThere && now.sha256 != before.sha256)
            readAgain(file, now);
    }
    m_gone.set(gone, tr("%1 was moved or deleted. The alignment that was read from it is still shown, but studies need the file."),
               tr("%1 alignments were moved or deleted. What was read from them is still shown, but studies need the files."));
    for (const Lacking& one : all.lacking)
        if (!one.found.empty())
            readNew(one, all.files);
    std::vector<UtteranceId> ids;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        ids.push_back(m_session->utterances()->at(row).id);
    std::ranges::for_each(ids, [this](UtteranceId id) { mark(id); });
    watch();
}

/// One that cannot be read yet is tried again when it changes, as others are.
void AlignmentWatch::readNew(const Lacking& lacking, const Files& files) {
    const OpenUtterance* open = m_session->utterances()->find(lacking.id);
    const Seen& now = files.at(lacking.found);
    if (!open || !canLack(*open) || open->file != lacking.recording || !now.isThere)
        return;
    if (const auto tried = m_offered.find(lacking.id); tried != m_offered.end() && tried->second == lacking.found && m_awaited.contains(lacking.found))
        return; // readAgain() has it
    m_offered[lacking.id] = lacking.found;
    m_seen.insert_or_assign(lacking.found, now);
    m_awaited[lacking.found] = {now.sha256, true};
    m_session->openAlignment(lacking.found, lacking.id);
}

/// An alignment that this program wrote is open already.
void AlignmentWatch::readAgain(const fs::path& file, const Seen& now) {
    const bool failed = m_awaited.contains(file); // this version may be open, with a warning about the one in between
    std::vector<UtteranceId> stale;
    bool isNew = false;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        if (const OpenUtterance& open = m_session->utterances()->at(row);
            open.state == OpenState::Ready && open.alignmentFile == file && (failed || !open.alignment || open.alignmentSha256 != now.sha256))
            stale.push_back(open.id);
        else if (const auto offered = m_offered.find(open.id); offered != m_offered.end() && offered->second == file && canLack(open)) {
            stale.push_back(open.id);
            isNew = true;
        }
    if (stale.empty())
        return;
    m_awaited[file] = {now.sha256, isNew};
    for (const UtteranceId id : stale)
        m_session->openAlignment(file, id);
}

} // namespace headroom::app
