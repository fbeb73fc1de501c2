// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/import_corpus.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

/// `corpus KIND`: reads a corpus of another kind in place.
struct CorpusImportOptions {
    CorpusImport request;
    std::optional<int> pieces; ///< of the SentencePiece models; `nullopt`: 5000, translations 8000, or those of a corpus of ours; 0: none
    std::vector<std::string> exports; ///< of exportKinds(): also written, into OUT/KIND
};

/// Declares `corpus KIND --from DIR --out D` for every kind of core/corpus/kinds, and `corpus --from DIR
/// --out D`, which recognises the kind. `chosen` is called when one of them was parsed. Options must live as
/// long as the app. Malformed values throw CLI::ValidationError.
void declareImportArguments(CLI::App& corpus, CorpusImportOptions& options, bool& json,
                            const std::function<void()>& chosen);

} // namespace headroom::training
