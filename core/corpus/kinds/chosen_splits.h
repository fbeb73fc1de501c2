// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Returns a name of a split or a language that may be part of a file name: letters, digits and `marks`.
std::string plainName(std::string name, std::string_view marks);

/// Renames and joins splits as CorpusImport::splits asks; without a request only makes their names plain. Throws Error
/// "corpus.noSplit".
void chooseSplits(std::vector<SourceUtterance>& utterances, const CorpusImport& request);

} // namespace headroom
