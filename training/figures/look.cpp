// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/look.h"

#include "core/colour/colour_ramp.h"

#include <array>
#include <cmath>

namespace headroom::figures {

namespace {

constexpr std::array<std::uint32_t, 6> kSeries{0x1a508e, 0xb55631, 0x3ca07b, 0x6a274f, 0xb68f03, 0x7b8da8};

const std::vector<double>& dash(std::size_t number) {
    static const std::array<std::vector<double>, 4> dashes{{{}, {4, 1.8}, {1.2, 1.4}, {5, 1.4, 1.2, 1.4}}};
    return dashes.at(number % dashes.size());
}

} // namespace

Stroke seriesStroke(std::size_t series, double width) {
    // As the theme says: solid, long, short; the next three again solid, with markers where there are points.
    return {rgb(kSeries.at(series % kSeries.size())), width, dash(series % 3 + series / kSeries.size())};
}

Stroke layerStroke(int layer, int layers, double width) {
    static const ColourRamp viridis(ColourScheme::Viridis);
    const double share = layers > 1 ? double(layer - 1) / (layers - 1) : 0;
    return {viridis.at(0.86 * share), width, dash(static_cast<std::size_t>(layer - 1) % 3)};
}

Colour textOn(const Colour& ground) {
    const double light = (0.299 * ground.red + 0.587 * ground.green + 0.114 * ground.blue) / 255;
    return light < 0.55 ? kWhite : kText;
}

Colour onPaper(const Colour& colour) {
    const auto part = [&](int value) {
        return static_cast<std::uint8_t>(std::lround(255 + (value - 255) * colour.alpha));
    };
    return {part(colour.red), part(colour.green), part(colour.blue), 1};
}

} // namespace headroom::figures
