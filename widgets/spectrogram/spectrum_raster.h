// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/colour_map.h"
#include "widgets/spectrogram/spectrum.h"
#include "widgets/time_axis/time_axis.h"

#include <QImage>

namespace headroom::widgets {

/// Returns a picture of `size` device pixels in which column c covers span.start + [c, c + 1) / width · span,
/// the top is the highest frequency, and frame f is centred on clock.centre(f).
///
/// Enlarged: bilinear between centres. Reduced: weighted means over the pixel (the same triangle, as wide as
/// the pixel). Columns beyond the first and last frame's cell are transparent. Pure; safe on every thread.
QImage rasterise(const Spectrum& spectrum, TimeSpan span, QSize size, const ColourMap& colours);

} // namespace headroom::widgets
