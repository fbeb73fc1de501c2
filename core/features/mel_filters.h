// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace headroom {

/// Triangular filters that turn a power spectrum into mel bins, in double precision. A value; safe on every thread.
class MelFilters {
public:
    /// Slaney's filters (librosa, Whisper, NeMo): linear below 1 kHz with 200/3 Hz per mel, above it 27 mels per factor
    /// 6.4; triangles between equidistant mels from `lowest` to `highest` Hz, linear in Hz, each times 2 / (right −
    /// left edge in Hz). `spectrumBins` bins from 0 Hz to half the sample rate.
    static MelFilters slaney(int bins, int spectrumBins, double sampleRate, double lowest, double highest);
    /// Kaldi's: mel = 1127 ln(1 + f/700), triangles linear in mel, height 1.
    static MelFilters kaldi(int bins, int spectrumBins, double sampleRate, double lowest, double highest);

    /// The lowest and the highest frequency that any of Kaldi's bins `first` … `last` hears, in Hz.
    static std::pair<double, double> kaldiRange(int bins, int first, int last, double lowest, double highest);

    int bins() const { return static_cast<int>(m_filters.size()); }
    /// `energy`: one number for each mel bin.
    void apply(std::span<const double> power, std::span<double> energy) const;

private:
    struct Filter {
        std::size_t first = 0;
        std::vector<double> weights; ///< of the bins from `first`
    };
    /// Triangle b over edges[b], edges[b + 1], edges[b + 2], at the places of the spectrum's bins, times its height.
    MelFilters(std::span<const double> edges, std::span<const double> places, std::span<const double> heights);
    std::vector<Filter> m_filters;
};

} // namespace headroom
