// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/import_corpus.h"

#include "core/corpus/corpus_reading.h"
#include "core/corpus/kinds/chosen_splits.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/corpus/kinds/held_out.h"
#include "core/corpus/kinds/import_hints.h"
#include "core/corpus/kinds/linked_folders.h"
#include "core/corpus/kinds/other_speeds.h"
#include "core/corpus/kinds/recording_check.h"
#include "core/corpus/kinds/remarks.h"
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"
#include "core/errors/whole_path.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <set>

namespace headroom {

namespace fs = std::filesystem;

namespace {

class Importer {
public:
    Importer(const CorpusImport& request, const std::function<void(std::int64_t, std::int64_t)>& progress, const CompleteCorpus& complete)
        : m_request(request)
        , m_progress(progress)
        , m_complete(complete)
        , m_reading(request) {}

    ImportedCorpus run() {
        refuseBadFolders();
        if (const auto speed = repeatedSpeed(m_request.speeds))
            throw Error("corpus.sameSpeed", "The speed " + AudioName{{}, {}, *speed}.suffix().substr(3) + " is given more than once.");
        const auto& kind =
            m_request.kind.empty() ? recogniseCorpusKind(m_request.from) : corpusKind(m_request.kind);
        m_result.kind = kind.name;
        m_isText = kind.isText;
        if (m_request.kind.empty() && kind.name == "folder") // taken for plain recordings, because nothing else was recognised
            listUnreadTables(m_reading);
        if (m_isText && !m_request.speeds.empty())
            throw Error("corpus.noSpeed", "Parallel text has no recordings, so it has no speed. Import it without --speed.");
        kind.read(m_reading);
        chooseSplits(m_reading.utterances(), m_request);
        checkSplitsFor(m_request.heldOut, m_reading.utterances());
        keepUsable();
        writeAll();
        return std::move(m_result);
    }

private:
    void refuseBadFolders() const {
        std::error_code ignored;
        if (!fs::is_directory(m_request.from, ignored))
            throw missingFolder(m_request.from);
        if (fs::exists(m_request.out, ignored) &&
            (!fs::is_directory(m_request.out, ignored) || !fs::is_empty(m_request.out, ignored)))
            throw Error("corpus.exists",
                        m_request.out.string() + " already exists and is not an empty folder.",
                        {{"file", m_request.out.string()}});
    }

    /// Looks at the recordings and drops what cannot be used.
    void keepUsable() {
        if (m_isText)
            return keepPairs();
        const auto checked = checkRecordings(m_reading.utterances(), m_request.threads, m_progress);
        std::vector<SourceUtterance> kept;
        std::map<std::string, int> ids;
        std::map<int, std::int64_t> rates;
        for (auto& utterance : m_reading.utterances()) {
            const auto& recording = checked.at(utterance.audio);
            if (!recording.refusal.empty()) {
                if (recording.code == "corpus.missingAudio" && m_missing.empty())
                    m_missing = utterance.audio.string();
                m_reading.problem(recording.code, utterance.place, utterance.id, recording.refusal);
                continue;
            }
            const auto [first, fresh] =
                ids.try_emplace(utterance.split + "\n" + utterance.id, utterance.place.line);
            if (!fresh) {
                m_reading.problem("corpus.sameId", utterance.place, utterance.id,
                                  first->second > 0
                                      ? "line " + std::to_string(first->second) + " has the same id"
                                      : "another row has the same id");
                continue;
            }
            std::int64_t samples = 0;
            const bool stored = AudioName{utterance.audio, utterance.part}.holdsFeatures();
            const SampleRate rate = stored ? kModelSampleRate : recording.facts.rate;
            if (stored ? !placeFeatures(m_reading, utterance, m_columns, samples)
                       : !placeSegment(m_reading, utterance, recording.facts, samples))
                continue;
            m_stored += stored;
            tidyTexts(utterance);
            ++rates[rate.hertz()];
            m_lengths.push_back({samples, SampleRate(rateAtSpeed(rate.hertz(), utterance.speed))});
            kept.push_back(std::move(utterance));
        }
        holdOutOf(kept);
        addSpeeds(kept);
        m_reading.utterances() = std::move(kept);
        countLeftOut();
        if (const std::string hint = m_missing.empty() ? "" : hintAboutMissing(m_missing, m_request.from, false); !hint.empty())
            m_reading.note(validText(m_missing) + " is not there." + validText(hint));
        noteRates(rates);
        if (m_stored > 0)
            m_reading.note(featuresNote(m_stored, m_columns));
        for (auto& remark : remarksAbout(m_reading.utterances()))
            m_reading.note(std::move(remark));
    }

    void countLeftOut() {
        m_result.leftOut = std::count_if(m_reading.problems().begin(), m_reading.problems().end(),
                                         [](const auto& problem) { return problem.leftOut; });
        if (m_reading.utterances().empty())
            throw Error("corpus.nothing", nothing(), {{"file", m_request.from.string()}});
    }

