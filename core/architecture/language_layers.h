// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/matrix/matrix.h"

#include <span>

namespace headroom {

/// Returns a Transformer language model with its layers also in `encoder.layers`, and the front end of a text, so that
/// whatever analyses or edits the layers of an encoder reads those of a language model too. Its document, costs and
/// weights stay those of `languageModel`. Returns an LSTM and every other architecture unchanged.
Architecture withLanguageLayers(Architecture architecture);

/// The other direction: takes the heads that were edited in `encoder.layers`.
void takeLanguageHeads(Architecture& architecture);

/// Returns what a model reads of a text with the tokens `ids`: textFeatures(), or languageFeatures() of a language model.
Matrix<float> sourceFeatures(const Architecture& architecture, std::span<const int> ids);

/// The front end of a text: one token for each piece.
Architecture::FrontEnd textFrontEnd();

} // namespace headroom
