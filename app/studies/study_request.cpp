// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_request.h"

#include "app/documents/paths.h"
#include "app/runs/launch.h"

#include <QRegularExpression>

#include <set>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

fs::path recordingsOf(const fs::path& folder) {
    return folder / "recordings";
}

void link(const fs::path& target, const fs::path& place) {
    std::error_code failure;
    fs::create_symlink(target, place, failure);
    if (failure && failure != std::errc::file_exists)
        throw Error("study.unwritable", "The recording " + target.filename().string() +
                                            " could not be put into " + place.parent_path().string() + ": " +
                                            failure.message() + ".");
}

} // namespace

QStringList arguments(const StudyRequest& request) {
    QStringList words{QStringLiteral("study"), QString::fromLatin1(toText(request.kind))};
    const auto add = [&](const char* option, const QString& value) {
        words << QString::fromLatin1(option) << value;
    };
    for (const fs::path& model : request.models)
        add("--model", toQString(model));
    if (request.kind != StudyKind::Latency) {
        add("--data", toQString(request.data.empty() ? recordingsOf(request.folder) : request.data));
        if (!request.split.isEmpty())
            add("--split", request.split);
        add("--utterances", QString::number(request.utterances));
        add("--seed", QString::number(request.seed));
    }
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

void prepare(const StudyRequest& request) {
    const fs::path place = request.data.empty() && request.kind != StudyKind::Latency
                               ? recordingsOf(request.folder)
                               : request.folder;
    std::error_code failure;
    fs::create_directories(place, failure);
    if (failure)
        throw Error("study.unwritable",
                    "The folder " + place.string() + " could not be made: " + failure.message() + ".");
    if (place == request.folder)
        return;
    std::set<std::string> stems;
    for (const StudyRecording& recording : request.recordings) {
        // Two recordings of one name from different folders stay apart.
        const std::string stem = recording.audio.stem().string();
        std::string name = stem;
        for (int n = 2; !stems.insert(name).second; ++n)
            name = stem + " " + std::to_string(n);
        link(recording.audio, place / (name + recording.audio.extension().string()));
        if (!recording.alignment.empty())
            link(recording.alignment, place / (name + recording.alignment.extension().string()));
    }
}

} // namespace headroom::app
