// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <memory>
#include <span>
#include <vector>

namespace headroom {

/// soxr at very high quality, fed in blocks: like resample(), but without holding the recording in memory
/// twice. Internal to core/audio. One stream per object, one thread at a time. Memory: soxr's filters,
/// independent of the length. Equal rates pass the samples through unchanged.
class StreamResampler {
public:
    /// Throws std::invalid_argument for a rate that is not positive, std::runtime_error if soxr fails.
    StreamResampler(SampleRate from, SampleRate to);
    ~StreamResampler();

    /// Processes a block and appends the samples that are ready to `output`.
    void push(std::span<const float> block, std::vector<float>& output);
    /// Appends the remaining samples. The total is then round(n · to / from) samples for n pushed ones.
    void finish(std::vector<float>& output);

private:
    struct Soxr;
    void drain(const float* block, std::size_t size, std::vector<float>& output);

    SampleRate m_from, m_to;
    std::unique_ptr<Soxr> m_soxr; ///< null if the rates are equal
    std::int64_t m_pushed = 0, m_made = 0;
};

} // namespace headroom
