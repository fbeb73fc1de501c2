// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "widgets/look/colour_map.h"
#include "widgets/matrix/map_raster.h"

#include <QImage>

namespace headroom::widgets {

/// 0 … 99th percentile of a map; 0 … 1 without values.
ValueRange percentileRange(const Matrix<float>& map);

enum class SmallMapRange {
    Maximum,      ///< 0 … the largest value
    Percentile99, ///< percentileRange()
};

/// The whole map in so many device pixels, reduced by the maximum, in the current theme. Window's thread.
QImage smallMap(const MaxPyramid& map, QSize pixels, SmallMapRange range, ColourMap::Name colours, double gamma,
                double pixelRatio);

} // namespace headroom::widgets
