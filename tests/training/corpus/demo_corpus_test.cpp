// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/corpus/corpus_summary.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "training/corpus/demo_corpus.h"
#include "training/speech/spoken_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace headroom::testing::demo_corpus_test {

using namespace headroom::training;

namespace {

std::map<std::string, std::string> filesOf(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) {
            std::ostringstream bytes;
            bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
            files[entry.path().lexically_relative(folder).string()] = bytes.str();
        }
    return files;
}

double loudness(const std::vector<float>& samples, double from, double to) {
    double sum = 0;
    const auto begin = static_cast<std::size_t>(from * 16000), end = static_cast<std::size_t>(to * 16000);
    for (std::size_t i = begin; i < end; ++i)
        sum += static_cast<double>(samples[i]) * samples[i];
    return std::sqrt(sum / static_cast<double>(end - begin));
}

} // namespace

class DemoCorpusTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    DemoCorpusSummary m_summary;
    bool m_silent = false;

    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    DemoCorpusSummary make(const char* name, std::uint64_t seed, int processes, double minutes = 1) const {
        DemoCorpusOptions options;
        options.out = path(name);
        options.minutes = minutes;
        options.seed = seed;
        options.processes = processes;
        return makeDemoCorpus(options);
    }

private Q_SLOTS:
    void initTestCase() {
        try {
            m_summary = make("one", 3, 1);
        } catch (const Error& error) {
            if (error.code() != "speech.noEspeak")
                throw;
            QVERIFY2(QString(error.what()).contains("apt install espeak-ng"), error.what());
            QVERIFY(!std::filesystem::exists(path("one")));
            m_silent = true;
        }
    }
    void init() {
        if (m_silent)
            QSKIP("espeak-ng is not installed");
    }

    void theSameSeedGivesTheSameBytesForAnyNumberOfProcesses() {
        make("three", 3, 3);
        const auto one = filesOf(path("one")), three = filesOf(path("three"));
        QVERIFY(one.size() > 40);
        for (const auto& [name, bytes] : one)
            QVERIFY2(three.contains(name) && three.at(name) == bytes, name.c_str());
        QCOMPARE(three.size(), one.size());
    }

    void anotherSeedGivesOtherSentencesInTheSameSplits() {
        make("other", 4, 2);
        const auto one = Corpus::open(path("one")), other = Corpus::open(path("other"));
        std::map<std::string, std::string> splits;
        for (const auto* corpus : {&one, &other})
            for (const auto& table : corpus->tables())
                if (table.task == "asr")
                    for (const auto& utterance : table.utterances)
                        QCOMPARE(splits.try_emplace(utterance.text, table.split).first->second, table.split);
        QVERIFY(one.utterances("train", "asr")[0].text != other.utterances("train", "asr")[0].text);
    }

    void inventedWordsAreInTheTaskAsrAlone() {
        DemoCorpusOptions options;
        options.out = path("invented");
        options.minutes = 1;
        options.seed = 3;
        options.invented = 0.5;
        makeDemoCorpus(options);
        const auto corpus = Corpus::open(path("invented"));
        QVERIFY(corpus.problems().empty());
        std::size_t spoken = 0, translated = 0;
        for (const auto& table : corpus.tables()) {
            spoken += table.task == "asr" ? table.utterances.size() : 0;
            translated += table.task == "st_de" ? table.utterances.size() : 0;
        }
        QVERIFY(translated > 0 && translated < spoken);
        for (const auto& utterance : corpus.utterances("train", "asr"))
            QVERIFY2(!utterance.alignment.empty(), utterance.id.c_str());
    }

    void theCorpusOpensWithoutAProblem() {
        const auto corpus = Corpus::open(path("one"));
        QVERIFY(corpus.problems().empty());
        QCOMPARE(corpus.document().tasks.size(), std::size_t(3));
        double seconds = 0;
        std::set<std::string> sentences;
        std::size_t utterances = 0;
        for (const char* split : {"train", "dev", "test"}) {
            const auto& spoken = corpus.utterances(split, "asr");
            QVERIFY(!spoken.empty());
            QCOMPARE(m_summary.splits.at(split).utterances, static_cast<std::int64_t>(spoken.size()));
            seconds += m_summary.splits.at(split).seconds;
            for (const char* task : {"st_de", "st_es"}) {
                const auto& translated = corpus.utterances(split, task);
                QCOMPARE(translated.size(), spoken.size());
                for (std::size_t i = 0; i < spoken.size(); ++i) {
                    QCOMPARE(translated[i].id, spoken[i].id);
                    QCOMPARE(translated[i].sourceText, spoken[i].text);
                    QVERIFY(!translated[i].text.empty() && translated[i].text != spoken[i].text);
                }
            }
            for (const auto& utterance : spoken) {
                QVERIFY2(sentences.insert(utterance.text).second, utterance.text.c_str());
                QVERIFY(!utterance.alignment.empty() && !utterance.speaker.empty());
            }
            utterances += spoken.size();
        }
        QVERIFY(seconds >= 60 - 0.01 * static_cast<double>(utterances)); // less than a frame is lost of each
        const auto summary = summariseCorpus(corpus, "asr");
        for (const SplitFacts& split : summary->splits)
            QCOMPARE(m_summary.splits.at(split.name).seconds, split.seconds);
        QCOMPARE(filesOf(path("one") / "audio").size(), utterances); // what was spoken beyond the end is gone
        QCOMPARE(filesOf(path("one") / "alignments").size(), utterances);
    }

    void timesAndSoundBelongTogether() {
        const auto corpus = Corpus::open(path("one"));
        int checked = 0, louder = 0;
        for (const auto& table : corpus.tables()) {
            if (table.task != "asr")
                continue;
            for (const auto& utterance : table.utterances) {
                const auto recording = loadRecording(utterance.audio);
                QVERIFY(recording.warnings.empty());
                QCOMPARE(recording.originalRate.hertz(), 16000);
                const auto samples = static_cast<std::int64_t>(recording.samples.size());
                QCOMPARE(utterance.frames->value(), 1 + (samples - 400) / 160);
                const auto grid = readTextGrid(utterance.alignment);
                QVERIFY(std::abs(grid.end.value() - recording.duration().value()) < 1e-6);
                for (const auto& tier : grid.tiers) {
                    double at = 0;
                    for (const auto& interval : tier.intervals) { // gap-free
                        QVERIFY(std::abs(interval.start.value() - at) < 1e-6 &&
                                interval.end > interval.start);
                        at = interval.end.value();
                    }
                    QVERIFY(std::abs(at - grid.end.value()) < 1e-6);
                    QVERIFY(isSilence(tier.intervals.front().label) &&
                            isSilence(tier.intervals.back().label));
                    QVERIFY(tier.intervals.front().end.value() >= 0.1);
                }
                const auto alignment = alignmentFrom(grid, recording.duration(), "grid");
                QVERIFY(alignment.warnings.empty());
                std::vector<std::string> words;
                for (const auto& word : alignment.words)
                    if (!word.label.empty())
                        words.push_back(word.label);
                QVERIFY2(words == spokenText(utterance.text).words, utterance.text.c_str());
                for (const auto& phone : alignment.phones)
                    QVERIFY2(phoneClass(phone.label), phone.label.c_str());
                // Speech is louder than what is before it, whatever the noise.
                const auto& before = grid.tiers[0].intervals.front();
                const auto& last = grid.tiers[0].intervals.back();
                louder += loudness(recording.samples, before.end.value(), last.start.value()) >
                          1.5 * loudness(recording.samples, 0, before.end.value());
                ++checked;
            }
        }
        QVERIFY(checked > 10);
        QCOMPARE(louder, checked);
    }

    void everyTaskHasItsPieces() {
        const auto corpus = Corpus::open(path("one"));
        for (const char* task : {"asr", "st_de", "st_es"}) {
            const Tokenizer tokenizer(path("one") / corpusTokenizerName(task));
            QCOMPARE(tokenizer.size(), m_summary.pieces.at(task));
            QVERIFY(std::filesystem::exists(path("one") / (std::string(task) + ".sentencepiece.vocab")));
            for (const auto& utterance : corpus.utterances("train", task)) {
                const auto ids = tokenizer.encode(utterance.text);
                QVERIFY(std::find(ids.begin(), ids.end(), 3) == ids.end());
            }
        }
    }

    void conditionsAreWrittenDown() {
        std::ifstream in(path("one") / "conditions.tsv");
        std::string line;
        std::getline(in, line);
        QCOMPARE(line, std::string("id\tsplit\tvoice\twords_a_minute\tpitch\tnoise\tsnr_db\tt60_s\t"
                                   "direct_to_reverberant_db\tlevel_db"));
        std::int64_t rows = 0;
        while (std::getline(in, line)) {
            QCOMPARE(std::count(line.begin(), line.end(), '\t'), 9);
            ++rows;
        }
        std::int64_t utterances = 0;
        for (const auto& [name, split] : m_summary.splits)
            utterances += split.utterances;
        QCOMPARE(rows, utterances);
    }

    void aFolderThatIsNotEmptyIsLeftAlone() {
        const auto before = filesOf(path("one"));
        try {
            make("one", 9, 1);
            QFAIL("it was overwritten");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("corpus.notEmpty"));
        }
        QVERIFY(filesOf(path("one")) == before);
        std::filesystem::create_directory(path("empty"));
        make("empty", 3, 2, 0.1);
        QVERIFY(std::filesystem::exists(path("empty") / "corpus.json"));
    }

    void aFileInTheWayIsAMistakeOfOneSentence() {
        std::ofstream(path("file")) << "something";
        for (const char* name : {"file", "file/below"}) {
            try {
                make(name, 1, 1);
                QFAIL("it was written");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).endsWith('.'), error.what());
            }
        }
    }
};

HEADROOM_TEST(DemoCorpusTest)

} // namespace headroom::testing::demo_corpus_test

#include "demo_corpus_test.moc"
