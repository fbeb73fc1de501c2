// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_summary.h"

#include "core/corpus/person.h"
#include "core/corpus/recording_looks.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"
#include "core/text/scored_words.h"
#include "core/text/text_words.h"
#include "core/time/seconds_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

namespace headroom {

namespace {

constexpr std::size_t kBlock = 500; ///< utterances between two reports of progress

using WrittenWords = std::unordered_map<std::string_view, std::int64_t>; ///< the views point into the corpus
using WordCounts = std::unordered_map<std::string, std::int64_t>;         ///< as WER counts them

/// Where an utterance stands: split and place in its table.
struct TablePlace {
    const CorpusTable* table = nullptr;
    int index = -1;
};

bool isTraining(const std::string& split) {
    return split.starts_with("train");
}

std::string languageOr(const std::string& language) {
    return language.empty() ? "text" : language;
}

/// Defects by code, in the order in which they were found.
class DefectList {
public:
    void add(const std::string& code, DefectKind kind, DefectiveUtterance utterance, double seconds) {
        const auto [entry, fresh] = m_places.try_emplace(code, m_defects.size());
        if (fresh)
            m_defects.push_back({code, kind, {}, 0});
        CorpusDefect& defect = m_defects[entry->second];
        defect.kind = std::min(defect.kind, kind);
        defect.seconds += seconds;
        utterance.seconds = seconds;
        defect.utterances.push_back(std::move(utterance));
    }
    std::vector<CorpusDefect> sorted() && {
        std::stable_sort(
            m_defects.begin(), m_defects.end(), [](const CorpusDefect& a, const CorpusDefect& b) {
                return a.kind != b.kind ? a.kind < b.kind : a.utterances.size() > b.utterances.size();
            });
        return std::move(m_defects);
    }

private:
    std::vector<CorpusDefect> m_defects;
    std::unordered_map<std::string, std::size_t> m_places;
};

/// The words of one language in every split.
struct LanguageWords {
    std::string language;
    std::map<std::string, WordCounts> splits;
};

/// The scored words of a text are those of its written words: 13a's rules look no further than a blank.
void addScored(const WrittenWords& written, WordCounts& counts) {
    for (const auto& [word, count] : written)
        for (std::string& scored : scoredWords(word))
            counts[std::move(scored)] += count;
}

WordCoverage coverageOf(const WordCounts& words) {
    WordCoverage facts;
    facts.different = static_cast<std::int64_t>(words.size());
    std::vector<std::int64_t> counts;
    counts.reserve(words.size());
    for (const auto& [word, count] : words)
        counts.push_back(count);
    std::sort(counts.begin(), counts.end(), std::greater<>());
    facts.running = std::accumulate(counts.begin(), counts.end(), std::int64_t(0));
    std::int64_t covered = 0, next = 1;
    for (std::int64_t n = 1; n <= facts.different; ++n) {
        covered += counts[static_cast<std::size_t>(n - 1)];
        if (n < next && n < facts.different)
            continue;
        facts.coverage.emplace_back(n, static_cast<double>(covered) / static_cast<double>(facts.running));
        next = std::max(n + 1, static_cast<std::int64_t>(std::ceil(static_cast<double>(n) * 1.2)));
    }
    return facts;
}

VocabularyFacts vocabularyOf(const LanguageWords& words, const std::set<std::string>& trainingSplits) {
    WordCounts training;
    for (const auto& [split, found] : words.splits)
        if (trainingSplits.contains(split))
            for (const auto& [word, count] : found)
                training[word] += count;
    VocabularyFacts facts{coverageOf(training), words.language, {}};
    for (const auto& [split, found] : words.splits) {
        if (trainingSplits.contains(split))
            continue;
        std::int64_t all = 0, unknown = 0;
        for (const auto& [word, count] : found) {
            all += count;
            unknown += training.contains(word) ? 0 : count;
        }
        if (all > 0)
            facts.unknown[split] = static_cast<double>(unknown) / static_cast<double>(all);
    }
    return facts;
}

class Summariser {
public:
    Summariser(const Corpus& corpus, const std::string& task, const SummaryProgress& progress)
        : m_corpus(corpus)
        , m_task(chooseTask(corpus, task))
        , m_progress(progress) {}

