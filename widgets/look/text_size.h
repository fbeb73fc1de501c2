// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;

namespace headroom::widgets {

inline constexpr int kSmallestText = 90, kLargestText = 150;

/// Sets the size of all text, in per cent of the usual one, brought into the range above; everything in Sizes follows.
/// Takes effect with the next Theme::apply(). 100 at the start. Window's thread.
void setTextSize(int percent);

/// Does `work` now, and again after each Theme::apply() that changes the size of the text, until `owner` is gone. A widget that
/// sets a font or an icon size of its own sets it in here: then a change looks as a start in that size. Window's thread.
void withTextSize(const QObject* owner, std::function<void()> work);

/// What Theme::apply() calls once the font, the palette and the style sheet hold.
void renewTextSizes();

} // namespace headroom::widgets
