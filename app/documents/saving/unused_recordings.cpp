// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/unused_recordings.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/program_lock.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "core/audio/audio_name.h"

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

bool reads(const SessionDocument& document, const fs::path& file) {
    return std::ranges::any_of(document.utterances, [&](const auto& entry) {
        return audioName(entry.audio.path).file == file || (entry.alignment && entry.alignment->path == file);
    });
}

/// What cannot be read may read the file.
template <typename Read> bool mayRead(const Read& read, const fs::path& file) {
    try {
        return reads(read(), file);
    } catch (const Error&) {
        return true;
    }
}

} // namespace

bool sessionMayRead(const fs::path& folder, const fs::path& file) {
    return isOnDisk(folder / kSessionFileName) && mayRead([&] { return readSession(folder); }, file);
}

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
            m_files.insert(one.file);
}

void UnusedRecordings::moveAway() {
    std::vector<InWastebasket> moved;
    std::erase_if(m_files, [&](const fs::path& file) {
        if (!isOnDisk(file))
            return true;
        if (isUsed(file))
            return false;
        InWastebasket one;
        if (const QString problem = moveToWastebasket(file, one); problem.isEmpty())
            moved.push_back(std::move(one));
        else
            m_session->messages()->post(Severity::Info, problem);
        return true;
    });
    if (!moved.empty())
        say(moved);
}

bool UnusedRecordings::isUsed(const fs::path& file) const {
    const UtteranceList& all = *m_session->utterances();
    for (int row = 0; row < all.count(); ++row)
        if (audioName(all.at(row).file).file == file)
            return true;
    const fs::path folder = file.parent_path().parent_path();
    if (!isOnDisk(folder / kSessionFileName) || sessionMayRead(folder, file))
        return true;
    for (int number = 1; number <= kMostPrograms; ++number)
        if (const fs::path kept = numbered(folder / kRecoveryFileName, number); isOnDisk(kept) && mayRead([&] { return readRecovery(kept).document; }, file))
            return true;
    return isReadElsewhere(file);
}

void UnusedRecordings::say(const std::vector<InWastebasket>& moved) {
    static int s_times = 0;
    const QString cause = QStringLiteral("unused recordings %1").arg(++s_times);
    const bool isOne = moved.size() == 1;
    m_session->messages()->post(
        Severity::Info,
        isOne ? tr("Moved the recording “%1” to the wastebasket, since it is no longer in the session.").arg(toQString(moved.front().folder.filename()))
              : tr("Moved %1 recordings to the wastebasket, since they are no longer in the session.").arg(moved.size()),
        isOne ? tr("Put it back") : tr("Put them back"),
        [this, moved, cause] {
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
