// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <vector>

namespace headroom::widgets {

/// The frequency axis of a spectrum's bins.
enum class FrequencyScale {
    LogMel, ///< 80 triangles linear in mel (1127 ln(1 + f/700)) from 20 to 8000 Hz; natural logarithm of
            ///< energy
    Linear, ///< 257 bins from 0 to 8000 Hz; dB relative to full scale
};

/// A spectrogram ready to be drawn: its values, their positions, quiet and loud levels, and halvings along
/// time.
///
/// Quiet and loud are the 5th and the 99.5th percentile of the whole recording (of at most a million values,
/// evenly sampled, without digital silence), so that a picture does not change with zoom. Immutable; safe on
/// every thread.
class Spectrum {
public:
    Spectrum() = default;
    /// `values` [frames, bins]; any number of bins ≥ 1.
    Spectrum(Matrix<float> values, FrequencyScale scale, FrameClock clock = FrameClock());

    bool empty() const { return m_levels.empty(); }
    std::size_t frames() const { return empty() ? 0 : m_levels.front().rows(); }
    std::size_t bins() const { return empty() ? 0 : m_levels.front().columns(); }
    FrequencyScale scale() const { return m_scale; }
    const FrameClock& clock() const { return m_clock; }
    float quiet() const { return m_quiet; }
    float loud() const { return m_loud; }
    /// loud − quiet in dB (log-mel: 10/ln 10 times the values' difference).
    double rangeDecibels() const;

    /// Height on the frequency axis, 0 (bottom) … 1 (top), of a frequency in Hz; not clamped.
    double heightOf(double hertz) const;
    /// Returns the fractional bin (bin b's centre is b) at a height 0 … 1; may be outside 0 … bins − 1.
    double binAt(double height) const;

    /// Level k has means of 2^k neighbouring frames; level 0 is the spectrum itself.
    std::size_t levelCount() const { return m_levels.size(); }
    const Matrix<float>& level(std::size_t index) const { return m_levels[index]; }

private:
    std::vector<Matrix<float>> m_levels;
    FrequencyScale m_scale = FrequencyScale::LogMel;
    FrameClock m_clock;
    float m_quiet = 0, m_loud = 1;
};

} // namespace headroom::widgets
