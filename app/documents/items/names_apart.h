// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <utility>
#include <vector>

namespace headroom::app {

/// What tells apart things of the name `name` that lie in these folders: the name after the end of its folder that no other one has,
/// "a/talk" and "b/talk". Empty where the name is enough, or nothing helps: it is the only one, lies nowhere (an empty
/// folder), or all lie in one folder. Reads no disk.
std::vector<QString> namesApart(const QString& name, const std::vector<std::filesystem::path>& folders);

/// The same for things of several names together, each with the others of its own name.
std::vector<QString> namesApart(const std::vector<QString>& names, const std::vector<std::filesystem::path>& folders);

/// Where a model lies that is called `name`: in its folder, or where that is called the same, in what holds it.
std::filesystem::path placeOfModel(const std::filesystem::path& folder, const QString& name);

/// Sets `apart` of all items that are called `name` to what `namesOf` returns for them together; returns the rows of those where it
/// changed. `nameOf`: what an item is called alone.
template <class Item, class NameOf, class NamesOf>
std::vector<int> tellApart(std::vector<Item>& items, const QString& name, NameOf nameOf, NamesOf namesOf) {
    std::vector<int> changed;
    std::vector<Item*> same;
    for (Item& item : items)
        if (nameOf(item) == name)
            same.push_back(&item);
    const std::vector<QString> names = namesOf(std::as_const(same));
    for (std::size_t i = 0; i < same.size(); ++i)
        if (same[i]->apart != names[i]) {
            same[i]->apart = names[i];
            changed.push_back(static_cast<int>(same[i] - items.data()));
        }
    return changed;
}

} // namespace headroom::app
