// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headroom {

/// Returns one sentence per property of a whole corpus that people should know and that leaves nothing out:
/// speakers that are in several splits, and texts whose UTF-8 was once read as Latin-1.
std::vector<std::string> remarksAbout(const std::vector<SourceUtterance>& utterances);

/// Returns the sentence about recordings of several sample rates; `rates`: how many utterances have each.
std::string remarkAboutRates(const std::map<int, std::int64_t>& rates);

} // namespace headroom
