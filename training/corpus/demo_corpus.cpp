// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/demo_corpus.h"

#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/corpus/corpus_summary.h"
#include "core/errors/display_name.h"
#include "core/errors/whole_path.h"
#include "core/statistics/name_hash.h"
#include "core/tensors/atomic_file.h"
#include "core/time/clocks.h"
#include "training/corpus/grammar.h"
#include "training/corpus/invented_words.h"
#include "training/corpus/processes.h"
#include "training/corpus/spoken_utterance.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>
#include <unordered_set>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// What random numbers are drawn for; streams never meet (the loader's purposes are below 100).
enum Stream : std::uint64_t { kSentences = 101, kUtterances, kBabble, kInvented };

const std::array<const char*, 3> kSplits{"train", "dev", "test"};

struct Planned {
    std::string id;
    Sentence sentence;
    const char* split;
    Voice voice;
    Conditions conditions;
    std::int64_t samples = 0; ///< 0: not yet spoken, or not to be spoken
    bool isInvented() const { return sentence.german.empty(); }
};

class Maker {
public:
    Maker(const DemoCorpusOptions& options, const std::function<void(double, double)>& progress)
        : m_options(options)
        , m_progress(progress)
        , m_sentences({options.seed, kSentences})
        , m_invented({options.seed, kInvented}) {}

    DemoCorpusSummary make() {
        fs::create_directories(m_options.out / "audio");
        fs::create_directories(m_options.out / "alignments");
        Random random({m_options.seed, kBabble});
        m_babble = spokenBabble(random);
        speakEnough();
        return write();
    }

private:
    double wanted() const { return m_options.minutes * 60; }
    static double secondsOf(const Planned& planned) {
        return static_cast<double>(planned.samples) / kModelSampleRate.hertz();
    }
    static std::int64_t framesOf(const Planned& planned) {
        return FrameClock().frameCount(Samples(planned.samples), kModelSampleRate).value();
    }
    fs::path audioOf(const Planned& planned) const { return m_options.out / "audio" / (planned.id + ".wav"); }
    fs::path gridOf(const Planned& planned) const {
        return m_options.out / "alignments" / (planned.id + ".TextGrid");
    }

    /// What is invented is drawn apart: a share of 0 leaves every byte as it was.
    Sentence nextSentence() {
        constexpr std::int64_t kMillion = 1'000'000;
        const auto share = static_cast<double>(m_invented.below(kMillion)) / kMillion;
        return share < m_options.invented ? Sentence{inventedSentence(m_invented), {}, {}}
                                          : randomSentence(m_sentences);
    }

    void plan(std::size_t count) {
        while (m_plan.size() < count) {
            auto sentence = nextSentence();
            if (!m_said.insert(sentence.english).second)
                continue;
            std::array<char, 32> id{};
            std::snprintf(id.data(), id.size(), "demo-%06zu", m_plan.size());
            Random random({m_options.seed, kUtterances, m_plan.size()});
            const auto* split = demoSplitOf(sentence.english);
            auto voice = randomVoice(random);
            const auto conditions = randomConditions(random);
            m_plan.push_back({id.data(), std::move(sentence), split, std::move(voice), conditions});
        }
    }

    /// In a child. The random numbers belong to the utterance, so it does not matter whose turn it is.
    std::string speak(std::int64_t index) const {
        const auto& planned = m_plan[static_cast<std::size_t>(index)];
        Random random({m_options.seed, kUtterances, static_cast<std::uint64_t>(index), 1});
        SpokenUtterance spoken;
        try {
            spoken =
                speakUtterance(planned.sentence.english, planned.voice, planned.conditions, m_babble, random);
        } catch (const Error& error) {
            if (planned.isInvented() && error.code() == "speech.words")
                return "0"; // now and then espeak takes two of them for one, or one for an abbreviation
            throw;
        }
        saveWav(audioOf(planned), spoken.samples, kModelSampleRate);
        writeTextGrid(gridOf(planned), spoken.grid);
        return std::to_string(spoken.samples.size());
    }

