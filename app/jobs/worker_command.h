// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace headroom::app {

// Command lines of the worker (core/commands/worker_commands.h) as Qt and a shell take them. Thread-safe.

/// The arguments for QProcess: "study", "windows", "--model" …
QStringList processArguments(const std::vector<std::string>& arguments);
/// The line that does the same in a POSIX shell: "headroom-worker study windows --model '/my models/small' …".
QString shellLine(const std::vector<std::string>& arguments);
/// One word of a POSIX shell, quoted where it must be.
QString shellWord(const QString& word);

} // namespace headroom::app
