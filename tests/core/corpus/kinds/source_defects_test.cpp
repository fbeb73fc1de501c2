// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>

namespace headroom::testing::source_defects_test {

namespace {

/// Every expected problem is there, with its code, and its sentence has these words; and there is no other.
void expectProblems(const ImportedCorpus& made,
                    const std::vector<std::pair<const char*, const char*>>& expected) {
    const auto all = sentencesOf(made.problems);
    for (const auto& [code, words] : expected) {
        const auto found = std::any_of(made.problems.begin(), made.problems.end(), [&](const auto& problem) {
            return problem.code == code && problem.sentence.find(words) != std::string::npos &&
                   problem.sentence.ends_with('.');
        });
        QVERIFY2(found, qPrintable(QString(code) + " | " + words + " is not among:\n" + all));
    }
    QVERIFY2(made.problems.size() == expected.size(), qPrintable(all));
}

/// A Kaldi folder with one good utterance; the rest is the test's.
void writeKaldi(const SourceFolder& folder, const std::string& recordings, const std::string& segments,
                const std::string& texts) {
    folder.sound("good.wav", 2);
    folder.write("train/wav.scp", "good good.wav\n" + recordings);
    if (!segments.empty())
        folder.write("train/segments", "good good 0 1\n" + segments);
    folder.write("train/text", "good hello\n" + texts);
}

/// The largest resident memory of this process since it was reset.
long peakKilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            long kilobytes = 0;
            status >> kilobytes;
            return kilobytes;
        }
    return 0;
}

} // namespace

class SourceDefectsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pipesAreNeverRun() {
        const SourceFolder folder;
        const auto mark = folder.path() / "was-run";
        writeKaldi(folder, "a touch " + mark.string() + " |\nb |touch " + mark.string() + "\nc raw.ark:12\n",
                   "", "a one\nb two\nc three\n");
        const auto made = folder.import("kaldi");
        expectProblems(made,
                       {{"corpus.pipe", "train/wav.scp, line 2, a: the recording is the output of a command, "
                                        "which is never run"},
                        {"corpus.pipe", "line 3, b"},
                        {"corpus.slice", "line 4, c: the recording raw.ark:12 is part of a Kaldi archive"}});
        QVERIFY(!std::filesystem::exists(mark));
        QCOMPARE(made.leftOut, std::int64_t(3));
        QCOMPARE(made.splits.at("train").utterances, std::int64_t(1));
    }

    void segmentsBeyondTheFile() {
        const SourceFolder folder;
        writeKaldi(folder, "",
                   "late good 2.5 3\nfar good 1 2.735\nnear good 1 2.25\nback good 1 0.5\nchan good 0 1 "
                   "1\nlost gone 0 1\n"
                   "half good 0\n",
                   "late x\nfar x\nnear x\nback x\nchan x\nlost x\nhalf x\n");
        const auto made = folder.import("kaldi");
        expectProblems(
            made,
            {{"corpus.badSegment", "train/segments, line 5, back: the segment from 1 to 0.5 has no length"},
             {"corpus.channel", "line 6, chan: the segment is channel 1 alone"},
             {"corpus.missingAudio", "line 7, lost: wav.scp has no recording gone"},
             {"corpus.badRow", "line 8, half: a segment is “UTTERANCE RECORDING START END [CHANNEL]”"},
             {"corpus.missingAudio", "train/text, line 8, half: the transcript belongs to no line"},
             {"corpus.missingAudio", "train/text, line 5, back: the transcript belongs to no line"},
             {"corpus.missingAudio", "train/text, line 6, chan: the transcript belongs to no line"},
             {"corpus.missingAudio", "train/text, line 7, lost: the transcript belongs to no line"},
             {"corpus.beyond", "line 2, late: the segment ends at 3.00 s, but good.wav at 2.00 s"},
             {"corpus.beyond", "line 3, far: the segment ends at 2.74 s"},
             {"corpus.overshoot",
              "line 4, near: the segment ends at 2.25 s, but good.wav at 2.00 s; it is cut there"}});
        const auto near = utteranceOf(Corpus::open(folder.out()), "train", "asr", "near");
        QCOMPARE(loadRecording(near.audio).samples.size(), std::size_t(16000));
    }

    void halfDownloads() {
        const SourceFolder folder;
        const std::string chapter = "dev-clean/84/121123/";
        folder.write(
            chapter + "84-121123.trans.txt",
            "84-121123-0000 A\n84-121123-0001 B\n84-121123-0002 C\n84-121123-0003 D\n84-121123-0003 E\n");
        folder.sound(chapter + "84-121123-0000.flac", 2);
        folder.sound(chapter + "84-121123-0001.flac", 2);
        std::filesystem::resize_file(folder.from() / (chapter + "84-121123-0001.flac"), 20000);
        folder.write(chapter + "84-121123-0002.flac", "");
        folder.sound(chapter + "84-121123-0009.flac", 1);
        expectProblems(
            folder.import("librispeech"),
            {{"corpus.sameId", "84-121123.trans.txt, line 5, 84-121123-0003: the transcript occurs twice"},
             {"corpus.noTranscript", "84-121123-0009: the recording has no line here"},
             {"corpus.cutShort", "line 2, 84-121123-0001: 84-121123-0001.flac was cut short"},
             {"audio.empty", "line 3, 84-121123-0002: 84-121123-0002.flac is empty: it has 0 bytes"},
             {"corpus.missingAudio", "line 4, 84-121123-0003: the recording"}});
    }

    void videosAreNamed() {
        const SourceFolder folder;
        folder.sound("good.wav", 1);
        const std::string rest(4000, 'x');
        folder.write("talk.mp4", std::string("\0\0\0\x20", 4) + "ftypisom" + rest);
        folder.write("talk.mkv", "\x1A\x45\xDF\xA3" + rest);
        folder.write("talk.avi", "RIFFxxxxAVI " + rest);
        folder.write("list.csv", "id,audio,text\n1,good.wav,one\n2,talk.mp4,two\n3,talk.mkv,three\n4,talk.avi,four\n");
        const auto made = folder.import("csv");
        const char* advice = "which cannot be read. Extract the audio as WAV or FLAC first";
        expectProblems(made, {{"audio.notAudio", "list.csv, line 3, 2: talk.mp4 is an MP4 file (a video, or sound as in M4A), "},
                              {"audio.notAudio", "list.csv, line 4, 3: talk.mkv is a Matroska or WebM file (a video), "},
                              {"audio.notAudio", "list.csv, line 5, 4: talk.avi is an AVI file (a video), "}});
        for (const CorpusProblem& problem : made.problems)
            QVERIFY2(problem.sentence.find(advice) != std::string::npos, problem.sentence.c_str());
        QCOMPARE(made.leftOut, std::int64_t(3));
        QCOMPARE(Corpus::open(folder.out()).utterances("list", "asr").size(), std::size_t(1));
    }

    void encodingsAndEmptyTexts() {
        const SourceFolder folder;
        writeKaldi(folder, "a good.wav\nb good.wav\n", "",
                   "a Stra\xDF"
                   "e\nb   \n");
        const auto made = folder.import("kaldi");
        expectProblems(made, {{"corpus.badText", "train/text, line 2: this is not UTF-8"},
                              {"corpus.emptyText", "train/wav.scp, line 2, a: there is no text"},
                              {"corpus.emptyText", "train/wav.scp, line 3, b: there is no text"}});
        folder.write("train/text", std::string("\xFF\xFEg\0o\0", 6));
        const auto wide = folder.import("kaldi");
        QVERIFY(wide.problems[0].sentence == "train/text: text is UTF-16; save it as UTF-8.");
    }

    void pathsOfAnotherMachineAreMapped() {
        const SourceFolder folder;
        folder.sound("wav/a.wav", 1);
        folder.write("manifest.json",
                     "{\"audio_filepath\": \"/export/old/wav/a.wav\", \"duration\": 1, \"text\": \"x\"}\n");
        try {
            folder.import("nemo");
            QFAIL("nothing was refused");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.code()), QString("corpus.nothing"));
            QVERIFY2(std::string(error.what()).ends_with("set --map '/export/old=" + folder.from().string() + "'."), error.what());
        }
        QVERIFY(!std::filesystem::exists(folder.out()));
        auto request = folder.request("nemo");
        request.maps = {{"/export/old", folder.from().string()}};
        QCOMPARE(importCorpus(request).problems.size(), std::size_t(0));
    }

    void recordingsElsewhereAreLinked() {
        const SourceFolder folder, other;
        other.sound("deep/a.wav", 1);
        other.sound("deep/er/b.wav", 0.5);
        folder.write("wav.scp", "a " + (other.from() / "deep/a.wav").string() + "\nb " +
                                    (other.from() / "deep/er/b.wav").string() + "\n");
        folder.write("text", "a x\nb y\n");
        expectProblems(folder.import("kaldi"), {});
        const auto corpus = Corpus::open(folder.out());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentencesOf(corpus.problems())));
        QCOMPARE(utteranceOf(corpus, "from", "asr", "b").audio, folder.out() / "audio-2/er/b.wav");
        QCOMPARE(std::filesystem::read_symlink(folder.out() / "audio-2"), other.from() / "deep");
    }

    void copiesStandAlone() {
        const SourceFolder folder, other;
        folder.sound("deep/a.wav", 1);
        other.sound("b.wav", 0.5);
        folder.write("wav.scp", "a deep/a.wav\nb " + (other.from() / "b.wav").string() + "\n");
        folder.write("text", "a x\nb y\n");
        auto request = folder.request("kaldi");
        request.copy = true;
        importCorpus(request);
        std::filesystem::remove_all(folder.from());
        std::filesystem::remove_all(other.from());
        const auto corpus = Corpus::open(folder.out());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentencesOf(corpus.problems())));
        QCOMPARE(loadRecording(utteranceOf(corpus, "from", "asr", "a").audio).samples.size(),
                 std::size_t(16000));
        QCOMPARE(loadRecording(utteranceOf(corpus, "from", "asr", "b").audio).samples.size(),
                 std::size_t(8000));
    }

    void sharedSpeakersAndMisreadTextsAreSaid() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("list.csv", "id,audio,text,speaker,split\n1,a.wav,Es fl\xC3\x83\xC2\xB6ge,anna,train\n"
                                 "2,a.wav,\xC3\x84rger \xC3\xBC,anna,dev\n3,a.wav,ja,bob,dev\n");
        const auto made = folder.import("csv");
        expectProblems(made, {});
        QCOMPARE(made.notes.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(made.notes[0]),
                 QString("1 speaker is in more than one split; the first is anna (dev, train)."));
        QCOMPARE(
            QString::fromStdString(made.notes[1]),
            QString("1 text looks as if UTF-8 had been read as Latin-1 (“Ã¼” for “ü”); the first is of 1."));
    }

    void unequalTextsLeaveOutTheirSplit() {
        const SourceFolder folder;
        folder.sound("en-de/data/dev/wav/a.wav", 1);
        folder.sound("en-de/data/test/wav/a.wav", 1);
        const std::string segments =
            "- {duration: 0.5, offset: 0, wav: a.wav}\n- {duration: 0.5, offset: 0.5, wav: a.wav}\n";
        for (const std::string split : {"dev", "test"})
            for (const std::string language : {"en", "de"})
                folder.write("en-de/data/" + split + "/txt/" + split + "." + language,
                             split == "test" && language == "de" ? "x\n" : "x\ny\n");
        folder.write("en-de/data/dev/txt/dev.yaml", segments);
        folder.write("en-de/data/test/txt/test.yaml", segments);
        folder.write("en-de/data/train/txt/train.yaml",
                     "- {duration: 0.5, offset: 0, wav: a.wav}\n- {duration: x, wav: a");
        folder.write("en-de/data/train/txt/train.en", "x\n");
        folder.write("en-de/data/train/txt/train.de", "x\n");
        expectProblems(
            folder.import("must-c"),
            {{"corpus.unequal", "data/test: test.de has 1 line, but test.yaml 2 segments"},
             {"corpus.badYaml", "train.yaml, line 2: “duration” is “x”, which is not a number of seconds"}});
    }

    void yamlTagsAndAliasesDoNothing() {
        const SourceFolder folder;
        folder.sound("en-de/data/dev/wav/a.wav", 1);
        folder.write("en-de/data/dev/txt/dev.en", "x\n");
        folder.write("en-de/data/dev/txt/dev.de", "x\n");
        const auto mark = folder.path() / "was-run";
        folder.write(
            "en-de/data/dev/txt/dev.yaml",
            "- {duration: 0.5, offset: 0, wav: a.wav, rW: !!python/object/apply:os.system [\"touch " +
                mark.string() + "\"]}\n");
        expectProblems(folder.import("must-c"), {});
        QVERIFY(!std::filesystem::exists(mark));
        folder.write("en-de/data/dev/txt/dev.yaml", "- {duration: &d 0.5, offset: *d, wav: a.wav}\n");
        QCOMPARE(errorCodeOf([&] { folder.import("must-c"); }), QString("corpus.nothing"));
    }

    void manifestsThatAreCutOrOneLine() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        const std::string row = "{\"audio_filepath\": \"a.wav\", \"duration\": 1, \"text\": \"x\"}\n";
        std::string rows = row;
        std::uint32_t state = 1; // what does not compress, so that half of the file is half of the rows
        for (int i = 0; i < 40000; ++i) {
            state = state * 1664525U + 1013904223U;
            rows += "{\"audio_filepath\": \"" + std::to_string(state) + ".wav\", \"text\": \"x\"}\n";
        }
        folder.writeGzip("train.json.gz", rows);
        std::filesystem::resize_file(folder.from() / "train.json.gz",
                                     std::filesystem::file_size(folder.from() / "train.json.gz") / 2);
        auto made = folder.import("nemo");
        const auto isCut = [](const CorpusProblem& problem) {
            return problem.code == "corpus.cutShort" &&
                   problem.sentence.starts_with(
                       "train.json.gz: train.json.gz ends early or is damaged after line ");
        };
        QVERIFY2(std::any_of(made.problems.begin(), made.problems.end(), isCut),
                 qPrintable(sentencesOf(made.problems).left(2000)));

        std::filesystem::remove(folder.from() / "train.json.gz");
        folder.write("dev.json", row + "[1, 2]\n{\"audio_filepath\": \"b");
        made = folder.import("nemo");
        expectProblems(made, {{"corpus.badJson", "dev.json, line 2: this is not a JSON object"},
                              {"corpus.badJson", "dev.json, line 3: this is not a JSON object"}});
        folder.write("dev.json",
                     row + "{\"audio_filepath\": \"" + std::string(40u << 20, 'x') + "\"}\n" + row);
        made = folder.import("nemo");
        expectProblems(
            made, {{"corpus.longLine", "dev.json, line 2 is longer than 32 MB; a manifest has one line per "
                                       "utterance"}});
    }

    /// 2 GB without a line break: refused after 32 MB, and never in memory as a whole.
    void twoGigabytesOfOneLineAreNotReadIntoMemory() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("dev.json", "{\"audio_filepath\": \"a.wav\", \"duration\": 1, \"text\": \"x\"}\n[");
        std::filesystem::resize_file(folder.from() / "dev.json", 2ull << 30); // holes: it takes no disk
        if (!std::ofstream("/proc/self/clear_refs").put('5').flush())
            QSKIP("The peak memory of this process cannot be reset here.");
        const long before = peakKilobytes();
        const auto made = folder.import("nemo");
        expectProblems(
            made, {{"corpus.longLine", "dev.json, line 2 is longer than 32 MB; a manifest has one line per "
                                       "utterance"}});
        QVERIFY2(peakKilobytes() - before < 150 * 1024, qPrintable(QString::number(peakKilobytes() - before)));
    }

    void splitsAreChosenJoinedAndRefused() {
        const SourceFolder folder;
        for (const std::string split : {"train-clean-100", "train-other-500", "dev-clean"}) {
            folder.sound(split + "/1/2/" + split + "-0.flac", 1);
            folder.write(split + "/1/2/1-2.trans.txt", split + "-0 HÉLLO\n");
        }
        auto request = folder.request("librispeech");
        request.splits = {{"train", {"train-clean-100", "train-other-500"}}, {"dev", {"dev-clean"}}};
        request.lowercase = true;
        const auto made = importCorpus(request);
        QCOMPARE(made.document.splits, (std::vector<std::string>{"train", "dev"}));
        const auto corpus = Corpus::open(folder.out());
        QCOMPARE(corpus.utterances("train", "asr").size(), std::size_t(2));
        QCOMPARE(corpus.utterances("dev", "asr").at(0).text, std::string("héllo"));
        QCOMPARE(errorCodeOf([&] { importCorpus(request); }), QString("corpus.exists"));
        request.out = folder.path() / "other";
        request.splits = {{"train", {"train-clean-360"}}};
        try {
            importCorpus(request);
            QFAIL("nothing was refused");
        } catch (const Error& error) {
            QVERIFY2(
                std::string(error.what())
                    .ends_with(
                        "has no split “train-clean-360”; it has “dev-clean”, “train-clean-100”, “train-other-500”."),
                error.what());
        }
    }

    void mixedRatesAreSaidAndSegmentsStayExact() {
        const SourceFolder folder;
        folder.sound("a.wav", 2, 0, 8000);
        folder.sound("b.wav", 1);
        folder.write("list.csv", "id,audio,text,start,end\na,a.wav,x,0.333,1\nb,b.wav,y,,\n");
        const auto made = folder.import("csv");
        expectProblems(made, {});
        QVERIFY(made.notes.size() == 1);
        QCOMPARE(QString::fromStdString(made.notes[0]),
                 QString("The recordings have several sample rates (1 utterance of 8,000 Hz, 1 utterance of "
                         "16,000 Hz); "
                         "all are resampled to 16,000 Hz while loading."));
        QCOMPARE(utteranceOf(Corpus::open(folder.out()), "list", "asr", "a").audio,
                 folder.out() / "audio/a.wav:2664:5336");
    }

    void archivesThatAreNotUnpacked() {
        const SourceFolder folder;
        folder.sound("wav/train/S1/BAC1.wav", 1);
        folder.write("wav/S2.tar.gz", "");
        folder.write("transcript/aishell_transcript_v0.8.txt", "BAC1 好\nBAC2 好\n");
        const auto made = folder.import("aishell");
        expectProblems(made,
                       {{"corpus.packed", "wav/S2.tar.gz: the archive has 0 bytes; download it again"}});
        QCOMPARE(QString::fromStdString(made.notes.at(0)), QString("1 transcript has no recording."));
    }

    void statedRatesMustBeTrue() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        const auto row = [](const char* id, const char* type, int rate) {
            return std::string("{\"id\": \"") + id + "\", \"sources\": [{\"type\": \"" + type +
                   "\", \"channels\": [0], \"source\": \"a.wav\"}], \"sampling_rate\": " +
                   std::to_string(rate) + "}\n";
        };
        folder.write("recordings.jsonl",
                     row("r1", "file", 16000) + row("r2", "file", 8000) + row("r3", "command", 16000));
        std::string rows;
        for (const char* id : {"r1", "r2", "r3"})
            rows += std::string("{\"id\": \"u") + id + "\", \"recording_id\": \"" + id +
                    "\", \"start\": 0, \"duration\": 1, \"text\": \"x\"}\n";
        folder.write("supervisions.jsonl", rows);
        expectProblems(folder.import("lhotse"),
                       {{"corpus.rate", "line 2, ur2: the corpus says 8,000 Hz, but a.wav has 16,000 Hz"},
                        {"corpus.pipe", "line 3, ur3: the recording is the output of a command"}});
    }

    void everyProblemIsWrittenDown() {
        const SourceFolder folder;
        writeKaldi(folder, "a ls |\n", "", "a one\n");
        folder.import("kaldi");
        std::ifstream in(folder.out() / "problems.tsv");
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        QVERIFY2(text.starts_with("file\tline\tcode\tleft_out\tproblem\ntrain/wav.scp\t2\tcorpus.pipe\t1\t"),
                 text.c_str());
    }
};

HEADROOM_TEST(SourceDefectsTest)

} // namespace headroom::testing::source_defects_test

#include "source_defects_test.moc"
