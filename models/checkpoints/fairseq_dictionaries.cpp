// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabularies of a translation model of fairseq: a dictionary for each language, beside the checkpoint.
#include "core/errors/display_name.h"
#include "core/text/fairseq_dictionary.h"
#include "models/checkpoints/model_folder.h"

namespace headroom::models {

void findDictionaries(ModelFolder& model, const std::string& source, const std::string& target) {
    const auto without = [&](const std::string& why) { model.assumed.push_back(why + ", so token ids have no text."); };
    if (source.empty() || target.empty())
        return without(shown(model.weights) + " does not say its languages (source_lang, target_lang)");
    std::vector<std::filesystem::path> files;
    for (const std::string& language : {source, target}) {
        const auto file = model.folder / std::filesystem::path("dict." + language + ".txt").filename();
        if (!std::filesystem::exists(file))
            return without(shown(file) + " is missing");
        if (FairseqDictionary::isOfSentencePiece(file))
            return without(shown(file) + " has pieces of SentencePiece, which this version reads in its own models only");
        files.push_back(file);
    }
    model.sourceTokenizer = files[0];
    model.tokenizer = files[1];
    if (FairseqDictionary::codesBeside(files[0]).empty())
        model.assumed.push_back("There are no merges (code, codes or bpecodes) beside " + shown(files[0]) +
                                ", so each word is one piece.");
}

} // namespace headroom::models
