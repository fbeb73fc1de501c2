// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::widgets {

inline constexpr int kSmallestText = 90, kLargestText = 150;

/// Sets the size of all text, in per cent of the usual one, brought into the range above; everything in Sizes follows.
/// Takes effect with the next Theme::apply(). 100 at the start. Window's thread.
void setTextSize(int percent);

} // namespace headroom::widgets