    std::optional<CorpusSummary> run() {
        m_result.name = m_corpus.document().name;
        m_result.task = m_task.name;
        for (const auto& table : m_corpus.tables())
            if (table.task == m_task.name)
                m_tables.push_back(&table);
        for (const auto* table : m_tables)
            m_total += static_cast<std::int64_t>(table->utterances.size());
        for (const auto* table : m_tables)
            if (isTraining(table->split))
                m_result.trainingSplits.insert(table->split);
        if (m_result.trainingSplits.empty() && !m_tables.empty())
            m_result.trainingSplits.insert(m_tables.front()->split);
        if (m_task.isTranslation())
            m_words.push_back({languageOr(m_task.source), {}});
        m_words.push_back({languageOr(m_task.target), {}});
        for (const auto* table : m_tables)
            if (!addTable(*table))
                return std::nullopt;
        addProblems();
        for (const auto& words : m_words)
            m_result.vocabularies.push_back(vocabularyOf(words, m_result.trainingSplits));
        for (SplitFacts& split : m_result.splits)
            for (std::size_t i = 0; i < m_words.size(); ++i)
                split.texts[i].vocabulary = coverageOf(m_words[i].splits[split.name]);
        for (const auto& [speaker, splits] : m_splitsOf)
            if (splits.size() > 1)
                m_result.sharedSpeakers[speaker].assign(splits.begin(), splits.end());
        m_result.defects = std::move(m_defects).sorted();
        return std::move(m_result);
    }

private:
    static CorpusTask chooseTask(const Corpus& corpus, const std::string& wanted) {
        const auto& tasks = corpus.document().tasks;
        std::vector<std::string> known;
        for (const auto& task : tasks) {
            if (task.name == wanted || (wanted.empty() && (task.name == "asr" || tasks.size() == 1)))
                return task;
            known.push_back(task.name);
        }
        throw Error(
            "corpus.noTask",
            displayName(corpus.folder()) +
                (wanted.empty() ? " has several tasks. Name one of " : " has no task “" + wanted + "”; it has ") +
                listedInQuotes(known) + ".",
            {{"file", displayName(corpus.folder())}, {"task", wanted}});
    }

    bool addTable(const CorpusTable& table) {
        SplitFacts split;
        split.name = table.split;
        split.utterances = static_cast<std::int64_t>(table.utterances.size());
        for (const auto& words : m_words)
            split.texts.push_back(
                {words.language, 0, 0, std::vector<std::int64_t>(TextFacts::kRateBins), {}});
        std::unordered_map<std::string_view, SpeakerFacts> speakers;
        m_written.assign(m_words.size(), {});
        const std::span<const Utterance> all(table.utterances);
        for (std::size_t first = 0; first < all.size(); first += kBlock) {
            if (m_progress && !m_progress(m_done, m_total))
                return false;
            const auto block = all.subspan(first, std::min(kBlock, all.size() - first));
            const auto looks = m_task.isText ? std::vector<RecordingLook>(block.size()) : m_looks.at(block);
            for (std::size_t i = 0; i < block.size(); ++i)
                addUtterance(table, static_cast<int>(first + i), looks[i], split, speakers);
            m_done += static_cast<std::int64_t>(block.size());
        }
        for (std::size_t i = 0; i < m_words.size(); ++i)
            addScored(m_written[i], m_words[i].splits[table.split]);
        std::sort(split.frames.begin(), split.frames.end());
        std::sort(split.textless.begin(), split.textless.end());
        for (auto& [name, facts] : speakers) {
            m_splitsOf[facts.name].insert(split.name);
            split.speakers.push_back(std::move(facts));
        }
        std::sort(split.speakers.begin(), split.speakers.end(),
                  [](const SpeakerFacts& a, const SpeakerFacts& b) {
                      return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
                  });
        m_result.splits.push_back(std::move(split));
        return !m_progress || m_progress(m_done, m_total);
    }

    void addUtterance(const CorpusTable& table, int index, const RecordingLook& look, SplitFacts& split,
                      std::unordered_map<std::string_view, SpeakerFacts>& speakers) {
        const Utterance& utterance = table.utterances[static_cast<std::size_t>(index)];
        std::optional<std::int64_t> frames; // parallel text has no length in time
        if (!m_task.isText && look.isUsable)
            frames = utterance.frames ? utterance.frames->value() : look.frames;
        if (!look.isUsable)
            split.unusable.push_back({utterance.frames ? std::optional(utterance.frames->value()) : std::nullopt, !wordsOfText(utterance.text).empty()});
        if (frames && !utterance.frames)
            m_foundFrames[&utterance] = *frames;
        if (!look.code.empty())
            found(look.code, look.isUsable ? DefectKind::Suspicious : DefectKind::Unusable, table, index,
                  look.sentence, frames ? secondsOfFrames(*frames) : 0);
        const double seconds = frames ? secondsOfFrames(*frames) : 0;
        if (frames) {
            split.frames.push_back(*frames);
            split.seconds += seconds;
            if (wordsOfText(utterance.text).empty())
                split.textless.push_back(*frames);
        }
        if (const std::string_view person = personOf(utterance); !person.empty()) {
            SpeakerFacts& speaker = speakers[person];
            speaker.name = person;
            ++speaker.utterances;
            speaker.seconds += seconds;
        }
        const bool translates = m_task.isTranslation();
        if (translates)
            addText(0, utterance.sourceText, table, index, seconds, split);
        addText(translates ? 1 : 0, utterance.text, table, index, seconds, split);
        if (!utterance.audio.empty()) {
            const auto [first, fresh] =
                m_audio.try_emplace(utterance.audio.native(), TablePlace{&table, index});
            if (!fresh) {
                const auto& other =
                    first->second.table->utterances[static_cast<std::size_t>(first->second.index)];
                found("corpus.sameAudio", DefectKind::Suspicious, table, index,
                      "The recording is also that of " + other.id + " in " + first->second.table->split + ".",
                      seconds);
            }
        }
    }

