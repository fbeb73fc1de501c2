// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/resources/resource_folder.h"

#include <cstdlib>
#include <system_error>
#include <vector>

namespace headroom::training {

namespace fs = std::filesystem;

fs::path resourceFolderWith(const fs::path& file) {
    std::vector<fs::path> places;
    std::error_code ignored;
    if (const char* set = std::getenv("HEADROOM_RESOURCES"); set != nullptr && *set != '\0') {
        places = {fs::path(set)};
    } else {
        const auto program = fs::read_symlink("/proc/self/exe", ignored);
        places = {program.parent_path() / ".." / "share" / "headroom", fs::path(HEADROOM_RESOURCE_FOLDER)};
    }
    for (const auto& place : places)
        if (fs::exists(place / file, ignored))
            return place;
    return {};
}

std::string shippedFile(const std::string& given, const std::vector<std::string>& folders) {
    const fs::path name(given);
    std::error_code ignored;
    if (name.has_parent_path() || name.extension() != ".json" || fs::exists(name, ignored))
        return given;
    for (const std::string& folder : folders)
        if (const fs::path file = folder / name; !resourceFolderWith(file).empty())
            return fs::weakly_canonical(resourceFolderWith(file) / file, ignored).string();
    return given;
}

} // namespace headroom::training
