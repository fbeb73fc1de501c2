// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/loader.h"

#include "training/data/random.h"
#include "training/data/spec_augment.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace headroom::training {

struct BatchLoader::Implementation {
    const std::vector<Example>& examples;
    FeatureCache& cache;
    const std::vector<std::vector<std::int64_t>> order;
    const std::int64_t bins;
    const Recipe::Augmentation* const augmentation;
    const std::uint64_t seed;
    const std::int64_t epoch;

    struct Slot {
        std::unique_ptr<Batch> batch;
        std::exception_ptr error;
        bool done = false;
    };
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Slot> slots;
    std::size_t claimed = 0, taken = 0, ahead = 0;
    bool stopping = false;
    std::vector<std::thread> threads;

    std::unique_ptr<Batch> make(const std::vector<std::int64_t>& members) const {
        auto batch = std::make_unique<Batch>();
        batch->examples = members;
        batch->bins = bins;
        std::vector<std::shared_ptr<const Matrix<float>>> features;
        for (const std::int64_t index : members) {
            const Example& example = examples[static_cast<std::size_t>(index)];
            if (!example.isSentence())
                features.push_back(cache.features(example));
            batch->frames.push_back(example.isSentence() ? example.frames
                                                         : static_cast<std::int64_t>(features.back()->rows()));
            batch->longest = std::max(batch->longest, batch->frames.back());
            batch->sourceFrames += example.frames;
            batch->targets.push_back(example.target);
            batch->perFrame = example.perFrame;
            batch->form = example.form;
            batch->targetTokens += static_cast<std::int64_t>(example.target.size()) + 1;
        }
        if (features.empty()) // sentences
            return batch;
        const auto each = static_cast<std::size_t>(batch->longest * bins);
        batch->features.assign(each * members.size(), 0.0F);
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto& values = features[i]->values();
            float* start = batch->features.data() + i * each;
            std::copy(values.begin(), values.end(), start);
            const InputKind kind = cache.input().kind; // masks are of mel bins
            if (!augmentation || kind == InputKind::Waveform || kind == InputKind::Text)
                continue;
            Random random = randomFor(seed, Purpose::Augmentation, static_cast<std::uint64_t>(epoch),
                                      static_cast<std::uint64_t>(members[i]));
            const auto rows = features[i]->rows(), columns = features[i]->columns();
            // Rows behind a recording stand for all the silence up to the end of the window.
            const auto own = static_cast<std::int64_t>(rows) - cache.input().rowsBehind();
            applyMasks(drawMasks(*augmentation, std::max<std::int64_t>(own, 1),
                                 static_cast<std::int64_t>(columns), random),
                       MatrixView<float>(start, rows, columns));
        }
        return batch;
    }

    void work() {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock,
                         [&] { return stopping || claimed == order.size() || claimed < taken + ahead; });
            if (stopping || claimed == order.size())
                return;
            const std::size_t index = claimed++;
            lock.unlock();
            Slot result;
            try {
                result.batch = make(order[index]);
            } catch (...) {
                result.error = std::current_exception();
            }
            result.done = true;
            lock.lock();
            slots[index] = std::move(result);
            changed.notify_all();
        }
    }
};

BatchLoader::BatchLoader(const std::vector<Example>& examples, FeatureCache& cache,
                         std::vector<std::vector<std::int64_t>> order, std::int64_t threads,
                         std::int64_t bins, const Recipe::Augmentation* augmentation, std::uint64_t seed,
                         std::int64_t epoch)
    : m(new Implementation{examples,
                           cache,
                           std::move(order),
                           bins,
                           augmentation,
                           seed,
                           epoch,
                           {},
                           {},
                           {},
                           0,
                           0,
                           0,
                           false,
                           {}}) {
    m->slots.resize(m->order.size());
    m->ahead = static_cast<std::size_t>(threads) * 2;
    for (std::int64_t i = 0; i < threads; ++i)
        m->threads.emplace_back([this] { m->work(); });
}

BatchLoader::~BatchLoader() {
    {
        const std::lock_guard guard(m->mutex);
        m->stopping = true;
    }
    m->changed.notify_all();
    for (std::thread& thread : m->threads)
        thread.join();
}

std::unique_ptr<Batch> BatchLoader::next() {
    std::unique_lock lock(m->mutex);
    if (m->taken == m->order.size())
        return nullptr;
    auto& slot = m->slots[m->taken];
    m->changed.wait(lock, [&] { return slot.done; });
    ++m->taken;
    m->changed.notify_all();
    if (slot.error)
        std::rethrow_exception(slot.error);
    return std::move(slot.batch);
}

} // namespace headroom::training
