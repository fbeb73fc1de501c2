// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/pieces_options.h"

#include <nlohmann/json.hpp>

namespace headroom {

std::vector<std::string> arguments(const PiecesOptions& options) {
    const PiecesOptions usual;
    std::vector<std::string> words{"corpus", "pieces", "--data", options.data.string()};
    const auto add = [&](const char* name, const std::string& value, const std::string& unless) {
        if (value != unless)
            words.insert(words.end(), {name, value});
    };
    add("--task", options.task, usual.task);
    add("--model", options.model, usual.model);
    add("--size", std::to_string(options.size), std::to_string(usual.size));
    add("--coverage", nlohmann::json(options.coverage).dump(), nlohmann::json(usual.coverage).dump());
    add("--normalise", options.normalisation, usual.normalisation);
    if (options.joint)
        words.emplace_back("--joint");
    for (const int size : options.sizes)
        add("--sizes", std::to_string(size), {});
    add("--text", options.text, usual.text);
    if (options.trial)
        words.emplace_back("--trial");
    return words;
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
