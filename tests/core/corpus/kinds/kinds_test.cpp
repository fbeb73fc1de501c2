// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/corpus_kinds.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace headroom::testing::kinds_test {

class KindsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void libriSpeech() {
        const SourceFolder folder;
        folder.write("LibriSpeech/dev-clean/84/121123/84-121123.trans.txt",
                     "84-121123-0000 GO DO YOU HEAR\n84-121123-0001 BUT IN LESS\r\n");
        folder.sound("LibriSpeech/dev-clean/84/121123/84-121123-0000.flac", 1.5);
        folder.sound("LibriSpeech/dev-clean/84/121123/84-121123-0001.flac", 0.75);
        expect(folder, "librispeech",
               {{"dev-clean", "asr", "84-121123-0000", "GO DO YOU HEAR", "84", "", 1.5},
                {"dev-clean", "asr", "84-121123-0001", "BUT IN LESS", "84", "", 0.75}});
        const auto document = Corpus::open(folder.out()).document();
        QCOMPARE(document.languages, std::vector<std::string>{"en"});
        QCOMPARE(document.made["kind"].get<std::string>(), std::string("librispeech"));
    }

    void kaldiWithSegmentsAndTranslations() {
        const SourceFolder folder;
        folder.sound("wav/talk.wav", 4);
        folder.write("data/train/wav.scp", "talk wav/talk.wav\n"); // relative to where the recipe ran
        folder.write("data/train/segments", "a-1 talk 0.25 1.5\na-2 talk 1.5 -1\n");
        folder.write("data/train/text", "a-1 one two\na-2 three\n");
        folder.write("data/train/text.de", "a-1 eins zwei\na-2 drei\n");
        folder.write("data/train/text.tc.de", "a-1 Eins zwei\na-2 Drei\n");
        folder.write("data/train/utt2spk", "a-1 anna\na-2 anna\n");
        folder.write("data/train/utt2lang", "a-1 en\na-2 en\n");
        expect(folder, "kaldi",
               {{"train", "asr", "a-1", "one two", "anna", "", 1.25},
                {"train", "asr", "a-2", "three", "anna", "", 2.5},
                {"train", "st_de", "a-1", "Eins zwei", "anna", "one two", 1.25},
                {"train", "st_de", "a-2", "Drei", "anna", "three", 2.5}});
    }

    void kaldiWithoutSegments() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("wav.scp", "a " + (folder.from() / "a.wav").string() + "\n");
        folder.write("text", "a hello\n");
        expect(folder, "kaldi", {{"from", "asr", "a", "hello", "", "", 1}});
    }

    void mustCAndMtedx_data() {
        QTest::addColumn<QString>("ending");
        QTest::newRow("must-c") << "wav";
        QTest::newRow("mtedx") << "flac";
    }
    void mustCAndMtedx() {
        QFETCH(QString, ending);
        const SourceFolder folder;
        folder.sound("en-de/data/dev/wav/ted_1." + ending.toStdString(), 4);
        folder.write(
            "en-de/data/dev/txt/dev.yaml",
            "- {duration: 1.250000, offset: 2.000000, rW: 9, uW: 0, speaker_id: spk.1, wav: ted_1.wav}\n"
            "- {duration: 0.5, offset: 0.25, rW: 1, speaker_id: spk.1, wav: ted_1.wav}\n");
        folder.write("en-de/data/dev/txt/dev.en", "Second.\nFirst.\n");
        folder.write("en-de/data/dev/txt/dev.de", "Zweitens.\nErstens.\n");
        // numbered by time, as fairseq does
        expect(folder, QTest::currentDataTag(),
               {{"dev", "asr", "ted_1_0", "First.", "spk.1", "", 0.5},
                {"dev", "asr", "ted_1_1", "Second.", "spk.1", "", 1.25},
                {"dev", "st_de", "ted_1_0", "Erstens.", "spk.1", "First.", 0.5},
                {"dev", "st_de", "ted_1_1", "Zweitens.", "spk.1", "Second.", 1.25}});
    }

    void yamlInBlockStyle() {
        const SourceFolder folder;
        folder.sound("en-fr/data/test/wav/a.wav", 2);
        folder.write("en-fr/data/test/txt/test.yaml",
                     "---\n- duration: 1.0\n  offset: 0.5\n  wav: \"a.wav\"\n  other: [1, {b: 2}]\n");
        folder.write("en-fr/data/test/txt/test.en", "Yes.\n");
        folder.write("en-fr/data/test/txt/test.fr", "Oui.\n");
        expect(folder, "must-c",
               {{"test", "asr", "a_0", "Yes.", "", "", 1}, {"test", "st_fr", "a_0", "Oui.", "", "Yes.", 1}});
    }

    void europarl() {
        const SourceFolder folder;
        folder.sound("en/audios/en.2008.wav", 3);
        folder.sound("en/audios/en.2009.wav", 1);
        folder.write("en/de/dev/segments.lst", "en.2008 0.5 1.5\nen.2008 1.5 2.0\nen.2009 0.0 1.0\n");
        folder.write("en/de/dev/segments.en", "One.\nTwo.\nThree.\n");
        folder.write("en/de/dev/segments.de", "Eins.\nZwei.\nDrei.\n");
        folder.write("en/de/dev/speakers.lst", "Anna\nBob\n");
        auto request = folder.request("");
        request.from = folder.from() / "en/de";
        const auto made = importCorpus(request);
        QVERIFY2(made.problems.empty(), qPrintable(sentencesOf(made.problems)));
        QCOMPARE(made.kind, std::string("europarl-st"));
        const auto corpus = Corpus::open(folder.out());
        const auto third = utteranceOf(corpus, "dev", "st_de", "en.2009_2");
        QCOMPARE(third.text, std::string("Drei."));
        QCOMPARE(third.speaker, std::string("Bob"));
        QCOMPARE(loadRecording(third.audio).samples.size(), std::size_t(16000));
        QCOMPARE(utteranceOf(corpus, "dev", "asr", "en.2008_1").text, std::string("Two."));
    }

    void commonVoice() {
        const SourceFolder folder;
        folder.sound("clips/c1.wav", 1);
        folder.write("train.tsv", "client_id\tpath\tsentence\tup_votes\nx1\tc1.wav\tIt's \"new\".\t2\n");
        folder.write("test.tsv", "client_id\tpath\tsentence\tup_votes\n");
        folder.write("other.tsv", "client_id\tpath\tsentence\tup_votes\nx1\tgone.wav\tNo.\t2\n");
        expect(folder, "common-voice", {{"train", "asr", "c1", "It's \"new\".", "x1", "", 1}});
    }

    void covostJoinedWithCommonVoice() {
        const SourceFolder folder;
        folder.sound("clips/c1.flac", 1); // converted
        folder.write("validated.tsv", "client_id\tpath\tsentence\nx1\tc1.mp3\tBonjour.\n");
        folder.write("covost_v2.fr_en.tsv", "path\ttranslation\tsplit\tclient_id\nc1.mp3\tHello.\tdev\tx1\n");
        expect(folder, "covost",
               {{"dev", "asr", "c1", "Bonjour.", "x1", "", 1},
                {"dev", "st_en", "c1", "Hello.", "x1", "Bonjour.", 1}});
    }

    /// CoVoST's own tables name no speaker.
    void covostTakesTheSpeakersOfCommonVoice() {
        const SourceFolder folder;
        folder.sound("clips/c1.flac", 1);
        folder.write("validated.tsv", "client_id\tpath\tsentence\nx1\tc1.mp3\tBonjour.\n");
        folder.write("covost_v2.fr_en.tsv", "path\ttranslation\tsplit\nc1.mp3\tHello.\tdev\n");
        expect(folder, "covost",
               {{"dev", "asr", "c1", "Bonjour.", "x1", "", 1},
                {"dev", "st_en", "c1", "Hello.", "x1", "Bonjour.", 1}});
        const SourceFolder without;
        without.sound("clips/c1.flac", 1);
        without.write("covost_v2.fr_en.tsv", "path\ttranslation\tsplit\nc1.mp3\tHello.\tdev\n");
        const std::string said = sentenceOf([&] { without.import("covost"); });
        QVERIFY2(said.find("first: validated.tsv: the file is not there.") != std::string::npos, said.c_str()); // it was named twice
    }

    void fairseqTables() {
        const SourceFolder folder;
        folder.sound("audio/a.wav", 3);
        folder.write("config_st.yaml", "audio_root: audio\nvocab_filename: spm.txt\n");
        folder.write(
            "train_st_de.tsv",
            "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\na\ta.wav:8000:16000\t98\tHallo.\ts\tHello.\n");
        folder.write("train_asr.tsv",
                     "id\taudio\tn_frames\ttgt_text\tspeaker\na\ta.wav:8000:16000\t98\tHello.\ts\n");
        expect(folder, "fairseq",
               {{"train", "asr", "a", "Hello.", "s", "", 1},
                {"train", "st_de", "a", "Hallo.", "s", "Hello.", 1}});
    }

    void nemoPlainAndGzip() {
        const SourceFolder folder;
        folder.sound("wav/a.wav", 2);
        folder.sound("wav/b.wav", 1);
        const std::string rows =
            R"({"audio_filepath": "wav/a.wav", "duration": 0.5, "offset": 0.25, "text": "one", "speaker": 7})"
            "\n"
            R"({"audio_filepath": "wav/a.wav", "duration": 0.5, "offset": 1.0, "text": "two"})"
            "\n"
            R"({"audio_filepath": "wav/b.wav", "duration": 1.0, "text": "three"})"
            "\n";
        folder.writeGzip("train_manifest.json.gz", rows);
        expect(folder, "nemo",
               {{"train", "asr", "a_0", "one", "7", "", 0.5},
                {"train", "asr", "a_1", "two", "", "", 0.5},
                {"train", "asr", "b", "three", "", "", 1}});
    }

    /// They were dropped without a word.
    void nemoWithTranslations() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.sound("b.wav", 1);
        folder.write("train.jsonl",
                     R"({"audio_filepath": "a.wav", "text": "one", "translation": "eins"})"
                     "\n"
                     R"({"audio_filepath": "b.wav", "text": "two", "translation": "zwei", "target_lang": "de"})"
                     "\n");
        expect(folder, "nemo",
               {{"train", "asr", "a", "one", "", "", 1},
                {"train", "asr", "b", "two", "", "", 1},
                {"train", "st_de", "b", "zwei", "", "two", 1},
                {"train", "st_target", "a", "eins", "", "one", 1}});
    }

    void lhotseManifestsAndCuts() {
        const SourceFolder folder;
        folder.sound("a.wav", 2);
        const std::string recording =
            R"({"id": "rec", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}],
"sampling_rate": 16000, "num_samples": 32000, "duration": 2.0, "channel_ids": [0]})";
        auto oneLine = recording;
        std::replace(oneLine.begin(), oneLine.end(), '\n', ' ');
        const std::string supervision =
            R"({"id": "u1", "recording_id": "rec", "start": 0.5, "duration": 1.25, "channel": 0, "text": "Hello.",
 "language": "en", "speaker": "s", "custom": {"translated_text": {"de": "Hallo."}}})";
        auto supervisionLine = supervision;
        std::replace(supervisionLine.begin(), supervisionLine.end(), '\n', ' ');
        folder.writeGzip("x_recordings_dev-clean.jsonl.gz", oneLine + "\n");
        folder.writeGzip("x_supervisions_dev-clean.jsonl.gz", supervisionLine + "\n");
        const std::vector<ExpectedUtterance> expected{{"dev-clean", "asr", "u1", "Hello.", "s", "", 1.25},
                                                      {"dev-clean", "st_de", "u1", "Hallo.", "s", "Hello.", 1.25}};
        expect(folder, "lhotse", expected);

        std::filesystem::remove(folder.from() / "x_recordings_dev-clean.jsonl.gz");
        std::filesystem::remove(folder.from() / "x_supervisions_dev-clean.jsonl.gz");
        folder.write("cuts_dev-clean.jsonl",
                     R"({"id": "u1", "start": 0.5, "duration": 1.25, "channel": 0, "supervisions": [)" +
                         supervisionLine + R"(], "recording": )" + oneLine + R"(, "type": "MonoCut"})" +
                         "\n");
        expect(folder, "lhotse", expected);
    }

    void timit() {
        const SourceFolder folder;
        folder.sound("TEST/DR1/FELC0/SX36.WAV", 1);
        folder.write("TEST/DR1/FELC0/SX36.TXT", "0 16000 She had a suit.\n");
        folder.write("TEST/DR1/FELC0/SX36.PHN", "0 8000 h#\n8000 16000 sh\n");
        folder.sound("TEST/DR1/FELC0/SA1.WAV", 1);
        folder.write("TEST/DR1/FELC0/SA1.TXT", "0 16000 She had your dark suit.\n");
        expect(folder, "timit", {{"test", "asr", "felc0-sx36", "She had a suit.", "felc0", "", 1}});
        const auto utterance = utteranceOf(Corpus::open(folder.out()), "test", "asr", "felc0-sx36");
        QCOMPARE(utterance.alignment.filename(), std::filesystem::path("felc0-sx36.phn"));
        const auto made = folder.import("timit");
        QVERIFY(made.notes.size() == 1 && made.notes[0].starts_with("1 recording of the sentences SA1"));
    }

    void aishell() {
        const SourceFolder folder;
        folder.sound("data_aishell/wav/train/S0002/BAC009S0002W0122.wav", 1);
        folder.write("data_aishell/transcript/aishell_transcript_v0.8.txt", "BAC009S0002W0122 而 对 楼市\n");
        expect(folder, "aishell", {{"train", "asr", "BAC009S0002W0122", "而对楼市", "S0002", "", 1}});
    }

    void audioFolderOfHuggingFace() {
        const SourceFolder folder;
        folder.sound("data/train/a.wav", 1);
        folder.sound("data/test/b.wav", 0.5);
        folder.write("data/train/metadata.csv", "file_name,transcription\r\na.wav,\"Yes, \"\"I\"\" do\"\r\n");
        folder.write("data/test/metadata.jsonl", "{\"file_name\": \"b.wav\", \"text\": \"No.\"}\n");
        expect(folder, "hf",
               {{"train", "asr", "a", "Yes, \"I\" do", "", "", 1}, {"test", "asr", "b", "No.", "", "", 0.5}});
    }

    void tablesWithAHeader() {
        const SourceFolder folder;
        folder.sound("a.wav", 3);
        folder.write("list.csv", "\xEF\xBB\xBFID;Audio;Text;Split;Start;End;Language\r\n"
                                 "x;a.wav;eins; train ;0.5;1.25;de\r\ny;a.wav;zwei;dev;1.25;2.25;de\r\n");
        expect(folder, "csv",
               {{"dev", "asr", "y", "zwei", "", "", 1}, {"train", "asr", "x", "eins", "", "", 0.75}});
    }

    void aFolderOfRecordings() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("a.txt", "hello there\n");
        expect(folder, "folder", {{"all", "asr", "a", "hello there", "", "", 1}});
    }

    void subfoldersNamedAsSplitsAreSplits() {
        const SourceFolder folder;
        for (const std::string name : {"Train/a", "train/deep/b", "dev/c", "more/test_clean/d", "trained/e", "f"}) {
            folder.sound(name + ".wav", 1);
            folder.write(name + ".txt", name + "\n");
        }
        expect(folder, "folder",
               {{"train", "asr", "Train/a", "Train/a", "", "", 1},
                {"train", "asr", "train/deep/b", "train/deep/b", "", "", 1},
                {"dev", "asr", "dev/c", "dev/c", "", "", 1},
                {"test-clean", "asr", "more/test_clean/d", "more/test_clean/d", "", "", 1},
                {"all", "asr", "trained/e", "trained/e", "", "", 1},
                {"all", "asr", "f", "f", "", "", 1}});
        QCOMPARE(Corpus::open(folder.from()).document().splits, (std::vector<std::string>{"train", "dev", "all", "test-clean"}));
    }

    void everyKindIsNamedOnceAndSaidInASentence() {
        std::set<std::string_view> names;
        for (const auto& kind : corpusKinds()) {
            QVERIFY(names.insert(kind.name).second);
            QVERIFY(kind.about.size() > 20 && !kind.about.ends_with('.'));
            QCOMPARE(&corpusKind(kind.name), &kind);
        }
        QCOMPARE(errorCodeOf([] { corpusKind("librispech"); }), QString("corpus.noKind"));
        const SourceFolder empty;
        empty.write("readme.txt", "nothing here");
        QCOMPARE(errorCodeOf([&] { recogniseCorpusKind(empty.from()); }), QString("corpus.unknownKind"));
        std::filesystem::create_directories(empty.from() / "data");
        std::ofstream(empty.from() / "data" / "data-00000-of-00002.arrow") << "ARROW1";
        QCOMPARE(recogniseCorpusKind(empty.from()).name, std::string_view("arrow"));
    }
};

HEADROOM_TEST(KindsTest)

} // namespace headroom::testing::kinds_test

#include "kinds_test.moc"
