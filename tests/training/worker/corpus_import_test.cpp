// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/features/features.h"
#include "core/text/tokenizer.h"
#include "tests/core/corpus/feature_archive.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <set>

namespace headroom::testing::corpus_import_test {

namespace {

namespace fs = std::filesystem;

QString text(const fs::path& path) {
    return QString::fromStdString(path.string());
}

/// The same utterances as segments of one long recording, as Kaldi keeps them.
void writeAsKaldi(ToneCorpus& tones, const fs::path& folder) {
    for (const std::string split : {"train", "dev"}) {
        const auto data = folder / "data" / split;
        fs::create_directories(data);
        std::vector<float> long_;
        std::ofstream segments(data / "segments"), texts(data / "text");
        segments.precision(17);
        for (const auto& utterance : tones.utterances(split)) {
            const auto samples = loadRecording(utterance.audio).samples;
            segments << utterance.id << " talk " << static_cast<double>(long_.size()) / 16000 << ' '
                     << static_cast<double>(long_.size() + samples.size()) / 16000 << '\n';
            texts << utterance.id << ' ' << utterance.text << '\n';
            long_.insert(long_.end(), samples.begin(), samples.end());
        }
        saveWav(data / "talk.wav", long_, kModelSampleRate);
        std::ofstream(data / "wav.scp") << "talk " << (data / "talk.wav").string() << '\n';
    }
}

} // namespace

class CorpusImportTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_tones;
    fs::path place() const { return m_place.path().toStdString(); }

private Q_SLOTS:
    void initTestCase() {
        m_tones = std::make_unique<ToneCorpus>(place() / "tones", 10, 3);
        writeAsKaldi(*m_tones, place() / "kaldi");
    }

    /// fairseq stores the features before CMVN: ours in such an archive are those of the sounds.
    void storedFeaturesTrainTheSameModelAsTheirSounds() {
        const auto from = place() / "fairseq", out = place() / "stored";
        fs::create_directories(from);
        LogMelFilterbank filterbank;
        for (const std::string split : {"train", "dev"}) {
            std::vector<std::pair<std::string, Matrix<float>>> arrays;
            for (const auto& utterance : m_tones->utterances(split))
                arrays.emplace_back(utterance.id, filterbank.compute(loadRecording(utterance.audio).samples));
            const auto names = writeFeatureArchive(from / ("fbank80-" + split + ".zip"), arrays);
            std::ofstream table(from / (split + "_asr.tsv"));
            table << "id\taudio\tn_frames\ttgt_text\tspeaker\n";
            for (std::size_t i = 0; i < arrays.size(); ++i)
                table << arrays[i].first << '\t' << names.at(arrays[i].first) << '\t' << arrays[i].second.rows() << '\t'
                      << m_tones->utterances(split)[i].text << "\tx\n";
        }
        const Finished read = runWorkerProgram(
            {"corpus", "fairseq", "--from", text(from), "--out", text(out), "--pieces", "0", "--json"});
        QVERIFY2(read.status == 0, read.err.c_str());
        const auto document = nlohmann::json::parse(read.out);
        QVERIFY2(document["problems"].empty(), read.out.c_str());
        QVERIFY(document["notes"].dump().find("13 utterances are stored features") != std::string::npos);
        fs::copy_file(m_tones->folder() / corpusTokenizerName("asr"), out / corpusTokenizerName("asr"));
        TinyTraining sounds(place() / "sounds", m_tones->folder()), stored(place() / "features", out);
        for (const char* cmvn : {"utterance", "global"}) {
            for (auto* training : {&sounds, &stored}) {
                training->recipe.length.maxUpdates = training->recipe.validation.everyUpdates = 4;
                training->recipe.data.cmvn = cmvn;
                const Finished ended = runWorkerProgram(training->arguments(cmvn));
                QVERIFY2(ended.status == 0, ended.err.c_str());
                const bool noted = (ended.err + ended.out).find("stored features") != std::string::npos;
                QCOMPARE(noted, training == &stored);
            }
            QVERIFY(sounds.weights(cmvn) == stored.weights(cmvn));
        }
        const auto model = text(RunPaths{stored.run("utterance")}.model());
        const auto evaluated = [&](const fs::path& data, const char* name) {
            const Finished done = runWorkerProgram({"evaluate", "--model", model, "--data", text(data), "--split", "dev",
                                                    "--out", text(place() / name), "--max-tokens", "5", "--json"});
            const auto said = done.document();
            return done.status == 0 ? said["nll"].dump() + " " + said["wer"].dump() + " " + said["bleu"].dump() : done.err;
        };
        const std::string ofFeatures = evaluated(out, "of-features");
        QCOMPARE(ofFeatures, evaluated(m_tones->folder(), "of-sounds"));
        QVERIFY2(ofFeatures.find("null") == std::string::npos, ofFeatures.c_str());
        // What needs the sound says why it cannot be had.
        const Finished study = runWorkerProgram({"transcribe", text(Corpus::open(out).utterances("dev", "asr")[0].audio),
                                                 "--model", model});
        QVERIFY(study.status != 0);
        QVERIFY2(study.err.find("holds features, not sound") != std::string::npos, study.err.c_str());
    }

