// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/evaluate/evaluation_errors.h"

#include "core/corpus/corpus.h"
#include "core/runs/strict_json.h"
#include "core/runs/task_kind.h"
#include "core/text/scored_words.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headroom::app {

namespace {

constexpr int kAllWrong = 100;

std::string textIn(const nlohmann::json& row, const char* key, const std::string& file) {
    const auto found = row.is_object() ? row.find(key) : row.end();
    if (!row.is_object() || found == row.end() || !found->is_string())
        throw Error("evaluation.badJson", file + ": an utterance has no text “" + key + "”.", {{"file", file}});
    return found->get<std::string>();
}

int errorsIn(const std::vector<AlignedWords>& words) {
    return static_cast<int>(
        std::count_if(words.begin(), words.end(), [](const AlignedWords& word) { return !word.isHit(); }));
}

/// The n-best list of a row; empty where the evaluation kept none.
std::vector<EvaluatedHypothesis> hypothesesIn(const nlohmann::json& row, const std::vector<std::string>& reference,
                                              const std::string& file) {
    std::vector<EvaluatedHypothesis> found;
    const auto list = row.find("hypotheses");
    if (list == row.end())
        return found;
    if (!list->is_array())
        throw Error("evaluation.badJson", file + ": “hypotheses” of an utterance is no list.", {{"file", file}});
    for (const nlohmann::json& each : *list) {
        EvaluatedHypothesis one;
        one.words = alignWords(reference, scoredWords(textIn(each, "text", file)));
        one.errors = errorsIn(one.words);
        const auto score = each.find("score");
        one.score = score != each.end() && score->is_number() ? score->get<double>() : kUndefined;
        found.push_back(std::move(one));
    }
    return found;
}

/// The utterances of the corpus by their ids.
std::map<std::string, Utterance> utterancesOf(const EvaluationInfo& info) {
    std::map<std::string, Utterance> found;
    const Corpus corpus = Corpus::open(info.request.data);
    for (const CorpusTable& table : corpus.tables())
        if (table.split == info.request.split && (info.request.task.empty() || table.task == info.request.task))
            for (const Utterance& utterance : table.utterances)
                found.emplace(utterance.id, utterance);
    return found;
}

double errorRate(int errors, int referenceWords) {
    if (referenceWords > 0)
        return 100.0 * errors / referenceWords;
    return errors > 0 ? kAllWrong : 0;
}

void addTo(ErrorGroup& group, const std::vector<EvaluatedUtterance>& utterances, std::size_t index) {
    group.utterances.push_back(static_cast<int>(index));
    group.errors += utterances[index].errors;
    group.referenceWords += utterances[index].referenceWords;
}

std::vector<ErrorGroup> bySpeaker(const std::vector<EvaluatedUtterance>& utterances) {
    std::map<std::string, ErrorGroup> found;
    for (std::size_t i = 0; i < utterances.size(); ++i)
        addTo(found[utterances[i].speaker], utterances, i);
    std::vector<ErrorGroup> groups;
    if (found.size() == 1 && found.contains(std::string()))
        return groups;
    for (auto& [name, group] : found) {
        group.name = name.empty() ? tr("(unknown)").toStdString() : name;
        groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto& left, const auto& right) { return left.rate() > right.rate(); });
    return groups;
}

std::vector<ErrorGroup> byLength(const std::vector<EvaluatedUtterance>& utterances) {
    constexpr int kLimits[] = {5, 10, 20, 40};
    std::map<int, ErrorGroup> found; // by the least number of words
    for (std::size_t i = 0; i < utterances.size(); ++i) {
        int first = 0;
        for (const int limit : kLimits)
            if (utterances[i].referenceWords > limit)
                first = limit + 1;
        addTo(found[first], utterances, i);
    }
    std::vector<ErrorGroup> groups;
    for (auto& [first, group] : found) {
        const auto limit = std::find_if(std::begin(kLimits), std::end(kLimits), [first = first](int one) { return one >= first; });
        group.name = (limit == std::end(kLimits) ? tr("more than 40 words") : tr("%1 to %2 words").arg(first).arg(*limit)).toStdString();
        groups.push_back(std::move(group));
    }
    return groups;
}

QString wordsText(const std::vector<AlignedWords>& words, bool reference) {
    QStringList text;
    for (const AlignedWords& one : words)
        if (const auto& word = reference ? one.reference : one.hypothesis)
            text << QString::fromStdString(*word);
    return text.join(QLatin1Char(' '));
}

std::string shownWord(const std::string& word) {
    return word.empty() ? tr("(nothing)").toStdString() : word;
}

} // namespace

double EvaluatedUtterance::rate() const {
    return errorRate(errors, referenceWords);
}

double ErrorGroup::rate() const {
    return errorRate(errors, referenceWords);
}

