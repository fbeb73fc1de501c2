// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/experiment_data.h"

#include "core/corpus/corpus.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/display_name.h"
#include "core/experiments/scale.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/sha256.h"

#include <algorithm>
#include <set>
#include <span>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

std::string listedWords(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// The names of SPLIT_lm.txt, plain and compressed (training/data/sentences.h).
bool isSentenceFile(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with("_lm.txt") || name.ends_with("_lm.txt.gz");
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

ExperimentData::ExperimentData(const ExperimentPlan& plan, fs::path data, const ExperimentPaths& paths)
    : m_plan(plan)
    , m_data(std::move(data))
    , m_paths(paths) {
    std::string reasons;
    bool any = plan.experiment.corpora.empty();
    for (const ExperimentCorpus& corpus : plan.experiment.corpora) {
        Found found = look(corpus);
        any = any || found.missing.empty();
        reasons += (reasons.empty() ? "" : " ") + found.missing;
        m_corpora.emplace(corpus.name, std::move(found));
    }
    if (!any)
        throw Error("experiment.data", reasons, {{"data", m_data.string()}});
}

ExperimentData::Found ExperimentData::look(const ExperimentCorpus& corpus) const {
    Found found;
    std::error_code ignored;
    const auto sameTarget = std::count_if(
        m_plan.experiment.corpora.begin(), m_plan.experiment.corpora.end(),
        [&](const ExperimentCorpus& other) { return other.target == corpus.target && other.isText == corpus.isText; });
    const bool own = fs::exists(m_data / corpus.name / "corpus.json", ignored);
    const bool whole = !own && fs::exists(m_data / "corpus.json", ignored);
    if (!own && !whole) {
        found.missing = m_data.string() + " has no corpus in the folder " + corpus.name + " and is none itself.";
        return found;
    }
    // A month of training on the wrong hours would be worse than an error.
    if (whole && sameTarget > 1 && m_plan.scale >= 1) {
        found.missing = "The experiment needs several corpora, and " + m_data.string() + " is one: make a folder with " +
                        corpus.name + " in it, or set --scale below 1 to let one corpus stand in for all.";
        return found;
    }
    found.folder = own ? m_data / corpus.name : m_data;
    found.document = readCorpusDocument(found.folder / "corpus.json");
    ExperimentStep wanted;
    wanted.corpus = corpus.name;
    wanted.task = corpus.isText ? "mt" : corpus.target.empty() ? "asr" : "st";
    if (!taskOf(found, wanted))
        found.missing = "The corpus " + displayName(found.folder) +
                        (corpus.isText ? " has no parallel text (headroom-worker corpus moses, tsv or demo --text makes such a corpus)."
                         : corpus.target.empty() ? " has no transcripts to recognise."
                                               : " has no translation into “" + corpus.target + "”.");
    return found;
}

std::optional<std::string> ExperimentData::taskOf(const Found& found, const ExperimentStep& step) const {
    const ExperimentCorpus& corpus = *m_plan.experiment.corpus(step.corpus);
    const std::string& target = corpus.target;
    if (step.isLanguageModel()) {
        if (step.task == "lm_text" && hasSentences(found, splitOf(found, corpus.training).value_or("train")))
            return "lm";
        if (step.task == "lm_text" && m_plan.scale >= 1) // a month of decoding with another language model than it says
            return std::nullopt;
        ExperimentStep texts;
        texts.corpus = step.corpus;
        texts.task = corpus.isText ? "mt" : "asr";
        const auto task = taskOf(found, texts);
        return task ? std::optional("lm_" + *task) : std::nullopt;
    }
    const bool isText = step.task == "mt";
    for (const CorpusTask& task : found.document.tasks)
        if (task.isText == isText && (step.task == "asr" ? !task.isTranslation() && !task.name.starts_with("phone")
                                                         : task.isTranslation() && task.target == target))
            return task.name;
    // Scaled numbers mean nothing, so that another language may show that the experiment runs; notes() says so.
    if (step.task != "asr" && !target.empty() && m_plan.scale < 1)
        for (const CorpusTask& task : found.document.tasks)
            if (task.isTranslation() && task.isText == isText)
                return task.name;
    return std::nullopt;
}

bool ExperimentData::hasSentences(const Found& found, const std::string& split) {
    std::error_code ignored;
    return fs::exists(found.folder / (split + "_lm.txt"), ignored) || fs::exists(found.folder / (split + "_lm.txt.gz"), ignored);
}

std::optional<std::string> ExperimentData::splitOf(const Found& found, const std::vector<std::string>& names) const {
    const auto& splits = found.document.splits;
    for (const std::string& name : names)
        if (std::find(splits.begin(), splits.end(), name) != splits.end())
            return name;
    return std::nullopt;
}

std::string ExperimentData::missingFor(const ExperimentStep& step) const {
    if (step.corpus.empty())
        return {};
    const Found& found = m_corpora.at(step.corpus);
    if (!found.missing.empty())
        return found.missing;
    const std::string name = displayName(found.folder);
    if (!taskOf(found, step) && step.task == "lm_text")
        return "The corpus " + name + " has no " + trainingSplit(step) + "_lm.txt, the sentences of the language model.";
    if (!taskOf(found, step))
        return "The corpus " + name + " has no task “" + step.task + "”.";
    const ExperimentCorpus& corpus = *m_plan.experiment.corpus(step.corpus);
    const auto lacks = [&](const std::vector<std::string>& splits) {
        return !splits.empty() && !splitOf(found, splits) ? "The corpus " + name + " has no split " + listedWords(splits) + "."
                                                         : std::string();
    };
    if (step.kind == StepKind::Train) {
        const std::string training = lacks(corpus.training);
        return training.empty() ? lacks(corpus.validation) : training;
    }
    if (const std::string splits = lacks(step.splits); !splits.empty())
        return splits;
    std::error_code ignored;
    if (!step.languageModel.empty() && !m_plan.experiment.find(step.languageModel) && !fs::exists(languageModel(step) / "model.safetensors", ignored))
        return "There is no language model in " + languageModel(step).string() + ".";
    return {};
}

fs::path ExperimentData::languageModel(const ExperimentStep& step) const {
    return step.languageModel.empty() ? fs::path() : m_data / step.languageModel;
}

std::string ExperimentData::task(const ExperimentStep& step) const {
    return taskOf(m_corpora.at(step.corpus), step).value_or("");
}

std::string ExperimentData::split(const ExperimentStep& step) const {
    return splitOf(m_corpora.at(step.corpus), step.splits).value_or("");
}

std::string ExperimentData::trainingSplit(const ExperimentStep& step) const {
    return splitOf(m_corpora.at(step.corpus), m_plan.experiment.corpus(step.corpus)->training).value_or("train");
}

std::string ExperimentData::validationSplit(const ExperimentStep& step) const {
    return splitOf(m_corpora.at(step.corpus), m_plan.experiment.corpus(step.corpus)->validation).value_or("dev");
}

fs::path ExperimentData::corpus(const ExperimentStep& step) const {
    const Found& found = m_corpora.at(step.corpus);
    if (m_plan.scale >= 1)
        return found.folder;
    const fs::path smaller = m_paths.corpus(step.corpus);
    std::error_code ignored;
    if (!fs::exists(smaller / "corpus.json", ignored))
        makeSmaller(found, step.corpus);
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
                writeFewerSentences(entry.path(), making, m_plan.scale);
    } catch (const fs::filesystem_error& problem) {
        throw Error("experiment.unwritable", "The smaller corpus " + folder.string() + " could not be made: " +
                                                 problem.code().message() + ".");
    }
    const Corpus corpus = Corpus::open(found.folder);
    const ExperimentCorpus& wanted = *m_plan.experiment.corpus(name);
    const auto trainingName = splitOf(found, wanted.training).value_or("train");
    for (const CorpusTable& table : corpus.tables()) {
        const auto kept = scaledUtterances(static_cast<std::int64_t>(table.utterances.size()), m_plan.scale,
                                           table.split == trainingName);
        std::vector<Utterance> utterances = spread(table.utterances, kept);
        for (Utterance& utterance : utterances) {
            utterance.audio = making / utterance.audio.lexically_relative(corpus.folder());
            utterance.alignment.clear();
        }
        const auto& tasks = found.document.tasks;
        const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const CorpusTask& one) { return one.name == table.task; });
        if (task != tasks.end())
            writeCorpusTable(making, table.split, *task, utterances);
    }
    CorpusDocument document = found.document;
    document.made = {{"by", "headroom-worker experiment"}, {"from", found.folder.string()}, {"scale", m_plan.scale}};
    writeCorpusDocument(making / "corpus.json", document);
    std::error_code problem;
    fs::rename(making, folder, problem);
    if (problem)
        throw Error("experiment.unwritable", folder.string() + " could not be made: " + problem.message() + ".");
}

