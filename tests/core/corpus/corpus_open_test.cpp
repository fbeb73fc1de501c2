// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/corpus/needed_splits.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace headroom::testing::corpus_open_test {

namespace {

const char* const kDocument =
    R"({"format": "headroom/corpus", "version": 1, "name": "two", "sampleRate": 16000,
  "languages": ["en", "de"], "splits": ["train", "dev"],
  "tasks": [{"name": "asr", "source": "en", "target": "en"}, {"name": "st_de", "source": "en", "target": "de"}]})";
const std::string kHeader = "id\taudio\tn_frames\ttgt_text\tspeaker\n";

class Folder {
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    void write(const std::string& name, const std::string& bytes) const {
        std::filesystem::create_directories((path() / name).parent_path());
        std::ofstream(path() / name, std::ios::binary) << bytes;
    }

private:
    QTemporaryDir m_folder;
};

/// A corpus whose tables are all there; `rows` are the body of train_asr.tsv.
void writeCorpus(const Folder& folder, const std::string& rows) {
    folder.write("corpus.json", kDocument);
    folder.write("audio/a.wav", "sound");
    folder.write("audio/b.wav", "sound");
    folder.write("train_asr.tsv", kHeader + rows);
    for (const char* name : {"train_st_de.tsv", "dev_asr.tsv", "dev_st_de.tsv"})
        folder.write(name, "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\n");
}

QString sentences(const Corpus& corpus) {
    QString all;
    for (const auto& problem : corpus.problems())
        all += QString::fromStdString(problem.code + " | " + problem.sentence) + '\n';
    return all;
}

template <class Function>
QString codeOf(Function function) {
    try {
        function();
    } catch (const Error& error) {
        return QString::fromStdString(error.code());
    }
    return {};
}

} // namespace

class CorpusOpenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tablesAreReadWithTheirAlignments() {
        const Folder folder;
        writeCorpus(folder, "a\taudio/a.wav\t98\tHello \"you\".\tanna\r\nb\taudio/b.wav\t\tBye.\tbob\r\n");
        folder.write(
            "dev_st_de.tsv",
            "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\na\taudio/a.wav\t98\tHallo.\tanna\tHello.\n");
        folder.write("alignments/a.TextGrid", "a grid");
        const auto corpus = Corpus::open(folder.path());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentences(corpus)));
        QCOMPARE(corpus.kind(), Corpus::Kind::Tables);
        const auto& train = corpus.utterances("train", "asr");
        QCOMPARE(train.size(), std::size_t(2));
        QCOMPARE(train[0].text, std::string("Hello \"you\"."));
        QCOMPARE(train[0].frames->value(), std::int64_t(98));
        QCOMPARE(train[0].alignment, folder.path() / "alignments/a.TextGrid");
        QCOMPARE(train[1].speaker, std::string("bob"));
        QVERIFY(!train[1].frames && train[1].alignment.empty());
        const auto& translated = corpus.utterances("dev", "st_de");
        QCOMPARE(translated.at(0).text, std::string("Hallo."));
        QCOMPARE(translated.at(0).sourceText, std::string("Hello."));
        QCOMPARE(Corpus::open(folder.path() / "corpus.json").tables().size(), corpus.tables().size());
    }

    /// The window puts one that it makes there; studies of the corpus did not find it.
    void anAlignmentBesideItsRecordingServesToo() {
        const Folder folder;
        writeCorpus(folder, "a\taudio/a.wav\t98\tHello.\tanna\nb\taudio/b.wav\t\tBye.\tbob\n");
        folder.write("alignments/a.TextGrid", "a grid");
        for (const char* grid : {"audio/a.TextGrid", "audio/b.TextGrid"})
            folder.write(grid, "another");
        const auto train = Corpus::open(folder.path()).utterances("train", "asr");
        QCOMPARE(train.at(0).alignment, folder.path() / "alignments/a.TextGrid"); // the corpus' own
        QCOMPARE(train.at(1).alignment, folder.path() / "audio/b.TextGrid");
    }

    void textsAreReadWithoutRecordings() {
        const Folder folder;
        writeCorpus(folder, "a\taudio/a.wav\t98\tHello.\tanna\nc\taudio/c.wav\t\tBye.\tbob\nd\taudio/a.wav\t\t\tbob\n");
        folder.write("alignments/a.TextGrid", "a grid");
        const auto whole = Corpus::open(folder.path()), texts = Corpus::open(folder.path(), {}, Corpus::Wanted::Texts);
        QCOMPARE(whole.utterances("train", "asr").size(), std::size_t(2)); // c has no recording
        const auto& train = texts.utterances("train", "asr");
        QCOMPARE(train.size(), std::size_t(3));
        QCOMPARE(train[1].text, std::string("Bye."));
        for (const Utterance& utterance : train)
            QVERIFY(utterance.audio.empty() && utterance.alignment.empty());
        QVERIFY2(!sentences(texts).contains("corpus.missingAudio"), qPrintable(sentences(texts)));
        QVERIFY2(sentences(texts).contains("corpus.emptyText"), qPrintable(sentences(texts)));
        std::filesystem::remove(folder.path() / "corpus.json");
        folder.write("manifest.tsv", "id\taudio\ttext\talignment\nc\taudio/c.wav\tBye.\tnone.TextGrid\n");
        const auto manifest = Corpus::open(folder.path(), {}, Corpus::Wanted::Texts);
        QVERIFY2(manifest.problems().empty(), qPrintable(sentences(manifest)));
        QCOMPARE(manifest.utterances("all", "asr").at(0).text, std::string("Bye."));
    }

    void whatIsWrittenIsReadBack() {
        const Folder folder;
        writeCorpus(folder, "");
        std::vector<Utterance> utterances(2);
        utterances[0] = {"a", folder.path() / "audio/a.wav", Frames(12), "tab\there", "C:\\new", "anna", {}};
        utterances[1] = {"b", folder.path() / "audio/b.wav", {}, "two\nlines", "", "", {}};
        writeCorpusTable(folder.path(), "train", {"st_de", "en", "de"}, utterances);
        const auto corpus = Corpus::open(folder.path());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentences(corpus)));
        const auto& read = corpus.utterances("train", "st_de");
        QCOMPARE(read.size(), std::size_t(2));
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(read[i].audio, utterances[i].audio);
            QCOMPARE(read[i].text, utterances[i].text);
            QCOMPARE(read[i].sourceText, utterances[i].sourceText);
            QVERIFY(read[i].frames == utterances[i].frames);
        }
        utterances[0].audio = folder.path().parent_path() / "elsewhere.wav";
        QCOMPARE(codeOf([&] { corpusTableText(folder.path(), utterances, false); }),
                 QString("corpus.outside"));
    }

    void everyDefectOfEveryRowIsListed() {
        const Folder folder;
        writeCorpus(folder, "good\taudio/a.wav\t98\tHello.\tx\n"
                            "gone\taudio/gone.wav\t98\tHello.\tx\n"
                            "quiet\taudio/b.wav\t98\t \tx\n"
                            "good\taudio/b.wav\t98\tAgain.\tx\n"
                            "short\taudio/b.wav\t98\tHello.\n"
                            "out\t../a.wav\t98\tHello.\tx\n"
                            "deep\taudio/../../a.wav\t98\tHello.\tx\n"
                            "root\t/etc/hostname\t98\tHello.\tx\n"
                            "many\taudio/b.wav\t9.8\tHello.\tx\n"
                            "minus\taudio/b.wav\t-9\tHello.\tx\n"
                            "\taudio/b.wav\t98\tHello.\tx\n"
                            "bytes\taudio/b.wav\t98\tHel\xFFlo.\tx\n"
                            "zip\tfbank80.zip:12:3456\t98\tHello.\tx\n"
                            "fast\taudio/fbank80.zip:12:3456:sp0.9\t98\tHello.\tx\n"
                            "none\t\t98\tHello.\tx\n");
        folder.write("audio/fbank80.zip", "an archive");
        folder.write("dev_asr.tsv", "id\taudio\ttgt_text\n");
        std::filesystem::remove(folder.path() / "dev_st_de.tsv");
        const auto corpus = Corpus::open(folder.path());
        const std::vector<std::pair<std::string, int>> expected{
            {"corpus.missingAudio", 3}, {"corpus.emptyText", 4},  {"corpus.sameId", 5},
            {"corpus.badRow", 6},       {"corpus.outside", 7},    {"corpus.outside", 8},
            {"corpus.outside", 9},      {"corpus.badFrames", 10}, {"corpus.badFrames", 11},
            {"corpus.noId", 12},        {"corpus.badText", 13},   {"corpus.missingAudio", 14},
            {"corpus.slice", 15},       {"corpus.noAudio", 16},   {"corpus.noColumn", 1},   {"corpus.missingTable", 0}};
        QVERIFY2(corpus.problems().size() == expected.size(), qPrintable(sentences(corpus)));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto& problem = corpus.problems()[i];
            QCOMPARE(problem.code, expected[i].first);
            QCOMPARE(problem.line, expected[i].second);
            const auto sentence = QString::fromStdString(problem.sentence);
            QVERIFY2(sentence.startsWith(QString::fromStdString(problem.file)) && sentence.endsWith('.'),
                     qPrintable(sentence));
            if (problem.line > 0)
                QVERIFY2(sentence.contains(QString("line %1").arg(problem.line)), qPrintable(sentence));
        }
        const auto& kept = corpus.utterances("train", "asr");
        QCOMPARE(kept.size(), std::size_t(2));
        QCOMPARE(kept[1].id, std::string("quiet"));
        QVERIFY(kept[1].text.empty());
    }

    void anIdCannotLeadOutOfTheFolder() {
        const Folder folder;
        folder.write("outside.TextGrid", "a grid");
        const auto inner = folder.path() / "corpus";
        folder.write("corpus/corpus.json", kDocument);
        folder.write("corpus/audio/a.wav", "sound");
        folder.write("corpus/alignments/b.TextGrid", "a grid");
        folder.write("corpus/train_asr.tsv", kHeader + "../../outside\taudio/a.wav\t1\tHello.\tx\n");
        const auto corpus = Corpus::open(inner);
        QVERIFY(corpus.utterances("train", "asr").at(0).alignment.empty());
    }

    /// Whoever named the one that was missed was refused again for the other.
    void bothSplitsAreNamedWhereBothAreMissing() {
        const Folder folder;
        writeCorpus(folder, "");
        const auto corpus = Corpus::open(folder.path());
        needOneOf(corpus, "train", "nowhere"); // whoever reads it says so
        needOneOf(corpus, "nowhere", "nowhere");
        try {
            needOneOf(corpus, "all", "nowhere");
            QFAIL("they were found");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("corpus.noSplit"));
            QVERIFY2(QString(error.what()).contains("has neither the split “all” nor “nowhere”; it has “train”"), error.what());
        }
    }

    void askingForWhatIsNotThereNamesWhatIs() {
        const Folder folder;
        writeCorpus(folder, "");
        const auto corpus = Corpus::open(folder.path());
        QCOMPARE(codeOf([&] { corpus.utterances("test", "asr"); }), QString("corpus.noSplit"));
        try {
            corpus.utterances("train", "st_fr");
            QFAIL("it was found");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("corpus.noTask"));
            QVERIFY2(QString(error.what()).contains("has no task “st_fr”; it has “asr”, “st_de”."), error.what());
        }
    }

    void manifestsGiveTranscriptsAndTranslations() {
        const Folder folder;
        folder.write("sound/a.flac", "sound");
        folder.write("sound/b.flac", "sound");
        folder.write("a.TextGrid", "grid");
        folder.write("manifest.tsv",
                     "id\taudio\tn_samples\tsample_rate\ttext\ttranslation\talignment\tspeaker\tlicence\n"
                     "a\tsound/a.flac\t44100\t44100\tHello.\tHallo.\ta.TextGrid\tx\tCC0\n"
                     "b\tsound/b.flac\t\t\t\t\tb.TextGrid\tx\tCC0\n"
                     "c\tsound/c.flac\t1\t1\tHello.\t\t\tx\tCC0\n");
        const auto corpus = Corpus::open(folder.path());
        QCOMPARE(corpus.kind(), Corpus::Kind::Manifest);
        const auto& heard = corpus.utterances("all", "asr");
        QCOMPARE(heard.size(), std::size_t(2));
        QCOMPARE(heard[0].frames->value(), std::int64_t(98)); // one second
        QCOMPARE(heard[0].alignment, folder.path() / "a.TextGrid");
        QVERIFY(heard[1].alignment.empty() && !heard[1].frames);
        const auto& translated = corpus.utterances("all", "st");
        QCOMPARE(translated.size(), std::size_t(1));
        QCOMPARE(translated[0].text, std::string("Hallo."));
        QCOMPARE(translated[0].sourceText, std::string("Hello."));
        QCOMPARE(corpus.problems().size(), std::size_t(3)); // b: no grid, no text; c: no recording
    }

    void recordingsTakeTheirTextFromBesideThem() {
        const Folder folder;
        folder.write("one.wav", "sound");
        folder.write("one.txt", "\xEF\xBB\xBFHello\r\nyou\n");
        folder.write("deep/two.FLAC", "sound");
        folder.write("deep/two.TextGrid",
                     "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n1\n<exists>\n1\n"
                     "\"IntervalTier\"\n\"words\"\n0\n1\n2\n0\n0.5\n\"good\"\n0.5\n1\n\"day\"\n");
        folder.write("three.wav", "sound");
        folder.write("four.wav", "sound");
        folder.write("four.TextGrid", "no grid");
        folder.write("one.mp3", "sound");
        folder.write("notes.md", "not sound");
        const auto corpus = Corpus::open(folder.path());
        QCOMPARE(corpus.kind(), Corpus::Kind::Recordings);
        const auto& all = corpus.utterances("all", "asr");
        QStringList ids;
        for (const auto& utterance : all)
            ids += QString::fromStdString(utterance.id + "=" + utterance.text);
        QCOMPARE(ids.join('|'),
                 QString("deep/two=good day|four=|one.mp3=Hello you|one.wav=Hello you|three="));
        QVERIFY2(corpus.problems().size() == 3,
                 qPrintable(sentences(corpus))); // four: bad grid, no text; three: no text
    }

    /// As the window finds them, which opens the recordings of a folder one by one.
    void alignmentsLieBesideAFolderAudioToo() {
        const Folder folder;
        const std::string grid = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n1\n<exists>\n1\n"
                                 "\"IntervalTier\"\n\"words\"\n0\n1\n1\n0\n1\n\"good\"\n";
        for (const char* name : {"audio", "sound"}) {
            folder.write(std::string(name) + "/one.wav", "sound");
            folder.write(std::string(name) + "/two.wav", "sound");
        }
        folder.write("alignments/one.TextGrid", grid);
        const auto audio = Corpus::open(folder.path() / "audio"), sound = Corpus::open(folder.path() / "sound");
        QCOMPARE(audio.utterances("all", "asr").at(0).alignment, folder.path() / "alignments" / "one.TextGrid");
        QCOMPARE(audio.utterances("all", "asr").at(0).text, std::string("good"));
        QVERIFY(audio.utterances("all", "asr").at(1).alignment.empty());
        QVERIFY(sound.utterances("all", "asr").at(0).alignment.empty());
    }

    void aFolderOfNothingIsNoCorpus() {
        const Folder folder;
        folder.write("notes.md", "nothing to hear");
        QCOMPARE(codeOf([&] { Corpus::open(folder.path()); }), QString("corpus.notACorpus"));
        QCOMPARE(codeOf([&] { Corpus::open(folder.path() / "nowhere"); }), QString("corpus.missing"));
    }

    void realManifestsOpenWithoutAProblem() {
        const auto shared = testing::sharedData();
        if (shared.empty())
            QSKIP(testing::kNoSharedData);
        const std::vector<std::pair<const char*, std::size_t>> folders{
            {"aligned", 21}, {"digits", 1500}, {"librispeech-sample", 52}, {"speech-translation", 237}};
        for (const auto& [name, count] : folders) {
            const auto corpus = Corpus::open(shared / name);
            QVERIFY2(corpus.problems().empty(), qPrintable(sentences(corpus)));
            QCOMPARE(corpus.utterances("all", "asr").size(), count);
        }
        const auto corpus = Corpus::open(shared / "speech-translation");
        QCOMPARE(corpus.utterances("all", "st").size(), std::size_t(237));
        QCOMPARE(corpus.utterances("all", "st").at(0).text, std::string("dit Franz."));
    }

    void aFolderOfFormatsIsACorpus_data() { testing::addGoldenFolders(); }
    void aFolderOfFormatsIsACorpus() {
        QVERIFY(!Corpus::open(testing::goldens() / "formats").utterances("all", "asr").empty());
    }
};

HEADROOM_TEST(CorpusOpenTest)

} // namespace headroom::testing::corpus_open_test

#include "corpus_open_test.moc"
