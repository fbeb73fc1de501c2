// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/throughput.h"

#include "core/tensors/npy.h"
#include "models/layers/device.h"
#include "training/data/batching.h"
#include "training/loop/initial_weights.h"
#include "training/loop/kept_memory.h"
#include "training/loop/losses/unigram.h"
#include "training/loop/memory.h"
#include "training/loop/update.h"

#include <ATen/Parallel.h>
#include <c10/core/Device.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <sys/resource.h>

namespace headroom::training {

namespace {

double processorSeconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The batches of an epoch in their order, then those of the next.
class Epochs {
public:
    explicit Epochs(const ThroughputSetup& setup)
        : m_setup(setup)
        , m_cache(setup.recipe.data.cacheMegabytes, setup.architecture.frontEnd.input()) {
        std::vector<std::int64_t> frames;
        for (const Example& example : setup.examples.examples)
            frames.push_back(example.computedFrames());
        m_batches =
            makeBatches(frames, setup.recipe.data.maxBatchFrames, setup.recipe.data.maxBatchUtterances);
    }

    /// A loader with at least one batch left; the next epoch's where the last one is through.
    BatchLoader& loader() {
        if (m_left == 0) {
            std::vector<std::vector<std::int64_t>> order;
            for (const std::int64_t index : epochOrder(count(), seed(), ++m_epoch))
                order.push_back(m_batches[static_cast<std::size_t>(index)]);
            m_left = count();
            m_loader.emplace(m_setup.examples.examples, m_cache, std::move(order),
                             m_setup.recipe.data.loaderThreads, m_setup.architecture.frontEnd.features,
                             &m_setup.recipe.augmentation, seed(), m_epoch);
        }
        --m_left;
        return *m_loader;
    }

    std::int64_t count() const { return static_cast<std::int64_t>(m_batches.size()); }
    std::uint64_t seed() const { return static_cast<std::uint64_t>(m_setup.recipe.machine.seed); }

private:
    const ThroughputSetup& m_setup;
    FeatureCache m_cache;
    std::vector<std::vector<std::int64_t>> m_batches;
    std::optional<BatchLoader> m_loader;
    std::int64_t m_epoch = 0, m_left = 0;
};

void write(const std::filesystem::path& file, const Batch& batch) {
    const auto utterances = static_cast<std::int64_t>(batch.frames.size());
    std::size_t longest = 0;
    for (const auto& target : batch.targets)
        longest = std::max(longest, target.size());
    std::vector<std::int64_t> targets;
    for (const auto& target : batch.targets) {
        targets.insert(targets.end(), target.begin(), target.end());
        targets.insert(targets.end(), longest - target.size(), -1);
    }
    NpzWriter npz(file);
    npz.add("features", Tensor::of<float>({utterances, batch.longest, batch.bins}, batch.features).view());
    npz.add("frames", Tensor::of<std::int64_t>({utterances}, batch.frames).view());
    npz.add("targets",
            Tensor::of<std::int64_t>({utterances, static_cast<std::int64_t>(longest)}, targets).view());
    npz.close();
}

void writeBatches(const ThroughputSetup& setup) {
    Epochs epochs(setup);
    std::filesystem::create_directories(setup.batches);
    for (std::int64_t i = 0; i < setup.warmUp + setup.updates; ++i) {
        char name[32];
        std::snprintf(name, sizeof name, "batch-%03lld.npz", static_cast<long long>(i));
        write(setup.batches / name, *epochs.loader().next());
    }
}

} // namespace

Throughput measureThroughput(const ThroughputSetup& setup) {
    using Clock = std::chrono::steady_clock;
    if (!setup.batches.empty())
        writeBatches(setup);
    Throughput result;
    const bool onCpu = models::usedDevice().is_cpu();
    const MemoryNeeds needs = predictedNeeds(setup.architecture, setup.recipe, extentOf(setup.examples, setup.recipe),
                                             setup.recipe.machine.precision, false, onCpu);
    result.predictedBytes = usedBytes() + (onCpu ? needs.onCpu() : needs.computing);
    keepFreedMemory();
    at::set_num_threads(static_cast<int>(setup.threads));
    Epochs epochs(setup);
    const models::Parameters parameters =
        models::onDevice(initialWeights(setup.architecture, setup.recipe.loss.ctcWeight > 0, epochs.seed()));
    Adam optimiser(parameters, setup.recipe.optimiser);
    const auto unigram = unigramOf(setup.examples.examples, setup.architecture.vocabulary, setup.recipe.loss);
    Learner learner{parameters,    optimiser, setup.architecture, setup.recipe, setup.recipe.machine.precision,
                    epochs.seed()};
    learner.unigram = unigram ? &*unigram : nullptr;
    for (std::int64_t update = 0; update < setup.warmUp; ++update) // libraries choose their ways, memory is touched first
        makeUpdate(learner, epochs.loader(), 1, update);
    models::waitForDevice();
    const auto start = Clock::now();
    const double processor = processorSeconds();
    double waited = 0;
    std::vector<UpdateOutcome> outcomes;
    for (std::int64_t update = 0; update < setup.updates; ++update) {
        outcomes = {makeUpdate(learner, epochs.loader(), 1, setup.warmUp + update)};
        const UpdateOutcome& outcome = outcomes.front();
        ++result.updates;
        result.frames += outcome.frames;
        result.targetTokens += outcome.loss.crossEntropy.tokens;
        waited += outcome.waited;
    }
    readOutcomes(outcomes, setup.recipe.loss.ctcWeight); // waits for the device, as at an interval of the log
    const UpdateOutcome& outcome = outcomes.front();
    result.loss = outcome.loss.crossEntropy.lossSum / static_cast<double>(outcome.loss.crossEntropy.tokens);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.processorSeconds = processorSeconds() - processor;
    result.waiting = waited / result.seconds;
    result.peakBytes = peakUsedBytes();
    return result;
}

} // namespace headroom::training
