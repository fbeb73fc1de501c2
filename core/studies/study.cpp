// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/study.h"

#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"
#include "core/errors/whole_path.h"
#include "core/runs/strict_json.h"
#include "core/studies/json_fields.h"
#include "core/studies/study_json.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"

#include <set>

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kUnwritable = "study.unwritable";
constexpr const char* kDocumentsFolder = "architectures"; ///< within a study that the window began for a draft

/// A file that helps and is no part of the result: one that is missing or damaged says nothing.
json readHint(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return json::object();
    try {
        return readStrictObject(file, "study.badJson");
    } catch (const Error&) {
        return json::object();
    }
}

} // namespace

const char* toText(StudyKind kind) {
    switch (kind) {
    case StudyKind::Windows:
        return "windows";
    case StudyKind::Diagonality:
        return "diagonality";
    case StudyKind::Heads:
        return "heads";
    case StudyKind::Phones:
        return "phones";
    case StudyKind::Probe:
        return "probe";
    case StudyKind::Latency:
        return "latency";
    case StudyKind::Mixing:
        return "mixing";
    case StudyKind::Similarity:
        return "similarity";
    }
    return "";
}

StudyKind studyKind(std::string_view name) {
    std::string known;
    for (const StudyKind kind : kStudyKinds) {
        if (name == toText(kind))
            return kind;
        known += (known.empty() ? "" : ", ") + std::string(toText(kind));
    }
    throw Error("study.kind", "Unknown study “" + validText(name) + "”; known are " + known + ".",
                {{"kind", validText(name)}});
}

bool isOfTexts(const Study& study) {
    return !study.utterances.empty() && !study.utterances.front().text.empty();
}

std::vector<int> speakerClusters(const Study& study) {
    std::map<std::string, int> numbers;
    std::vector<int> clusters;
    std::set<int> measured;
    int next = 0;
    bool isOneKnown = false;
    for (const StudyUtterance& utterance : study.utterances) {
        if (utterance.speaker.empty()) {
            clusters.push_back(next++);
        } else {
            const auto [place, isNew] = numbers.try_emplace(utterance.speaker, next);
            next += isNew ? 1 : 0;
            clusters.push_back(place->second);
        }
        if (!utterance.error.empty())
            continue;
        measured.insert(clusters.back());
        isOneKnown = isOneKnown || !utterance.speaker.empty();
    }
    return isOneKnown && measured.size() > 1 ? clusters : std::vector<int>();
}

namespace {

/// Documents that a study keeps in its own folder move with it when the folder is renamed.
void findMovedDocuments(const fs::path& folder, Study& study) {
    std::error_code ignored;
    for (StudyModel& model : study.models) {
        const fs::path before = model.folder;
        if (before.parent_path().filename() != kDocumentsFolder || fs::exists(before, ignored))
            continue;
        const fs::path now = folder / kDocumentsFolder / before.filename();
        if (fs::exists(now, ignored))
            model.folder = now.string();
    }
}

} // namespace

Study readStudy(const fs::path& folder) {
    const StudyPaths paths{folder};
    std::error_code ignored;
    if (!fs::exists(paths.study(), ignored))
        throw Error("study.missing",
                    fs::exists(folder, ignored) ? folder.string() + " is not a study: it has no study.json." : unreadText(folder),
                    {{"folder", folder.string()}});
    Study study;
    const auto saysRunning = [&] {
        study = parseStudy(readSmallFile(paths.study(), "study.missing"), displayNameInFolder(paths.study()));
        return study.state == RunState::Running;
    };
    const bool isAbandoned = FileLock::isAbandoned(paths.lock(), saysRunning);
    const fs::path whole = wholePath(folder, ignored);
    study.id = displayName(whole);
    if (isAbandoned)
        study.state = RunState::Interrupted;
    findMovedDocuments(whole, study);
    return study;
}

void writeStudy(const fs::path& folder, const Study& study) {
    writeAtomically(StudyPaths{folder}.study(), std::string_view(studyText(study)), kUnwritable);
}

StudyProgress readStudyProgress(const fs::path& folder) {
    const json document = readHint(StudyPaths{folder}.progress());
    const std::string name = "progress.json";
    const JsonFields read{document, name, {}};
    StudyProgress progress;
    try {
        read("done", progress.done);
        read("total", progress.total);
        read("stage", progress.stage);
        read("secondsLeft", progress.secondsLeft);
        read("cached", progress.cached);
    } catch (const Error&) {
        return {};
    }
    return progress;
}

void writeStudyProgress(const fs::path& folder, const StudyProgress& progress) {
    const json document{{"format", "headroom/study-progress"},
                        {"version", 1},
                        {"done", progress.done},
                        {"total", progress.total},
                        {"stage", progress.stage},
                        {"secondsLeft", progress.secondsLeft},
                        {"cached", progress.cached}};
    writeAtomically(StudyPaths{folder}.progress(),
                    std::string_view(document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"),
                    kUnwritable);
}

void stopStudy(const fs::path& folder) {
    writeAtomically(StudyPaths{folder}.control(), std::string_view("{\"stop\": true}\n"), kUnwritable);
}

bool studyWasAskedToStop(const fs::path& folder) {
    return readHint(StudyPaths{folder}.control()).value("stop", json()) == true;
}

StudyArrays readStudyArrays(const fs::path& folder) {
    StudyArrays arrays;
    for (auto& [name, tensor] : readNpz(StudyPaths{folder}.results()))
        arrays.insert_or_assign(name, std::move(tensor));
    return arrays;
}

} // namespace headroom
