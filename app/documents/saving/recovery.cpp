// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/recovery.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/program_lock.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"

#include <algorithm>
#include <set>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

std::set<fs::path> soundsOf(const SessionDocument& document) {
    std::set<fs::path> files;
    for (const auto& entry : document.utterances)
        files.insert(entry.audio.path);
    return files;
}

/// Removes the recordings that writing put where saving would have, except those that the saved session reads.
void removeRecordings(const fs::path& file) {
    const fs::path folder = normalised(file).parent_path();
    try {
        const auto saved = soundsOf(readSession(folder));
        for (const auto& entry : readRecovery(file).document.utterances) {
            std::error_code ignored;
            if (entry.recorded && entry.audio.path.parent_path() == folder / kRecordingsName && !saved.contains(entry.audio.path))
                fs::remove(entry.audio.path, ignored);
        }
    } catch (const Error&) { // what cannot be read names no recordings
    }
}

} // namespace

std::vector<fs::path> Recovery::leftIn(const fs::path& folder) {
    std::vector<std::pair<fs::file_time_type, fs::path>> left;
    for (int number = 1; number <= kMostPrograms; ++number)
        if (const fs::path file = numbered(folder / kRecoveryFileName, number); isOnDisk(file) && lockOf(file)) {
            std::error_code ignored;
            left.emplace_back(fs::last_write_time(file, ignored), file);
        }
    std::ranges::sort(left, std::greater());
    std::vector<fs::path> files;
    for (const auto& [when, file] : left)
        files.push_back(file);
    return files;
}

void Recovery::discard(const fs::path& file) {
    const auto lock = lockOf(file);
    if (!lock)
        return; // another window has restored it meanwhile
    removeRecordings(file);
    std::error_code ignored;
    fs::remove(file, ignored);
}

void Recovery::write(Session* session, const std::string& ofSession) {
    const fs::path folder = session->folder();
    if (m_file.parent_path() != folder)
        remove(false);
    for (int number = 1; number <= kMostPrograms && !m_lock; ++number) {
        const fs::path file = numbered(folder / kRecoveryFileName, number);
        if (auto lock = lockOf(file); lock && !isOnDisk(file)) { // what was left waits until somebody decides on it
            m_lock = std::move(lock);
            m_file = file;
        }
    }
    if (!m_lock)
        throw Error("session.unwritable",
                    folder.string() + " has unsaved changes from " + std::to_string(kMostPrograms) + " windows: restore or discard some of them.",
                    {{"file", folder.string()}});
    session->writeRecovery(m_file, ofSession);
}

void Recovery::restore(Session* session, const fs::path& file) {
    auto lock = lockOf(file);
    if (!lock || !isOnDisk(file))
        throw Error("session.missing", "The changes in " + file.string() + " were restored or discarded in another window.",
                    {{"file", file.string()}});
    session->openRecovery(file);
    remove(false);
    m_file = file;
    m_lock = std::move(lock);
}

void Recovery::remove(bool recordings) {
    if (!m_file.empty()) {
        if (recordings)
            removeRecordings(m_file);
        std::error_code ignored;
        fs::remove(m_file, ignored);
    }
    m_file.clear();
    m_lock.reset();
}

} // namespace headroom::app
