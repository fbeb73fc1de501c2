// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <memory>
#include <span>
#include <vector>

namespace headroom {

/// soxr at very high quality, fed in blocks: what resample() does, for recordings that should not lie in
/// memory twice.
///
/// Internal to core/audio. One stream per object, one thread at a time. Memory: soxr's filters, independent
/// of the length. Equal rates pass the samples on untouched.
class StreamResampler {
public:
    /// Throws std::invalid_argument where a rate is not greater than 0, std::runtime_error where soxr
    /// refuses.
    StreamResampler(SampleRate from, SampleRate to);
    ~StreamResampler();

    /// Takes a block and appends what is ready to `output`.
    void push(std::span<const float> block, std::vector<float>& output);
    /// Appends what is still inside. The stream has then made round(n · to / from) samples of the n pushed.
    void finish(std::vector<float>& output);

private:
    struct Soxr;
    void drain(const float* block, std::size_t size, std::vector<float>& output);

    SampleRate m_from, m_to;
    std::unique_ptr<Soxr> m_soxr; ///< null where the rates are equal
    std::int64_t m_pushed = 0, m_made = 0;
};

} // namespace headroom
