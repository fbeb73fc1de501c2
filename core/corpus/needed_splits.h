// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <string>

namespace headroom {

/// Throws Error "corpus.noSplit" where the corpus has neither of two splits that training needs, so that both are named at once. A
/// single one is named by Corpus::utterances().
void needOneOf(const Corpus& corpus, const std::string& training, const std::string& validation);

} // namespace headroom
