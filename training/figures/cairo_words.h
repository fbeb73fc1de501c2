// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

typedef struct _cairo cairo_t;

namespace headroom::figures {

/// Draws text in the context's colour. Characters that the first font family lacks (mathematics, in Noto
/// Sans) come from the first family that has them.
void drawWords(cairo_t* cairo, const Text& text);

} // namespace headroom::figures
