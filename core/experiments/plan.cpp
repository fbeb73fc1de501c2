// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/plan.h"

#include "core/architecture/edits.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/experiments/scale.h"

#include <algorithm>
#include <array>

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

constexpr int kTimedPasses = 15; // of a latency study

fs::path documentNamed(const std::string& name, const char* folder, const ExperimentFolders& folders) {
    return name.ends_with(".json") ? folders.beside / name : folders.resources / folder / (name + ".json");
}

[[noreturn]] void refuseStep(const ExperimentStep& step, const std::string& what) {
    throw Error("experiment.value", "Step “" + step.name + "”: " + what + ".", {{"step", step.name}});
}

std::vector<HeadGroup> headsOf(const ExperimentStep& step, const std::string& text) {
    try {
        return parseHeads(text);
    } catch (const Error& error) {
        throw Error(error.code(), "Step “" + step.name + "”: " + error.what(), error.values());
    }
}

/// The step's own heads and features in the document. Read again, so that heads which do not fit are refused by its rules.
Architecture changedArchitecture(Architecture architecture, const ExperimentStep& step) {
    const int layers = static_cast<int>(architecture.encoder.layers.size());
    for (const auto& [range, heads] : step.heads) {
        const auto [first, last] = *layersOf(range);
        if (last > layers)
            refuseStep(step, architecture.name + " has " + counted(layers, "layer") + ", and heads are set for " + range);
        for (int layer = first; layer <= last; ++layer)
            architecture.encoder.layers[static_cast<std::size_t>(layer) - 1].heads = headsOf(step, heads);
    }
    if (!step.windowsOf.empty() && step.lastLayer > layers)
        refuseStep(step, architecture.name + " has " + counted(layers, "layer") + ", and windows are set up to layer " +
                             std::to_string(step.lastLayer));
    if (!step.crossAttention.empty()) {
        if (!architecture.decoder)
            refuseStep(step, architecture.name + " has no decoder, and cross-attention is set");
        architecture.decoder->crossAttention = headsOf(step, step.crossAttention);
    }
    if (step.attentionDropout && architecture.languageModel)
        refuseStep(step, architecture.name + " is a language model, and attentionDropout is set");
    if (step.attentionDropout)
        architecture.encoder.attentionDropout = *step.attentionDropout;
    if (step.features && architecture.frontEnd.features != *step.features) {
        architecture.frontEnd.features = *step.features;
        dropPublishedCount(architecture); // it is of the other features
    }
    return parseArchitecture(canonicalText(architecture), "step “" + step.name + "”, " + step.architecture);
}

Recipe changedRecipe(Recipe recipe, const ExperimentStep& step) {
    recipe.task = step.task;
    for (const std::string& assignment : step.set)
        overrideRecipe(recipe, assignment);
    return recipe;
}

/// The result that a step of this seed reads: of the same seed, or the only one.
std::string idFor(const Experiment& experiment, const std::string& step, int seed) {
    const ExperimentStep& found = *experiment.find(step);
    return found.once ? found.name : found.name + "-seed" + std::to_string(seed);
}

PlannedStep plannedStep(const Experiment& experiment, const ExperimentStep& step, int seed, double scale,
                        const ExperimentFolders& folders) {
    PlannedStep planned{idFor(experiment, step.name, seed), step, seed, {}, {}, {}, {}};
    std::vector<std::string> needs{step.startFrom, step.windowsOf, step.run, step.model};
    needs.insert(needs.end(), step.models.begin(), step.models.end());
    needs.insert(needs.end(), step.tuning.begin(), step.tuning.end());
    if (experiment.find(step.languageModel)) // else a folder
        needs.push_back(step.languageModel);
    for (const std::string& need : needs)
        if (!need.empty())
            planned.needs.push_back(idFor(experiment, need, seed));
    if (step.kind == StepKind::Train) {
        planned.architecture =
            scaled(changedArchitecture(architectureNamed(step.architecture, folders), step), scale);
        planned.recipe = scaled(changedRecipe(recipeNamed(step.recipe, folders), step), scale);
        planned.recipe.machine.seed = seed;
    }
    for (const std::string& name : step.architectures)
        planned.timed.push_back(scaled(architectureNamed(name, folders), scale));
    planned.step.utterances = scaledSample(step.utterances, scale);
    if (scale < 1 && step.study == "latency" && !step.settings.contains("repeats"))
        planned.step.settings["repeats"] = scaledSample(kTimedPasses, scale);
    for (auto& [option, value] : planned.step.options)
        if (option == "--beam" || option == "--ctc-beam" || option == "--max-tokens")
            value = std::to_string(scaledSearch(std::stoi(value), scale));
    return planned;
}

json stepJson(const PlannedStep& planned) {
    const ExperimentStep& step = planned.step;
    static constexpr std::array kinds{"train", "average", "study", "decode"};
    json result{{"kind", kinds[static_cast<std::size_t>(step.kind)]}, {"needs", planned.needs}};
    if (planned.hasDocuments()) {
        result["architecture"] = json::parse(canonicalText(planned.architecture));
        result["recipe"] = json::parse(canonicalText(planned.recipe));
    }
    for (const Architecture& architecture : planned.timed)
        result["architectures"].push_back(json::parse(canonicalText(architecture)));
    if (!step.options.empty())
        result["decoding"] = step.options;
    if (step.kind == StepKind::Study)
        result.update({{"utterances", step.utterances}, {"settings", step.settings}});
    return result;
}

