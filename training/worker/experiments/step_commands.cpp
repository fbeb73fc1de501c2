// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/step_commands.h"

#include "core/architecture/edits.h"
#include "core/commands/worker_commands.h"
#include "core/runs/run_folder.h"
#include "core/runs/start_from.h"
#include "core/studies/study.h"
#include "core/tensors/atomic_file.h"
#include "training/worker/experiments/decoded_score.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

fs::path modelOf(const std::string& id, const ExperimentPlan& plan, const ExperimentPaths& paths) {
    return paths.model(*plan.find(id));
}

/// The id that this step reads for the name of another one: of its own seed, or the only one.
const std::string& neededId(const PlannedStep& planned, const ExperimentPlan& plan, const std::string& name) {
    for (const std::string& id : planned.needs)
        if (plan.find(id)->step.name == name)
            return id;
    throw std::logic_error("a step reads what it does not need");
}

/// The window of a layer in a finished study.
int windowIn(const Study& study, int layer) {
    for (const StudyTable& table : study.tables) {
        const auto column = [&](const char* key) {
            return std::find_if(table.columns.begin(), table.columns.end(),
                                [&](const StudyColumn& one) { return one.key == key; }) -
                   table.columns.begin();
        };
        const auto columns = static_cast<std::ptrdiff_t>(table.columns.size());
        const auto layers = column("layer"), windows = column("window");
        if (layers == columns || windows == columns)
            continue;
        for (const auto& row : table.rows) {
            const auto* number = std::get_if<double>(&row[static_cast<std::size_t>(layers)]);
            const auto* window = std::get_if<double>(&row[static_cast<std::size_t>(windows)]);
            if (number && window && static_cast<int>(*number) == layer && *window >= 1)
                return static_cast<int>(*window);
        }
    }
    throw Error("experiment.windows", "The study " + study.id + " has no window for layer " + std::to_string(layer) + ".",
                {{"study", study.id}, {"layer", layer}});
}

std::vector<std::string> trainCommand(const PlannedStep& planned, const ExperimentPlan& plan, const ExperimentData& data,
                                      const ExperimentPaths& paths, const std::string& place) {
    const ExperimentStep& step = planned.step;
    TrainOptions options;
    options.run = paths.result(planned);
    options.place = place;
    if (!place.empty()) // a mean is computed here
        options.allCheckpoints = std::any_of(plan.steps.begin(), plan.steps.end(), [&](const PlannedStep& other) {
            return other.step.kind == StepKind::Average && !other.needs.empty() && other.needs.front() == planned.id;
        });
    if (fs::exists(RunPaths{options.run}.run())) {
        options.resume = true;
        options.place.clear(); // it goes on where it was
        options.allCheckpoints = false;
        return arguments(options);
    }
    Architecture architecture = planned.architecture;
    if (!step.windowsOf.empty()) {
        const Study study = readStudy(paths.result(*plan.find(neededId(planned, plan, step.windowsOf))));
        for (int layer = step.firstLayer; layer <= step.lastLayer; ++layer)
            architecture = setLayerWindow(std::move(architecture), layer, windowIn(study, layer));
    }
    Recipe recipe = planned.recipe;
    recipe.task = data.task(step);
    recipe.data.trainSplit = data.trainingSplit(step);
    recipe.data.validationSplit = data.validationSplit(step);
    options.architecture = paths.input(planned.id, "architecture");
    options.recipe = paths.input(planned.id, "recipe");
    writeAtomically(options.architecture, std::string_view(canonicalText(architecture)), "experiment.unwritable");
    writeAtomically(options.recipe, std::string_view(canonicalText(recipe)), "experiment.unwritable");
    options.data = data.corpus(step);
    if (!step.startFrom.empty())
        options.startFrom = StartFrom{modelOf(neededId(planned, plan, step.startFrom), plan, paths), step.encoderOnly}.text();
    return arguments(options);
}

