// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/unused_recordings.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/program_lock.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/saved_files.h"
#include "app/documents/session.h"
#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "core/tensors/sha256.h"

#include <algorithm>
#include <span>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

/// What other files say that they read. Each is read once, however many recordings were removed.
class UnusedRecordings::Readers {
public:
    explicit Readers(const std::vector<fs::path>& otherSessions) {
        for (const fs::path& folder : otherSessions)
            m_others.push_back(SavedFiles::ofSession(folder));
    }
    /// Of the session in this folder, and of its changes.
    bool mayHave(const fs::path& folder, const fs::path& file) {
        const auto have = [&](const std::vector<SavedFiles>& all) {
            return std::ranges::any_of(all, [&](const SavedFiles& one) { return one.mayHave(file); });
        };
        return have(of(folder)) || have(m_others);
    }

private:
    const std::vector<SavedFiles>& of(const fs::path& folder) {
        const auto [found, isNew] = m_own.try_emplace(folder);
        if (isNew) {
            found->second.push_back(SavedFiles::ofSession(folder));
            for (int number = 1; number <= kMostPrograms; ++number)
                if (const fs::path kept = numbered(folder / kRecoveryFileName, number); isOnDisk(kept))
                    found->second.push_back(SavedFiles::ofChanges(kept));
        }
        return found->second;
    }

    std::map<fs::path, std::vector<SavedFiles>> m_own;
    std::vector<SavedFiles> m_others;
};

UnusedRecordings::UnusedRecordings(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    connect(session->utterances(), &QAbstractItemModel::rowsInserted, this, &UnusedRecordings::follow);
    connect(session->utterances(), &QAbstractItemModel::dataChanged, this, &UnusedRecordings::follow);
    connect(session, &Session::viewStateRestored, this, [this] { // another session; that of the files was saved, or its changes discarded
        moveAway();
        m_files.clear();
        follow();
    });
    follow();
}

void UnusedRecordings::follow() {
    const UtteranceList& all = *m_session->utterances();
    for (int row = 0; row < all.count(); ++row)
        if (const OpenUtterance& one = all.at(row); one.isRecorded && one.recording && one.file.parent_path().filename() == kRecordingsName)
            m_files.insert_or_assign(one.file, OwnAlignment{one.alignmentFile, one.alignmentSha256, one.alignment, one.duration()});
}

void UnusedRecordings::moveAway() {
    const bool isAnyOut = std::ranges::any_of(m_files, [this](const auto& one) { return !isOpen(one.first); });
    if (!isAnyOut)
        return;
    Readers readers(otherSessions());
    std::vector<InWastebasket> recordings, alignments;
    std::erase_if(m_files, [&](const auto& one) {
        const auto& [file, own] = one;
        if (!isOnDisk(file))
            return true;
        if (isUsed(file, readers))
            return false;
        if (move(file, recordings) && own.file.parent_path() == file.parent_path() && isByHeadroom(own) && !isUsed(own.file, readers))
            move(own.file, alignments);
        return true;
    });
    if (!recordings.empty())
        say(recordings, alignments);
}

/// Not one that somebody has changed: Undo writes it again as Headroom did.
bool UnusedRecordings::isByHeadroom(const OwnAlignment& own) {
    if (!own.alignment || own.alignment->origin.empty() || hashOfFile(own.file) != own.sha256)
        return false;
    const std::string text = textOf(textGridOf(*own.alignment, own.duration));
    return sha256OfBytes(std::as_bytes(std::span(text))) == own.sha256;
}

bool UnusedRecordings::move(const fs::path& file, std::vector<InWastebasket>& moved) const {
    InWastebasket one;
    const QString problem = moveToWastebasket(file, one);
    if (problem.isEmpty())
        moved.push_back(std::move(one));
    else
        m_session->messages()->post(Severity::Info, problem);
    return problem.isEmpty();
}

bool UnusedRecordings::isOpen(const fs::path& file) const {
    const UtteranceList& all = *m_session->utterances();
    for (int row = 0; row < all.count(); ++row)
        if (audioName(all.at(row).file).file == file || all.at(row).alignmentFile == file)
            return true;
    return false;
}

bool UnusedRecordings::isUsed(const fs::path& file, Readers& readers) const {
    const fs::path folder = file.parent_path().parent_path();
    return isOpen(file) || !isOnDisk(folder / kSessionFileName) || readers.mayHave(folder, file) || isReadElsewhere(file);
}

void UnusedRecordings::say(const std::vector<InWastebasket>& recordings, const std::vector<InWastebasket>& alignments) {
    static int s_times = 0;
    const QString cause = QStringLiteral("unused recordings %1").arg(++s_times);
    const QString name = toQString(recordings.front().folder.filename());
    const auto count = recordings.size();
    const bool isAlone = count == 1 && alignments.empty();
    const QString sentence =
        isAlone             ? tr("Moved the recording “%1” to the wastebasket, since it is no longer in the session.").arg(name)
        : count == 1        ? tr("Moved the recording “%1” and its alignment to the wastebasket, since they are no longer in the session.").arg(name)
        : alignments.empty() ? tr("Moved %1 recordings to the wastebasket, since they are no longer in the session.").arg(count)
                            : tr("Moved %1 recordings and their alignments to the wastebasket, since they are no longer in the session.").arg(count);
    std::vector<InWastebasket> moved = recordings;
    moved.insert(moved.end(), alignments.begin(), alignments.end());
    m_session->messages()->post(
        Severity::Info, sentence, isAlone ? tr("Put it back") : tr("Put them back"),
        [this, moved = std::move(moved), cause] {
            m_session->messages()->settle(cause);
            putBack(moved);
        },
        {cause});
}

/// They stay then: nothing looks for them again.
void UnusedRecordings::putBack(const std::vector<InWastebasket>& moved) {
    for (const InWastebasket& one : moved)
        if (const QString problem = bringBack(one); !problem.isEmpty())
            m_session->messages()->post(Severity::Error, problem);
}

} // namespace headroom::app
