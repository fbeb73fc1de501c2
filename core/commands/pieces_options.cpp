// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/pieces_options.h"

#include "core/commands/command_line.h"

namespace headroom {

std::vector<std::string> arguments(const PiecesOptions& options) {
    const PiecesOptions usual;
    CommandLine line({"corpus", "pieces"});
    line.option("--data", options.data);
    line.option("--task", options.task);
    if (options.model != usual.model)
        line.option("--model", options.model);
    if (options.size != usual.size)
        line.option("--size", static_cast<std::int64_t>(options.size));
    if (options.coverage != usual.coverage)
        line.option("--coverage", options.coverage);
    if (options.normalisation != usual.normalisation)
        line.option("--normalise", options.normalisation);
    line.flag("--joint", options.joint);
    line.flag("--separate", options.separate);
    for (const int size : options.sizes)
        line.option("--sizes", static_cast<std::int64_t>(size));
    line.option("--text", options.text);
    line.flag("--trial", options.trial);
    return std::move(line).words();
}

const std::vector<std::string>& pieceModels() {
    static const std::vector<std::string> names{"unigram", "bpe", "char"};
    return names;
}

const std::vector<std::string>& pieceNormalisations() {
    static const std::vector<std::string> names{"nmt_nfkc", "nmt_nfkc_cf", "nfkc", "nfkc_cf", "identity"};
    return names;
}

} // namespace headroom