    /// How many of the plan, from its beginning, are enough: the time wanted, and something in every split.
    /// Nothing but the plan decides, so the end is the same for any number of processes.
    std::size_t enough() const {
        double seconds = 0;
        std::set<std::string_view> splits;
        for (std::size_t i = 0; i < m_plan.size(); ++i) {
            seconds += secondsOf(m_plan[i]);
            if (m_plan[i].samples > 0)
                splits.insert(m_plan[i].split);
            if (seconds >= wanted() && splits.size() == kSplits.size())
                return i + 1;
        }
        return 0;
    }

    void speakEnough() {
        double seconds = 0;
        const int processes = m_options.processes > 0 ? m_options.processes : usableProcessors();
        while (enough() == 0) {
            const auto first = m_plan.size();
            const double each = first > 0 ? seconds / static_cast<double>(first) : 3.0;
            plan(first + 8 + static_cast<std::size_t>(std::max(0.0, wanted() - seconds) / each));
            inProcesses(
                static_cast<std::int64_t>(first), static_cast<std::int64_t>(m_plan.size()), processes,
                [this](std::int64_t index) { return speak(index); },
                [&](std::int64_t index, const std::string& text) {
                    auto& planned = m_plan[static_cast<std::size_t>(index)];
                    std::from_chars(text.data(), text.data() + text.size(), planned.samples);
                    seconds += secondsOf(planned);
                    if (m_progress)
                        m_progress(std::min(seconds, wanted()), wanted());
                });
        }
        const auto kept = enough();
        for (std::size_t i = kept; i < m_plan.size(); ++i) {
            fs::remove(audioOf(m_plan[i]));
            fs::remove(gridOf(m_plan[i]));
        }
        m_plan.resize(kept);
        std::erase_if(m_plan, [](const Planned& planned) { return planned.samples == 0; });
    }

    std::vector<Utterance> table(const std::string& split, const CorpusTask& task) const {
        std::vector<Utterance> utterances;
        for (const auto& planned : m_plan) {
            if (planned.split != split || textOf(planned.sentence, task).empty())
                continue;
            Utterance utterance;
            utterance.id = planned.id;
            utterance.audio = audioOf(planned);
            utterance.frames = Frames(framesOf(planned));
            utterance.text = textOf(planned.sentence, task);
            utterance.speaker = planned.voice.name;
            if (task.isTranslation())
                utterance.sourceText = planned.sentence.english;
            utterances.push_back(std::move(utterance));
        }
        return utterances;
    }

    static const std::string& textOf(const Sentence& sentence, const CorpusTask& task) {
        return task.target == "de"   ? sentence.german
               : task.target == "es" ? sentence.spanish
                                     : sentence.english;
    }

    std::string conditionsTable() const {
        std::string text = "id\tsplit\tvoice\twords_a_minute\tpitch\tnoise\tsnr_db\tt60_s\tdirect_to_"
                           "reverberant_db\tlevel_db\n";
        for (const auto& planned : m_plan) {
            std::array<char, 256> row{};
            const auto& c = planned.conditions;
            const auto number = [](bool there, const char* format, double value) {
                std::array<char, 32> digits{};
                if (there)
                    std::snprintf(digits.data(), digits.size(), format, value);
                return std::string(digits.data());
            };
            std::snprintf(row.data(), row.size(), "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%.0f\n",
                          planned.id.c_str(), planned.split, planned.voice.name.c_str(), planned.voice.rate,
                          planned.voice.pitch, nameOf(c.noise),
                          number(c.noise != Noise::None, "%.0f", c.signalToNoise).c_str(),
                          number(c.reverberation > 0, "%.1f", c.reverberation).c_str(),
                          number(c.reverberation > 0, "%.0f", c.directToReverberant).c_str(), c.level);
            text += row.data();
        }
        return text;
    }

