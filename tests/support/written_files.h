// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <stdexcept>

namespace headroom::testing {

/// Throws where the file cannot be written, so that no test goes on without it.
inline void writeFile(const QString& file, const QByteArray& bytes) {
    QFile handle(file);
    if (!handle.open(QIODevice::WriteOnly) || handle.write(bytes) != bytes.size())
        throw std::runtime_error("The test could not write " + file.toStdString() + ".");
}

/// Writes a program: `lines` for the shell.
inline void writeScript(const QString& file, const QByteArray& lines) {
    writeFile(file, "#!/bin/sh\n" + lines + "\n");
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

} // namespace headroom::testing
