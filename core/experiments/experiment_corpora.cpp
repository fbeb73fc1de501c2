// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/experiment_corpora.h"

#include "core/corpus/sentence_source.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

/// “demo”: a folder may be called by any word.
std::string nameOf(const std::filesystem::path& folder) {
    return "“" + displayName(folder) + "”";
}

/// The languages that a corpus translates into, from text or from speech.
std::vector<std::string> targetsOf(const CorpusDocument& document, bool fromText) {
    std::vector<std::string> targets;
    for (const CorpusTask& task : document.tasks)
        if (task.isTranslation() && task.isText == fromText)
            targets.push_back(task.target);
    return targets;
}

bool isParallelText(const CorpusDocument& document) {
    return !document.tasks.empty() &&
           std::all_of(document.tasks.begin(), document.tasks.end(), [](const CorpusTask& task) { return task.isText; });
}

} // namespace

std::string joinedSentences(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

ExperimentCorpora::ExperimentCorpora(const ExperimentPlan& plan, fs::path data)
    : m_plan(plan)
    , m_data(std::move(data)) {
    std::error_code ignored;
    if (!m_data.empty() && !fs::is_directory(m_data, ignored))
        throw Error("experiment.noFolder", "The folder " + m_data.string() + " does not exist.",
                    {{"data", m_data.string()}});
    for (const ExperimentCorpus& corpus : plan.experiment.corpora)
        m_corpora.emplace(corpus.name, look(corpus));
}

bool ExperimentCorpora::hasAny() const {
    return m_corpora.empty() || std::any_of(m_corpora.begin(), m_corpora.end(),
                                            [](const auto& one) { return one.second.missing.empty(); });
}

std::string ExperimentCorpora::notIn(const std::vector<std::string>& names) const {
    return m_data.string() + " has no corpus in the folder" + (names.size() > 1 ? "s " : " ") +
           listed(names) + " and is none itself.";
}

std::vector<std::string> ExperimentCorpora::missing() const {
    std::vector<std::string> sentences;
    const auto say = [&](const std::string& sentence) {
        if (!sentence.empty() && std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
            sentences.push_back(sentence);
    };
    std::vector<std::string> absent;
    for (const ExperimentCorpus& corpus : m_plan.experiment.corpora)
        if (m_corpora.at(corpus.name).folder.empty())
            absent.push_back(corpus.name);
    if (!absent.empty())
        say(notIn(absent));
    const auto isThere = [&](const std::string& corpus) { return !m_corpora.at(corpus).folder.empty(); };
    for (const ExperimentStep& step : m_plan.experiment.steps)
        if (!step.corpus.empty() && isThere(step.corpus))
            say(missingFor(step));
    for (const ExperimentCorpus& corpus : m_plan.experiment.corpora)
        if (isThere(corpus.name))
            say(m_corpora.at(corpus.name).missing);
    return sentences;
}

std::map<std::string, std::string> ExperimentCorpora::leftOut() const {
    std::map<std::string, std::string> without;
    for (const PlannedStep& planned : m_plan.steps) {
        std::string why = missingFor(planned.step);
        for (const std::string& need : planned.needs)
            if (why.empty() && without.contains(need))
                why = "It needs " + need + ", which has no result.";
        if (!why.empty())
            without[planned.id] = why;
    }
    return without;
}

ExperimentCorpora::Found ExperimentCorpora::look(const ExperimentCorpus& corpus) const {
    Found found;
    std::error_code ignored;
    const auto sameTarget =
        std::count_if(m_plan.experiment.corpora.begin(), m_plan.experiment.corpora.end(),
                      [&](const ExperimentCorpus& other) {
                          return other.target == corpus.target && other.isText == corpus.isText;
                      });
    const bool own = fs::exists(m_data / corpus.name / "corpus.json", ignored);
    const bool whole = !own && fs::exists(m_data / "corpus.json", ignored);
    if (!own && !whole) {
        found.missing = notIn({corpus.name});
        return found;
    }
    found.folder = own ? m_data / corpus.name : m_data;
    // A month of training on the wrong hours would be worse than an error.
    if (whole && sameTarget > 1 && m_plan.scale >= 1) {
        found.missing = "The experiment needs several corpora, and " + m_data.string() +
                        " is one: make a folder with " + corpus.name +
                        " in it, or set a scale below 1 to let one corpus stand in for all.";
        return found;
    }
    found.document = readCorpusDocument(found.folder / "corpus.json");
    ExperimentStep wanted;
    wanted.corpus = corpus.name;
    wanted.task = corpus.isText ? "mt" : corpus.target.empty() ? "asr" : "st";
    if (!taskOf(found, wanted))
        found.missing = lackOf(found, corpus, wanted.task);
    return found;
}

std::string ExperimentCorpora::lackOf(const Found& found, const ExperimentCorpus& corpus, const std::string& task) {
    const std::string subject = "The corpus " + nameOf(found.folder);
    const bool fromText = task == "mt" || (corpus.isText && task != "asr" && task != "st");
    if (!fromText && isParallelText(found.document))
        return subject + " has no speech: it is parallel text.";
    if (!fromText && (task == "asr" || corpus.target.empty()))
        return subject + " has no transcripts to recognise.";
    const std::vector<std::string> others = targetsOf(found.document, fromText);
    if (fromText && others.empty())
        return subject + " has no parallel text (headroom-worker corpus moses, tsv or demo --text makes such a corpus).";
    // Below scale 1 one of the others would have been taken.
    return subject + " has no translation into “" + corpus.target + "”" +
           (others.empty() ? "." : ", only into " + listedInQuotes(others) + ", which can stand in for it at a scale below 1.");
}

std::optional<std::string> ExperimentCorpora::taskOf(const Found& found, const ExperimentStep& step) const {
    const ExperimentCorpus& corpus = *m_plan.experiment.corpus(step.corpus);
    const std::string& target = corpus.target;
    if (step.isLanguageModel()) {
        if (step.task == "lm_text" && hasSentences(found, splitOf(found, corpus.training).value_or("train")))
            return "lm";
        if (step.task == "lm_text" &&
            m_plan.scale >= 1) // a month of decoding with another language model than it says
            return std::nullopt;
        ExperimentStep texts;
        texts.corpus = step.corpus;
        texts.task = corpus.isText ? "mt" : "asr";
        const auto task = taskOf(found, texts);
        return task ? std::optional("lm_" + *task) : std::nullopt;
    }
    const bool isText = step.task == "mt";
    for (const CorpusTask& task : found.document.tasks)
        if (task.isText == isText &&
            (step.task == "asr" ? !task.isTranslation() && !task.name.starts_with("phone")
                                : task.isTranslation() && task.target == target))
            return task.name;
    // Scaled numbers mean nothing, so that another language may show that the experiment runs; notes() says
    // so.
    if (step.task != "asr" && !target.empty() && m_plan.scale < 1)
        for (const CorpusTask& task : found.document.tasks)
            if (task.isTranslation() && task.isText == isText)
                return task.name;
    return std::nullopt;
}

bool ExperimentCorpora::hasSentences(const Found& found, const std::string& split) {
    return !SentenceFile::find(found.folder, split, "lm").empty();
}

std::optional<std::string> ExperimentCorpora::splitOf(const Found& found,
                                                      const std::vector<std::string>& names) const {
    const auto& splits = found.document.splits;
    for (const std::string& name : names)
        if (std::find(splits.begin(), splits.end(), name) != splits.end())
            return name;
    return std::nullopt;
}

std::string ExperimentCorpora::missingFor(const ExperimentStep& step) const {
    if (step.corpus.empty())
        return {};
    const Found& found = m_corpora.at(step.corpus);
    if (!found.missing.empty())
        return found.missing;
    const std::string name = nameOf(found.folder);
    const ExperimentCorpus& corpus = *m_plan.experiment.corpus(step.corpus);
    if (!taskOf(found, step) && step.task == "lm_text")
        return "The corpus " + name + " has no " + trainingSplit(step) +
               "_lm.txt, the sentences of the language model.";
    if (!taskOf(found, step))
        return lackOf(found, corpus, step.task);
    const auto lacks = [&](const std::vector<std::string>& splits) {
        return !splits.empty() && !splitOf(found, splits)
                   ? "The corpus " + name + " has no split " + listedInQuotes(splits) + "."
                   : std::string();
    };
    if (step.kind == StepKind::Train) {
        const std::string training = lacks(corpus.training);
        return training.empty() ? lacks(corpus.validation) : training;
    }
    if (const std::string splits = lacks(step.splits); !splits.empty())
        return splits;
    std::error_code ignored;
    if (!step.languageModel.empty() && !m_plan.experiment.find(step.languageModel) &&
        !fs::exists(languageModel(step) / "model.safetensors", ignored))
        return "There is no language model in " + languageModel(step).string() + ".";
    return {};
}

fs::path ExperimentCorpora::languageModel(const ExperimentStep& step) const {
    return step.languageModel.empty() ? fs::path() : m_data / step.languageModel;
}

std::string ExperimentCorpora::task(const ExperimentStep& step) const {
    return taskOf(m_corpora.at(step.corpus), step).value_or("");
}

std::string ExperimentCorpora::split(const ExperimentStep& step) const {
    return splitOf(m_corpora.at(step.corpus), step.splits).value_or("");
}

std::string ExperimentCorpora::trainingSplit(const ExperimentStep& step) const {
    return splitOf(m_corpora.at(step.corpus), m_plan.experiment.corpus(step.corpus)->training)
        .value_or("train");
}

std::string ExperimentCorpora::validationSplit(const ExperimentStep& step) const {
    return splitOf(m_corpora.at(step.corpus), m_plan.experiment.corpus(step.corpus)->validation)
        .value_or("dev");
}

std::vector<std::string> ExperimentCorpora::notes() const {
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
            say("The corpus " + nameOf(found.folder) + " stands in for “" + name + "”.");
        const std::string& target = m_plan.experiment.corpus(name)->target;
        const auto& tasks = found.document.tasks;
        const auto task = [&](const auto& wanted) {
            return std::find_if(tasks.begin(), tasks.end(), wanted);
        };
        if (!target.empty() &&
            task([&](const CorpusTask& one) { return one.target == target; }) == tasks.end())
            say("Translations into “" +
                task([](const CorpusTask& one) { return one.isTranslation(); })->target + "” stand in for “" +
                target + "”.");
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
            say("The texts of the corpus " + nameOf(m_corpora.at(step.corpus).folder) +
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

} // namespace headroom
