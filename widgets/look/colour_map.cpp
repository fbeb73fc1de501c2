// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/colour_map.h"

#include "core/colour/colour_ramp.h"

#include <cmath>
#include <map>

namespace headroom::widgets {

namespace {

ColourScheme schemeOf(ColourMap::Name name, bool isDark) {
    switch (name) {
    case ColourMap::Name::Magma:
        return ColourScheme::Magma;
    case ColourMap::Name::Viridis:
        return ColourScheme::Viridis;
    case ColourMap::Name::Cividis:
        return ColourScheme::Cividis;
    case ColourMap::Name::Grey:
        return isDark ? ColourScheme::GreyDark : ColourScheme::GreyLight;
    case ColourMap::Name::Difference:
        return isDark ? ColourScheme::DifferenceDark : ColourScheme::DifferenceLight;
    }
    return ColourScheme::Magma;
}

} // namespace

ColourMap::ColourMap(Name name, bool isDark, double gamma) {
    const ColourRamp ramp(schemeOf(name, isDark));
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
        const double value = double(entry) / (kEntries - 1);
        const Colour colour = ramp.at(gamma == 1.0 ? value : std::pow(value, gamma));
        m_table[entry] = qRgb(colour.red, colour.green, colour.blue);
    }
}

QLinearGradient ColourMap::upwards(const QRectF& strip) const {
    constexpr int kStops = 32;
    QLinearGradient gradient(strip.bottomLeft(), strip.topLeft());
    for (int stop = 0; stop <= kStops; ++stop)
        gradient.setColorAt(double(stop) / kStops, QColor(at(double(stop) / kStops)));
    return gradient;
}

const ColourMap& ColourMap::named(Name name, bool isDark) {
    static std::map<std::pair<Name, bool>, ColourMap> maps;
    const auto found = maps.find({name, isDark});
    if (found != maps.end())
        return found->second;
    return maps.emplace(std::pair(name, isDark), ColourMap(name, isDark)).first->second;
}

} // namespace headroom::widgets