    /// Parallel text: nothing to look at but the texts.
    void keepPairs() {
        for (auto& utterance : m_reading.utterances())
            tidyTexts(utterance);
        holdOutOf(m_reading.utterances());
        countLeftOut();
    }

    /// Only of what can be used, so that the shares are right.
    void holdOutOf(std::vector<SourceUtterance>& kept) {
        if (m_request.heldOut.empty() || kept.empty())
            return;
        auto divided = holdOut(kept, m_request.heldOut);
        m_reading.note(divided.note);
        m_heldOut = std::move(divided.made);
    }

    void addSpeeds(std::vector<SourceUtterance>& kept) {
        if (m_stored > 0 && !m_request.speeds.empty())
            throw Error("corpus.noSpeed", "The tables name features, which have no other speed. Import them without --speed.");
        const auto count = kept.size();
        for (const double speed : m_request.speeds)
            for (std::size_t i = 0; i < count && speed != 1; ++i) {
                if (!kept[i].split.starts_with("train") || kept[i].speed != 1)
                    continue;
                m_lengths.push_back({m_lengths[i].samples, SampleRate(rateAtSpeed(m_lengths[i].rate.hertz(), speed))});
                kept.push_back(copyAtSpeed(kept[i], speed));
            }
    }

    std::string nothing() const {
        std::string text = m_request.from.string() + " has no usable utterance of the kind " + m_result.kind;
        if (m_reading.problemsSoFar().empty())
            return text + ".";
        const auto& first = m_reading.problemsSoFar().front().sentence;
        return text + " (" + counted(static_cast<std::int64_t>(m_reading.problemsSoFar().size()), "problem") +
               "); the first: " + first +
               (m_missing.empty() ? "" : hintAboutMissing(m_missing, m_request.from, m_request.maps.empty()));
    }
    void tidyTexts(SourceUtterance& utterance) const {
        for (auto& [language, text] : utterance.texts) {
            const auto first = text.find_first_not_of(" \t\r\n");
            text = first == std::string::npos
                       ? std::string()
                       : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
            if (m_request.lowercase)
                text = inLowercase(text);
        }
        std::erase_if(utterance.texts, [](const auto& each) { return each.second.empty(); });
    }

    void noteRates(const std::map<int, std::int64_t>& rates) {
        const auto most =
            std::max_element(rates.begin(), rates.end(),
                             [](const auto& left, const auto& right) { return left.second < right.second; });
        m_result.document.sampleRate = SampleRate(most->first);
        if (rates.size() > 1)
            m_reading.note(remarkAboutRates(rates));
    }

    void describe() {
        auto& document = m_result.document;
        std::error_code ignored;
        const auto from = fs::absolute(m_request.from, ignored).lexically_normal();
        document.name = displayName(wholePath(m_request.from, ignored));
        const std::string spoken = plainName(m_reading.language(), "-_");
        std::set<std::string> splits, others;
        bool isTranscribed = false, isTranslated = false;
        for (const auto& utterance : m_reading.utterances()) {
            splits.insert(utterance.split);
            for (const auto& [language, text] : utterance.texts) {
                const bool isSpoken = language == m_reading.language();
                (isSpoken ? isTranscribed : isTranslated) = true;
                if (!isSpoken)
                    others.insert(language);
            }
        }
        document.splits = inUsualOrder(std::move(splits));
        document.languages = {spoken};
        if (m_isText) {
            const auto target = plainName(*others.begin(), "-_");
            document.languages.push_back(target);
            document.tasks.push_back({"translate", spoken, target, true});
            m_textOf["translate"] = *others.begin();
        } else if (isTranscribed || !isTranslated) {
            document.tasks.push_back({"asr", spoken, spoken});
            m_textOf["asr"] = m_reading.language();
        }
        for (const auto& other : others) {
            if (m_isText)
                break;
            const auto plain = plainName(other, "-_");
            document.languages.push_back(plain);
            document.tasks.push_back({"st_" + plain, spoken, plain});
            m_textOf["st_" + plain] = other;
        }
        auto splitsMade = nlohmann::json::object();
        for (const auto& [name, sources] : m_request.splits)
            splitsMade[name] = sources;
        document.made = {{"kind", m_result.kind},
                         {"from", validText(from.string())},
                         {"lowercase", m_request.lowercase},
                         {"splits", splitsMade},
                         {"leftOut", m_result.leftOut}};
        if (m_stored > 0)
            document.made["features"] = m_columns;
        if (!m_request.speeds.empty())
            document.made["speeds"] = m_request.speeds;
        if (!m_heldOut.is_null())
            document.made["heldOut"] = m_heldOut;
    }

