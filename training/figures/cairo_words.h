// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

typedef struct _cairo cairo_t;

namespace headroom::figures {

/// Draws the words in the context's colour. Letters that the first family lacks (mathematics, in Noto Sans)
/// are taken from the first that has them.
void drawWords(cairo_t* cairo, const Text& text);

} // namespace headroom::figures
