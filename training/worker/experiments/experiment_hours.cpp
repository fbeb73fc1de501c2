// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/experiment_hours.h"

#include "core/corpus/corpus.h"
#include "core/errors/count_text.h"
#include "core/experiments/scale.h"
#include "models/layers/device.h"
#include "training/worker/experiments/experiment_data.h"
#include "training/worker/experiments/training_rates.h"

#include <cmath>
#include <cstdio>
#include <map>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

constexpr const char* kHoursFormat = "headroom/experiment-hours";
constexpr const char* kNote =
    "Trainings only: validation, decoding and studies come on top. Frames are 10 ms of speech or tokens of text. ≤: it may end earlier, by "
    "patience or because the size of its corpus is not known.";

/// The extents of the corpora in the data folder, or the published ones.
class Extents {
public:
    Extents(const ExperimentPlan& plan, const fs::path& data) : m_plan(plan) {
        if (data.empty())
            return;
        try {
            m_data.emplace(plan, fs::absolute(data).lexically_normal(), m_paths);
        } catch (const Error& error) {
            if (error.code() != "experiment.data") // none of its corpora is there
                throw;
        }
    }

    std::optional<CorpusExtent> of(const PlannedStep& training) {
        const ExperimentCorpus& corpus = *m_plan.experiment.corpus(training.step.corpus);
        if (!m_data || corpus.isText || training.step.isLanguageModel() || !m_data->missingFor(training.step).empty())
            return publishedExtent(corpus, training.step, m_plan.scale);
        const std::string task = m_data->task(training.step), split = m_data->trainingSplit(training.step);
        auto& lengths = m_lengths[training.step.corpus + "\t" + task];
        if (lengths.empty())
            for (const Utterance& utterance : Corpus::open(m_data->folder(training.step)).utterances(split, task))
                if (utterance.frames)
                    lengths.push_back(utterance.frames->value());
        CorpusExtent extent = extentOf(lengths, training.recipe);
        if (extent.utterances == 0) // the table has no lengths
            return publishedExtent(corpus, training.step, m_plan.scale);
        const double mean = extent.meanFrames();
        extent.utterances = scaledUtterances(extent.utterances, m_plan.scale, true);
        extent.frames = mean * static_cast<double>(extent.utterances);
        return extent;
    }

private:
    const ExperimentPlan& m_plan;
    const ExperimentPaths m_paths; ///< of no folder: nothing is made
    std::optional<ExperimentData> m_data;
    std::map<std::string, std::vector<std::int64_t>> m_lengths;
};

std::string hoursText(double hours) {
    char text[32];
    std::snprintf(text, sizeof text, hours < 10 ? "%.2f" : "%.0f", hours);
    return hours < 10 ? text : grouped(std::llround(hours));
}

nlohmann::json hoursOf(const ExperimentPlan& plan, const fs::path& data, TrainingRates& rates, Console& console) {
    Extents extents(plan, data);
    auto trainings = nlohmann::json::array();
    double frames = 0, hours = 0;
    bool atMost = false;
    std::map<StepKind, std::int64_t> counts;
    for (const PlannedStep& planned : plan.steps) {
        ++counts[planned.step.kind];
        if (planned.step.kind != StepKind::Train)
            continue;
        const auto extent = extents.of(planned);
        const TrainingWork work = workOf(planned.recipe, extent);
        const TrainingRate rate = rates.of(planned, extent);
        const double trainingHours = work.hours(rate.framesPerSecond);
        trainings.push_back({{"id", planned.id},
                             {"updates", work.updates},
                             {"framesPerUpdate", work.framesPerUpdate},
                             {"frames", work.frames},
                             {"atMost", work.atMost},
                             {"framesPerSecond", rate.framesPerSecond},
                             {"processorShare", known(rate.processorShare)},
                             {"hours", trainingHours}});
        frames += work.frames;
        hours += trainingHours;
        atMost = atMost || work.atMost;
    }
    const Experiment& one = plan.experiment;
    console.line(one.name + " (" + one.table + "): " + counted(counts[StepKind::Train], "training") + ", " + (atMost ? "≤ " : "") +
                 grouped(std::llround(frames / 1e6)) + " M frames, " + (atMost ? "≤ " : "") + hoursText(hours) + " h; " +
                 counted(counts[StepKind::Decode], "decoding") + " and " + std::to_string(counts[StepKind::Study]) +
                 (counts[StepKind::Study] == 1 ? " study" : " studies") + " not timed");
    return {{"name", one.name},         {"paper", one.paper},
            {"table", one.table},       {"seeds", plan.seeds},
            {"scale", plan.scale},      {"trainings", trainings},
            {"frames", frames},         {"hours", hours},
            {"atMost", atMost},         {"decodings", counts[StepKind::Decode]},
            {"studies", counts[StepKind::Study]}};
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
