// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/shared_data.h"

#include <QTest>

#include <utility>
#include <vector>

namespace headroom::testing {

/// Golden results in the repository. Made by tests/golden/make.py.
inline std::filesystem::path repositoryGoldens() {
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "data";
}

/// The folders of golden results, all laid out alike, with their names in test rows: "repository" always, "shared"
/// where sharedData() exists.
inline std::vector<std::pair<const char*, std::filesystem::path>> goldenFolders() {
    std::vector<std::pair<const char*, std::filesystem::path>> folders{{"repository", repositoryGoldens()}};
    if (!sharedData().empty())
        folders.emplace_back("shared", sharedData());
    return folders;
}

/// For a _data slot: adds the column "goldens" and a row for each folder. In initTestCase_data() it makes every
/// slot of the class run once for each folder.
inline void addGoldenFolders() {
    QTest::addColumn<QString>("goldens");
    for (const auto& [name, folder] : goldenFolders())
        QTest::newRow(name) << QString::fromStdString(folder.string());
}

/// The folder of the current row.
inline std::filesystem::path goldens() {
    QFETCH(QString, goldens);
    return goldens.toStdString();
}

/// The folder of the current row of initTestCase_data(). Not for initTestCase(), which runs once.
inline std::filesystem::path classGoldens() {
    QFETCH_GLOBAL(QString, goldens);
    return goldens.toStdString();
}

} // namespace headroom::testing
