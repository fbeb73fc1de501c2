// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/batching.h"

#include "training/data/random.h"

#include <algorithm>
#include <numeric>

namespace headroom::training {

std::vector<std::vector<std::int64_t>> makeBatches(const std::vector<std::int64_t>& frames,
                                                   std::int64_t maxFrames, std::int64_t maxUtterances) {
    std::vector<std::int64_t> order(frames.size());
    std::iota(order.begin(), order.end(), 0);
    const auto framesOf = [&](std::int64_t index) { return frames[static_cast<std::size_t>(index)]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return framesOf(a) > framesOf(b); });

    std::vector<std::vector<std::int64_t>> batches;
    for (const std::int64_t index : order) {
        const bool fits = [&] {
            if (batches.empty())
                return false;
            const auto count = static_cast<std::int64_t>(batches.back().size()) + 1;
            const std::int64_t longest = framesOf(batches.back().front());
            return longest * count <= maxFrames && (maxUtterances == 0 || count <= maxUtterances);
        }();
        if (!fits)
            batches.emplace_back();
        batches.back().push_back(index);
    }
    return batches;
}

std::vector<std::int64_t> epochOrder(std::int64_t batches, std::uint64_t seed, std::int64_t epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(batches));
    std::iota(order.begin(), order.end(), 0);
    Random random = randomFor(seed, Purpose::Order, static_cast<std::uint64_t>(epoch));
    for (std::int64_t last = batches - 1; last > 0; --last) // Fisher and Yates
        std::swap(order[static_cast<std::size_t>(last)],
                  order[static_cast<std::size_t>(random.below(last + 1))]);
    return order;
}

} // namespace headroom::training
