// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/experiment_data.h"

#include "core/corpus/corpus.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/sentence_source.h"
#include "core/experiments/scale.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/sha256.h"

#include <algorithm>
#include <span>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

bool isSentenceFile(const fs::path& file) {
    return SentenceFile::named(file).has_value();
}

/// Writes a share of the sentences, evenly spread.
void writeFewerSentences(const fs::path& from, const fs::path& folder, double scale) {
    std::int64_t count = 0;
    std::string line, text;
    for (LineReader reader(from); reader.next(line);)
        ++count;
    const std::int64_t kept = scaledUtterances(count, scale, true);
    std::int64_t number = 0, taken = 0;
    for (LineReader reader(from); reader.next(line); ++number)
        if (number * kept >= taken * count) {
            text += line + "\n";
            ++taken;
        }
    std::string name = from.filename().string();
    if (name.ends_with(".gz"))
        name.resize(name.size() - 3);
    writeAtomically(folder / name, std::string_view(text), "experiment.unwritable");
}

/// `kept` of them, evenly spread.
std::vector<Utterance> spread(const std::vector<Utterance>& all, std::int64_t kept) {
    std::vector<Utterance> some;
    const auto count = static_cast<std::int64_t>(all.size());
    for (std::int64_t i = 0; i < kept; ++i)
        some.push_back(all[static_cast<std::size_t>(i * count / kept)]);
    return some;
}

} // namespace

ExperimentData::ExperimentData(const ExperimentPlan& plan, const fs::path& data, const ExperimentPaths& paths)
    : ExperimentCorpora(plan, data)
    , m_paths(paths) {
    if (!hasAny())
        throw Error("experiment.data", joinedSentences(missing()), {{"data", data.string()}});
}

fs::path ExperimentData::corpus(const ExperimentStep& step) const {
    const Found& one = found().at(step.corpus);
    if (plan().scale >= 1)
        return one.folder;
    const fs::path smaller = m_paths.corpus(step.corpus);
    std::error_code ignored;
    if (!fs::exists(smaller / "corpus.json", ignored))
        makeSmaller(one, step.corpus);
    return smaller;
}

void ExperimentData::makeSmaller(const Found& found, const std::string& name) const {
    const fs::path folder = m_paths.corpus(name), making = folder.parent_path() / ("." + name + ".making");
    const auto linkable = [&](const fs::path& entry) {
        return entry.filename() != "corpus.json" && entry.extension() != ".tsv" && entry != m_paths.folder && !isSentenceFile(entry);
    };
    try {
        fs::remove_all(making); // of an earlier start
        fs::create_directories(making);
        const fs::path source = fs::canonical(found.folder);
        for (const auto& entry : fs::directory_iterator(source))
            if (linkable(entry.path()))
                fs::create_symlink(entry.path(), making / entry.path().filename());
            else if (isSentenceFile(entry.path()))
                writeFewerSentences(entry.path(), making, plan().scale);
    } catch (const fs::filesystem_error& problem) {
        throw Error("experiment.unwritable", "The smaller corpus " + folder.string() + " could not be created: " +
                                                 problem.code().message() + ".");
    }
    const Corpus corpus = Corpus::open(found.folder);
    const ExperimentCorpus& wanted = *plan().experiment.corpus(name);
    const auto trainingName = splitOf(found, wanted.training).value_or("train");
    for (const CorpusTable& table : corpus.tables()) {
        const auto kept = scaledUtterances(static_cast<std::int64_t>(table.utterances.size()), plan().scale,
                                           table.split == trainingName);
        std::vector<Utterance> utterances = spread(table.utterances, kept);
        for (Utterance& utterance : utterances) {
            utterance.audio = making / utterance.audio.lexically_relative(corpus.folder());
            utterance.alignment.clear();
        }
        if (const CorpusTask* task = found.document.task(table.task))
            writeCorpusTable(making, table.split, *task, utterances);
    }
    CorpusDocument document = found.document;
    document.made = {{"by", "headroom-worker experiment"}, {"from", found.folder.string()}, {"scale", plan().scale}};
    writeCorpusDocument(making / "corpus.json", document);
    std::error_code problem;
    fs::rename(making, folder, problem);
    if (problem)
        throw Error("experiment.unwritable", folder.string() + " could not be created: " + problem.message() + ".");
}

nlohmann::json ExperimentData::hashes() const {
    auto hashes = nlohmann::json::object();
    for (const auto& [name, one] : found()) {
        if (!one.missing.empty())
            continue;
        std::vector<fs::path> tables;
        for (const auto& entry : fs::directory_iterator(one.folder))
            if ((entry.path().extension() == ".tsv" || isSentenceFile(entry.path())) && entry.is_regular_file())
                tables.push_back(entry.path());
        std::sort(tables.begin(), tables.end());
        std::string together;
        for (const fs::path& table : tables)
            together += table.filename().string() + " " + sha256OfFile(table) + "\n";
        hashes[name] = sha256OfBytes(std::as_bytes(std::span(together.data(), together.size())));
    }
    return hashes;
}

} // namespace headroom::training
