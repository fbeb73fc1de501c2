// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

/// "41 min", "1 h 50 min", "12 s"; "–" for NaN.
QString durationText(double seconds);
/// "2 min left".
QString timeLeftText(double seconds);
/// "31,040 frames/s": of one form, so that the numbers of a column can be compared; "–" for NaN.
QString speedText(double framesPerSecond, bool areTokens = false);
/// "109 MB/s"; "–" for NaN.
QString byteSpeedText(double bytesPerSecond);

} // namespace headroom::widgets
