// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/sentences.h"

#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/count_text.h"
#include "training/data/left_out.h"

namespace headroom::training {

namespace fs = std::filesystem;

Sentences Sentences::open(const fs::path& folder, const std::string& task) {
    return Sentences(SentenceSource::open(folder, task));
}

std::vector<std::string> Sentences::files(const fs::path& folder, const std::string& task, const std::set<std::string>& splits) {
    const SentenceSource sentences = SentenceSource::open(folder, task);
    const fs::path tokenizer = sentences.tokenizer();
    std::set<fs::path> used{tokenizer, fs::path(tokenizer).replace_extension(".vocab")};
    if (sentences.corpus()) // it says which task has the texts and the SentencePiece model
        used.insert(sentences.folder() / (sentences.corpus()->kind() == Corpus::Kind::Manifest ? "manifest.tsv" : "corpus.json"));
    for (const std::string& split : splits) {
        const fs::path own = sentences.file(split);
        used.insert(own.empty() ? sentences.folder() / corpusTableName(split, sentences.textTask()) : own);
    }
    std::vector<std::string> names;
    for (const fs::path& file : used)
        if (fs::exists(file))
            names.push_back(file.filename().string());
    return names;
}

ExampleSet Sentences::read(const Recipe& recipe, const std::string& split, bool forTraining,
                           const Tokenizer& tokenizer, int unknownId) const {
    ExampleSet set;
    LeftOut leftOut("sentence");
    UnknownText unknown(unknownId, "sentence");
    const SplitLimits bySplit = recipe.data.limits();
    const LengthLimits& limits = forTraining ? bySplit.training : bySplit.validation;
    const auto add = [&](std::string id, const std::string& text) {
        const std::string trimmed(trimmedText(text));
        if (trimmed.empty())
            return leftOut.add("there is no text", id);
        if (!isText(trimmed))
            return leftOut.add("it is not UTF-8", id);
        Example example;
        example.target = tokenizer.encode(trimmed);
        example.frames = static_cast<std::int64_t>(example.target.size()) + 1;
        if (leftOut.addIfOutside(limits, example.frames, "tokens", id))
            return;
        if (unknown.isIn(example.target))
            unknown.add(id, trimmed);
        example.id = std::move(id);
        set.examples.push_back(std::move(example));
    };
    fs::path from = m_source.file(split);
    if (!from.empty()) {
        LineReader reader(from);
        for (std::string line; reader.next(line);)
            add(split + ":" + std::to_string(reader.number()), line);
    } else if (corpus()) {
        from = m_source.folder() / corpusTableName(split, m_source.textTask());
        for (const Utterance& utterance : corpus()->utterances(split, m_source.textTask()))
            add(utterance.id, utterance.text);
    } else {
        throw Error("data.empty", m_source.folder().string() + " has no " + split + "_" + m_source.task() + ".txt.",
                    {{"split", split}, {"task", m_source.task()}});
    }
    if (forTraining)
        unknown.judge(recipe.data, split, set.notes);
    for (std::string& sentence : leftOut.sentences(split))
        set.notes.push_back(std::move(sentence));
    if (set.examples.empty())
        throw Error("data.empty",
                    from.string() + " has no sentence for “" + split + "”" +
                        (set.notes.empty() ? "." : ": " + set.notes.front()),
                    {{"split", split}, {"task", m_source.task()}});
    return set;
}

} // namespace headroom::training
