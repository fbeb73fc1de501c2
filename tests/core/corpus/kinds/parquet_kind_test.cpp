// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_defects.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::parquet_kind_test {

namespace {

namespace fs = std::filesystem;

/// A data set as the library datasets writes it, of pieces of the demo recording (tests/golden/parquet.py).
void copyDataSet(const SourceFolder& folder) {
    fs::copy(fs::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/parquet/data-set", folder.from(),
             fs::copy_options::recursive);
}

void copyArrow(const SourceFolder& folder, const char* name) {
    fs::copy(fs::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/arrow" / name, folder.from(), fs::copy_options::recursive);
}

ImportedCorpus imported(const SourceFolder& folder) {
    auto request = folder.request("");
    request.copy = true;
    return importCorpus(request);
}

std::string sentenceOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.code() + " | " + error.what();
    }
    return {};
}

} // namespace

class ParquetKindTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDataSetOfHuggingFace() {
        const SourceFolder folder;
        copyDataSet(folder);
        const auto made = imported(folder);
        QCOMPARE(QString::fromStdString(made.kind), QString("parquet"));
        QCOMPARE(made.splits.at("train").utterances, std::int64_t(3));
        QCOMPARE(made.splits.at("test").utterances, std::int64_t(1));
        const auto corpus = Corpus::open(folder.out());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentencesOf(corpus.problems())));
        for (const auto& [id, text, speaker, file, samples] :
             {std::tuple("84-1-0000", "THE BIG", "84", "84-1-0000.flac", 800),
              {"84-1-0001", "MAN", "84", "train-00000-of-00002-1.wav", 800},
              {"85-1-0000", "LOOKS", "85", "84-1-0000-train-00001-of-00002-0.flac", 700}}) {
            const auto utterance = utteranceOf(corpus, "train", "asr", id);
            QCOMPARE(utterance.text, std::string(text));
            QCOMPARE(utterance.speaker, std::string(speaker));
            QCOMPARE(utterance.audio, folder.out() / "recordings/train" / file);
            QCOMPARE(loadRecording(utterance.audio).samples.size(), std::size_t(samples));
        }
        // The sounds are the corpus's own: nothing is left beside it, and nothing leads to where it came
        // from.
        QVERIFY(!fs::exists(folder.path() / ".out.unpacked"));
        QVERIFY(!fs::exists(fs::symlink_status(folder.out() / "audio")));
    }

    void whatCannotBeUsedIsListedWithItsRow() {
        const SourceFolder folder;
        copyDataSet(folder);
        const auto problems = sentencesOf(imported(folder).problems);
        QVERIFY2(problems.contains(
                     "corpus.noAudio | data/test-00000-of-00001.parquet, line 2: no recording is named"),
                 qPrintable(problems));
        QVERIFY2(problems.contains("line 3, 86-1-0002:"), qPrintable(problems));
        QCOMPARE(problems.count('\n'), 2);
    }

    void recordingsAreWrittenOutOnlyWhenAsked() {
        const SourceFolder folder;
        copyDataSet(folder);
        QCOMPARE(QString::fromStdString(sentenceOf([&] { importCorpus(folder.request("")); })),
                 QString("corpus.parquet | from keeps its recordings inside Parquet files (1 MB). Use --copy "
                         "to write them into the "
                         "new corpus."));
        QVERIFY(!fs::exists(folder.out()) && !fs::exists(folder.path() / ".out.unpacked"));
    }

    void onlyTheSplitsThatAreAskedForAreWritten() {
        const SourceFolder folder;
        copyDataSet(folder);
        auto request = folder.request("parquet");
        request.copy = true;
        request.splits = {{"dev", {"test"}}};
        importCorpus(request);
        QVERIFY(fs::exists(folder.out() / "recordings/test/t.wav"));
        QVERIFY(!fs::exists(folder.out() / "recordings/train"));
    }

    /// The same rows as save_to_disk of the library datasets writes them.
    void aDataSetSavedAsArrow() {
        const SourceFolder folder;
        copyArrow(folder, "data-set");
        folder.write("train/cache-1f2e.arrow", "the library's own");
        QCOMPARE(QString::fromStdString(sentenceOf([&] { importCorpus(folder.request("")); })),
                 QString("corpus.arrow | from keeps its recordings inside Arrow files (1 MB). Use --copy to write "
                         "them into the new corpus."));
        const auto made = imported(folder);
        QCOMPARE(QString::fromStdString(made.kind), QString("arrow"));
        QCOMPARE(made.splits.at("train").utterances, std::int64_t(3));
        QCOMPARE(made.splits.at("test").utterances, std::int64_t(1));
        QVERIFY(sentencesOf(made.problems).contains(
            "corpus.noAudio | test/data-00000-of-00001.arrow, line 2: no recording is named"));
        const auto utterance = utteranceOf(Corpus::open(folder.out()), "train", "asr", "84-1-0000");
        QCOMPARE(utterance.text, std::string("THE BIG"));
        QCOMPARE(utterance.speaker, std::string("84"));
        QCOMPARE(loadRecording(utterance.audio).samples.size(), std::size_t(800));
    }

    /// A download that stopped: what is there is read, and what is not is listed.
    void missingParquetFilesAreListed() {
        const SourceFolder folder;
        copyDataSet(folder);
        fs::remove(folder.from() / "data/train-00001-of-00002.parquet");
        const auto made = imported(folder);
        const auto problems = sentencesOf(made.problems);
        QVERIFY2(problems.contains("corpus.missingShard | data/train-00001-of-00002.parquet: this file is missing; 1 file of 2 is "
                                   "missing from “train”."),
                 qPrintable(problems));
        QCOMPARE(problems.count("missingShard"), 1);
        QVERIFY(made.splits.at("train").utterances > 0);
        QVERIFY(defectTitle("corpus.missingShard") != "corpus.missingShard");
    }

    void missingFilesOfSplitsThatAreNotAskedForAreNotListed() {
        const SourceFolder folder;
        copyDataSet(folder);
        fs::remove(folder.from() / "data/train-00001-of-00002.parquet");
        auto request = folder.request("parquet");
        request.copy = true;
        request.splits = {{"dev", {"test"}}};
        QCOMPARE(sentencesOf(importCorpus(request).problems).count("missingShard"), 0);
    }

    /// “-of-N” counts per split and folder, and the first that is missing is named.
    void missingArrowFilesAreListed() {
        const SourceFolder folder;
        copyArrow(folder, "data-set");
        fs::rename(folder.from() / "train/data-00001-of-00002.arrow", folder.from() / "train/data-00003-of-00012.arrow");
        fs::rename(folder.from() / "train/data-00000-of-00002.arrow", folder.from() / "train/data-00000-of-00012.arrow");
        const auto problems = sentencesOf(imported(folder).problems);
        QVERIFY2(problems.contains("corpus.missingShard | train/data-00001-of-00012.arrow: this file is missing; 10 files of 12 are "
                                   "missing from “train”."),
                 qPrintable(problems));
        QCOMPARE(problems.count("missingShard"), 1);
    }

    /// A data set of one file has no numbers: what state.json names counts.
    void filesThatTheStateOfAnArrowDataSetNamesAreListed() {
        const SourceFolder folder;
        copyArrow(folder, "data-set");
        folder.write("train/state.json", R"({"_data_files": [{"filename": "data-00000-of-00002.arrow"}, {"filename": "more.arrow"}]})");
        folder.write("test/state.json", R"({"_data_files": [{"filename": "../../elsewhere.arrow"}, 7]})");
        const auto problems = sentencesOf(imported(folder).problems);
        QVERIFY2(problems.contains("corpus.missingShard | train/more.arrow: this file is missing; 1 file of 2 is missing from "),
                 qPrintable(problems));
        QCOMPARE(problems.count("missingShard"), 1);
    }

    /// Recordings that stayed files on another machine: --map says where they are here.
    void recordingsThatAnArrowFileNamesAreFoundWithAMap() {
        const SourceFolder folder;
        copyArrow(folder, "paths");
        folder.sound("clips/one.wav", 0.5);
        folder.sound("clips/two.wav", 0.25);
        const auto refused = sentenceOf([&] { folder.import("arrow"); });
        QVERIFY2(refused.find("/home/somebody/cv/clips/one.wav is not there") != std::string::npos &&
                     refused.find("set --map '/home/somebody/cv=" + folder.from().string() + "'") != std::string::npos,
                 refused.c_str());
        auto request = folder.request("arrow");
        request.maps = {{"/home/somebody/cv", folder.from().string()}};
        const auto made = importCorpus(request);
        QVERIFY2(made.problems.empty(), qPrintable(sentencesOf(made.problems)));
        const auto utterance = utteranceOf(Corpus::open(folder.out()), "train", "asr", "two");
        QCOMPARE(utterance.text, std::string("two"));
        QCOMPARE(loadRecording(utterance.audio).samples.size(), std::size_t(4000));
    }

    void anArrowFileThatIsCutShortEndsTheReadingWithItsName() {
        const SourceFolder folder;
        copyArrow(folder, "data-set");
        fs::resize_file(folder.from() / "train/data-00001-of-00002.arrow", 900);
        const auto sentence = sentenceOf([&] { imported(folder); });
        QVERIFY2(sentence.starts_with("arrow.damaged | data-00001-of-00002.arrow"), sentence.c_str());
        QVERIFY(!fs::exists(folder.out()) && !fs::exists(folder.path() / ".out.unpacked"));
    }

    void aShardThatIsCutShortEndsTheReadingWithItsName() {
        const SourceFolder folder;
        copyDataSet(folder);
        fs::resize_file(folder.from() / "data/train-00001-of-00002.parquet", 900);
        QVERIFY(sentenceOf([&] { imported(folder); })
                    .starts_with("parquet.damaged | train-00001-of-00002.parquet is not a usable Parquet "
                                 "file: it ends early"));
        QVERIFY(!fs::exists(folder.out()) && !fs::exists(folder.path() / ".out.unpacked"));
    }
};

HEADROOM_TEST(ParquetKindTest)

} // namespace headroom::testing::parquet_kind_test

#include "parquet_kind_test.moc"
