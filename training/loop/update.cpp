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

/// Numbers of the update that the ranks add up before it is applied.
void sumOutcome(UpdateOutcome& outcome, std::vector<std::int64_t>& notFinite, const Learner& learner) {
    CrossEntropy& loss = outcome.loss.crossEntropy;
    std::vector<double> numbers{loss.lossSum,
                                loss.nllSum,
                                static_cast<double>(loss.tokens),
                                outcome.loss.ctc,
                                static_cast<double>(outcome.frames),
                                notFinite.empty() ? 0.0 : 1.0,
                                learner.stop ? 1.0 : 0.0,
                                outcome.loss.consistency};
    learner.ranks->sum(numbers);
    loss.lossSum = numbers[0];
    loss.nllSum = numbers[1];
    loss.tokens = static_cast<std::int64_t>(numbers[2]);
    outcome.loss.ctc = numbers[3];
    outcome.frames = static_cast<std::int64_t>(numbers[4]);
    outcome.stop = numbers[6] > 0;
    outcome.loss.consistency = numbers[7];
    if (numbers[5] == 0)
        return;
    std::string own;
    for (const std::int64_t example : notFinite)
        own += std::to_string(example) + " ";
    std::vector<std::int64_t> all;
    for (const std::string& list : learner.ranks->gather(own)) {
        std::istringstream words(list);
        for (std::int64_t example = 0; words >> example;)
            all.push_back(example);
    }
    throw NotFinite{"loss", all};
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

void readOutcomes(std::vector<UpdateOutcome>& outcomes, double ctcWeight) {
    std::vector<at::Tensor> numbers;
    for (const UpdateOutcome& outcome : outcomes)
        if (outcome.pending) {
            numbers.push_back(outcome.pending->gradientNorm);
            for (const PendingLoss& loss : outcome.pending->losses)
                numbers.push_back(loss.numbers());
        }
    if (numbers.empty())
        return;
    for (at::Tensor& part : numbers)
        part = part.reshape({-1});
    const at::Tensor read = at::cat(numbers).cpu(); // the one wait
    const auto* next = read.const_data_ptr<double>();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const auto pending = std::exchange(outcomes[i].pending, nullptr);
        if (!pending)
            continue;
        outcomes[i].gradientNorm = *next++;
        outcomes[i].loss = {};
        std::vector<std::int64_t> members;
        for (std::size_t batch = 0; batch < pending->losses.size(); ++batch, next += PendingLoss::kNumbers) {
            const BatchLoss loss = pending->losses[batch].from(next);
            if (!std::isfinite(loss.total(ctcWeight)))
                throw NotFinite{"loss", pending->examples[batch], static_cast<std::int64_t>(i)};
            members.insert(members.end(), pending->examples[batch].begin(), pending->examples[batch].end());
            outcomes[i].loss.add(loss);
        }
        if (!std::isfinite(outcomes[i].gradientNorm))
            throw NotFinite{"gradient", members, static_cast<std::int64_t>(i)};
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
    // Ranks add up their numbers at every update.
    const auto pending = !learner.ranks && !models::usedDevice().is_cpu() ? std::make_shared<PendingOutcome>() : nullptr;
    for (std::int64_t i = 0; i < batches; ++i) {
        const auto start = Clock::now();
        const auto batch = loader.next();
        outcome.waited += std::chrono::duration<double>(Clock::now() - start).count();
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
            options.beforeBackward = [&](const at::Tensor& loss) { learner.sums->expect(loss); };
        BatchLoss loss;
        try {
            const PrecisionScope precision(learner.precision);
            const WeightNoise noise(learner.parameters, deviation, learner.seed, update, i);
            const PendingLoss computed = pendingLoss(learner.parameters, learner.architecture, learner.recipe.loss,
                                                     statistics.counts ? *batch : standIn(learner.architecture), true,
                                                     true, options);
            if (pending) {
                loss.crossEntropy.tokens = computed.tokens;
                pending->losses.push_back(computed);
                pending->examples.push_back(batch->examples);
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
    if (learner.ranks)
        sumOutcome(outcome, notFinite, learner);
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
        throw NotFinite{"gradient", members};
    if (recipe.clipNorm > 0)
        factor *= std::min(1.0, recipe.clipNorm / (outcome.gradientNorm + 1e-6));
    learner.optimiser.apply(update + 1, outcome.learningRate, factor);
    return outcome;
}

} // namespace headroom::training
