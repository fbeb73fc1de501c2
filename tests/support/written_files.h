// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace headroom::testing {

/// Writes the file as the program does: who reads meanwhile sees the old one or the new one, whole. Throws where it cannot be written,
/// so that no test goes on without it.
inline void writeFile(const QString& file, const QByteArray& bytes, QFile::Permissions more = {}) {
    QFile handle(file + ".new");
    if (!handle.open(QIODevice::WriteOnly) || handle.write(bytes) != bytes.size() || !handle.flush() ||
        !handle.setPermissions(handle.permissions() | more))
        throw std::runtime_error("The test could not write " + file.toStdString() + ".");
    handle.close();
    std::filesystem::rename(handle.fileName().toStdString(), file.toStdString());
}

/// As above; the folder is made where it is missing.
inline void writeFile(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    writeFile(QString::fromStdString(file.string()), QByteArray::fromStdString(bytes));
}

/// Writes a program: `lines` for the shell. One that is replaced while it runs goes on as it was.
inline void writeScript(const QString& file, const QByteArray& lines) {
    writeFile(file, "#!/bin/sh\n" + lines + "\n", QFile::ExeOwner);
}

} // namespace headroom::testing
