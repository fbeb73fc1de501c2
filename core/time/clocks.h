// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <vector>

namespace headroom {

/// One strided convolution of a front end, along time.
struct Subsampling {
    int kernel = 5;
    int stride = 2;
    int padding = 2; ///< zeros on each side
};

/// Places feature frame f on the time axis: it covers [first + f·step, first + f·step + length), and its centre is
/// first + f·step + length/2. Kaldi's framing (snip_edges) starts at 0; frames that are centred on f·step start half
/// their length earlier.
class FrameClock {
public:
    constexpr explicit FrameClock(Seconds step = Seconds(0.010), Seconds length = Seconds(0.025),
                                  Seconds first = Seconds(0))
        : m_step(step)
        , m_length(length)
        , m_first(first) {}
    constexpr Seconds step() const { return m_step; }
    constexpr Seconds length() const { return m_length; }
    constexpr Seconds first() const { return m_first; } ///< where frame 0 starts
    constexpr Seconds centre(Frames frame) const {
        return Seconds(m_step.value() * static_cast<double>(frame.value()) +
                       (m_first.value() + m_length.value() / 2));
    }
    /// The frame whose centre is nearest to `time`, clamped to [0, count − 1]. `count` must be at least 1.
    /// A time that is not a number gives frame 0.
    Frames frameAt(Seconds time, Frames count) const;
    /// Returns 1 + ⌊(samples − window) / hop⌋, or 0 for less than one window (snip_edges; frame 0 starts at 0).
    Frames frameCount(Samples samples, SampleRate rate) const;

private:
    Seconds m_step;
    Seconds m_length;
    Seconds m_first;
};

/// Places encoder token t on the time axis, exactly, from the front end's convolutions.
///
/// A convolution of kernel k, stride s, padding p takes its output o from inputs o·s − p … o·s − p + k − 1,
/// whose centre is input o·s + (k − 1)/2 − p. Composed over the front end this is affine in t, so a clock is
/// an offset and a step. For the S2T front end (two convolutions k 5, s 2, p 2) the centre of token t is
/// frame 4t, that is 0.0125 s + 0.04 s · t.
///
/// Of tokens that are patches of time and frequency, `bands` ones are simultaneous: tokens c · bands … c · bands +
/// bands − 1 are column c, the lowest frequencies first. All of a column have the same centre. On an axis of tokens their
/// cells stand side by side and share the time of the column. Immutable; safe from every thread.
class TokenClock {
public:
    /// No front end: token t is frame t.
    TokenClock() : TokenClock(FrameClock(), std::vector<Subsampling>{}) {}
    /// Throws std::invalid_argument for a kernel, a stride or a number of bands below 1 or a negative padding.
    TokenClock(FrameClock frames, std::vector<Subsampling> frontEnd, std::int64_t bands = 1);
    /// The S2T Transformer's front end: two convolutions, kernel 5, stride 2, padding 2.
    static TokenClock speechToText();
    /// A clock known only by offset and step (imported maps). Token counts cannot be derived from frames.
    static TokenClock affine(Seconds offset, Seconds step, std::int64_t bands = 1);
    /// The same clock of a part that starts at `start` of a recording, as affine().
    TokenClock startingAt(Seconds start) const { return affine(m_offset + start, m_step, m_bands); }

    Seconds offset() const { return m_offset; } ///< centre of token 0
    Seconds step() const { return m_step; }     ///< distance between the centres of neighbouring columns
    std::int64_t bands() const { return m_bands; }
    /// The frequency band of a token, from 0.
    std::int64_t band(Tokens token) const { return token.value() % m_bands; }
    Seconds centre(Tokens token) const {
        return Seconds(m_offset.value() + m_step.value() * static_cast<double>(token.value() / m_bands));
    }
    /// On screen, a token's cell begins at its centre minus half a step, and behind those of lower bands.
    Seconds cellStart(Tokens token) const {
        return centre(token) - m_step / 2 + cellStep() * static_cast<double>(band(token));
    }
    /// The width of a cell on screen.
    Seconds cellStep() const { return m_step / static_cast<double>(m_bands); }
    /// The middle of a cell on screen; centre() unless there are several bands.
    Seconds cellCentre(Tokens token) const {
        return centre(token) + cellStep() * (static_cast<double>(band(token)) - static_cast<double>(m_bands - 1) / 2);
    }
    /// The token whose cell contains `time`, clamped to [0, count − 1]. `count` must be at least 1. A
    /// time that is not a number gives token 0.
    Tokens tokenAt(Seconds time, Tokens count) const;
    /// Returns the number of tokens for `frames`: ⌊(T + 2p − k)/s⌋ + 1 per convolution, 0 if a kernel does
    /// not fit; times `bands`. Throws std::logic_error for a clock made by affine().
    Tokens tokenCount(Frames frames) const;
    /// The frames that token t reads, before clipping to the recording: [first, last]. Throws
    /// std::logic_error for a clock made by affine().
    struct FrameRange {
        Frames first, last;
    };
    FrameRange receptiveField(Tokens token) const;

private:
    std::vector<Subsampling> m_frontEnd;
    Seconds m_offset, m_step;
    std::int64_t m_bands = 1;
    bool m_derived = true; ///< from a front end; false for affine()
};

} // namespace headroom
