// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <vector>

namespace headroom::app {

/// What tells apart things of the name `name` that lie in these folders: the name after the end of its folder that no other one has,
/// "a/talk" and "b/talk". Empty where the name is enough, or nothing helps: it is the only one, lies nowhere (an empty
/// folder), or all lie in one folder. Reads no disk.
std::vector<QString> namesApart(const QString& name, const std::vector<std::filesystem::path>& folders);

/// Where a model lies that is called `name`: in its folder, or where that is called the same, in what holds it.
std::filesystem::path placeOfModel(const std::filesystem::path& folder, const QString& name);

/// Sets `apart` of all items of that name; returns the rows of those where it changed.
template <class Item, class FolderOf>
std::vector<int> tellApart(std::vector<Item>& items, const QString& name, FolderOf folderOf) {
    std::vector<int> same, changed;
    std::vector<std::filesystem::path> folders;
    for (std::size_t row = 0; row < items.size(); ++row)
        if (items[row].name == name) {
            same.push_back(static_cast<int>(row));
            folders.push_back(folderOf(items[row]));
        }
    const std::vector<QString> names = namesApart(name, folders);
    for (std::size_t i = 0; i < same.size(); ++i)
        if (QString& apart = items[static_cast<std::size_t>(same[i])].apart; apart != names[i]) {
            apart = names[i];
            changed.push_back(same[i]);
        }
    return changed;
}

} // namespace headroom::app
