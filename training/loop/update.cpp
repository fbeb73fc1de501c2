// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/update.h"

#include "models/layers/batch_norm.h"
#include "models/layers/device.h"
#include "models/layers/device_errors.h"
#include "training/data/random.h"
#include "training/loop/freezing.h"
#include "training/loop/layer_drop.h"
#include "training/loop/out_of_memory.h"
#include "training/loop/pending_loss.h"
#include "training/loop/schedule.h"
#include "training/loop/weight_noise.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

namespace headroom::training {

namespace {

/// The same at every rank: those of all.
std::vector<std::int64_t> ofAllRanks(const std::vector<std::int64_t>& examples, Ranks& ranks) {
    std::string own;
    for (const std::int64_t example : examples)
        own += std::to_string(example) + " ";
    std::vector<std::int64_t> all;
    for (const std::string& list : ranks.gather(own)) {
        std::istringstream words(list);
        for (std::int64_t example = 0; words >> example;)
            all.push_back(example);
    }
    return all;
}

/// What every rank must know of an update to apply it. The host knows it, so nobody waits for a device.
void sumCounts(UpdateOutcome& outcome, Ranks& ranks, bool stop) {
    std::int64_t& tokens = outcome.loss.crossEntropy.tokens;
    std::vector<double> numbers{static_cast<double>(tokens), static_cast<double>(outcome.frames), stop ? 1.0 : 0.0};
    ranks.sum(numbers);
    tokens = static_cast<std::int64_t>(numbers[0]);
    outcome.frames = static_cast<std::int64_t>(numbers[1]);
    outcome.stop = numbers[2] > 0;
}

/// Adds up the losses of the ranks. `notFinite`: utterances of this rank whose loss is no number.
void sumLosses(BatchLoss& loss, const std::vector<std::int64_t>& notFinite, Ranks& ranks) {
    std::vector<double> numbers{loss.crossEntropy.lossSum, loss.crossEntropy.nllSum, loss.ctc, loss.consistency,
                                notFinite.empty() ? 0.0 : 1.0};
    ranks.sum(numbers);
    loss.crossEntropy.lossSum = numbers[0];
    loss.crossEntropy.nllSum = numbers[1];
    loss.ctc = numbers[2];
    loss.consistency = numbers[3];
    if (numbers[4] > 0)
        throw NotFinite{"loss", ofAllRanks(notFinite, ranks)};
}

bool hasBatchNorm(const Architecture& architecture) {
    const auto& encoder = architecture.encoder;
    return architecture.frontEnd.norm == FrontEndNorm::Batch ||
           (encoder.convolution && encoder.convolution->norm == ConvolutionNorm::Batch) ||
           (encoder.positionalConvolution && encoder.positionalConvolution->norm == PositionalNorm::Batch);
}

/// Half a second of silence without a text, for a rank that has no utterance of a batch and must take part in the sums
/// of BatchNorm.
Batch standIn(const Architecture& architecture) {
    const auto& shape = architecture.frontEnd;
    Batch batch;
    batch.bins = shape.features;
    batch.longest = shape.reads == InputKind::Waveform ? 8000 : 50;
    batch.frames = {batch.longest};
    batch.features.assign(static_cast<std::size_t>(batch.longest * batch.bins), 0);
    batch.targets.resize(1);
    batch.examples = {0};
    return batch;
}

} // namespace

struct PendingOutcome {
    std::vector<PendingLoss> losses;
    std::vector<std::vector<std::int64_t>> examples; ///< of each
    at::Tensor gradientNorm;                         ///< per target token
};

namespace {

/// All numbers of pending outcomes, in their order: the norm, then the losses of each batch.
std::vector<double> readTogether(const std::vector<UpdateOutcome>& outcomes) {
    std::vector<at::Tensor> numbers;
    for (const UpdateOutcome& outcome : outcomes)
        if (outcome.pending) {
            numbers.push_back(outcome.pending->gradientNorm.reshape({1}));
            for (const PendingLoss& loss : outcome.pending->losses)
                numbers.push_back(loss.numbers());
        }
    if (numbers.empty())
        return {};
    const at::Tensor read = at::cat(numbers).cpu(); // the one wait
    return {read.const_data_ptr<double>(), read.const_data_ptr<double>() + read.numel()};
}

} // namespace

void readOutcomes(std::vector<UpdateOutcome>& outcomes, double ctcWeight, Ranks* ranks) {
    const std::vector<double> numbers = readTogether(outcomes);
    const double* next = numbers.data();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const auto pending = std::exchange(outcomes[i].pending, nullptr);
        if (!pending)
            continue;
        const std::int64_t tokens = outcomes[i].loss.crossEntropy.tokens; // of all ranks
        outcomes[i].gradientNorm = *next++;
        outcomes[i].loss = {};
        std::vector<std::int64_t> members, notFinite;
        for (std::size_t batch = 0; batch < pending->losses.size(); ++batch, next += PendingLoss::kNumbers) {
            const std::vector<std::int64_t>& examples = pending->examples[batch];
            const BatchLoss loss = pending->losses[batch].from(next);
            if (!std::isfinite(loss.total(ctcWeight)) && notFinite.empty())
                notFinite = examples;
            members.insert(members.end(), examples.begin(), examples.end());
            outcomes[i].loss.add(loss);
        }
        try {
            if (ranks)
                sumLosses(outcomes[i].loss, notFinite, *ranks);
            else if (!notFinite.empty())
                throw NotFinite{"loss", notFinite};
            if (!std::isfinite(outcomes[i].gradientNorm)) // the same at every rank
                throw NotFinite{"gradient", ranks ? ofAllRanks(members, *ranks) : members};
        } catch (NotFinite& found) {
            found.outcome = static_cast<std::int64_t>(i);
            throw;
        }
        outcomes[i].loss.crossEntropy.tokens = tokens;
    }
}

