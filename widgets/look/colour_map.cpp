// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/colour_map.h"

#include "core/figures/colour_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <QColor>

namespace headroom::widgets {

namespace {

figures::ColourScheme schemeOf(ColourMap::Name name, bool isDark) {
    using figures::ColourScheme;
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

QRgb between(QRgb a, QRgb b, double share) {
    const auto part = [&](int x, int y) { return int(std::lround(x + (y - x) * share)); };
    return qRgb(part(qRed(a), qRed(b)), part(qGreen(a), qGreen(b)), part(qBlue(a), qBlue(b)));
}

} // namespace

ColourMap::ColourMap(Name name, bool isDark, double gamma) {
    std::vector<QRgb> points;
    for (const figures::Colour& colour : figures::colourPoints(schemeOf(name, isDark)))
        points.push_back(qRgb(colour.red, colour.green, colour.blue));
    const auto last = double(points.size() - 1);
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
        const double value = double(entry) / (kEntries - 1);
        const double position = (gamma == 1.0 ? value : std::pow(value, gamma)) * last;
        const auto left = std::min(std::size_t(position), points.size() - 2);
        m_table[entry] = between(points[left], points[left + 1], position - double(left));
    }
}

const ColourMap& ColourMap::named(Name name, bool isDark) {
    static std::map<std::pair<Name, bool>, ColourMap> maps;
    const auto found = maps.find({name, isDark});
    if (found != maps.end())
        return found->second;
    return maps.emplace(std::pair(name, isDark), ColourMap(name, isDark)).first->second;
}

} // namespace headroom::widgets
