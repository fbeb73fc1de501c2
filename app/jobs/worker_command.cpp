// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_command.h"

#include <QRegularExpression>

namespace headroom::app {

QStringList processArguments(const std::vector<std::string>& arguments) {
    QStringList words;
    for (const std::string& argument : arguments)
        words << QString::fromStdString(argument);
    return words;
}

QString shellLine(const std::vector<std::string>& arguments) {
    QStringList words{QStringLiteral("headroom-worker")};
    for (const QString& word : processArguments(arguments))
        words << shellWord(word);
    return words.join(u' ');
}

QString shellWord(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(word).hasMatch())
        return word;
    QString quoted = word;
    quoted.replace(u'\'', QLatin1String("'\\''"));
    return u'\'' + quoted + u'\'';
}

} // namespace headroom::app