UpdateOutcome makeUpdate(const Learner& learner, BatchLoader& loader, std::int64_t batches,
                         std::int64_t update) {
    using Clock = std::chrono::steady_clock;
    // Dropout draws from torch's generator: it too starts from what the numbers are for.
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(
        randomFor(learner.seed, Purpose::Dropout, static_cast<std::uint64_t>(update),
                  learner.ranks ? static_cast<std::uint64_t>(learner.ranks->rank()) : 0)
            .next());
    const Recipe::Optimiser& recipe = learner.recipe.optimiser;
    if (recipe.freezeEncoderUpdates > 0)
        setEncoderLearns(learner.parameters, update >= recipe.freezeEncoderUpdates);
    const double deviation = update >= recipe.warmupUpdates ? recipe.weightNoise : 0;
    UpdateOutcome outcome;
    outcome.stop = learner.stop;
    std::vector<std::int64_t> members, notFinite;
    const bool joined = learner.ranks && hasBatchNorm(learner.architecture);
    models::SharedStatistics statistics;
    PassOptions options;
    options.unigram = learner.unigram;
    options.relaxation = relaxationShare(recipe, update);
    options.sampling = samplingOf(learner.recipe.loss, learner.seed, learner.epoch);
    if (joined) {
        statistics.sum = [&](at::Tensor& numbers) { learner.ranks->sum(numbers); };
        options.statistics = &statistics;
    }
    models::LayerFactors layers, secondLayers;
    if (dropsLayers(recipe)) {
        options.layers = &layers;
        options.secondLayers = &secondLayers;
    }
    const auto pending = models::usedDevice().is_cpu() ? nullptr : std::make_shared<PendingOutcome>();
    for (std::int64_t i = 0; i < batches; ++i) {
        const auto start = Clock::now();
        const auto batch = loader.next();
        outcome.waited += std::chrono::duration<double>(Clock::now() - start).count();
        if (learner.ranks)
            learner.ranks->advanced();
        statistics.counts = !batch->examples.empty(); // there may be fewer utterances than ranks
        if (!statistics.counts && !joined) {
            if (learner.sums && i + 1 == batches)
                learner.sums->passNothing();
            continue;
        }
        if (options.layers) {
            layers = drawnLayers(learner.architecture, recipe, learner.seed, update, 2 * i);
            secondLayers = drawnLayers(learner.architecture, recipe, learner.seed, update, 2 * i + 1);
        }
        options.beforeBackward = nullptr;
        if (learner.sums && i + 1 == batches)
            options.beforeBackward = [&](const at::Tensor& loss) { return learner.sums->expect(loss); };
        BatchLoss loss;
        try {
            const PrecisionScope precision(learner.precision);
            const WeightNoise noise(learner.parameters, deviation, learner.seed, update, i);
            const PendingLoss computed = pendingLoss(learner.parameters, learner.architecture, learner.recipe.loss,
                                                     statistics.counts ? *batch : standIn(learner.architecture), true,
                                                     true, options);
            if (pending) {
                loss.crossEntropy.tokens = computed.tokens;
                if (statistics.counts) {
                    pending->losses.push_back(computed);
                    pending->examples.push_back(batch->examples);
                }
            } else {
                loss = computed.read();
            }
        } catch (const std::exception& error) {
            if (models::isOutOfMemory(error))
                throw OutOfMemory(*batch);
            throw;
        }
        if (!statistics.counts)
            continue;
        members.insert(members.end(), batch->examples.begin(), batch->examples.end());
        if (!std::isfinite(loss.total(learner.recipe.loss.ctcWeight))) {
            if (!learner.ranks)
                throw NotFinite{"loss", batch->examples};
            notFinite.insert(notFinite.end(), batch->examples.begin(), batch->examples.end());
        }
        outcome.loss.add(loss);
        outcome.frames += batch->sourceFrames;
    }
    if (learner.ranks) {
        sumCounts(outcome, *learner.ranks, learner.stop);
        if (!pending)
            sumLosses(outcome.loss, notFinite, *learner.ranks);
    }
    if (options.layers)
        fillGradientsOfLayers(learner.parameters);
    double factor = 1 / static_cast<double>(outcome.loss.crossEntropy.tokens);
    outcome.learningRate =
        learningRate(recipe, learner.recipe.length.maxUpdates, update, learner.reductions);
    if (pending) {
        const at::Tensor norm = pending->gradientNorm = learner.optimiser.gradientNormThere().mul(factor);
        at::Tensor there = norm.add(1e-6).reciprocal().mul(recipe.clipNorm).clamp_max(1).mul(factor);
        if (recipe.clipNorm <= 0)
            there = at::full_like(norm, factor);
        learner.optimiser.apply(update + 1, outcome.learningRate, there);
        outcome.pending = pending;
        return outcome;
    }
    outcome.gradientNorm = learner.optimiser.gradientNorm() * factor;
    if (!std::isfinite(outcome.gradientNorm))
        throw NotFinite{"gradient", learner.ranks ? ofAllRanks(members, *learner.ranks) : members};
    if (recipe.clipNorm > 0)
        factor *= std::min(1.0, recipe.clipNorm / (outcome.gradientNorm + 1e-6));
    learner.optimiser.apply(update + 1, outcome.learningRate, factor);
    return outcome;
}

} // namespace headroom::training
