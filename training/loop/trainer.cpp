// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/trainer.h"

#include "core/errors/count_text.h"
#include "core/text/tokenizer.h"
#include "models/layers/device.h"
#include "training/data/batching.h"
#include "training/loop/checkpoint.h"
#include "training/loop/kept_memory.h"
#include "training/loop/losses/unigram.h"
#include "training/loop/meter.h"
#include "training/loop/milestones.h"
#include "training/loop/out_of_memory.h"
#include "training/loop/precision_choice.h"
#include "training/loop/requests.h"
#include "training/loop/resume.h"
#include "training/loop/run_model.h"
#include "training/loop/unread_updates.h"
#include "training/loop/update.h"
#include "training/loop/validation.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

class Trainer {
public:
    Trainer(TrainSetup& setup, Journal& journal)
        : m_setup(setup)
        , m_recipe(setup.recipe)
        , m_journal(journal)
        , m_ranks(setup.ranks)
        , m_first(!setup.ranks || setup.ranks->rank() == 0)
        , m_seed(journal.info().seed)
        , m_tokenizer(setup.tokenizer)
        , m_cache(setup.recipe.data.cacheMegabytes, setup.architecture.frontEnd.input())
        , m_parameters(models::onDevice(initialWeights(setup.architecture, setup.recipe.loss.ctcWeight > 0, m_seed)))
        , m_optimiser(m_parameters, setup.recipe.optimiser)
        , m_unigram(unigramOf(setup.train.examples, setup.architecture.vocabulary, setup.recipe.loss)) {
        std::vector<std::int64_t> frames;
        for (const Example& example : setup.train.examples)
            frames.push_back(example.computedFrames());
        m_batches = makeBatches(frames, m_recipe.data.maxBatchFrames, m_recipe.data.maxBatchUtterances);
        const auto accumulate = m_recipe.optimiser.accumulate;
        m_groups = (static_cast<std::int64_t>(m_batches.size()) + accumulate - 1) / accumulate;
    }

    RunState run() {
        at::set_num_threads(static_cast<int>(m_journal.info().decided.threads));
        begin();
        if (m_ranks) {
            takeFromFirst();
            m_sums.emplace(*m_ranks, m_optimiser.parameters());
        }
        try {
            if (validationIsDue(m_recipe, m_state) && m_state.validated != m_state.update)
                validateAndSave(); // killed or stopped in the middle of it
            while (!ended() && !asked())
                epoch();
            if (!ended())
                return stop();
            return finish();
        } catch (const Stopped&) { // in the middle of a validation
            return stop();
        }
    }

private:
    void begin();
    void takeStartWeights();
    void takeFromFirst();
    void measurePrecision();
    void epoch();
    std::vector<std::int64_t> shareOf(const std::vector<std::int64_t>& batch) const;
    void update(BatchLoader& loader, std::int64_t batches);
    void logStep();
    void logLastStep();
    bool ended() const { return hasEnded(m_recipe, m_state); }
    bool asked() const;    ///< to stop; every rank gives the same answer
    bool wasAsked() const; ///< this process
    Validation measure();
    void log(const Validation& result, const char* end);
    void validateAndSave();
    void save(SavedFor reason);
    RunState stop();
    RunState finish();
    std::string exportFrom(const std::vector<fs::path>& files);
    fs::path bestFile() const { return bestCheckpoint(m_journal, m_state.best); }

    TrainSetup& m_setup;
    const Recipe& m_recipe;
    Journal& m_journal;
    Ranks* const m_ranks; ///< null: this process alone
    const bool m_first;   ///< reads checkpoints and writes the run
    const std::uint64_t m_seed;
    const Tokenizer m_tokenizer;
    FeatureCache m_cache;
    const models::Parameters m_parameters;
    Adam m_optimiser;
    std::optional<GradientSums> m_sums; ///< with ranks
    const std::optional<std::vector<double>> m_unigram;
    std::vector<std::vector<std::int64_t>> m_batches;
    std::int64_t m_groups = 0; ///< updates per epoch
    TrainState m_state;
    Meter m_meter;
    UnreadUpdates m_unread{m_meter, m_journal.paths(), m_setup.train.examples, m_recipe.loss.ctcWeight, m_ranks};
    std::int64_t m_epochOfUpdate = 0; ///< of the last one that this process made
    bool m_saved = false;   ///< the state as it is now is on the disk
    bool m_begun = false;   ///< an update was made by this process
    bool m_stopping = false; ///< every rank knows that one was asked to stop
};

void Trainer::begin() {
    if (m_setup.resume && m_first)
        if (const auto state = newestState(m_journal, m_parameters, m_optimiser)) {
            m_state = *state;
            m_saved = true;
        }
    if (!m_saved && m_setup.startFrom && m_first) // the checkpoint of a run that was stopped before its first update has them
        takeStartWeights();
    RunInfo& info = m_journal.info();
    if (info.decided.precision == "auto" && m_first)
        measurePrecision();
    info.maxUpdates = m_recipe.length.maxUpdates;
    info.update = m_state.update;
    m_journal.event("started", m_state.update,
                    {{"maxUpdates", m_recipe.length.maxUpdates},
                     {"utterances", m_setup.train.examples.size()},
                     {"batches", m_batches.size()},
                     {"parameters", m_parameters.elementCount()}});
    m_journal.save();
    m_meter.begin(m_state.update, m_state.interval);
}

