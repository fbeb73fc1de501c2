// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/spectrogram/spectrum.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr double kLowest = 20, kHighest = 8000; // Hz, of the filterbank
constexpr std::size_t kFewFrames = 256;         // no coarser level than this is needed
constexpr std::size_t kMostValues = 1'000'000;  // for the percentiles

double mel(double hertz) {
    return 1127 * std::log(1 + hertz / 700);
}

float percentile(std::vector<float>& values, double share) {
    const auto index = std::ptrdiff_t(std::lround(share * double(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[std::size_t(index)];
}

Matrix<float> halved(const Matrix<float>& fine) {
    Matrix<float> coarse((fine.rows() + 1) / 2, fine.columns());
    for (std::size_t row = 0; row < coarse.rows(); ++row) {
        const auto first = fine.row(2 * row);
        const auto second = fine.row(std::min(2 * row + 1, fine.rows() - 1));
        for (std::size_t column = 0; column < fine.columns(); ++column)
            coarse(row, column) = (first[column] + second[column]) / 2;
    }
    return coarse;
}

/// Cells at the features' own floor hold no sound (digital silence): they would stretch the range by 100 dB
/// and flatten the speech beside them. They are drawn as quiet.
float floorOf(FrequencyScale scale) {
    return scale == FrequencyScale::LogMel ? std::log(1.1920929e-7f) + 1e-3f : -120.0f + 1e-3f;
}

} // namespace

Spectrum::Spectrum(Matrix<float> values, FrequencyScale scale, FrameClock clock)
    : m_scale(scale)
    , m_clock(clock) {
    if (values.empty())
        return;
    const std::vector<float>& all = values.values();
    const std::size_t stride = all.size() / kMostValues + 1;
    std::vector<float> some;
    some.reserve(all.size() / stride + 1);
    for (std::size_t index = 0; index < all.size(); index += stride)
        if (std::isfinite(all[index]) && all[index] > floorOf(scale))
            some.push_back(all[index]);
    if (!some.empty()) {
        m_quiet = percentile(some, 0.05);
        m_loud = percentile(some, 0.995);
    }
    if (!(m_loud > m_quiet))
        m_loud = m_quiet + 1; // one value everywhere: all of it is quiet
    m_levels.push_back(std::move(values));
    while (m_levels.back().rows() > kFewFrames)
        m_levels.push_back(halved(m_levels.back()));
}

double Spectrum::rangeDecibels() const {
    const double range = double(m_loud) - m_quiet;
    return m_scale == FrequencyScale::LogMel ? range * 10 / std::log(10.0) : range;
}

double Spectrum::heightOf(double hertz) const {
    if (m_scale == FrequencyScale::Linear)
        return hertz / kHighest;
    return (mel(hertz) - mel(kLowest)) / (mel(kHighest) - mel(kLowest));
}

double Spectrum::binAt(double height) const {
    // Linear: bins lie on both ends. Mel: B triangles share B + 2 corners, so bin b is centred on corner b
    // + 1.
    if (m_scale == FrequencyScale::Linear)
        return height * double(bins() - 1);
    return height * double(bins() + 1) - 1;
}

} // namespace headroom::widgets