    void addText(std::size_t place, const std::string& text, const CorpusTable& table, int index,
                 double seconds, SplitFacts& split) {
        const auto words = wordsOfText(text);
        if (words.empty()) {
            if (place + 1 == m_words.size())
                found("corpus.emptyText", DefectKind::Suspicious, table, index, "The text is empty.",
                      seconds);
            return;
        }
        for (const auto& word : words)
            ++m_written[place][word];
        if (looksMisread(text))
            found("corpus.misread", DefectKind::Suspicious, table, index,
                  "UTF-8 seems to have been read as Latin-1 once (“Ã¼” for “ü”).", seconds);
        if (const auto sound = namedSound(text); !sound.empty())
            found("corpus.sounds", DefectKind::ToKnow, table, index, "The text names a sound: " + std::string(sound) + ".", seconds);
        if (seconds <= 0)
            return;
        TextFacts& facts = split.texts[place];
        facts.words += static_cast<std::int64_t>(words.size());
        facts.seconds += seconds;
        const double rate = static_cast<double>(words.size()) / seconds;
        const auto bin = static_cast<std::size_t>(rate / TextFacts::kRateStep);
        ++facts.rates[std::min(bin, TextFacts::kRateBins - 1)];
        if (rate > kFastestSpeech)
            found("corpus.tooFast", DefectKind::Suspicious, table, index,
                  counted(static_cast<std::int64_t>(words.size()), "word") + " in " + secondsText(Seconds(seconds)) +
                      ". The text may belong to another recording.",
                  seconds);
    }

    void found(const std::string& code, DefectKind kind, const CorpusTable& table, int index,
               const std::string& sentence, double seconds) {
        m_defects.add(code, kind,
                      {table.utterances[static_cast<std::size_t>(index)].id, table.split, index, sentence},
                      seconds);
    }

    /// What opening and importing found. Rows that are in a table were looked at above.
    void addProblems() {
        std::set<std::string> otherTables;
        for (const auto& table : m_corpus.tables())
            if (table.task != m_task.name)
                otherTables.insert(corpusTableName(table.split, table.task));
        auto problems = m_corpus.problems();
        const auto imported = readProblems(m_corpus.folder());
        problems.insert(problems.end(), imported.begin(), imported.end());
        std::unordered_map<std::string, TablePlace> places;
        for (const auto& problem : problems)
            if (auto id = idOfProblem(problem); !problem.leftOut && !id.empty())
                places.try_emplace(std::move(id));
        if (!places.empty())
            for (const auto* table : m_tables)
                for (std::size_t i = 0; i < table->utterances.size(); ++i)
                    if (const auto at = places.find(table->utterances[i].id); at != places.end())
                        at->second = {table, static_cast<int>(i)};
        for (const auto& problem : problems) {
            if (problem.code == "corpus.emptyText" || otherTables.contains(problem.file))
                continue;
            const auto id = idOfProblem(problem);
            const auto at = places.find(id);
            const bool isThere = !problem.leftOut && at != places.end() && at->second.table;
            const auto* table = isThere ? at->second.table : nullptr;
            const int index = isThere ? at->second.index : -1;
            const auto* utterance = isThere ? &table->utterances[static_cast<std::size_t>(index)] : nullptr;
            const auto looked = m_foundFrames.find(utterance);
            const std::int64_t frames = utterance && utterance->frames    ? utterance->frames->value()
                                        : looked != m_foundFrames.end() ? looked->second
                                                                        : 0;
            m_defects.add(problem.code, problem.leftOut ? DefectKind::Unusable : DefectKind::Suspicious,
                          {id, isThere ? table->split : std::string(), index, problem.sentence}, secondsOfFrames(frames));
        }
    }

    const Corpus& m_corpus;
    CorpusTask m_task;
    const SummaryProgress& m_progress;
    std::vector<const CorpusTable*> m_tables;
    std::vector<LanguageWords> m_words; ///< as SplitFacts::texts
    std::vector<WrittenWords> m_written; ///< as m_words, of the table at hand
    std::map<std::string, std::set<std::string>> m_splitsOf;
    std::unordered_map<std::string_view, TablePlace> m_audio;
    std::unordered_map<const Utterance*, std::int64_t> m_foundFrames; ///< by the headers of recordings whose table has none
    DefectList m_defects;
    RecordingLooks m_looks;
    std::int64_t m_done = 0, m_total = 0;
    CorpusSummary m_result;
};

} // namespace

double secondsOfFrames(std::int64_t frames) {
    return frames > 0 ? static_cast<double>(frames) * 0.010 + 0.020 : 0;
}

double TextFacts::meanRate() const {
    return seconds > 0 ? static_cast<double>(words) / seconds : std::numeric_limits<double>::quiet_NaN();
}

std::optional<CorpusSummary> summariseCorpus(const Corpus& corpus, const std::string& task,
                                             const SummaryProgress& progress) {
    return Summariser(corpus, task, progress).run();
}

} // namespace headroom