std::vector<std::string> ExperimentData::notes() const {
    std::vector<std::string> notes;
    std::set<std::string> said;
    const auto say = [&](const std::string& sentence) {
        if (said.insert(sentence).second)
            notes.push_back(sentence);
    };
    for (const auto& [name, found] : m_corpora) {
        if (!found.missing.empty())
            continue;
        if (m_corpora.size() > 1 && found.folder == m_data)
            say("The corpus " + displayName(found.folder) + " stands in for “" + name + "”.");
        const std::string& target = m_plan.experiment.corpus(name)->target;
        const auto& tasks = found.document.tasks;
        const auto task = [&](const auto& wanted) { return std::find_if(tasks.begin(), tasks.end(), wanted); };
        if (!target.empty() && task([&](const CorpusTask& one) { return one.target == target; }) == tasks.end())
            say("Translations into “" + task([](const CorpusTask& one) { return one.isTranslation(); })->target +
                "” stand in for “" + target + "”.");
    }
    for (const ExperimentStep& step : m_plan.experiment.steps) {
        if (step.corpus.empty() || !missingFor(step).empty())
            continue;
        const auto standsIn = [&](const std::vector<std::string>& names, const std::string& used) {
            if (!names.empty() && used != names.front())
                say("The split “" + used + "” stands in for “" + names.front() + "”.");
        };
        const ExperimentCorpus& corpus = *m_plan.experiment.corpus(step.corpus);
        if (step.task == "lm_text" && task(step) != "lm")
            say("The texts of the corpus " + displayName(m_corpora.at(step.corpus).folder) +
                " stand in for the additional text of the language model.");
        if (step.kind == StepKind::Train) {
            standsIn(corpus.training, trainingSplit(step));
            standsIn(corpus.validation, validationSplit(step));
        } else {
            standsIn(step.splits, split(step));
        }
    }
    return notes;
}

nlohmann::json ExperimentData::hashes() const {
    auto hashes = nlohmann::json::object();
    for (const auto& [name, found] : m_corpora) {
        if (!found.missing.empty())
            continue;
        std::vector<fs::path> tables;
        for (const auto& entry : fs::directory_iterator(found.folder))
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
