// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/corpus_version.h"

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

CorpusVersion versionOfCorpus(const fs::path& corpus) {
    CorpusVersion version;
    std::error_code error;
    if (const auto time = fs::last_write_time(corpus, error); !error)
        version.newest = time;
    for (fs::directory_iterator at(corpus, error), end; !error && at != end; at.increment(error)) {
        std::error_code noTime, noSize;
        const auto time = at->last_write_time(noTime);
        const auto bytes = at->file_size(noSize);
        if (noTime || noSize) // a folder
            continue;
        version.newest = std::max(version.newest, time);
        version.bytes += bytes;
        ++version.files;
    }
    return version;
}

} // namespace headroom::app
