// SPDX-License-Identifier: GPL-3.0-or-later
// What an import of any kind does with segments: their ids, and their other speeds.
#include "core/corpus/corpus_summary.h"
#include "core/corpus/kinds/import_corpus.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::import_corpus_test {

class ImportCorpusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// All segments but the first of a recording were left out, for their ids were the same.
    void segmentsWithoutIdsAreNumbered() {
        const SourceFolder folder;
        folder.sound("a.wav", 3);
        folder.write("train.csv", "audio,text,start,end\na.wav,one,0.5,1.25\na.wav,two,1.25,2.25\n./a.wav,three,2.5,3\n");
        expect(folder, "csv",
               {{"train", "asr", "a_0", "one", "", "", 0.75}, {"train", "asr", "a_1", "two", "", "", 1}, {"train", "asr", "a_2", "three", "", "", 0.5}});
        folder.write("train.csv", "audio,text\na.wav:0:16000,one\na.wav:16000:8000,two\na.wav:0:16000,again\n");
        const auto made = folder.import("csv");
        const auto corpus = Corpus::open(folder.out());
        QCOMPARE(utteranceOf(corpus, "train", "asr", "a_1").text, std::string("two"));
        QCOMPARE(made.problems.size(), std::size_t(1)); // the same segment
        QVERIFY2(made.problems.front().sentence.find("line 4, a_0: line 2 has the same id") != std::string::npos, qPrintable(sentencesOf(made.problems)));
    }

    void segmentsOfRecordingsOfOneNameStayApart() {
        const SourceFolder folder;
        folder.sound("x/a.wav", 1);
        folder.sound("y/a.wav", 1);
        folder.write("train.json", "{\"audio_filepath\": \"x/a.wav\", \"offset\": 0, \"duration\": 0.5, \"text\": \"one\"}\n"
                                   "{\"audio_filepath\": \"y/a.wav\", \"offset\": 0, \"duration\": 0.5, \"text\": \"two\"}\n");
        expect(folder, "nemo", {{"train", "asr", "a_0", "one", "", "", 0.5}, {"train", "asr", "y/a_0", "two", "", "", 0.5}});
    }

    void otherSpeedsOfTheTrainingSplitAreAdded() {
        const SourceFolder folder;
        folder.sound("a.wav", 2, 0, 44100);
        folder.write("list.csv",
                     "id,audio,text,speaker,split,start,end\na,a.wav,x,s,train,0.5,1.5\nb,a.wav,y,s,dev,,\n");
        auto request = folder.request("csv");
        request.speeds = {0.9, 1, 1.1};
        importCorpus(request);
        const auto corpus = Corpus::open(folder.out());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentencesOf(corpus.problems())));
        QCOMPARE(corpus.utterances("train", "asr").size(), std::size_t(3));
        QCOMPARE(corpus.utterances("dev", "asr").size(), std::size_t(1));
        const auto slow = utteranceOf(corpus, "train", "asr", "sp0.9-a");
        QCOMPARE(slow.audio, folder.out() / "audio/a.wav:22050:44100:sp0.9");
        QCOMPARE(slow.speaker, std::string("sp0.9-s"));
        QCOMPARE(slow.text, std::string("x"));
        const auto samples = loadRecording(slow.audio).samples.size();
        QCOMPARE(samples, std::size_t(17778));
        QCOMPARE(slow.frames->value(), std::int64_t(1 + (17778 - 400) / 160));
        // One person, who was counted as three, of whom two were not in dev.
        const CorpusSummary summary = *summariseCorpus(corpus, "asr");
        const auto& speakers = summary.split("train").speakers;
        QVERIFY(speakers.size() == 1 && speakers.front().name == "s" && speakers.front().utterances == 3);
        QVERIFY(summary.sharedSpeakers == (std::map<std::string, std::vector<std::string>>{{"s", {"dev", "train"}}}));
    }

    /// Each utterance was written twice under one id.
    void equalSpeedsAreRefused() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("list.csv", "audio,text,split\na.wav,x,train\n");
        auto request = folder.request("csv");
        request.speeds = {0.9, 1.1, 0.90};
        try {
            importCorpus(request);
            QFAIL("it was imported");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("corpus.sameSpeed"));
            QCOMPARE(std::string(error.what()), std::string("The speed 0.9 is given more than once."));
        }
        QVERIFY(!std::filesystem::exists(folder.out()));
    }
};

HEADROOM_TEST(ImportCorpusTest)

} // namespace headroom::testing::import_corpus_test

#include "import_corpus_test.moc"
