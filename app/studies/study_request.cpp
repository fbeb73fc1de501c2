// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_request.h"

#include "app/documents/paths.h"
#include "app/runs/launch.h"

#include <QRegularExpression>


namespace headroom::app {

namespace fs = std::filesystem;

QStringList arguments(const StudyRequest& request) {
    QStringList words{QStringLiteral("study"), QString::fromLatin1(toText(request.kind))};
    const auto add = [&](const char* option, const QString& value) {
        words << QString::fromLatin1(option) << value;
    };
    for (const fs::path& model : request.models)
        add("--model", toQString(model));
    if (request.kind != StudyKind::Latency && !request.data.empty()) {
        add("--data", toQString(request.data));
        if (!request.split.isEmpty())
            add("--split", request.split);
        add("--utterances", QString::number(request.utterances));
    } else if (request.kind != StudyKind::Latency) {
        words << QStringLiteral("--audio");
        for (const fs::path& recording : request.recordings)
            words << toQString(recording);
    }
    add("--seed", QString::number(request.seed));
    for (const auto& [key, value] : request.settings.items())
        add("--set", QString::fromStdString(key + "=" + value.dump()));
    if (request.figures)
        words << QStringLiteral("--figures");
    add("--out", toQString(request.folder));
    return words;
}

QString commandLine(const StudyRequest& request) {
    QStringList words{QStringLiteral("headroom-worker")};
    for (const QString& word : arguments(request))
        words << shellWord(word);
    return words.join(u' ');
}

QString studyFolderName(const QString& when, StudyKind kind, const QString& what) {
    static const QRegularExpression other(QStringLiteral("[^\\p{L}\\p{N}.]+"));
    QString name = what;
    name.replace(other, QStringLiteral("-"));
    while (name.startsWith(u'-') || name.startsWith(u'.'))
        name.remove(0, 1);
    while (name.endsWith(u'-'))
        name.chop(1);
    return QStringList{when, QString::fromLatin1(toText(kind)), name.left(60)}
        .filter(QRegularExpression(QStringLiteral(".")))
        .join(u'_');
}

} // namespace headroom::app
