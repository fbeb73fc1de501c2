// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/training_cmvn.h"

#include "core/audio/audio_file.h"
#include "core/features/features.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace headroom::training {

namespace {

CmvnSums sumsOf(const Example& example, LogMelFilterbank& filterbank) {
    try {
        CmvnSums sums;
        sums.add(filterbank.compute(loadRecording(example.audio).samples));
        return sums;
    } catch (const Error& error) {
        throw Error(error.code(), "Utterance " + example.id + ": " + error.what(), error.values());
    }
}

} // namespace

GlobalCmvn cmvnOf(const std::vector<Example>& examples, std::int64_t threads) {
    constexpr std::size_t kBlock =
        1024; // sums are added in the order of the examples, so that their rounding is the same
    CmvnSums all;
    for (std::size_t start = 0; start < examples.size(); start += kBlock) {
        const std::size_t count = std::min(kBlock, examples.size() - start);
        std::vector<CmvnSums> sums(count);
        std::atomic<std::size_t> next = 0;
        std::exception_ptr problem;
        std::mutex mutex;
        const auto work = [&] {
            LogMelFilterbank filterbank;
            for (std::size_t i = next++; i < count; i = next++)
                try {
                    sums[i] = sumsOf(examples[start + i], filterbank);
                } catch (...) {
                    const std::lock_guard guard(mutex);
                    problem = std::current_exception();
                    next = count;
                }
        };
        std::vector<std::thread> others;
        for (std::int64_t thread = 1; thread < threads; ++thread)
            others.emplace_back(work);
        work();
        for (std::thread& thread : others)
            thread.join();
        if (problem)
            std::rethrow_exception(problem);
        for (const CmvnSums& one : sums)
            all.add(one);
    }
    return all.result();
}

} // namespace headroom::training
