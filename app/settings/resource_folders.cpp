// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/resource_folders.h"

#include "app/documents/items/paths.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {

bool isFolder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

} // namespace

std::filesystem::path resourceFolder() {
    if (const QString set = qEnvironmentVariable("HEADROOM_RESOURCES"); !set.isEmpty())
        return isFolder(toPath(set)) ? toPath(set) : std::filesystem::path();
    const auto installed = toPath(QCoreApplication::applicationDirPath()) / ".." / "share" / "headroom";
    for (const auto& folder : {installed, std::filesystem::path(HEADROOM_RESOURCE_FOLDER)})
        if (isFolder(folder))
            return normalised(folder);
    return {};
}

std::filesystem::path demoSessionFolder() {
    const auto resources = resourceFolder();
    const auto folder = resources / "demo" / "demo.headroom";
    return !resources.empty() && isFolder(folder) ? folder : std::filesystem::path();
}

} // namespace headroom::app
