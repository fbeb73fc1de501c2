// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_request.h"

#include "app/documents/items/open_model.h"
#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "core/errors/error.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/sha256.h"

#include <QRegularExpression>

#include <algorithm>
#include <span>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

QString forFileName(QString text) {
    static const QRegularExpression other(QStringLiteral("[^\\p{L}\\p{N}.]+"));
    return text.replace(other, QStringLiteral("-"));
}

/// What is the same without being written is not.
void takeRecordings(const std::vector<StudyRequest::Recording>& recordings, StudyOptions& options) {
    bool aligned = false, named = false;
    for (const StudyRequest::Recording& one : recordings) {
        aligned = aligned || !one.alignment.empty();
        named = named || (!one.id.empty() && one.id != one.file.stem().string());
    }
    for (const StudyRequest::Recording& one : recordings) {
        options.audio.push_back(one.file);
        if (aligned)
            options.alignments.push_back(one.alignment.empty() ? fs::path(kNoAlignment) : one.alignment);
        if (named)
            options.ids.push_back(one.id.empty() ? one.file.stem().string() : one.id);
    }
}

/// Results of runs are called as the window calls them: their folders do not say all of that, and a copy elsewhere nothing.
std::vector<std::string> namesWithResults(const StudyRequest& request) {
    const auto isResult = [](const fs::path& model) { return !nameOfResult(model, "model").empty(); };
    std::vector<std::string> names;
    if (std::ranges::any_of(request.models, isResult))
        for (const QString& name : request.modelNames)
            names.push_back(name.toStdString());
    return names;
}

} // namespace

StudyOptions optionsOf(const StudyRequest& request) {
    StudyOptions options;
    options.kind = toText(request.kind);
    if (request.models.size() == 1 && holdsMaps(request.models.front()))
        options.maps = request.models.front();
    else {
        options.models = request.models;
        options.names = namesWithResults(request);
    }
    if (request.kind != StudyKind::Latency) { // which measures no recordings
        options.data = request.data;
        options.split = request.data.empty() ? std::string() : request.split.toStdString();
        options.utterances = request.data.empty() ? StudyOptions().utterances : request.utterances;
        if (request.data.empty())
            takeRecordings(request.recordings, options);
        options.texts = request.data.empty() ? request.texts : std::vector<std::string>();
    }
    options.seed = request.seed;
    for (const auto& [key, value] : request.settings.items())
        options.set.push_back(key + "=" + value.dump());
    options.figures = request.figures;
    options.place = request.place;
    options.device = request.device;
    options.out = request.folder;
    return options;
}

QString commandLine(const StudyRequest& request) {
    return shellLine(arguments(optionsOf(request)));
}

fs::path phoneMapFile(const fs::path& studies, const PhoneMap& map) {
    const std::string text = map.text();
    const QString title = forFileName(QString::fromStdString(map.title()));
    const QString hash = QString::fromStdString(sha256OfBytes(std::as_bytes(std::span(text))).substr(0, 12));
    return studies / "phone-maps" / toPath(QStringLiteral("%1_%2.tsv").arg(title, hash));
}

void writePhoneMap(const StudyRequest& request) {
    if (request.phoneMap.empty())
        return;
    const fs::path file = request.settings.at("phoneMap").get<std::string>();
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    if (problem)
        throw Error("phones.unwritable", file.string() + " could not be written: " + problem.message() + ".");
    writeAtomically(file, request.phoneMap, "phones.unwritable");
}

QString studyFolderName(const QString& when, StudyKind kind, const QString& what) {
    QString name = forFileName(what);
    while (name.startsWith(u'-') || name.startsWith(u'.'))
        name.remove(0, 1);
    while (name.endsWith(u'-'))
        name.chop(1);
    return QStringList{when, QString::fromLatin1(toText(kind)), name.left(60)}
        .filter(QRegularExpression(QStringLiteral(".")))
        .join(u'_');
}

} // namespace headroom::app
