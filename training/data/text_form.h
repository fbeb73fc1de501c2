// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/corpus/corpus_document.h"
#include "core/text/token_rules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headroom::training {

/// How the texts of a task are given to a decoder, and what it must find behind them. The default is S2T's: </s>, the
/// text, </s>. A value.
struct TextForm {
    TokenRules rules;
    std::vector<int> prompt{2};  ///< the inputs before the first token of a text
    int padding = 1;             ///< fills the shorter rows of a batch; the id of a token that is in no text
    std::int64_t longest = 1023; ///< tokens that a text may have (fairseq's 1,024 positions, one of them for </s>)
    std::int64_t window = 0;     ///< frames that the encoder always computes (Whisper: 3,000); 0: only a recording's own

    /// Greedy decoding needs TokenRules::close: some tokens are forbidden.
    bool closes() const { return rules != TokenRules(); }
};

/// S2T's form, and that of CTC outputs.
const std::shared_ptr<const TextForm>& plainTextForm();

/// The form for a model with `rules` and a task of a corpus. The prompt names the language that is spoken (unless the
/// rules set one), the task (`translate` for a translation), and no times, as Whisper is trained further. Throws Error
/// "train.language" if the rules need a language and neither they nor the corpus name one, and as TokenRules::prompt.
std::shared_ptr<const TextForm> textFormOf(const TokenRules& rules, const Architecture& architecture,
                                           const CorpusDocument& corpus, const std::string& task);

} // namespace headroom::training