void Trainer::takeStartWeights() {
    const fs::path& model = m_setup.startFrom->model;
    if (std::error_code problem; m_setup.resume && !fs::exists(model, problem) && !problem)
        throw Error("train.startFrom",
                    "The run " + m_journal.paths().folder.string() + " was interrupted before its first checkpoint and has to start again from " +
                        model.string() + ", which does not exist. Put that model back, or start a new run.",
                    {{"run", m_journal.paths().folder.string()}, {"model", model.string()}});
    takeWeights(*m_setup.startFrom, m_setup.architecture, m_parameters);
}

/// Weights, moments and state are those that rank 0 has read or made.
void Trainer::takeFromFirst() {
    const nlohmann::json own{{"state", toJson(m_state)},
                             {"precision", m_journal.info().decided.precision},
                             {"saved", m_saved}};
    const auto first = nlohmann::json::parse(m_ranks->fromFirst(own.dump()));
    m_state = trainStateFrom(first["state"]);
    m_saved = first["saved"].get<bool>();
    m_journal.info().decided.precision = first["precision"].get<std::string>();
    takeWeightsOfFirst(*m_ranks, m_parameters, m_optimiser);
    m_meter.begin(m_state.update, m_state.interval);
}

void Trainer::measurePrecision() {
    BatchLoader loader(m_setup.train.examples, m_cache, {m_batches.front()}, 1, // the longest
                       m_setup.architecture.frontEnd.features, nullptr, 0, 0);
    const PrecisionChoice choice =
        choosePrecision(m_parameters, m_setup.architecture, m_recipe.loss, *loader.next());
    m_journal.info().decided.precision = choice.precision;
    m_journal.log(choice.sentence);
}

/// The utterances of a batch that this rank trains on: every rank has some of each length.
std::vector<std::int64_t> Trainer::shareOf(const std::vector<std::int64_t>& batch) const {
    if (!m_ranks)
        return batch;
    std::vector<std::int64_t> share;
    for (auto i = static_cast<std::size_t>(m_ranks->rank()); i < batch.size();
         i += static_cast<std::size_t>(m_ranks->world()))
        share.push_back(batch[i]);
    return share;
}

void Trainer::epoch() {
    const auto accumulate = m_recipe.optimiser.accumulate;
    std::vector<std::vector<std::int64_t>> order;
    for (const std::int64_t batch :
         epochOrder(static_cast<std::int64_t>(m_batches.size()), m_seed, m_state.epoch))
        order.push_back(shareOf(m_batches[static_cast<std::size_t>(batch)]));
    order.erase(order.begin(), order.begin() + m_state.group * accumulate);
    const auto left = static_cast<std::int64_t>(order.size());
    BatchLoader loader(m_setup.train.examples, m_cache, std::move(order), m_recipe.data.loaderThreads,
                       m_setup.architecture.frontEnd.features, &m_recipe.augmentation, m_seed, m_state.epoch);
    for (std::int64_t done = 0; done < left && !ended() && !asked(); done += accumulate) {
        update(loader, std::min(accumulate, left - done));
        if (++m_state.group == m_groups) {
            m_state.group = 0;
            ++m_state.epoch;
        }
        logLastStep();
        if (validationIsDue(m_recipe, m_state))
            validateAndSave();
        else if (checkpointIsDue(m_recipe, m_state))
            save(SavedFor::Recipe);
        if (m_first)
            m_meter.paused(obeyRequests(
                m_journal, m_state.update, m_ranks != nullptr, [this] { log(measure(), ", as requested."); }, [this] { return asked(); }));
    }
}

void Trainer::update(BatchLoader& loader, std::int64_t batches) {
    UpdateOutcome outcome;
    std::optional<Ranks::Updating> updating; // not the first update, for which each rank makes its own preparations
    if (std::exchange(m_begun, true))
        updating.emplace(m_ranks);
    try {
        outcome = makeUpdate({m_parameters, m_optimiser, m_setup.architecture, m_recipe,
                              m_journal.info().decided.precision, m_seed, m_ranks, m_sums ? &*m_sums : nullptr,
                              m_ranks && wasAsked(), m_state.reductions, m_state.epoch, m_unigram ? &*m_unigram : nullptr},
                             loader, batches, m_state.update);
    } catch (const NotFinite& found) {
        throw m_unread.notFinite(found, m_state.update);
    } catch (const OutOfMemory& batch) {
        throw outOfMemory(m_journal.paths(), m_recipe, m_state.update, &batch);
    }
    m_stopping = outcome.stop;
    m_unread.add(std::move(outcome), m_state.update++);
    m_epochOfUpdate = m_state.epoch;
    m_saved = false;
    const bool logged = m_state.update % m_recipe.machine.logEvery == 0;
    if (logged)
        m_unread.read();
    updating.reset();
    if (logged)
        logStep();
    else if (m_setup.progress)
        m_meter.updated(m_state.update, m_recipe.length.maxUpdates);
    if (m_setup.progress)
        m_setup.progress({m_state.update, m_recipe.length.maxUpdates, m_meter.text()});
}

