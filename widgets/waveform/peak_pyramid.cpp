// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/waveform/peak_pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::widgets {

namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kFanOut = 4;

/// Smallest, largest and sum of squares so far.
struct Gathered {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
    double sumOfSquares = 0;

    void add(float sample) {
        if (!std::isfinite(sample))
            sample = 0;
        low = std::min(low, sample);
        high = std::max(high, sample);
        sumOfSquares += double(sample) * sample;
    }
    template <class Block>
    void addBlock(const Block& block) {
        low = std::min(low, block.low);
        high = std::max(high, block.high);
        sumOfSquares += block.sumOfSquares;
    }
};

} // namespace

PeakPyramid::PeakPyramid(std::shared_ptr<const std::vector<float>> samples) : m_samples(std::move(samples)) {
    const std::span<const float> all = this->samples();
    // Only whole blocks: a range that reaches the ragged end reads it from the samples.
    std::vector<Block> level(all.size() / kBlock);
    for (std::size_t index = 0; index < level.size(); ++index) {
        Gathered gathered;
        for (const float sample : all.subspan(index * kBlock, kBlock))
            gathered.add(sample);
        level[index] = {gathered.low, gathered.high, gathered.sumOfSquares};
    }
    while (!level.empty()) {
        std::vector<Block> coarser(level.size() / kFanOut);
        for (std::size_t index = 0; index < coarser.size(); ++index) {
            Gathered gathered;
            for (std::size_t part = 0; part < kFanOut; ++part)
                gathered.addBlock(level[index * kFanOut + part]);
            coarser[index] = {gathered.low, gathered.high, gathered.sumOfSquares};
        }
        m_levels.push_back(std::move(level));
        level = std::move(coarser);
    }
}

std::span<const float> PeakPyramid::samples() const {
    return m_samples ? std::span<const float>(*m_samples) : std::span<const float>();
}

PeakPyramid::Peak PeakPyramid::over(Samples begin, Samples end) const {
    const std::span<const float> all = samples();
    const auto first = std::size_t(std::clamp<std::int64_t>(begin.value(), 0, std::int64_t(all.size())));
    const auto last = std::size_t(std::clamp<std::int64_t>(end.value(), 0, std::int64_t(all.size())));
    if (first >= last)
        return {};
    Gathered gathered;
    std::size_t at = first;
    while (at < last) {
        // The coarsest block that starts here and ends within the range.
        std::size_t size = 0, width = kBlock;
        const std::vector<Block>* from = nullptr;
        for (const auto& level : m_levels) {
            if (at % width != 0 || at + width > last || at / width >= level.size())
                break;
            from = &level;
            size = width;
            width *= kFanOut;
        }
        if (from) {
            gathered.addBlock((*from)[at / size]);
            at += size;
        } else {
            const std::size_t stop = std::min(last, (at / kBlock + 1) * kBlock);
            for (; at < stop; ++at)
                gathered.add(all[at]);
        }
    }
    return {gathered.low, gathered.high, gathered.sumOfSquares / double(last - first)};
}

} // namespace headroom::widgets
