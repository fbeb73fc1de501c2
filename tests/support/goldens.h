// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/golden_folders.h"

#include <initializer_list>

#include <QTest>

namespace headroom::testing {

/// For a _data slot: adds the column "goldens" and a row for each folder. In initTestCase_data() it makes every
/// slot of the class run once for each folder.
inline void addGoldenFolders() {
    QTest::addColumn<QString>("goldens");
    for (const auto& [name, folder] : goldenFolders())
        QTest::newRow(name) << QString::fromStdString(folder.string());
}

/// For a _data slot: adds the column "folder" and a row for each of these encoders in parity/encoders that has goldens.
inline void addEncoderFolders(std::initializer_list<const char*> families) {
    QTest::addColumn<QString>("folder");
    for (const auto& [name, goldens] : goldenFolders())
        for (const char* family : families)
            if (const auto folder = goldens / "parity" / "encoders" / family;
                std::filesystem::exists(folder / "expected" / "expected.json"))
                QTest::addRow("%s %s", name, family) << QString::fromStdString(folder.string());
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
