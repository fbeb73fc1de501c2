// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/spectrogram/spectrum_raster.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom::widgets {

namespace {

/// The neighbours of one output pixel along one axis: `weights` of first, first + 1, …; they sum to 1.
struct Taps {
    std::size_t first = 0;
    std::vector<float> weights;
};

/// A triangle around `position` (in units of cells, cell i centred at i) reaching `reach` ≥ 1 cells to each
/// side; cells outside [0, count) count as the nearest inside.
Taps triangle(double position, double reach, std::size_t count) {
    const double last = double(count - 1);
    position = std::clamp(position, 0.0, last);
    const auto first = std::size_t(std::max(0.0, std::ceil(position - reach)));
    const auto end = std::size_t(std::min(last, std::floor(position + reach)));
    Taps taps{first, {}};
    double sum = 0;
    for (std::size_t cell = first; cell <= end; ++cell) {
        const double weight = std::max(0.0, 1 - std::abs(double(cell) - position) / reach);
        taps.weights.push_back(float(weight));
        sum += weight;
    }
    for (float& weight : taps.weights)
        weight = float(weight / sum);
    return taps;
}

} // namespace

QImage rasterise(const Spectrum& spectrum, TimeSpan span, QSize size, const ColourMap& colours) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    if (spectrum.empty() || image.isNull() || span.length() <= Seconds(0.0))
        return image;

    const double step = spectrum.clock().step().value();
    const double origin = spectrum.clock().centre(Frames(0)).value();
    const double framesPerPixel = span.length().value() / size.width() / step;
    // Coarse enough that a pixel reads a handful of cells, fine enough that none of them is wider than a
    // pixel.
    std::size_t levelIndex = 0;
    while (levelIndex + 1 < spectrum.levelCount() && framesPerPixel / double(2 << levelIndex) >= 1)
        ++levelIndex;
    const Matrix<float>& level = spectrum.level(levelIndex);
    const double width = double(std::size_t(1) << levelIndex);
    const double reach = std::max(1.0, framesPerPixel / width);

    const std::size_t bins = spectrum.bins();
    const double binsPerPixel = std::abs(spectrum.binAt(1) - spectrum.binAt(0)) / size.height();
    std::vector<Taps> rows;
    for (int y = 0; y < size.height(); ++y)
        rows.push_back(
            triangle(spectrum.binAt(1 - (y + 0.5) / size.height()), std::max(1.0, binsPerPixel), bins));

    const double lowest = spectrum.quiet(), factor = 1 / (double(spectrum.loud()) - lowest);
    std::vector<float> column(bins);
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = image.bytesPerLine() / qsizetype(sizeof(QRgb));
    for (int x = 0; x < size.width(); ++x) {
        const double time = span.start.value() + (x + 0.5) / size.width() * span.length().value();
        const double frame = (time - origin) / step;
        if (frame < -0.5 || frame > double(spectrum.frames()) - 0.5)
            continue;
        const Taps across = triangle((frame + 0.5) / width - 0.5, reach, level.rows());
        std::fill(column.begin(), column.end(), 0.0f);
        for (std::size_t tap = 0; tap < across.weights.size(); ++tap) {
            const auto values = level.row(across.first + tap);
            for (std::size_t bin = 0; bin < bins; ++bin)
                column[bin] += across.weights[tap] * values[bin];
        }
        for (int y = 0; y < size.height(); ++y) {
            const Taps& down = rows[std::size_t(y)];
            float value = 0;
            for (std::size_t tap = 0; tap < down.weights.size(); ++tap)
                value += down.weights[tap] * column[down.first + tap];
            pixels[y * stride + x] = colours.at((value - lowest) * factor);
        }
    }
    return image;
}

} // namespace headroom::widgets
