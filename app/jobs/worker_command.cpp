// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_command.h"

#include "core/commands/shell_words.h"

namespace headroom::app {

QStringList processArguments(const std::vector<std::string>& arguments) {
    QStringList words;
    for (const std::string& argument : arguments)
        words << QString::fromStdString(argument);
    return words;
}

QString shellLine(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"headroom-worker"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return QString::fromStdString(headroom::shellLine(words));
}

QString shellWord(const QString& word) {
    return QString::fromStdString(headroom::shellWord(word.toStdString()));
}

} // namespace headroom::app
