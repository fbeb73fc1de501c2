// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/worker_bundle.h"

#include "core/errors/error.h"

#include <cstdlib>

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool isBundle(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "bin/headroom-worker", ignored) && fs::exists(folder / "libexec/headroom-worker", ignored);
}

} // namespace

fs::path workerBundle(const fs::path& program, const std::string& version) {
    if (const fs::path own = program.parent_path().parent_path(); !own.empty() && isBundle(own))
        return own;
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const fs::path base = cache && *cache == '/' ? fs::path(cache) : fs::path(home ? home : "/") / ".cache";
    return base / "headroom" / ("worker-" + version);
}

void checkBundle(const fs::path& folder) {
    if (isBundle(folder))
        return;
    std::error_code ignored;
    const std::string how = " Make one in Headroom's source folder: packaging/bundle-worker";
    throw Error("install.noBundle",
                fs::exists(folder, ignored) ? folder.string() + " is not a worker bundle." + how
                                            : "There is no worker bundle to copy: " + folder.string() + " does not exist." + how,
                {{"folder", folder.string()}});
}

} // namespace headroom
