// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/alignment_again.h"

#include "app/documents/files/on_disk.h"
#include "app/documents/files/program_lock.h"
#include "core/alignment/readers.h"
#include "core/errors/error.h"

namespace headroom::app {

std::filesystem::path unusedName(const std::filesystem::path& first) {
    std::filesystem::path name = first;
    for (int number = 2; isOnDisk(name); ++number)
        name = numbered(first, number);
    return name;
}

std::filesystem::path writeAgain(const Alignment& alignment, Seconds duration, const std::filesystem::path& first) {
    const std::filesystem::path file = unusedName(first);
    try {
        writeTextGrid(file, textGridOf(alignment, duration));
    } catch (const Error&) { // reading it says so
    }
    return file;
}

std::optional<SessionDocument::FileEntry> writtenAgain(const OpenUtterance& utterance, const Alignment* alignment,
                                                       const std::filesystem::path& file) {
    const std::filesystem::path folder = file.parent_path(), now = utterance.file.parent_path();
    if (!utterance.isRecorded || !alignment || folder == now || folder.filename() != kRecordingsName || !isGone(file))
        return std::nullopt;
    const std::filesystem::path written = writeAgain(*alignment, utterance.duration(), now / file.filename().replace_extension(".TextGrid"));
    return SessionDocument::FileEntry{written, hashOfFile(written)};
}

} // namespace headroom::app