/// Whether a name is the pattern, in which * stands for any text.
bool matchesPattern(std::string_view name, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos)
        return name == pattern;
    if (!name.starts_with(pattern.substr(0, star)))
        return false;
    name.remove_prefix(star);
    pattern.remove_prefix(star + 1);
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
        if (matchesPattern(name.substr(skipped), pattern))
            return true;
    return false;
}

std::string shortText(const json& value) {
    std::string text = value.dump();
    if (text.size() > 60) {
        text.resize(60);
        text = validText(text) + "…";
    }
    return text;
}

void collect(const json& was, const json& is, const std::string& place, std::size_t most, std::vector<std::string>& found) {
    if (was == is || found.size() >= most)
        return;
    const auto within = [&](const std::string& key) { return place.empty() ? key : place + " › " + key; };
    if (was.is_object() && is.is_object()) {
        json keys = was;
        keys.update(is);
        for (const auto& [key, ignored] : keys.items()) {
            if (found.size() >= most)
                return;
            if (!was.contains(key))
                found.push_back(within(key) + " is new");
            else if (!is.contains(key))
                found.push_back(within(key) + " is gone");
            else
                collect(was[key], is[key], within(key), most, found);
        }
        return;
    }
    if (was.is_array() && is.is_array() && was.size() == is.size()) {
        for (std::size_t i = 0; i < was.size(); ++i)
            collect(was[i], is[i], place + "[" + std::to_string(i) + "]", most, found);
        return;
    }
    found.push_back(place + " was " + shortText(was) + " and is " + shortText(is));
}

} // namespace

const PlannedStep* ExperimentPlan::find(const std::string& id) const {
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const PlannedStep& one) { return one.id == id; });
    return found == steps.end() ? nullptr : &*found;
}

std::vector<std::string> ExperimentPlan::idsOf(const std::string& step) const {
    std::vector<std::string> ids;
    for (const PlannedStep& planned : steps)
        if (planned.step.name == step)
            ids.push_back(planned.id);
    return ids;
}

std::set<std::string> ExperimentPlan::idsFor(const std::vector<std::string>& patterns) const {
    std::set<std::string> ids;
    for (const std::string& pattern : patterns) {
        bool matched = false;
        for (const PlannedStep& planned : steps)
            if (matchesPattern(planned.step.name, pattern)) {
                ids.insert(planned.id);
                matched = true;
            }
        if (!matched)
            throw Error("experiment.reference",
                        "The experiment " + experiment.name + " has no step “" + validText(pattern) + "”.",
                        {{"step", validText(pattern)}});
    }
    for (auto planned = steps.rbegin(); planned != steps.rend(); ++planned) // a step needs only those before it
        if (ids.contains(planned->id))
            ids.insert(planned->needs.begin(), planned->needs.end());
    return ids;
}

std::vector<fs::path> experimentFiles(const fs::path& resources) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(resources / "experiments", ignored))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

fs::path experimentFile(const std::string& name, const ExperimentFolders& folders) {
    if (name.ends_with(".json"))
        return name;
    std::string names;
    for (const fs::path& file : experimentFiles(folders.resources)) {
        if (file.stem() == name)
            return file;
        names += (names.empty() ? "" : ", ") + file.stem().string();
    }
    throw Error("experiment.missing",
                "There is no experiment “" + validText(name) + "”. There are " + (names.empty() ? "none" : names) +
                    "; a document of your own is named by its path, which ends in .json.",
                {{"name", validText(name)}});
}

Architecture architectureNamed(const std::string& name, const ExperimentFolders& folders) {
    return readArchitecture(documentNamed(name, "architectures", folders));
}

Recipe recipeNamed(const std::string& name, const ExperimentFolders& folders) {
    return readRecipe(documentNamed(name, "recipes", folders));
}

ExperimentPlan planExperiment(Experiment experiment, int seeds, double scale, const ExperimentFolders& folders) {
    ExperimentPlan plan{std::move(experiment), seeds, scale, {}};
    for (const ExperimentStep& step : plan.experiment.steps)
        for (int seed = 1; seed <= (step.once ? 1 : seeds); ++seed)
            plan.steps.push_back(plannedStep(plan.experiment, step, seed, scale, folders));
    return plan;
}

json toJson(const ExperimentPlan& plan) {
    json steps = json::object();
    for (const PlannedStep& step : plan.steps)
        steps[step.id] = stepJson(step);
    return {{"document", plan.experiment.document}, {"seeds", plan.seeds}, {"scale", plan.scale}, {"steps", steps}};
}

std::vector<std::string> planDifferences(const json& was, const json& is, std::size_t most) {
    std::vector<std::string> found;
    for (const char* key : {"seeds", "scale", "data", "document", "steps"}) // what decides the others first
        if (was.contains(key) || is.contains(key))
            collect(was.value(key, json()), is.value(key, json()), key, most, found);
    return found;
}

} // namespace headroom
