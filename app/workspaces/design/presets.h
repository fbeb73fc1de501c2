// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace headroom::app {

/// One architecture that comes with the program. A value.
struct Preset {
    QString name;
    QString paper; ///< "Alastruey et al. 2022", read from its source; empty: none named
    std::filesystem::path file;
    Architecture architecture;
};

/// Every *.json of a folder, by paper and then by file name. A file that cannot be read is left out and its
/// sentence added to `mistakes`.
std::vector<Preset> readPresets(const std::filesystem::path& folder, QStringList* mistakes = nullptr);

/// The title of a paper of this field; empty where it is not known.
QString titleOf(const QString& paper);

} // namespace headroom::app