void Trainer::logStep() {
    m_meter.updated(m_state.update, m_recipe.length.maxUpdates);
    m_journal.event("step", m_state.update, m_meter.takeStep(m_epochOfUpdate));
}

/// What the last updates of a run leave of an interval is a point of its own; a run that is stopped goes on within it.
void Trainer::logLastStep() {
    if (!ended())
        return;
    m_unread.read();
    if (m_meter.hasUpdates())
        logStep();
}

bool Trainer::asked() const {
    return m_ranks ? m_stopping : wasAsked();
}

bool Trainer::wasAsked() const {
    return (m_setup.stop && m_setup.stop->load()) || requestOf(m_journal.paths().folder) == RunRequest::Stop;
}

/// Changes nothing that training depends on.
Validation Trainer::measure() {
    m_unread.read();
    ValidationOptions options{m_recipe, m_journal.info().decided.precision, m_recipe.validation.maxUtterances,
                              m_setup.stop, m_ranks};
    options.unigram = m_unigram ? &*m_unigram : nullptr;
    const Validation result = validate(m_parameters, m_setup.architecture, m_setup.validation.examples,
                                       m_cache, m_tokenizer, options);
    record(m_journal, m_state.update, result, m_setup.validation.examples, m_recipe.validation.samples);
    return result;
}

void Trainer::log(const Validation& result, const char* end) {
    m_journal.log("Update " + grouped(m_state.update) + ": validation " + sentenceOf(result) + end);
}

void Trainer::validateAndSave() {
    auto start = Clock::now();
    const auto account = [&] {
        const auto now = Clock::now();
        m_meter.validated(std::chrono::duration<double>(now - std::exchange(start, now)).count());
    };
    const Validation result = measure();
    account();
    const Standing standing = enterValidation(result, m_recipe, m_state);
    log(result, standing == Standing::Better   ? ", the best so far."
                : standing == Standing::AsGood ? ", the best so far by its loss."
                                               : ".");
    m_journal.info().best = m_state.best;
    logLastStep(); // its patience may have ended with this validation
    save(SavedFor::Recipe); // last: whoever is killed before it validates again
    account();
}

void Trainer::save(SavedFor reason) {
    m_unread.read(); // weights that are not finite are never kept
    m_state.interval = m_meter.counted();
    m_saved = true;
    if (!m_first)
        return;
    const RunPaths& paths = m_journal.paths();
    const fs::path file = checkpointFile(paths, m_state.update, reason);
    writeCheckpoint(file, m_parameters, m_optimiser, m_state);
    linkCheckpoint(paths, "last", file);
    if (!m_state.best.is_null())
        linkCheckpoint(paths, "best", bestFile());
    if (reason == SavedFor::Recipe)
        pruneCheckpoints(paths, m_recipe.checkpoints.keep);
    m_journal.event("checkpoint", m_state.update, {{"file", file.filename().string()}});
    m_journal.info().update = m_state.update;
    m_journal.save();
}

std::string Trainer::exportFrom(const std::vector<fs::path>& files) {
    return writeRunModel(m_journal, m_setup, files, m_parameters,
                         {m_setup.architecture, m_recipe, m_setup.train.examples, m_cache, m_batches, m_seed,
                          m_journal.info().decided.precision});
}

RunState Trainer::stop() {
    if (!m_saved)
        save(SavedFor::Stop);
    if (!m_first)
        return RunState::Stopped;
    clearRequest(m_journal.paths().folder);
    const std::string model = exportFrom({bestFile()});
    m_journal.end(RunState::Stopped,
                  "Stopped at update " + grouped(m_state.update) + "; " + model + ".");
    return RunState::Stopped;
}

RunState Trainer::finish() {
    if (m_state.validated != m_state.update)
        validateAndSave();
    if (!m_first)
        return RunState::Finished;
    auto files = checkpointFiles(m_journal.paths(), false);
    const auto wanted = static_cast<std::size_t>(m_recipe.checkpoints.average);
    if (wanted == 1 || files.empty())
        files = {bestFile()};
    else if (files.size() > wanted)
        files.erase(files.begin(), files.end() - static_cast<std::ptrdiff_t>(wanted));
    const std::string model = exportFrom(files);
    m_journal.end(RunState::Finished,
                  "Finished after " + counted(m_state.update, "update") + "; " + model + ".");
    return RunState::Finished;
}

} // namespace

RunState train(TrainSetup& setup, Journal& journal) {
    keepFreedMemory();
    letRefusalsThrow();
    return Trainer(setup, journal).run();
}

} // namespace headroom::training
