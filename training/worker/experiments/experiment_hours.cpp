// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/experiment_hours.h"

#include "core/errors/count_text.h"
#include "core/experiments/experiment_work.h"
#include "core/experiments/frames_text.h"
#include "models/layers/device.h"
#include "training/worker/experiments/training_rates.h"

#include <cmath>
#include <cstdio>
#include <optional>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHoursFormat = "headroom/experiment-hours";
constexpr const char* kNote =
    "Only runs are counted; validation, decoding and studies are not included. Frames are 10 ms of speech or "
    "tokens of text. ≤: it may end earlier, by patience or because the size of its corpus is not known.";

std::string hoursText(double hours) {
    char text[32];
    std::snprintf(text, sizeof text, hours < 10 ? "%.2f" : "%.0f", hours);
    return hours < 10 ? text : grouped(std::llround(hours));
}

nlohmann::json hoursOf(const ExperimentPlan& plan, const fs::path& data, TrainingRates& rates, Console& console) {
    std::optional<ExperimentCorpora> corpora;
    if (!data.empty())
        corpora.emplace(plan, fs::absolute(data).lexically_normal());
    const ExperimentWork all = workOf(plan, corpora ? &*corpora : nullptr);
    auto trainings = nlohmann::json::array();
    double hours = 0;
    for (const auto& [planned, extent, work] : all.trainings) {
        const TrainingRate rate = rates.of(*planned, extent);
        const double trainingHours = work.hours(rate.framesPerSecond);
        trainings.push_back({{"id", planned->id},
                             {"updates", work.updates},
                             {"framesPerUpdate", work.framesPerUpdate},
                             {"frames", work.frames},
                             {"atMost", work.atMost},
                             {"framesPerSecond", rate.framesPerSecond},
                             {"processorShare", known(rate.processorShare)},
                             {"hours", trainingHours}});
        hours += trainingHours;
    }
    const Experiment& one = plan.experiment;
    const std::string bound = all.atMost ? "≤ " : "";
    console.line(one.name + " (" + one.table + "): " + counted(static_cast<std::int64_t>(all.trainings.size()), "run") + ", " + bound +
                 framesText(all.frames) + " frames, " + bound + hoursText(hours) + " h; " +
                 counted(all.decodings, "decoding") + " and " + std::to_string(all.studies) +
                 (all.studies == 1 ? " study" : " studies") + " not timed");
    if (!all.leftOut.empty())
        console.line("    left out: " + joinedSentences(corpora->missing()));
    return {{"name", one.name},       {"paper", one.paper},
            {"table", one.table},     {"seeds", plan.seeds},
            {"scale", plan.scale},    {"trainings", trainings},
            {"frames", all.frames},   {"hours", hours},
            {"atMost", all.atMost},   {"decodings", all.decodings},
            {"studies", all.studies}};
}

} // namespace

void experimentHours(const ExperimentOptions& options, ExperimentFolders folders, Console& console) {
    TrainingRates rates(options.rate, console);
    auto rows = nlohmann::json::array();
    const auto files = options.list ? experimentFiles(folders.resources)
                                    : std::vector<fs::path>{experimentFile(options.name, folders)};
    for (const fs::path& file : files) {
        folders.beside = fs::absolute(file).parent_path();
        Experiment document = readExperiment(file);
        const int seeds = options.seeds.value_or(document.seeds);
        rows.push_back(hoursOf(planExperiment(std::move(document), seeds, options.scale, folders), options.data, rates, console));
    }
    console.line(kNote);
    console.document({{"format", kHoursFormat},
                      {"version", 1},
                      {"device", options.rate ? nlohmann::json() : nlohmann::json(models::usedDeviceId())},
                      {"experiments", rows},
                      {"notes", {kNote}}});
}

} // namespace headroom::training
