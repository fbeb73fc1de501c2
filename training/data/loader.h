// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/data/feature_cache.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::training {

/// The input of one forward pass.
struct Batch {
    std::vector<std::int64_t> examples; ///< indices into the example set
    std::int64_t longest = 0, bins = 80;
    std::vector<std::int64_t> frames;      ///< of each recording; of sentences the tokens, with </s>
    std::vector<float> features;           ///< [batch, longest, bins], zero-padded; empty if all are sentences
    std::vector<std::vector<int>> targets; ///< without </s>, not padded
    std::shared_ptr<const TextForm> form = plainTextForm(); ///< of all targets
    bool perFrame = false;                 ///< each target has one label for every frame of its recording
    std::int64_t sourceFrames = 0;         ///< as recipes count them (Example::frames), without padding
    std::int64_t targetTokens = 0;         ///< with </s>
};

/// Prepares batches on its own threads, a few ahead, and returns them in the requested order. The contents of
/// a batch follow from the examples, the seed and the epoch, never from the number of threads. One consumer.
class BatchLoader {
public:
    /// `order`: the batches of one epoch, each a list of indices into `examples`. `augmentation`: null for
    /// validation. Everything passed by reference must outlive the loader.
    BatchLoader(const std::vector<Example>& examples, FeatureCache& cache,
                std::vector<std::vector<std::int64_t>> order, std::int64_t threads, std::int64_t bins,
                const Recipe::Augmentation* augmentation, std::uint64_t seed, std::int64_t epoch);
    ~BatchLoader(); ///< waits for batches in progress

    /// Returns the next batch; null after the last. Throws the errors of preparing it.
    std::unique_ptr<Batch> next();

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::training
