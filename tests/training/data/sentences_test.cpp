// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_document.h"
#include "tests/support/runner.h"
#include "training/data/sentences.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::sentences_test {

namespace fs = std::filesystem;
using training::Sentences;
using Files = std::set<std::string>;

/// Which files of a folder a language model reads, and that it reads them where nothing else is.
class SentencesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_place;

    fs::path folder(const char* name) const { return fs::path(m_place.path().toStdString()) / name; }
    static void text(const fs::path& file, const std::string& content) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << content;
    }
    static void pieces(const fs::path& file) {
        fs::create_directories(file.parent_path());
        fs::copy_file(fs::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model", file);
        text(fs::path(file).replace_extension(".vocab"), "x");
    }
    static Files files(const fs::path& folder, const std::string& task) {
        const auto found = Sentences::files(folder, task, {"train", "dev"});
        return {found.begin(), found.end()};
    }
    /// Copies only these files, and returns how many sentences of training there are in the copy.
    static std::size_t readAlone(const fs::path& folder, const std::string& task) {
        const fs::path copy = folder.string() + "-copy";
        fs::create_directories(copy);
        for (const std::string& name : files(folder, task))
            fs::copy_file(folder / name, copy / name);
        const Sentences sentences = Sentences::open(copy, task);
        const Tokenizer tokenizer(sentences.tokenizer());
        Recipe recipe;
        recipe.data.minFrames = 1;
        sentences.read(recipe, "dev", false, tokenizer, 3);
        return sentences.read(recipe, "train", true, tokenizer, 3).examples.size();
    }
    static void speech(const fs::path& folder) {
        CorpusDocument document;
        document.name = "x";
        document.languages = {"de", "en"};
        document.splits = {"train", "dev", "test"};
        document.tasks = {{"asr", "en", "en"}, {"st_de", "en", "de"}};
        fs::create_directories(folder / "audio");
        writeCorpusDocument(folder / "corpus.json", document);
        for (const char* split : {"train", "dev", "test"}) {
            const std::string name(split);
            text(folder / "audio" / (name + ".wav"), "sound");
            text(folder / (name + "_asr.tsv"), "id\taudio\tn_frames\ttgt_text\tspeaker\n1\taudio/" + name + ".wav\t8\tmy village\t\n");
            text(folder / (name + "_st_de.tsv"),
                 "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\n1\taudio/" + name + ".wav\t8\tmein Dorf\t\tmy village\n");
        }
        for (const char* task : {"asr", "st_de"})
            pieces(folder / (std::string(task) + ".sentencepiece.model"));
    }

private Q_SLOTS:
    void recordingsAndOtherTablesAreNotRead() {
        const fs::path here = folder("speech");
        speech(here);
        QVERIFY(files(here, "lm") == (Files{"corpus.json", "train_asr.tsv", "dev_asr.tsv", "asr.sentencepiece.model", "asr.sentencepiece.vocab"}));
        QVERIFY(files(here, "lm_st_de") ==
                (Files{"corpus.json", "train_st_de.tsv", "dev_st_de.tsv", "st_de.sentencepiece.model", "st_de.sentencepiece.vocab"}));
        QCOMPARE(readAlone(here, "lm"), std::size_t(1));
    }

    void textFilesTakeThePlaceOfTables() {
        const fs::path here = folder("both");
        speech(here);
        text(here / "train_lm.txt", "my village\nhis driver\n");
        text(here / "test_lm.txt", "her shadow\n");
        QVERIFY(files(here, "lm") == (Files{"corpus.json", "train_lm.txt", "dev_asr.tsv", "asr.sentencepiece.model", "asr.sentencepiece.vocab"}));
        QCOMPARE(readAlone(here, "lm"), std::size_t(2));
    }

    void aFileOfSentencesIsKnownByItsName() {
        const auto named = [](const char* name) {
            const auto file = SentenceFile::named(name);
            return file ? file->split + " of " + file->task : std::string();
        };
        QCOMPARE(named("dev_lm.txt"), std::string("dev of lm"));
        QCOMPARE(named("/data/train_clean_lm_st_de.txt.gz"), std::string("train_clean of lm_st_de")); // the name of a split has a bar
        for (const char* other : {"lm.txt", "_lm.txt", "dev_lm.tsv", "dev_asr.txt", "dev_lmx.txt", "dev_lm.gz"})
            QVERIFY2(named(other).empty(), other);
        const fs::path here = folder("names");
        text(here / "dev_lm.txt.gz", "x");
        QCOMPARE(SentenceFile::find(here, "dev", "lm"), here / "dev_lm.txt.gz");
        text(here / "dev_lm.txt", "x");
        QCOMPARE(SentenceFile::find(here, "dev", "lm"), here / "dev_lm.txt");
        QVERIFY(SentenceFile::find(here, "dev", "lm_asr").empty());
    }

    void textFilesNeedNoCorpus() {
        const fs::path here = folder("texts");
        pieces(here / "lm.sentencepiece.model");
        text(here / "train_lm.txt", "my village\n");
        text(here / "dev_lm.txt", "his driver\n");
        text(here / "test_lm.txt", "her shadow\n");
        QVERIFY(files(here, "lm") == (Files{"train_lm.txt", "dev_lm.txt", "lm.sentencepiece.model", "lm.sentencepiece.vocab"}));
        QCOMPARE(readAlone(here, "lm"), std::size_t(1));
    }

    void aManifestNeedsNoRecordings() {
        const fs::path here = folder("manifest");
        pieces(here / "asr.sentencepiece.model");
        text(here / "sounds/a.wav", "sound");
        text(here / "manifest.tsv", "id\taudio\ttext\na\tsounds/a.wav\tmy village\n");
        const auto found = Sentences::files(here, "lm", {"all"});
        QVERIFY(Files(found.begin(), found.end()) == (Files{"manifest.tsv", "asr.sentencepiece.model", "asr.sentencepiece.vocab"}));
    }
};

HEADROOM_TEST(SentencesTest)

} // namespace headroom::testing::sentences_test

#include "sentences_test.moc"
