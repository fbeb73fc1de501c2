// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

#include <QLinearGradient>
#include <QRgb>

namespace headroom::widgets {

/// A colour map as 4096 opaque colours from value 0 to value 1.
///
/// A value; immutable, safe on every thread (named() only on the window's). Hidden and undefined values are
/// not part of it: the caller draws NaN (Theme::hiddenCell).
class ColourMap {
public:
    static constexpr std::size_t kEntries = 4096;

    /// Grey is for audio. Light theme: dark = loud; dark theme: bright = loud. Difference: A minus B, 0.5 is
    /// no difference.
    enum class Name { Magma, Viridis, Cividis, Grey, Difference };

    /// `isDark` matters for Grey and Difference only. Value v has the colour of v^gamma; gamma > 0.
    explicit ColourMap(Name name, bool isDark = false, double gamma = 1.0);
    /// The map with gamma 1, cached.
    static const ColourMap& named(Name name, bool isDark = false);

    /// Values outside 0 … 1 have the colour of the end; NaN that of 0.
    QRgb at(double value) const {
        if (!(value > 0))
            return m_table.front();
        return value >= 1 ? m_table.back() : m_table[std::size_t(value * (kEntries - 1) + 0.5)];
    }
    const std::array<QRgb, kEntries>& table() const { return m_table; }
    /// For a scale: from 0 at the bottom of `strip` to 1 at its top.
    QLinearGradient upwards(const QRectF& strip) const;

private:
    std::array<QRgb, kEntries> m_table;
};

} // namespace headroom::widgets