    void writeAll() {
        describe();
        const auto whole = wholePath(m_request.out);
        const auto hidden = whole.parent_path() / ("." + whole.filename().string() + ".making");
        try {
            fs::remove_all(hidden);
            fs::create_directories(hidden);
            writeTables(hidden);
            writeProblems(hidden);
            writeCorpusDocument(hidden / "corpus.json", m_result.document);
            m_result.problems = std::move(m_reading.problems());
            m_result.notes = std::move(m_reading.notes());
            if (m_complete)
                m_complete(m_result, hidden);
            fs::remove(whole); // an empty folder
            fs::rename(hidden, whole);
        } catch (const std::exception& mistake) {
            std::error_code ignored;
            fs::remove_all(hidden, ignored);
            const auto* error = dynamic_cast<const fs::filesystem_error*>(&mistake);
            if (!error)
                throw;
            throw Error("corpus.unwritable",
                        whole.string() + " could not be written: " + error->code().message() + ".",
                        {{"file", whole.string()}});
        }
    }

    void writeTables(const fs::path& folder) {
        if (m_isText)
            return writePairs(folder);
        LinkedFolders links(folder, m_request.from, m_reading.unpackedSoFar());
        for (const auto& utterance : m_reading.utterances())
            links.plan(utterance.audio);
        links.make(m_request.copy);
        std::map<std::string, std::map<std::string, std::vector<Utterance>>> tables;
        for (std::size_t i = 0; i < m_reading.utterances().size(); ++i) {
            const auto& source = m_reading.utterances()[i];
            Utterance row;
            row.id = source.id;
            row.audio = AudioName{links.inside(source.audio), source.part, source.speed}.path();
            row.frames = framesOf(m_lengths[i].samples, m_lengths[i].rate);
            row.speaker = source.speaker;
            links.alignment(source.alignment, source.id);
            auto& split = m_result.splits[source.split];
            ++split.utterances;
            split.seconds += m_lengths[i].rate.duration(Samples(m_lengths[i].samples)).value();
            addRows(source, row, tables[source.split]);
        }
        for (const auto& split : m_result.document.splits)
            for (const auto& task : m_result.document.tasks)
                writeCorpusTable(folder, split, task, tables[split][task.name]);
    }

    void writePairs(const fs::path& folder) {
        const CorpusTask& task = m_result.document.tasks.front();
        std::map<std::string, std::vector<Utterance>> tables;
        for (const auto& source : m_reading.utterances()) {
            ++m_result.splits[source.split].utterances;
            Utterance pair;
            pair.id = source.id;
            pair.sourceText = source.texts.at(m_reading.language());
            pair.text = source.texts.at(m_textOf[task.name]);
            tables[source.split].push_back(std::move(pair));
        }
        for (const auto& split : m_result.document.splits)
            writeCorpusTable(folder, split, task, tables[split]);
    }

    void addRows(const SourceUtterance& source, Utterance row,
                 std::map<std::string, std::vector<Utterance>>& tables) {
        const auto spoken = source.texts.find(m_reading.language());
        for (const auto& task : m_result.document.tasks) {
            const auto text = source.texts.find(m_textOf[task.name]);
            const bool isTranscript = !task.isTranslation();
            if (text == source.texts.end() && (!isTranscript || !source.texts.empty()))
                continue;
            row.text = text == source.texts.end() ? "" : text->second;
            row.sourceText = isTranscript || spoken == source.texts.end() ? "" : spoken->second;
            if (row.text.empty())
                m_reading.problem("corpus.emptyText", source.place, source.id, "there is no text", false);
            tables[task.name].push_back(row);
        }
    }

    void writeProblems(const fs::path& folder) const {
        std::string text = tabSeparatedLine({"file", "line", "code", "left_out", "problem"});
        for (const auto& problem : m_reading.problemsSoFar())
            text += tabSeparatedLine({validText(problem.file), std::to_string(problem.line), problem.code,
                                      problem.leftOut ? "1" : "0", problem.sentence});
        writeAtomically(folder / "problems.tsv", text, "corpus.unwritable");
    }

    struct Length {
        std::int64_t samples;
        SampleRate rate;
    };

    const CorpusImport& m_request;
    const std::function<void(std::int64_t, std::int64_t)>& m_progress;
    const CompleteCorpus& m_complete;
    SourceReading m_reading;
    std::vector<Length> m_lengths;               ///< of the utterances, in their order
    std::map<std::string, std::string> m_textOf; ///< the language of a task's text, as the corpus writes it
    ImportedCorpus m_result;
    nlohmann::json m_heldOut; ///< of "made" in corpus.json
    std::string m_missing; ///< the first recording that is not where a table says
    bool m_isText = false; ///< parallel text
    std::int64_t m_stored = 0, m_columns = 0; ///< utterances of stored features; features of a frame
};

} // namespace

ImportedCorpus importCorpus(const CorpusImport& request,
                            const std::function<void(std::int64_t, std::int64_t)>& progress, const CompleteCorpus& complete) {
    return Importer(request, progress, complete).run();
}

} // namespace headroom
