// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/needed_splits.h"

#include "core/errors/display_name.h"
#include "core/errors/listed.h"

#include <algorithm>

namespace headroom {

void needOneOf(const Corpus& corpus, const std::string& training, const std::string& validation) {
    const auto& splits = corpus.document().splits;
    if (training == validation || std::ranges::find(splits, training) != splits.end() || std::ranges::find(splits, validation) != splits.end())
        return;
    const std::string name = displayName(corpus.folder());
    throw Error("corpus.noSplit", name + " has neither the split “" + training + "” nor “" + validation + "”; it has " + listedInQuotes(splits) + ".",
                {{"file", name}});
}

} // namespace headroom