    DemoCorpusSummary write() const {
        DemoCorpusSummary summary;
        CorpusDocument document;
        document.name = "demo";
        document.about =
            "Sentences of a small grammar, spoken by espeak-ng in many voices, with noise and rooms.";
        document.languages = {"en", "de", "es"};
        document.splits.assign(kSplits.begin(), kSplits.end());
        document.tasks = {{"asr", "en", "en"}, {"st_de", "en", "de"}, {"st_es", "en", "es"}};
        document.made = {
            {"by", "headroom-worker corpus demo"}, {"minutes", m_options.minutes}, {"seed", m_options.seed}};
        if (m_options.invented > 0)
            document.made["invented"] = m_options.invented;
        for (const auto& task : document.tasks) {
            for (const auto& split : document.splits)
                writeCorpusTable(m_options.out, split, task, table(split, task));
            std::vector<std::string> sentences;
            for (const auto& planned : m_plan)
                if (planned.split == document.splits.front() && !textOf(planned.sentence, task).empty())
                    sentences.push_back(textOf(planned.sentence, task));
            const auto pieces = learnSentencePieces(sentences, m_options.pieces);
            const auto model = m_options.out / corpusTokenizerName(task.name);
            writeAtomically(model, pieces.model, "corpus.unwritable");
            writeAtomically(fs::path(model).replace_extension(".vocab"), pieces.vocabulary,
                            "corpus.unwritable");
            summary.pieces[task.name] = pieces.size;
        }
        writeAtomically(m_options.out / "conditions.tsv", conditionsTable(), "corpus.unwritable");
        std::set<std::string> words, voices;
        for (const auto& planned : m_plan) {
            auto& split = summary.splits[planned.split];
            ++split.utterances;
            split.seconds += secondsOfFrames(framesOf(planned)); // as the tables say it
            voices.insert(planned.voice.name);
            auto plain = planned.sentence.english;
            for (auto& c : plain)
                c = static_cast<char>(
                    c == '.' || c == ',' || c == '?' ? ' ' : std::tolower(static_cast<unsigned char>(c)));
            std::istringstream each(plain);
            for (std::string word; each >> word;)
                words.insert(word);
        }
        summary.words = static_cast<std::int64_t>(words.size());
        summary.voices = static_cast<std::int64_t>(voices.size());
        writeCorpusDocument(m_options.out / "corpus.json", document);
        return summary;
    }

    const DemoCorpusOptions& m_options;
    const std::function<void(double, double)>& m_progress;
    Random m_sentences, m_invented;
    std::unordered_set<std::string> m_said;
    std::vector<Planned> m_plan;
    std::vector<float> m_babble;
};

[[noreturn]] void unwritable(const fs::path& folder, const std::string& reason) {
    throw Error("corpus.unwritable", displayName(folder) + " could not be written: " + reason + ".",
                {{"file", displayName(folder)}});
}

} // namespace

const char* demoSplitOf(const std::string& sentence) {
    const auto tenth = (nameHash(sentence) >> 32) % 10;
    return tenth == 8 ? "dev" : tenth == 9 ? "test" : "train";
}

DemoCorpusSummary makeDemoCorpus(const DemoCorpusOptions& options,
                                 const std::function<void(double, double)>& progress) {
    if (!(options.minutes > 0))
        throw std::invalid_argument("makeDemoCorpus: minutes");
    std::error_code error;
    const bool there = fs::exists(options.out, error);
    if (there && (!fs::is_directory(options.out) || !fs::is_empty(options.out)))
        throw Error("corpus.notEmpty",
                    displayName(options.out) +
                        " already exists and is not an empty folder. Choose a new one.",
                    {{"file", displayName(options.out)}});
    // Everything is written beside the folder, which is there only when it is whole: whoever interrupts it
    // leaves nothing that the next try would refuse.
    DemoCorpusOptions fresh = options;
    const fs::path named = wholePath(options.out);
    fresh.out = named.parent_path() / ("." + named.filename().string() + ".making");
    fs::remove_all(fresh.out, error); // of a try that was interrupted
    try {
        const DemoCorpusSummary summary = Maker(fresh, progress).make();
        fs::rename(fresh.out, named); // takes the place of an empty folder
        return summary;
    } catch (const fs::filesystem_error& failure) {
        fs::remove_all(fresh.out, error);
        unwritable(options.out, failure.code().message());
    } catch (...) {
        fs::remove_all(fresh.out, error);
        throw;
    }
}

} // namespace headroom::training
