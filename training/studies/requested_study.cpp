// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/requested_study.h"

#include "core/errors/display_name.h"
#include "core/errors/whole_path.h"
#include "core/studies/settings.h"
#include "models/checkpoints/model_folder.h"
#include "training/studies/sample.h"
#include "training/studies/study_draft.h"
#include "training/studies/study_work.h"

#include <algorithm>

namespace headroom::training {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string folderName(const fs::path& folder) {
    return displayName(wholePath(folder));
}

bool sameModels(const Study& before, const StudyRequest& request) {
    const auto same = [&](const fs::path& asked, const StudyModel& model) {
        return wholePath(asked) == wholePath(model.folder) || // a run's folder stands for its model
               (asked != request.maps && wholePath(models::describeModelFolder(asked).folder) == wholePath(model.folder));
    };
    const auto asked = requestedModels(request);
    return std::equal(asked.begin(), asked.end(), before.models.begin(), before.models.end(), same);
}

/// `aligned`: the request names the alignments, which are otherwise what was found.
bool sameUtterances(const Study& a, const Study& b, bool aligned) {
    return std::equal(a.utterances.begin(), a.utterances.end(), b.utterances.begin(), b.utterances.end(),
                      [aligned](const StudyUtterance& left, const StudyUtterance& right) {
                          return left.id == right.id && left.audio == right.audio && left.text == right.text &&
                                 (!aligned || left.alignment == right.alignment);
                      });
}

/// The key of a setting that differs; what a study decides for itself ("auto", "") fits everything.
std::string otherSetting(const Study& before, const StudyRequest& request) {
    const json asked = studyWork(request.kind, request.settings)->settings();
    const json given = readStudySettings(before.kind, before.settings); // with those that its version did not know
    for (const auto& [key, value] : asked.items())
        if (value != "auto" && value != "" && given.value(key, json()) != value)
            return key;
    return {};
}

} // namespace

Study documentOf(const StudyRequest& request, std::vector<std::string>& problems) {
    Study study;
    study.id = folderName(request.out);
    study.kind = request.kind;
    study.seed = request.seed;
    if (!studyWork(request.kind, request.settings)->measures())
        return study;
    const StudySample sample = drawSample(request);
    problems = sample.problems;
    study.data = sample.data;
    study.split = sample.split;
    study.task = sample.task;
    study.population = sample.population;
    study.utterances = sample.utterances;
    if (!sample.problems.empty())
        study.notes.push_back(std::to_string(sample.problems.size()) +
                              (sample.problems.size() == 1 ? " row" : " rows") +
                              " of the corpus had mistakes; the first: " + sample.problems.front());
    return study;
}

std::vector<fs::path> requestedModels(const StudyRequest& request) {
    if (!request.maps.empty())
        return {request.maps};
    return request.models;
}

void requireSameStudy(const Study& before, const StudyRequest& request, const Study& asked) {
    std::string what;
    if (before.kind != asked.kind)
        what = std::string("of the kind ") + toText(before.kind);
    else if (!sameModels(before, request))
        what = "of other models";
    else if (!isKeptDraft(request.out, request.draft))
        what = keptDraft(request.out).empty() ? "without a draft" : "of another draft";
    else if (before.data != asked.data || before.split != asked.split || before.task != asked.task ||
             !sameUtterances(before, asked, !request.alignments.empty()))
        what = "of other utterances";
    else if (before.seed != asked.seed)
        what = "with seed " + std::to_string(before.seed);
    else if (const auto key = otherSetting(before, request); !key.empty())
        what = "with another “" + key + "” (" + before.settings.value(key, json()).dump() + ")";
    if (!what.empty())
        throw Error("study.other",
                    request.out.string() + " contains a study " + what +
                        ". Choose a new folder, or resume that study with --resume alone.",
                    {{"folder", request.out.string()}});
}

} // namespace headroom::training