EvaluationErrors readErrors(const std::filesystem::path& folder) {
    EvaluationErrors all;
    all.info = readEvaluation(folder);
    if (std::isfinite(all.info.perplexity))
        throw Error("evaluation.noTexts", tr("A language model writes no text, so there are no errors. Its perplexity on %1 is %2.")
                                              .arg(QString::fromStdString(all.info.request.split), widgets::scoreText(all.info.perplexity))
                                              .toStdString());
    const std::filesystem::path file = EvaluationPaths{folder}.result();
    const nlohmann::json document = readStrictObject(file, "evaluation.badJson");
    const auto rows = document.find("utterances");
    if (rows == document.end() || !rows->is_array())
        throw Error("evaluation.badJson", file.string() + " has no list of utterances.", {{"file", file.string()}});
    std::map<std::string, Utterance> inCorpus;
    try {
        inCorpus = utterancesOf(all.info);
    } catch (const std::exception& failure) {
        all.corpusMistake = failure.what();
    }
    for (const nlohmann::json& note : document.value("notes", nlohmann::json::array()))
        if (note.is_string())
            all.notes.push_back(note.get<std::string>());
    const bool translates = isTranslation(all.info.request.task);
    for (const nlohmann::json& row : *rows) {
        EvaluatedUtterance one;
        one.id = textIn(row, "id", file.string());
        const std::string text = textIn(row, "reference", file.string());
        const auto reference = scoredWords(text);
        one.words = alignWords(reference, scoredWords(textIn(row, "hypothesis", file.string())));
        one.referenceWords = static_cast<int>(reference.size());
        one.errors = errorsIn(one.words);
        one.hypotheses = hypothesesIn(row, reference, file.string());
        if (row.contains("speaker"))
            one.speaker = textIn(row, "speaker", file.string());
        (translates ? one.texts.translation : one.texts.transcript) = QString::fromStdString(text);
        if (const auto found = inCorpus.find(one.id); found != inCorpus.end()) {
            if (translates)
                one.texts.transcript = QString::fromStdString(found->second.sourceText);
            one.audio = found->second.audio;
            one.alignment = found->second.alignment;
            if (one.speaker.empty())
                one.speaker = found->second.speaker;
        }
        all.utterances.push_back(std::move(one));
    }
    std::stable_sort(all.utterances.begin(), all.utterances.end(),
                     [](const auto& left, const auto& right) { return left.rate() > right.rate(); });
    all.speakers = bySpeaker(all.utterances);
    all.lengths = byLength(all.utterances);
    std::map<std::pair<std::string, std::string>, std::vector<int>> found;
    for (std::size_t i = 0; i < all.utterances.size(); ++i)
        for (const AlignedWords& word : all.utterances[i].words) {
            if (word.isHit())
                continue;
            all.substitutions += word.isSubstitution();
            all.deletions += word.isDeletion();
            all.insertions += word.isInsertion();
            found[{word.reference.value_or(std::string()), word.hypothesis.value_or(std::string())}].push_back(
                static_cast<int>(i));
        }
    for (auto& [words, utterances] : found)
        all.confusions.push_back({words.first, words.second, std::move(utterances)});
    std::stable_sort(all.confusions.begin(), all.confusions.end(), [](const auto& left, const auto& right) {
        return left.utterances.size() > right.utterances.size();
    });
    return all;
}

StudyTable confusionTable(const EvaluationErrors& errors) {
    StudyTable table;
    table.name = "confusions";
    table.title = tr("Confusions").toStdString();
    const QString reference = isTranslation(errors.info.request.task) ? tr("Reference") : tr("Spoken");
    table.columns = {{"reference", reference.toStdString(), "", 0, true},
                     {"hypothesis", tr("Written").toStdString(), "", 0, true},
                     {"count", tr("Times").toStdString(), "", 0, false}};
    for (const Confusion& one : errors.confusions)
        table.rows.push_back({shownWord(one.reference), shownWord(one.hypothesis),
                              static_cast<double>(one.utterances.size())});
    return table;
}

StudyTable groupTable(const EvaluationErrors& errors, const std::vector<ErrorGroup>& groups, const QString& kind) {
    StudyTable table;
    table.name = "groups";
    table.title = kind.toStdString();
    table.columns = {{"group", kind.toStdString(), "", 0, true},
                     {"utterances", (errors.isText() ? tr("Sentences") : tr("Utterances")).toStdString(), "", 0, false},
                     {"words", tr("Words").toStdString(), "", 0, false},
                     {"rate", tr("WER").toStdString(), "%", 1, false}};
    for (const ErrorGroup& one : groups)
        table.rows.push_back({one.name, static_cast<double>(one.utterances.size()), static_cast<double>(one.referenceWords),
                              one.rate()});
    return table;
}

StudyTable utteranceTable(const EvaluationErrors& errors, const std::vector<int>* only, std::vector<int>& shown) {
    StudyTable table;
    table.name = "utterances";
    table.title = (errors.isText() ? tr("Sentences") : tr("Utterances")).toStdString();
    table.columns = {{"play", "", "", 0, true},
                     {"id", (errors.isText() ? tr("Sentence") : tr("Utterance")).toStdString(), "", 0, true},
                     {"errors", tr("Errors").toStdString(), "", 0, false},
                     {"words", tr("Words").toStdString(), "", 0, false},
                     {"rate", tr("WER").toStdString(), "%", 1, false},
                     {"reference", tr("Reference").toStdString(), "", 0, true},
                     {"hypothesis", tr("Written").toStdString(), "", 0, true}};
    shown.clear();
    for (std::size_t i = 0; i < errors.utterances.size(); ++i) {
        if (only && std::find(only->begin(), only->end(), static_cast<int>(i)) == only->end())
            continue;
        const EvaluatedUtterance& one = errors.utterances[i];
        shown.push_back(static_cast<int>(i));
        table.rows.push_back({std::string(), one.id, static_cast<double>(one.errors),
                              static_cast<double>(one.referenceWords), one.rate(),
                              wordsText(one.words, true).toStdString(), wordsText(one.words, false).toStdString()});
    }
    return table;
}

} // namespace headroom::app
