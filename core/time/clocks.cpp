// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/clocks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace headroom {

namespace {

/// The index of the centre nearest to `time`, halves upwards, clamped to [0, count − 1].
std::int64_t nearestIndex(double time, double offset, double step, std::int64_t count) {
    assert(count >= 1);
    const double exact = std::floor((time - offset) / step + 0.5);
    // Compared as doubles first: infinities and NaN have no integer to be converted to.
    if (!(exact > 0))
        return 0;
    if (exact >= static_cast<double>(count - 1))
        return count - 1;
    return static_cast<std::int64_t>(exact);
}

} // namespace

Frames FrameClock::frameAt(Seconds time, Frames count) const {
    return Frames(nearestIndex(time.value(), centre(Frames(0)).value(), m_step.value(), count.value()));
}

Frames FrameClock::frameCount(Samples samples, SampleRate rate) const {
    const std::int64_t window = rate.nearest(m_length).value();
    const std::int64_t hop = std::max<std::int64_t>(1, rate.nearest(m_step).value());
    if (samples.value() < window)
        return Frames(0);
    return Frames(1 + (samples.value() - window) / hop);
}

TokenClock::TokenClock(FrameClock frames, std::vector<Subsampling> frontEnd, std::int64_t bands)
    : m_frontEnd(std::move(frontEnd))
    , m_bands(bands) {
    if (bands < 1)
        throw std::invalid_argument("TokenClock: a column has at least one band");
    // Folded from the last convolution to the first: centre(t) = step · t + offset, in frames.
    double step = 1;
    double offset = 0;
    for (auto it = m_frontEnd.rbegin(); it != m_frontEnd.rend(); ++it) { // clang 14 has no ranges of libstdc++ 12
        const Subsampling& c = *it;
        if (c.kernel < 1 || c.stride < 1 || c.padding < 0)
            throw std::invalid_argument(
                "TokenClock: a convolution needs kernel >= 1, stride >= 1, padding >= 0");
        step *= c.stride;
        offset = offset * c.stride + (c.kernel - 1) / 2.0 - c.padding;
    }
    m_step = frames.step() * step;
    m_offset = frames.centre(Frames(0)) + frames.step() * offset;
}

TokenClock TokenClock::speechToText() {
    return TokenClock(FrameClock(), {Subsampling{}, Subsampling{}});
}

TokenClock TokenClock::affine(Seconds offset, Seconds step, std::int64_t bands) {
    assert(step > Seconds(0) && bands >= 1);
    TokenClock clock;
    clock.m_offset = offset;
    clock.m_step = step;
    clock.m_bands = bands;
    clock.m_derived = false;
    return clock;
}

Tokens TokenClock::tokenAt(Seconds time, Tokens count) const {
    return Tokens(
        nearestIndex(time.value(), cellCentre(Tokens(0)).value(), cellStep().value(), count.value()));
}

Tokens TokenClock::tokenCount(Frames frames) const {
    if (!m_derived)
        throw std::logic_error("TokenClock: an affine clock does not know its front end");
    std::int64_t length = std::max<std::int64_t>(0, frames.value());
    for (const Subsampling& c : m_frontEnd) {
        const std::int64_t room = length + 2 * c.padding - c.kernel;
        length = length == 0 || room < 0 ? 0 : room / c.stride + 1;
    }
    return Tokens(length * m_bands);
}

TokenClock::FrameRange TokenClock::receptiveField(Tokens token) const {
    if (!m_derived)
        throw std::logic_error("TokenClock: an affine clock does not know its front end");
    std::int64_t first = token.value() / m_bands;
    std::int64_t last = first;
    for (auto it = m_frontEnd.rbegin(); it != m_frontEnd.rend(); ++it) {
        const Subsampling& c = *it;
        first = first * c.stride - c.padding;
        last = last * c.stride - c.padding + c.kernel - 1;
    }
    return {Frames(first), Frames(last)};
}

} // namespace headroom
