// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/names_apart.h"

#include "app/documents/items/paths.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace headroom::app {

namespace {

QStringList partsOf(const std::filesystem::path& folder) {
    QStringList parts;
    for (const auto& part : folder.relative_path())
        if (!part.empty())
            parts << toQString(part);
    return parts;
}

} // namespace

std::filesystem::path placeOfModel(const std::filesystem::path& folder, const QString& name) {
    return toQString(folder.filename()) == name || toQString(folder.stem()) == name ? folder.parent_path() : folder;
}

std::vector<QString> namesApart(const QString& name, const std::vector<std::filesystem::path>& folders) {
    std::vector<QStringList> parts;
    for (const auto& folder : folders)
        parts.push_back(partsOf(folder));
    std::vector<QString> names;
    for (const QStringList& own : parts) {
        qsizetype needed = 0;
        for (const QStringList& other : parts)
            if (other != own) {
                const auto same = std::mismatch(own.rbegin(), own.rend(), other.rbegin(), other.rend()).first - own.rbegin();
                needed = std::max<qsizetype>(needed, same + 1);
            }
        const QStringList end = own.mid(std::max<qsizetype>(0, own.size() - needed));
        names.push_back(needed == 0 || own.isEmpty() ? QString() : end.join(u'/') + u'/' + name);
    }
    return names;
}

std::vector<QString> namesApart(const std::vector<QString>& names, const std::vector<std::filesystem::path>& folders) {
    std::map<QString, std::vector<std::size_t>> byName;
    for (std::size_t i = 0; i < names.size(); ++i)
        byName[names[i]].push_back(i);
    std::vector<QString> apart(names.size());
    for (const auto& [name, same] : byName) {
        std::vector<std::filesystem::path> places;
        for (const std::size_t one : same)
            places.push_back(folders[one]);
        const std::vector<QString> found = namesApart(name, places);
        for (std::size_t i = 0; i < same.size(); ++i)
            apart[same[i]] = found[i];
    }
    return apart;
}

} // namespace headroom::app
