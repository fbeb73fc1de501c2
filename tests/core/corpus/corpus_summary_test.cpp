// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_summary.h"
#include "core/corpus/kinds/import_corpus.h"
#include "core/text/scored_words.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace headroom::testing::corpus_summary_test {

namespace {

const char* const kDocument =
    R"({"format": "headroom/corpus", "version": 1, "name": "made", "sampleRate": 16000,
  "languages": ["en", "de"], "splits": ["train", "dev"],
  "tasks": [{"name": "asr", "source": "en", "target": "en"}, {"name": "st_de", "source": "en", "target": "de"}]})";

struct Row {
    std::string id, speaker, text, source;
    std::int64_t frames;
};

/// A corpus of silent recordings, as long as the tables say: headers, and a hole for the samples.
class MadeCorpus {
public:
    MadeCorpus() {
        std::filesystem::create_directories(path() / "audio");
        write("corpus.json", kDocument);
    }
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    void write(const std::string& name, const std::string& bytes) const { std::ofstream(path() / name, std::ios::binary) << bytes; }
    /// As long as so many frames of 10 ms.
    void sound(const std::string& name, std::int64_t frames) const {
        const std::int64_t bytes = 2 * (frames > 0 ? 400 + 160 * (frames - 1) : 200);
        const auto number = [](std::int64_t value, int size) {
            std::string text;
            for (int i = 0; i < size; ++i)
                text += static_cast<char>((value >> (8 * i)) & 0xFF);
            return text;
        };
        write(name, "RIFF" + number(36 + bytes, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2) + number(16000, 4) +
                        number(32000, 4) + number(2, 2) + number(16, 2) + "data" + number(bytes, 4));
        std::filesystem::resize_file(path() / name, static_cast<std::uintmax_t>(44 + bytes));
    }
    void table(const std::string& split, const std::vector<Row>& rows) const {
        std::string asr = "id\taudio\tn_frames\ttgt_text\tspeaker\n";
        std::string st = "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\n";
        for (const Row& row : rows) {
            const std::string audio = "audio/" + row.id + ".wav";
            sound(audio, row.frames);
            const std::string start = row.id + '\t' + audio + '\t' + std::to_string(row.frames) + '\t';
            asr += start + row.source + '\t' + row.speaker + '\n';
            st += start + row.text + '\t' + row.speaker + '\t' + row.source + '\n';
        }
        write(split + "_asr.tsv", asr);
        write(split + "_st_de.tsv", st);
    }

private:
    QTemporaryDir m_folder;
};

std::vector<std::string> splitAtBlanks(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

double secondsOf(const Row& row) {
    return row.frames == 0 ? 0 : 0.01 * double(row.frames) + 0.020;
}

std::vector<Row> randomRows(const std::string& split, int count, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](int most) { return std::uniform_int_distribution<int>(0, most - 1)(random); };
    std::vector<Row> rows;
    for (int i = 0; i < count; ++i) {
        Row row{split + "-" + std::to_string(i), below(10) == 0 ? "" : "speaker" + std::to_string(below(7)), "", "", below(4000)};
        const int words = below(12);
        for (int word = 0; word < words; ++word) {
            row.text += (word ? "  w" : "w") + std::to_string(below(40) * below(40));
            row.source += (word ? " s" : "s") + std::to_string(below(30));
        }
        rows.push_back(row);
    }
    return rows;
}

} // namespace

class CorpusSummaryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hoursUtterancesAndSpeakersAreThoseOfTheTables() {
        const MadeCorpus made;
        const auto train = randomRows("train", 700, 1), dev = randomRows("dev", 90, 2);
        made.table("train", train);
        made.table("dev", dev);
        const auto summary = summariseCorpus(Corpus::open(made.path()), "st_de");
        QVERIFY(summary);
        QCOMPARE(summary->splits.size(), std::size_t(2));
        for (const auto* rows : {&train, &dev}) {
            const auto& split = summary->split(rows == &train ? "train" : "dev");
            double seconds = 0;
            std::map<std::string, std::pair<int, double>> speakers;
            for (const Row& row : *rows) {
                seconds += secondsOf(row);
                if (!row.speaker.empty()) {
                    ++speakers[row.speaker].first;
                    speakers[row.speaker].second += secondsOf(row);
                }
            }
            QCOMPARE(split.utterances, std::int64_t(rows->size()));
            QVERIFY(std::abs(split.seconds - seconds) < 1e-6);
            QCOMPARE(split.speakers.size(), speakers.size());
            for (const auto& speaker : split.speakers) {
                QCOMPARE(speaker.utterances, std::int64_t(speakers[speaker.name].first));
                QVERIFY(std::abs(speaker.seconds - speakers[speaker.name].second) < 1e-6);
            }
            QVERIFY(std::is_sorted(split.speakers.begin(), split.speakers.end(),
                                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; }));
        }
        QCOMPARE(summary->sharedSpeakers.size(), std::size_t(7));
    }

    void whatARecipeLeavesOutIsCounted() {
        const MadeCorpus made;
        const auto rows = randomRows("train", 500, 3);
        made.table("train", rows);
        made.table("dev", {});
        const auto summary = summariseCorpus(Corpus::open(made.path()), "st_de");
        for (const LengthLimits limits : {LengthLimits{}, LengthLimits{100, 2000}, LengthLimits{0, 100000},
                                          LengthLimits{900, 900}, LengthLimits{2000, 100}}) {
            LeftOutFacts expected; // as readExamples decides, in its order
            for (const Row& row : rows) {
                auto& part = splitAtBlanks(row.text).empty() ? expected.withoutText
                             : row.frames < limits.least     ? expected.tooShort
                             : row.frames > limits.most      ? expected.tooLong
                                                             : expected.kept;
                ++part.utterances;
                part.seconds += secondsOf(row);
            }
            const auto left = leftOutBy(summary->split("train"), limits);
            for (const auto part : {&LeftOutFacts::withoutText, &LeftOutFacts::tooShort,
                                    &LeftOutFacts::tooLong, &LeftOutFacts::kept}) {
                QCOMPARE((left.*part).utterances, (expected.*part).utterances);
                QVERIFY(std::abs((left.*part).seconds - (expected.*part).seconds) < 1e-6);
            }
        }
        const auto bars = lengthHistogram(summary->split("train"), 50);
        for (std::size_t bar = 0; bar < bars.size(); ++bar)
            QCOMPARE(bars[bar], std::int64_t(std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
                         return row.frames / 50 == std::int64_t(bar);
                     })));
    }

    void wordsAreCountedPerLanguage() {
        const MadeCorpus made;
        const auto train = randomRows("train", 400, 4), dev = randomRows("dev", 60, 5);
        made.table("train", train);
        made.table("dev", dev);
        const auto summary = summariseCorpus(Corpus::open(made.path()), "st_de");
        QCOMPARE(summary->vocabularies.size(), std::size_t(2));
        for (const bool target : {false, true}) {
            const auto& vocabulary = summary->vocabularies[target ? 1 : 0];
            QCOMPARE(vocabulary.language, std::string(target ? "de" : "en"));
            std::map<std::string, std::int64_t> counts;
            std::int64_t running = 0, unknown = 0, inDev = 0, words = 0;
            double seconds = 0;
            std::vector<std::int64_t> rates(TextFacts::kRateBins);
            for (const Row& row : train) {
                const auto found = splitAtBlanks(target ? row.text : row.source);
                for (const auto& word : found)
                    ++counts[word], ++running;
                if (found.empty() || row.frames == 0)
                    continue;
                words += std::int64_t(found.size());
                seconds += secondsOf(row);
                ++rates[std::min<std::size_t>(std::size_t(double(found.size()) / secondsOf(row) / 0.2), 49)];
            }
            for (const Row& row : dev)
                for (const auto& word : splitAtBlanks(target ? row.text : row.source))
                    ++inDev, unknown += !counts.contains(word);
            QCOMPARE(vocabulary.running, running);
            QCOMPARE(vocabulary.different, std::int64_t(counts.size()));
            QVERIFY(std::abs(vocabulary.unknown.at("dev") - double(unknown) / double(inDev)) < 1e-12);
            std::vector<std::int64_t> sorted;
            for (const auto& [word, count] : counts)
                sorted.push_back(count);
            std::sort(sorted.rbegin(), sorted.rend());
            for (const auto& [most, share] : vocabulary.coverage) {
                std::int64_t covered = 0;
                for (std::int64_t n = 0; n < most; ++n)
                    covered += sorted[std::size_t(n)];
                QVERIFY(std::abs(share - double(covered) / double(running)) < 1e-12);
            }
            QCOMPARE(vocabulary.coverage.back().first, vocabulary.different);
            std::set<std::string> inDevDifferent;
            for (const Row& row : dev)
                for (const auto& word : splitAtBlanks(target ? row.text : row.source))
                    inDevDifferent.insert(word);
            const WordCoverage& ofDev = summary->split("dev").texts[target ? 1 : 0].vocabulary;
            QCOMPARE(ofDev.running, inDev);
            QCOMPARE(ofDev.different, std::int64_t(inDevDifferent.size()));
            QCOMPARE(ofDev.coverage.back(), std::pair(ofDev.different, 1.0));
            const auto& text = summary->split("train").texts[target ? 1 : 0];
            QCOMPARE(text.vocabulary.different, vocabulary.different);
            QVERIFY(text.vocabulary.coverage == vocabulary.coverage);
            QCOMPARE(text.words, words);
            QVERIFY(std::abs(text.meanRate() - double(words) / seconds) < 1e-9);
            QVERIFY(text.rates == rates);
        }
    }

    /// “forest,” was another word than “forest”, so that dev seemed to have many words that training lacks.
    void wordsAreThoseOfWer() {
        const MadeCorpus made;
        const std::vector<std::string> train{"Ten men went into the Forest, at 5.30 - late...", "\"So\", said the U.S. man... – don't, (he) said 3-4 times!"};
        const std::vector<std::string> dev{"the forest. said DON'T tired – at 3", "Ten (men), so"};
        for (const auto& [split, texts] : {std::pair("train", train), std::pair("dev", dev)}) {
            std::vector<Row> rows;
            for (const auto& text : texts)
                rows.push_back({split + std::to_string(rows.size()), "a", text, "one", 300});
            made.table(split, rows);
        }
        const auto summary = summariseCorpus(Corpus::open(made.path()), "st_de");
        std::set<std::string> different;
        std::int64_t running = 0, ofDev = 0, unknown = 0;
        for (const auto& text : train)
            for (const auto& word : scoredWords(text)) // of the line
                different.insert(word), ++running;
        for (const auto& text : dev)
            for (const auto& word : scoredWords(text))
                ++ofDev, unknown += !different.contains(word);
        QCOMPARE(unknown, std::int64_t(1)); // tired
        const VocabularyFacts& words = summary->vocabularies[1];
        QCOMPARE(words.different, std::int64_t(different.size()));
        QCOMPARE(words.running, running);
        QCOMPARE(words.unknown.at("dev"), double(unknown) / double(ofDev));
        QCOMPARE(summary->split("dev").texts[1].vocabulary.running, ofDev);
        QCOMPARE(summary->split("dev").texts[1].words, std::int64_t(11)); // a rate is of the words between blanks
    }

    void defectsNameTheirUtterances() {
        const MadeCorpus made;
        made.table("train", {{"fine", "a", "gut so", "good", 300},
                             {"empty", "a", " ", "good", 300},
                             {"fast", "a", "eins zwei drei vier fünf sechs sieben acht neun", "one", 98},
                             {"misread", "a", "Es fl\xC3\x83\xC2\xB6ge", "It", 300},
                             {"clap", "a", "Danke. (Beifall)", "Thanks.", 300}});
        made.table("dev", {{"other", "b", "gut", "good", 300}});
        std::ofstream(made.path() / "dev_st_de.tsv", std::ios::app)
            << "gone\taudio/gone.wav\t10\tweg\tb\tgone\n"
            << "again\taudio/fine.wav\t300\tgut so\tb\tgood\n";
        const Corpus corpus = Corpus::open(made.path());
        const auto summary = summariseCorpus(corpus, "st_de");
        std::map<std::string, std::string> ids;
        for (const auto& defect : summary->defects)
            for (const auto& one : defect.utterances) {
                ids[defect.code] += one.id + ' ';
                QVERIFY2(!one.sentence.empty() && !defectTitle(defect.code).starts_with("corpus."),
                         defect.code.c_str());
                if (one.index >= 0)
                    QCOMPARE(corpus.utterances(one.split, "st_de")[std::size_t(one.index)].id, one.id);
            }
        const std::map<std::string, std::string> expected{
            {"corpus.emptyText", "empty "}, {"corpus.misread", "misread "}, {"corpus.missingAudio", "gone "},
            {"corpus.sameAudio", "again "}, {"corpus.sounds", "clap "},     {"corpus.tooFast", "fast "}};
        QVERIFY(ids == expected);
        QCOMPARE(summary->defects.front().code, std::string("corpus.missingAudio"));
        QVERIFY(summary->defects.front().kind == DefectKind::Unusable);
        QVERIFY(summary->defects.back().kind == DefectKind::ToKnow);
    }

    /// What training would stop at is found from the headers, although the tables give every length.
    void recordingsThatCannotBeUsedAreDefects() {
        const MadeCorpus made;
        made.table("train", {{"fine", "a", "gut", "good", 300},
                             {"garbage", "a", "gut", "good", 300},
                             {"empty", "a", "gut", "good", 300},
                             {"cut", "a", "gut", "good", 300},
                             {"slightly", "a", "gut", "good", 300},
                             {"other", "a", "gut", "good", 300}});
        made.table("dev", {{"part", "a", "gut", "good", 300}});
        made.write("audio/garbage.wav", "no sound");
        made.write("audio/empty.wav", "");
        std::filesystem::resize_file(made.path() / "audio/cut.wav", 20000);
        const auto whole = std::filesystem::file_size(made.path() / "audio/slightly.wav");
        std::filesystem::resize_file(made.path() / "audio/slightly.wav", whole - 160); // half a frame
        made.sound("audio/other.wav", 310);
        std::ofstream(made.path() / "dev_asr.tsv", std::ios::app) << "beyond\taudio/fine.wav:48000:48400\t301\tgood\ta\n"
                                                                   << "within\taudio/cut.wav:0:8000\t48\tgood\ta\n";
        const auto summary = summariseCorpus(Corpus::open(made.path()), "asr");
        std::map<std::string, std::string> ids;
        for (const auto& defect : summary->defects)
            for (const auto& one : defect.utterances)
                ids[defect.code] += one.id + (defect.kind == DefectKind::Unusable ? "! " : " ");
        const std::map<std::string, std::string> expected{{"corpus.unreadable", "garbage! empty! beyond! "},
                                                          {"corpus.cutShort", "cut! slightly! "},
                                                          {"corpus.otherLength", "other! "}};
        QVERIFY(ids == expected);
        const auto& train = summary->split("train");
        QVERIFY(leftOutBy(train, {5, 300}).stopping == 4 && leftOutBy(train, {5, 299}).stopping == 0 && leftOutBy(train, {5, 299}).tooLong.utterances == 6);
        QCOMPARE(leftOutBy(train, {5, 299}).tooLong.unusable, std::int64_t(4));
        QCOMPARE(train.frames.size(), std::size_t(2)); // what is cut within a frame is as long as the table says
    }

    /// What the import left out is in no table any more; problems.tsv still has it.
    void whatAnImportLeftOutIsCounted() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("b.wav", "");
        folder.write("a.txt", "one two");
        folder.write("b.txt", "three");
        CorpusImport request;
        request.kind = "folder";
        request.from = folder.from();
        request.out = folder.out();
        request.threads = 1;
        importCorpus(request);
        const auto summary = summariseCorpus(Corpus::open(folder.out()), "");
        QCOMPARE(summary->utterances(), std::int64_t(1));
        QCOMPARE(summary->defects.size(), std::size_t(1));
        QCOMPARE(summary->defects.front().utterances.front().id, std::string("b"));
        QVERIFY(summary->defects.front().kind == DefectKind::Unusable);
    }

    /// A person reads what is wrong, never a code, and two defects never have one title.
    void everyDefectOfARecordingHasATitle() {
        std::set<std::string> titles;
        for (const char* code :
             {"audio.empty", "audio.notAudio", "audio.noSamples", "audio.unreadable", "audio.badRate",
              "audio.tooLong", "corpus.badName", "corpus.noSplit", "corpus.unreadable", "corpus.cutShort"}) {
            const std::string title = defectTitle(code);
            QVERIFY2(title != code && titles.insert(title).second, title.c_str());
        }
    }

    /// Where no table gives lengths the headers do, and they agree with the sound.
    void lengthsComeFromHeadersWhereThereAreNoTables() {
        const SourceFolder folder;
        folder.sound("a.wav", 1.5);
        folder.sound("b.flac", 0.7, 0, 8000);
        folder.write("c.wav", "this is no sound");
        folder.write("a.txt", "one two");
        const auto summary = summariseCorpus(Corpus::open(folder.from()), "");
        const auto& split = summary->splits.front();
        QVERIFY(split.frames == (std::vector<std::int64_t>{68, 148}));
        QCOMPARE(split.unusable.size(), std::size_t(1));
        QCOMPARE(summary->defects.front().code, std::string("corpus.unreadable"));
    }

    void itCanBeCancelled() {
        const MadeCorpus made;
        made.table("train", randomRows("train", 1200, 6));
        made.table("dev", {});
        const Corpus corpus = Corpus::open(made.path());
        std::int64_t calls = 0, all = 0;
        QVERIFY(!summariseCorpus(corpus, "asr", [&](std::int64_t, std::int64_t total) {
            all = total;
            return ++calls < 2;
        }));
        QCOMPARE(calls, std::int64_t(2));
        QCOMPARE(all, std::int64_t(1200));
    }

    void anUnknownTaskIsAnError() {
        const MadeCorpus made;
        made.table("train", {});
        made.table("dev", {});
        const Corpus corpus = Corpus::open(made.path());
        QCOMPARE(summariseCorpus(corpus, "")->task, std::string("asr"));
        try {
            summariseCorpus(corpus, "st_fr");
            QFAIL("The task does not exist.");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.code()), QStringLiteral("corpus.noTask"));
            QVERIFY(std::string(error.what()).find("it has “asr”, “st_de”.") != std::string::npos);
        }
    }
};

HEADROOM_TEST(CorpusSummaryTest)

} // namespace headroom::testing::corpus_summary_test

#include "corpus_summary_test.moc"
