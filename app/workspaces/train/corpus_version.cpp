// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/corpus_version.h"

#include <algorithm>
#include <functional>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// In any order: a folder is not listed in the same order each time.
void add(const fs::path& path, CorpusVersion& version) {
    std::error_code problem, ignored;
    const fs::file_status status = fs::status(path, problem);
    std::uint64_t own = fs::hash_value(path);
    const auto mix = [&](std::uint64_t value) { own ^= std::hash<std::uint64_t>()(value) + 0x9e3779b97f4a7c15U + (own << 6) + (own >> 2); };
    mix(static_cast<std::uint64_t>(status.type()) << 16 | static_cast<std::uint64_t>(status.permissions()));
    if (const auto time = fs::last_write_time(path, problem); !problem) {
        if (time <= fs::file_time_type::clock::now()) // one of a clock that is ahead says nothing of the last change
            version.newest = std::max(version.newest, time);
        mix(static_cast<std::uint64_t>(time.time_since_epoch().count()));
    }
    if (status.type() == fs::file_type::regular)
        mix(fs::file_size(path, ignored));
    version.state += own;
}

} // namespace

CorpusVersion versionOfCorpus(const fs::path& corpus, const std::vector<fs::path>& files) {
    CorpusVersion version;
    add(corpus, version);
    std::error_code error;
    for (fs::directory_iterator at(corpus, error), end; !error && at != end; at.increment(error))
        add(at->path(), version);
    for (const fs::path& file : files)
        add(file, version);
    return version;
}

} // namespace headroom::app
