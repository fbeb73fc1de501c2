// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/mel_filters.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom {

namespace {

constexpr double kBreakHertz = 1000, kHertzPerMel = 200.0 / 3, kBreakMel = kBreakHertz / kHertzPerMel;

double slaneyMel(double hertz) {
    return hertz < kBreakHertz ? hertz / kHertzPerMel
                               : kBreakMel + 27 * std::log(hertz / kBreakHertz) / std::log(6.4);
}

double slaneyHertz(double mel) {
    return mel < kBreakMel ? mel * kHertzPerMel
                           : kBreakHertz * std::exp((mel - kBreakMel) * std::log(6.4) / 27);
}

double kaldiMel(double hertz) {
    return 1127 * std::log(1 + hertz / 700);
}

double kaldiHertz(double mel) {
    return 700 * (std::exp(mel / 1127) - 1);
}

/// `count` equidistant numbers, both ends included.
std::vector<double> equidistant(double first, double last, int count) {
    std::vector<double> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(first + (last - first) * i / (count - 1));
    return numbers;
}

} // namespace

MelFilters::MelFilters(std::span<const double> edges, std::span<const double> places,
                       std::span<const double> heights) {
    for (std::size_t b = 0; b < heights.size(); ++b) {
        const double left = edges[b], centre = edges[b + 1], right = edges[b + 2];
        Filter filter;
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double weight =
                std::min((places[k] - left) / (centre - left), (right - places[k]) / (right - centre));
            if (weight <= 0)
                continue;
            if (filter.weights.empty())
                filter.first = k;
            filter.weights.push_back(weight * heights[b]);
        }
        m_filters.push_back(std::move(filter));
    }
}

MelFilters MelFilters::slaney(int bins, int spectrumBins, double sampleRate, double lowest, double highest) {
    std::vector<double> edges = equidistant(slaneyMel(lowest), slaneyMel(highest), bins + 2);
    for (double& edge : edges)
        edge = slaneyHertz(edge);
    std::vector<double> heights;
    for (std::size_t b = 0; b < static_cast<std::size_t>(bins); ++b)
        heights.push_back(2 / (edges[b + 2] - edges[b]));
    return {edges, equidistant(0, sampleRate / 2, spectrumBins), heights};
}

MelFilters MelFilters::kaldi(int bins, int spectrumBins, double sampleRate, double lowest, double highest) {
    std::vector<double> places = equidistant(0, sampleRate / 2, spectrumBins);
    for (double& place : places)
        place = kaldiMel(place);
    const std::vector<double> heights(static_cast<std::size_t>(bins), 1.0);
    return {equidistant(kaldiMel(lowest), kaldiMel(highest), bins + 2), places, heights};
}

std::pair<double, double> MelFilters::kaldiRange(int bins, int first, int last, double lowest, double highest) {
    const double from = kaldiMel(lowest), step = (kaldiMel(highest) - from) / (bins + 1); // bin b: edges b to b + 2
    return {kaldiHertz(from + step * first), kaldiHertz(from + step * (last + 2))};
}

void MelFilters::apply(std::span<const double> power, std::span<double> energy) const {
    assert(energy.size() == m_filters.size());
    for (std::size_t b = 0; b < m_filters.size(); ++b) {
        const Filter& filter = m_filters[b];
        double sum = 0;
        for (std::size_t k = 0; k < filter.weights.size(); ++k)
            sum += filter.weights[k] * power[filter.first + k];
        energy[b] = sum;
    }
}

} // namespace headroom
