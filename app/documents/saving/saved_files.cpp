// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/saved_files.h"

#include "app/documents/files/on_disk.h"
#include "core/audio/audio_name.h"

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

SavedFiles SavedFiles::ofSession(const fs::path& folder) {
    SavedFiles files;
    try {
        files.m_document = !folder.empty() && isOnDisk(folder / kSessionFileName) ? readSession(folder) : SessionDocument();
    } catch (const Error&) {
    }
    return files;
}

SavedFiles SavedFiles::ofChanges(const fs::path& file) {
    SavedFiles files;
    try {
        files.m_document = readRecovery(file).document;
    } catch (const Error&) {
    }
    return files;
}

bool SavedFiles::mayHave(const fs::path& file, const std::string& sha256) const {
    return !m_document || std::ranges::any_of(m_document->utterances, [&](const auto& entry) {
        if (audioName(entry.audio.path).file == file)
            return true;
        return entry.alignment && entry.alignment->path == file &&
               (sha256.empty() || entry.alignment->sha256.empty() || entry.alignment->sha256 == sha256);
    });
}

} // namespace headroom::app
