// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_map/small_map.h"

#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace headroom::widgets {

namespace {

/// The cells that each of `pixels` covers.
std::vector<CellRange> spread(int pixels, std::int64_t cells) {
    std::vector<CellRange> ranges;
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
        const auto first = static_cast<std::int32_t>(pixel * cells / pixels),
                   last = static_cast<std::int32_t>(((pixel + 1) * cells + pixels - 1) / pixels);
        ranges.push_back({first, std::max(last, first + 1)});
    }
    return ranges;
}

ValueRange maximumRange(const Matrix<float>& values) {
    float largest = 0;
    for (const float value : values.values())
        largest = std::isfinite(value) ? std::max(largest, value) : largest;
    return {0, largest > 0 ? static_cast<double>(largest) : 1};
}

} // namespace

ValueRange percentileRange(const Matrix<float>& map) {
    std::vector<float> values;
    std::copy_if(map.values().begin(), map.values().end(), std::back_inserter(values),
                 [](float value) { return std::isfinite(value); });
    if (values.empty())
        return {};
    const auto place = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 99 / 100);
    std::nth_element(values.begin(), place, values.end());
    const auto largest = static_cast<double>(*std::max_element(place, values.end()));
    const auto high = static_cast<double>(*place);
    return {0, high > 0 ? high : largest > 0 ? largest : 1};
}

QImage smallMap(const MaxPyramid& map, QSize pixels, SmallMapRange range, ColourMap::Name colours, double gamma,
                double pixelRatio) {
    const Matrix<float> values =
        sampleMap(map, spread(pixels.height(), static_cast<std::int64_t>(map.rows())),
                  spread(pixels.width(), static_cast<std::int64_t>(map.columns())), false);
    const Theme& theme = Theme::current();
    const ColourTable table(ColourMap::named(colours, theme.isDark), gamma, theme.hiddenCell.rgb());
    QImage image = table.colour(values, range == SmallMapRange::Maximum ? maximumRange(values)
                                                                        : percentileRange(map.level(0)));
    image.setDevicePixelRatio(pixelRatio);
    return image;
}

} // namespace headroom::widgets
