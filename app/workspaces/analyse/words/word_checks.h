// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_model.h"
#include "app/documents/items/spoken_words.h"
#include "app/parts/checks_panel.h"

#include <optional>

namespace headroom::app {

/// What was verified about a block of a decoder layer, and how the text came about. `words` and `layer` may be
/// null; `model` too. `length`: of what was analysed; nothing: not yet. Pure.
QList<Check> wordChecks(const SpokenWords* words, WordsBlock block, const DecoderLayerState* layer, const OpenModel* model, TextChoice text,
                        std::optional<Seconds> length);

} // namespace headroom::app