std::vector<std::string> studyCommand(const PlannedStep& planned, const ExperimentPlan& plan, const ExperimentData& data,
                                      const ExperimentPaths& paths, const std::string& place) {
    const ExperimentStep& step = planned.step;
    StudyOptions options;
    options.out = paths.result(planned);
    if (fs::exists(StudyPaths{options.out}.study())) {
        options.resume = true; // it goes on where it was
        return arguments(options);
    }
    options.place = place;
    options.kind = step.study;
    if (!planned.timed.empty())
        fs::create_directories(paths.timed(planned.id, "").parent_path());
    options.seed = static_cast<std::uint64_t>(planned.seed);
    for (const std::string& model : step.models)
        options.models.push_back(modelOf(neededId(planned, plan, model), plan, paths));
    for (std::size_t i = 0; i < planned.timed.size(); ++i) { // the study's rows have the names of these files
        options.models.push_back(paths.timed(planned.id, fs::path(step.architectures[i]).stem().string()));
        writeAtomically(options.models.back(), std::string_view(canonicalText(planned.timed[i])), "experiment.unwritable");
    }
    if (!step.corpus.empty()) {
        options.data = data.corpus(step);
        options.task = data.task(step);
        options.split = data.split(step);
        options.utterances = step.utterances;
    }
    for (const auto& [key, value] : step.settings.items())
        options.set.push_back(key + "=" + value.dump());
    return arguments(options);
}

/// The weight of the language model that is best on the development set; of equally good ones the first. A score that is not
/// defined is the worst.
std::string tunedWeight(const PlannedStep& planned, const ExperimentPlan& plan, const ExperimentPaths& paths) {
    const double sign = isErrorMetric(planned.step.tunedBy) ? -1 : 1;
    std::string best;
    double bestScore = -std::numeric_limits<double>::infinity();
    for (const std::string& name : planned.step.tuning) {
        const PlannedStep& tried = *plan.find(neededId(planned, plan, name));
        const double score = sign * decodedScore(decodedText(paths.result(tried), tried.id), planned.step.tunedBy);
        if (!best.empty() && !(score > bestScore))
            continue;
        if (!std::isnan(score))
            bestScore = score;
        for (const auto& [option, value] : tried.step.options)
            if (option == "--lm-weight")
                best = value;
    }
    return best;
}

std::vector<std::string> decodeCommand(const PlannedStep& planned, const ExperimentPlan& plan, const ExperimentData& data,
                                       const ExperimentPaths& paths, const std::string& place) {
    const ExperimentStep& step = planned.step;
    std::vector<std::string> words{"evaluate",
                                   "--model",
                                   modelOf(neededId(planned, plan, step.model), plan, paths).string(),
                                   "--data",
                                   data.corpus(step).string(),
                                   "--split",
                                   data.split(step),
                                   "--task",
                                   data.task(step),
                                   "--out",
                                   paths.result(planned).string()};
    for (const auto& [option, value] : step.options)
        words.insert(words.end(), {option, value});
    if (!step.tuning.empty())
        words.insert(words.end(), {"--lm-weight", tunedWeight(planned, plan, paths)});
    if (!step.languageModel.empty()) {
        const bool isStep = plan.experiment.find(step.languageModel) != nullptr;
        words.insert(words.end(),
                     {"--language-model",
                      (isStep ? modelOf(neededId(planned, plan, step.languageModel), plan, paths) : data.languageModel(step)).string()});
    }
    if (!place.empty())
        words.insert(words.end(), {"--place", place});
    return words;
}

} // namespace

std::vector<std::string> stepCommand(const PlannedStep& planned, const ExperimentPlan& plan, const ExperimentData& data,
                                     const ExperimentPaths& paths, const StepMachine& machine) {
    std::vector<std::string> words;
    switch (planned.step.kind) {
    case StepKind::Train:
        words = trainCommand(planned, plan, data, paths, machine.place);
        break;
    case StepKind::Study:
        words = studyCommand(planned, plan, data, paths, machine.place);
        break;
    case StepKind::Decode:
        words = decodeCommand(planned, plan, data, paths, machine.place);
        break;
    case StepKind::Average:
        throw std::logic_error("an average is no command");
    }
    if (machine.place.empty() && machine.device != "cpu")
        words.insert(words.end(), {"--device", machine.device});
    return words;
}

} // namespace headroom::training