    void aPartIsHeldOutInTheTerminalToo() {
        const auto held = [&](const QStringList& more) {
            return runWorkerProgram(QStringList{"corpus", "--from", text(place() / "kaldi/data/train"), "--out", text(place() / "held"), "--pieces", "0",
                                                "--json"} +
                                    more);
        };
        for (const char* wrong : {"dev", "dev=", "dev=x", "dev=0", "dev=-1", "dev=100", "dev=nan"})
            QCOMPARE(held({"--hold-out", wrong}).status, 2);
        QCOMPARE(held({"--hold-out", "dev=60", "--hold-out", "test=40"}).status, 2);
        const Finished taken = held({"--hold-out", "train=10"});
        QVERIFY2(taken.status == 1 && taken.says("already has a split “train”"), taken.err.c_str());
        QVERIFY2(!taken.says("recordings"), taken.err.c_str()); // before they are looked at
        const Finished equal = held({"--speed", "0.9,0.9"});
        QVERIFY2(equal.status == 1 && equal.says("The speed 0.9 is given more than once."), equal.err.c_str());
        const Finished done = held({"--hold-out", "dev=20", "--hold-out", "test=10"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto splits = done.document()["splits"];
        QCOMPARE(splits["train"]["utterances"].get<int>(), 7); // of ten
        QCOMPARE(splits["dev"]["utterances"].get<int>(), 2);
        QCOMPARE(splits["test"]["utterances"].get<int>(), 1);
        QCOMPARE(done.document()["notes"][0].get<std::string>(),
                 std::string("“train” was divided by utterance: train 7 utterances, dev 2, test 1."));
    }

    void segmentsTrainTheSameModelAsTheirFiles() {
        const auto out = place() / "read";
        const Finished read = runWorkerProgram(
            {"corpus", "--from", text(place() / "kaldi"), "--out", text(out), "--pieces", "0", "--json"});
        QVERIFY2(read.status == 0, read.err.c_str());
        const auto document = nlohmann::json::parse(read.out);
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/corpus-import"));
        QCOMPARE(document["kind"].get<std::string>(), std::string("kaldi"));
        QCOMPARE(document["splits"]["train"]["utterances"].get<int>(), 10);
        QCOMPARE(document["leftOut"].get<int>(), 0);
        QVERIFY(document["pieces"].empty() && document["problems"].empty() && document["notes"].empty());
        fs::copy_file(m_tones->folder() / corpusTokenizerName("asr"), out / corpusTokenizerName("asr"));

        TinyTraining files(place() / "files", m_tones->folder()), segments(place() / "segments", out);
        for (auto* training : {&files, &segments}) {
            training->recipe.length.maxUpdates = 4;
            training->recipe.validation.everyUpdates = 4;
            const Finished ended = runWorkerProgram(training->arguments("run"));
            QVERIFY2(ended.status == 0, ended.err.c_str());
        }
        QVERIFY(files.weights("run") == segments.weights("run"));

        const auto model = text(RunPaths{segments.run("run")}.model());
        const Finished evaluated =
            runWorkerProgram({"evaluate", "--model", model, "--data", text(out), "--split", "dev", "--out",
                       text(place() / "evaluation"), "--max-tokens", "5"});
        QVERIFY2(evaluated.status == 0, evaluated.err.c_str());
        const Finished studied = runWorkerProgram({"study", "diagonality", "--model", model, "--data", text(out),
                                         "--split", "dev", "--out", text(place() / "study"), "--json"});
        QVERIFY2(studied.status == 0, studied.err.c_str());
        const auto study = nlohmann::json::parse(studied.out);
        std::set<std::string> hashes;
        for (const auto& utterance : study["utterances"]) {
            QVERIFY2(utterance["error"].get<std::string>().empty(), utterance.dump().c_str());
            hashes.insert(utterance["hash"].get<std::string>());
        }
        QCOMPARE(hashes.size(), std::size_t(3)); // parts of one file are different recordings
    }

    void aSummarySaysWhatARecipeLeavesOut() {
        std::int64_t shortest = 1 << 20, frames = 0;
        for (const auto& utterance : m_tones->utterances("train")) {
            shortest = std::min(shortest, utterance.frames->value());
            frames += utterance.frames->value();
        }
        std::int64_t longer = 0;
        for (const auto& utterance : m_tones->utterances("train"))
            longer += utterance.frames->value() > shortest;
        Recipe recipe;
        recipe.data.maxFrames = shortest;
        std::ofstream(place() / "short.json") << canonicalText(recipe);
        const QStringList asked{"corpus", "summary", "--data", text(m_tones->folder()), "--recipe",
                                text(place() / "short.json")};
        const Finished said = runWorkerProgram(asked + QStringList{"--json"});
        QVERIFY2(said.status == 0, said.err.c_str());
        const auto document = nlohmann::json::parse(said.out);
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/corpus-statistics"));
        const auto& train = document["splits"][0];
        QCOMPARE(train["utterances"].get<int>(), 10);
        QVERIFY(std::abs(train["seconds"].get<double>() - (0.01 * double(frames) + 10 * 0.02)) < 1e-9);
        QCOMPARE(train["leftOut"]["tooLong"]["utterances"].get<std::int64_t>(), longer);
        QVERIFY(longer > 0);
        QCOMPARE(train["kept"]["utterances"].get<std::int64_t>(), 10 - longer);
        const Finished printed = runWorkerProgram(asked);
        QVERIFY2(printed.out.find("too long: " + std::to_string(longer)) != std::string::npos, printed.out.c_str());
        const Finished wrong = runWorkerProgram({"corpus", "summary", "--data", text(m_tones->folder()), "--task", "st_fr"});
        QVERIFY(wrong.status == 1 && wrong.says("has no task “st_fr”; it has “asr”."));
    }

    void piecesAreLearntFromTheTrainingSplit() {
        const auto out = place() / "pieces";
        const Finished read =
            runWorkerProgram({"corpus", "kaldi", "--from", text(place() / "kaldi"), "--out", text(out), "--pieces",
                       "40", "--split", "train=train", "--language", "en"});
        QVERIFY2(read.status == 0, read.err.c_str());
        QVERIFY2(read.out.find("asr: ") != std::string::npos && read.out.find("pieces") != std::string::npos,
                 read.out.c_str());
        QVERIFY(fs::exists(out / "asr.sentencepiece.model") && fs::exists(out / "asr.sentencepiece.vocab"));
        const auto document = readCorpusDocument(out / "corpus.json");
        QCOMPARE(document.splits, std::vector<std::string>{"train"});
        QCOMPARE(document.languages, std::vector<std::string>{"en"});
        const Finished other = runWorkerProgram({"corpus", "kaldi", "--from", text(place() / "kaldi"), "--out",
                                       text(place() / "dev"), "--split", "test=dev", "--split", "test2=dev"});
        QVERIFY2(other.status == 0, other.err.c_str());
        QVERIFY2(other.says("No SentencePiece model was learnt for asr"), other.err.c_str());
    }

    /// The number that was asked for was shown, and the model had fewer.
    void fewerPiecesThanAskedForAreNoted() {
        const Finished read = runWorkerProgram({"corpus", "kaldi", "--from", text(place() / "kaldi"), "--out", text(place() / "many"),
                                                "--pieces", "3000", "--json"});
        QVERIFY2(read.status == 0, read.err.c_str());
        const auto document = nlohmann::json::parse(read.out);
        const int made = document["pieces"]["asr"].get<int>();
        QVERIFY(made > 0 && made < 3000);
        const std::string note = "The SentencePiece model for asr has " + std::to_string(made) + " pieces instead of 3,000, because the texts do not have more.";
        QCOMPARE(document["notes"].back().get<std::string>(), note);
        QVERIFY2(read.says(note.c_str()), read.err.c_str());
    }

    /// A corpus of ours that is exported got new pieces, which fit neither its models nor its exported tables.
    void aCorpusOfOursKeepsItsPieces() {
        const auto bytes = [](const fs::path& file) {
            std::ifstream stream(file, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(stream), {});
        };
        const auto from = m_tones->folder(), out = place() / "kept";
        const Finished read = runWorkerProgram({"corpus", "headroom", "--from", text(from), "--out", text(out), "--export", "kaldi", "--json"});
        QVERIFY2(read.status == 0, read.err.c_str());
        const auto name = corpusTokenizerName("asr");
        QVERIFY(bytes(out / name) == bytes(from / name) && !bytes(out / name).empty());
        QCOMPARE(nlohmann::json::parse(read.out)["pieces"]["asr"].get<int>(), Tokenizer(from / name).size());
        QVERIFY(fs::exists(out / "kaldi"));
        // Another number is asked for, or the texts become others.
        for (const QStringList& asked : {QStringList{"--pieces", "40"}, QStringList{"--lowercase"}}) {
            const auto other = place() / ("other" + asked.front().toStdString());
            const Finished made =
                runWorkerProgram(QStringList{"corpus", "headroom", "--from", text(from), "--out", text(other)} + asked);
            QVERIFY2(made.status == 0, made.err.c_str());
            QVERIFY(bytes(other / name) != bytes(from / name));
        }
    }

    /// The folder had tables by then, so that a second try with more pieces was refused.
    void anImportThatFailsAtItsPiecesLeavesNothing() {
        const auto out = place() / "retried";
        const auto import = [&](const char* pieces) {
            return runWorkerProgram({"corpus", "--from", text(place() / "kaldi"), "--out", text(out), "--pieces", pieces});
        };
        const Finished failed = import("5");
        QCOMPARE(failed.status, 1);
        QVERIFY2(failed.says("Ask for more pieces."), failed.err.c_str());
        for (const auto& entry : fs::directory_iterator(place()))
            QVERIFY2(entry.path().filename().string().find("retried") == std::string::npos, entry.path().c_str());
        const Finished made = import("40");
        QVERIFY2(made.status == 0, made.err.c_str());
        QVERIFY(fs::exists(out / corpusTokenizerName("asr")));
    }

    void theHelpListsEveryKind() {
        const Finished help = runWorkerProgram({"corpus", "--help"});
        QCOMPARE(help.status, 0);
        for (const auto& kind : corpusKinds())
            QVERIFY2(help.out.find("  " + std::string(kind.name) + " ") != std::string::npos,
                     std::string(kind.name).c_str());
    }

    void trainingOnACorpusOfOthersSaysHowToReadIt() {
        TinyTraining training(place() / "other", place() / "kaldi");
        const Finished ended = runWorkerProgram(training.arguments("run"));
        QCOMPARE(ended.status, 1);
        QVERIFY2(
            ended.says("is a corpus of the kind kaldi. Read it first (headroom-worker corpus kaldi --from "),
            ended.err.c_str());
    }

    void mistakesAreNamed() {
        const auto status = [&](const QStringList& arguments) { return runWorkerProgram(arguments).status; };
        QCOMPARE(status({"corpus", "--out", "x"}), 2);
        QCOMPARE(status({"corpus", "kaldi", "--from", "x"}), 2);
        QCOMPARE(status({"corpus", "kaldi", "--from", "x", "--out", "y", "--map", "z"}), 2);
        QCOMPARE(status({"corpus", "kaldi", "--from", "x", "--out", "y", "--split", "train="}), 2);
        const Finished missing =
            runWorkerProgram({"corpus", "kaldi", "--from", "/nowhere", "--out", text(place() / "nothing")});
        QCOMPARE(missing.status, 1);
        QVERIFY2(missing.says("The folder /nowhere does not exist."), missing.err.c_str());
        const Finished unknown = runWorkerProgram(
            {"corpus", "--from", text(place() / "kaldi/data/train/.."), "--out", text(place() / "kaldi")});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.says("already exists and is not an empty folder."), unknown.err.c_str());
    }
};

HEADROOM_TEST(CorpusImportTest)

} // namespace headroom::testing::corpus_import_test

#include "corpus_import_test.moc"
