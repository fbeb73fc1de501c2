// SPDX-License-Identifier: GPL-3.0-or-later
// Translation from end to end: a corpus of parallel text, training, translating, scores, analysis.
#include "core/corpus/corpus.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "tests/support/tiny_text_model.h"
#include "tests/training/worker/run_training.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headroom::testing::text_loop_test {

namespace {

namespace fs = std::filesystem;

/// The texts of an array of bytes, without the zeros behind them.
std::vector<std::string> textsOf(const Tensor& array) {
    const std::vector<double> bytes = toDoubles(array.view());
    const auto longest = static_cast<std::size_t>(array.shape[1]);
    std::vector<std::string> texts(static_cast<std::size_t>(array.shape[0]));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != 0)
            texts[i / longest].push_back(static_cast<char>(bytes[i]));
    return texts;
}

QString named(const fs::path& path) {
    return QString::fromStdString(path.string());
}

} // namespace

class TextLoopTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_place;
    fs::path place() const { return m_place.path().toStdString(); }
    QString data() const { return named(place() / "text"); }
    QString run() const { return named(place() / "run"); }
    static QString fsmt() { return named(repositoryGoldens() / "parity/decoding/text/model"); }

private Q_SLOTS:
    void initTestCase() {
        const Finished made =
            runWorkerProgram({"corpus", "demo", "--text", "--sentences", "300", "--out", data(), "--json"});
        QVERIFY2(made.status == 0, made.err.c_str());
        QCOMPARE(made.document()["pairs"].get<int>(), 300);
        writeFile(named(place() / "tiny.json"), kTinyText);
        writeFile(named(place() / "three.txt"), "The dog sees a cat.\n\nWe read.\n");
    }

    void demoTextIsACorpus() {
        const Corpus corpus = Corpus::open(place() / "text");
        QVERIFY(corpus.problems().empty());
        for (const char* task : {"translate", "translate_es"})
            QVERIFY(!corpus.utterances("train", task).empty() &&
                    fs::exists(place() / "text" / corpusTokenizerName(task)));
        QVERIFY(corpus.utterances("train", "translate").front().text !=
                corpus.utterances("train", "translate_es").front().text);
    }

    void aTextModelIsTrained() {
        const QString recipe = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-text.json");
        QStringList train{"train",    "--architecture", named(place() / "tiny.json"),
                          "--recipe", recipe,           "--data",
                          data(),     "--run",          run()};
        for (const char* set : {"length.maxUpdates=12", "validation.everyUpdates=12",
                                "validation.maxUtterances=3", "validation.maxTokens=8",
                                "loss.tokenCutoff=0.1", "machine.threads=1", "data.maxBatchFrames=400"})
            train << "--set" << set;
        const Finished trained = runWorkerProgram(train);
        QVERIFY2(trained.status == 0, trained.err.c_str());
        QVERIFY(fs::exists(place() / "run" / "model" / "sentencepiece.model"));
    }

    void itTranslatesLineByLine() {
        const QString text = named(place() / "three.txt");
        const Finished plain = runWorkerProgram({"translate", "--model", run(), text, "--max-tokens", "8"});
        QVERIFY2(plain.status == 0, plain.err.c_str());
        QCOMPARE(std::count(plain.out.begin(), plain.out.end(), '\n'), 3);
        const Finished best = runWorkerProgram({"translate", "--model", run(), text, "--max-tokens", "8",
                                                "--beam", "3", "--n-best", "2", "--json"});
        QVERIFY2(best.status == 0, best.err.c_str());
        const auto document = best.document();
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/translations"));
        const auto& rows = document["sentences"];
        QCOMPARE(rows.size(), std::size_t(3));
        QCOMPARE(rows[2]["line"].get<int>(), 3);
        QCOMPARE(rows[2]["source"].get<std::string>(), std::string("We read."));
        QVERIFY(rows[1]["hypotheses"].empty());
        QCOMPARE(rows[0]["hypotheses"].size(), std::size_t(2));
        QVERIFY(rows[0]["hypotheses"][0]["score"].get<double>() >=
                rows[0]["hypotheses"][1]["score"].get<double>());
    }

    void itIsScoredAndAnalysed() {
        const auto out = place() / "scored";
        const Finished scored =
            runWorkerProgram({"evaluate", "--model", run(), "--data", data(), "--split", "dev", "--task",
                              "translate", "--max-tokens", "6", "--out", named(out), "--json"});
        QVERIFY2(scored.status == 0, scored.err.c_str());
        QVERIFY(scored.document()["bleu"].is_number() && scored.document()["nll"].get<double>() > 0);
        const Finished cut = runWorkerProgram({"evaluate", "--model", run(), "--data", data(), "--split", "dev", "--task",
                                               "translate", "--window", "20", "--out", named(place() / "cut")});
        QVERIFY2(cut.status == 1 && cut.says("reads text, which has no seconds: --window does not apply"), cut.err.c_str());
        const auto folder = place() / "analysed";
        const Finished analysed = runWorkerProgram({"analyse", "--model", run(), named(place() / "three.txt"),
                                                    "--out", named(folder), "--maps", "--decoder", "--json"});
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const auto rows = analysed.document()["utterances"];
        QCOMPARE(rows.size(), std::size_t(2)); // the empty line is none
        const auto arrays = arraysOf((folder / rows[0]["npz"].get<std::string>()).string());
        const auto tokens = rows[0]["tokens"].get<std::int64_t>();
        QVERIFY(!arrays.contains("features"));
        const auto ids = toDoubles(arrays.at("source_ids").view());
        QCOMPARE(static_cast<std::int64_t>(ids.size()), tokens);
        QCOMPARE(ids.back(), 2.0); // </s>
        const auto pieces = textsOf(arrays.at("source_pieces"));
        QCOMPARE(static_cast<std::int64_t>(pieces.size()), tokens);
        QCOMPARE(pieces.back(), std::string("</s>"));
        std::string letters = std::accumulate(pieces.begin(), pieces.end() - 1, std::string());
        std::erase_if(letters, [](char letter) { return static_cast<unsigned char>(letter) >= 0x80; }); // a word's begin
        QCOMPARE(letters, std::string("Thedogseesacat."));
        QCOMPARE(arrays.at("decoder.input_pieces").shape[0], arrays.at("decoder.inputs").shape[0]);
        QCOMPARE(toDoubles(arrays.at("token_seconds").view())[1], 1.0);
        QCOMPARE(arrays.at("layer.2.contributions").shape, (std::vector<std::int64_t>{tokens, tokens}));
        QVERIFY(rows[0]["layers"][0]["rebuildError"].get<double>() <= 1e-4);
        QCOMPARE(arrays.at("decoder.layer.1.cross.attention").shape.back(), tokens);
    }

    void aSearchIsEvaluatedWithScoresAndCoverage() {
        const auto evaluated = [this](const QStringList& options) {
            const Finished done = runWorkerProgram(QStringList{"evaluate", "--model", run(), "--data", data(), "--split", "dev", "--task",
                                                               "translate", "--max-tokens", "6", "--beam", "3", "--out",
                                                               named(place() / "searched"), "--json"} + options);
            if (done.status != 0)
                qWarning("%s", done.err.c_str());
            return done.status == 0 ? done.document() : nlohmann::json();
        };
        const auto plain = evaluated({}), covered = evaluated({"--coverage-weight", "0.5", "--coverage-threshold", "0.2"});
        QVERIFY(!plain.is_null() && !covered.is_null());
        QCOMPARE(covered["decoding"]["coverageWeight"].get<double>(), 0.5);
        bool differs = false;
        for (std::size_t i = 0; i < plain["utterances"].size(); ++i) {
            const auto &row = plain["utterances"][i], &other = covered["utterances"][i];
            for (const auto* one : {&row, &other}) {
                QCOMPARE((*one)["tokenScores"].size(), (*one)["ids"].size());
                double sum = 0;
                for (const auto& score : (*one)["tokenScores"])
                    sum += score.get<double>();
                const double rest = (*one)["score"].get<double>() - sum / static_cast<double>((*one)["ids"].size());
                const double tokens = one == &row ? 0 : rest / 0.5; // of the source, that are covered
                QVERIFY2(tokens >= -1e-6 && std::abs(rest - 0.5 * std::round(tokens)) < 1e-6, std::to_string(rest).c_str());
            }
            differs = differs || row["score"] != other["score"];
        }
        QVERIFY(differs);
        const Finished alone = runWorkerProgram({"translate", "--model", run(), named(place() / "three.txt"), "--coverage-weight", "0.5"});
        QCOMPARE(alone.status, 1);
        QVERIFY2(alone.says("--coverage-weight"), alone.err.c_str());
    }

    void greedyTextsAreEvaluatedWithTheScoresOfTranslate() {
        const Finished scored =
            runWorkerProgram({"evaluate", "--model", run(), "--data", data(), "--split", "dev", "--task", "translate",
                              "--max-tokens", "6", "--out", named(place() / "greedy"), "--json"});
        QVERIFY2(scored.status == 0, scored.err.c_str());
        const Corpus corpus = Corpus::open(place() / "text");
        std::map<std::string, std::string> sources;
        for (const Utterance& pair : corpus.utterances("dev", "translate"))
            sources[pair.id] = pair.sourceText;
        std::string lines;
        const auto evaluated = scored.document()["utterances"]; // a copy: the document ends with its line
        for (const auto& row : evaluated)
            lines += sources.at(row["id"]) + "\n";
        writeFile(named(place() / "dev.txt"), QByteArray::fromStdString(lines));
        const Finished alone = runWorkerProgram(
            {"translate", "--model", run(), named(place() / "dev.txt"), "--max-tokens", "6", "--json"});
        QVERIFY2(alone.status == 0, alone.err.c_str());
        const auto rows = scored.document()["utterances"], sentences = alone.document()["sentences"];
        QCOMPARE(rows.size(), sentences.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& one = sentences[i]["hypotheses"][0];
            QCOMPARE(rows[i]["hypothesis"].get<std::string>(), one["text"].get<std::string>());
            QCOMPARE(rows[i]["ids"].get<std::vector<int>>(), one["ids"].get<std::vector<int>>());
            QVERIFY(std::abs(rows[i]["score"].get<double>() - one["score"].get<double>()) < 1e-4);
            QCOMPARE(rows[i]["tokenScores"].size(), rows[i]["ids"].size());
            for (std::size_t token = 0; token < rows[i]["tokenScores"].size(); ++token)
                QVERIFY(std::abs(rows[i]["tokenScores"][token].get<double>() - one["tokenScores"][token].get<double>()) < 1e-4);
        }
    }

    void studiesMeasureSentences_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"windows", "diagonality", "heads"})
            QTest::newRow(kind) << kind;
    }
    void studiesMeasureSentences() {
        QFETCH(QString, kind);
        const auto out = place() / kind.toStdString();
        const Finished studied = runWorkerProgram({"study", kind, "--model", run(), "--data", data(), "--split", "dev",
                                                   "--task", "translate", "--utterances", "4", "--threads", "1",
                                                   "--out", named(out)});
        QVERIFY2(studied.status == 0, studied.err.c_str());
        const auto document = nlohmann::json::parse(std::ifstream(out / "study.json"));
        QCOMPARE(document["utterances"].size(), std::size_t(4));
        for (const auto& utterance : document["utterances"]) {
            QVERIFY(utterance["error"].get<std::string>().empty() && utterance["tokens"].get<int>() > 3);
            QVERIFY(!utterance["text"].get<std::string>().empty());
        }
        const Finished speech = runWorkerProgram({"study", kind, "--model", kModel, "--data", data(), "--split", "dev",
                                                  "--task", "translate", "--utterances", "2", "--out",
                                                  named(place() / (kind.toStdString() + " speech"))});
        QVERIFY2(speech.says("which a speech model cannot read"), speech.err.c_str());
    }

    /// CAD of the study is 1 − Σ A_ij |i − j| / (T (T − 1)) of the map that `analyse` writes of the same sentence, and the relevance of
    /// the heads sums up to 1 in every token.
    void headsOfATextModelHaveCadAndRelevance() {
        const fs::path out = place() / "one sentence", folder = place() / "its maps";
        const QStringList command{"study", "heads", "--model", run(), "--data", data(), "--split", "dev", "--task", "translate",
                                  "--utterances", "1", "--threads", "1", "--out", named(out)};
        const Finished studied = runWorkerProgram(command);
        QVERIFY2(studied.status == 0, studied.err.c_str());
        const Finished again = runWorkerProgram(command); // a run's folder stands for its model, also then
        QVERIFY2(again.status == 0, again.err.c_str());
        const auto id = nlohmann::json::parse(std::ifstream(out / "study.json"))["utterances"][0]["id"].get<std::string>();
        const Corpus corpus = Corpus::open(place() / "text");
        std::string sentence;
        for (const Utterance& utterance : corpus.utterances("dev", "translate"))
            if (utterance.id == id)
                sentence = utterance.sourceText;
        QVERIFY(!sentence.empty());
        writeFile(named(place() / "sentence.txt"), QByteArray::fromStdString(sentence + "\n"));
        const Finished analysed = runWorkerProgram(
            {"analyse", "--model", run(), named(place() / "sentence.txt"), "--out", named(folder), "--maps", "--json"});
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const auto arrays = arraysOf((folder / analysed.document()["utterances"][0]["npz"].get<std::string>()).string());
        const auto results = arraysOf((out / "results.npz").string());
        const auto cad = toDoubles(results.at("1.cad").view()), median = toDoubles(results.at("1.relevance").view());
        constexpr std::size_t kHeads = 2;
        QCOMPARE(cad.size(), 2 * kHeads);
        for (std::size_t layer = 1; layer <= 2; ++layer) {
            const std::string prefix = "layer." + std::to_string(layer) + ".";
            const auto maps = toDoubles(arrays.at(prefix + "attention").view()), relevance = toDoubles(arrays.at(prefix + "head_relevance").view());
            const std::size_t tokens = relevance.size() / kHeads;
            for (std::size_t head = 0; head < kHeads; ++head) {
                double distance = 0, least = 1, most = 0;
                for (std::size_t i = 0; i < tokens; ++i) {
                    for (std::size_t j = 0; j < tokens; ++j)
                        distance += maps[(head * tokens + i) * tokens + j] * std::abs(static_cast<double>(i) - static_cast<double>(j));
                    least = std::min(least, relevance[i * kHeads + head]);
                    most = std::max(most, relevance[i * kHeads + head]);
                    QVERIFY(std::abs(relevance[i * kHeads] + relevance[i * kHeads + 1] - 1) < 1e-5);
                }
                const double expected = 1 - distance / static_cast<double>(tokens) / static_cast<double>(tokens - 1);
                const std::size_t cell = (layer - 1) * kHeads + head;
                QVERIFY2(std::abs(cad[cell] - expected) < 1e-5, (std::to_string(cad[cell]) + " " + std::to_string(expected)).c_str());
                QVERIFY(median[cell] >= least - 1e-6 && median[cell] <= most + 1e-6);
            }
        }
    }

    /// The same sentences as those of the corpus have the same numbers.
    void sentencesAreStudiedWithoutACorpus() {
        const fs::path ofCorpus = place() / "of corpus", ofTexts = place() / "of texts";
        const QStringList command{"study", "windows", "--model", run(), "--threads", "1", "--out"};
        const Finished first =
            runWorkerProgram(command + QStringList{named(ofCorpus), "--data", data(), "--split", "dev", "--task", "translate", "--utterances", "2"});
        QVERIFY2(first.status == 0, first.err.c_str());
        QStringList texts;
        const auto corpusDocument = nlohmann::json::parse(std::ifstream(ofCorpus / "study.json"));
        for (const auto& utterance : corpusDocument["utterances"])
            texts << "--text=" + QString::fromStdString(utterance["text"].get<std::string>());
        const Finished second = runWorkerProgram(command + QStringList{named(ofTexts)} + texts);
        QVERIFY2(second.status == 0, second.err.c_str());
        QVERIFY(toDoubles(arraysOf((ofTexts / "results.npz").string()).at("1.statistic").view()) ==
                toDoubles(arraysOf((ofCorpus / "results.npz").string()).at("1.statistic").view()));
        const auto document = nlohmann::json::parse(std::ifstream(ofTexts / "study.json"));
        QCOMPARE(document["utterances"][1]["id"].get<std::string>(), std::string("text 2"));
        QStringList letters{"study", "windows", "--model", fsmt(), "--out", named(place() / "letters"), "--text=abc cd e", "--text=-abc"};
        const Finished small = runWorkerProgram(letters);
        QVERIFY2(small.status == 0, small.err.c_str());
        letters.last() = "--text=e cd abc";
        const Finished other = runWorkerProgram(letters);
        QVERIFY2(other.status == 1 && other.says("of other utterances"), other.err.c_str());
        const Finished empty = runWorkerProgram(command + QStringList{named(place() / "empty"), "--text= "});
        QVERIFY2(empty.status == 1 && empty.says("is empty"), empty.err.c_str());
    }

    /// Its input is made of pieces of its vocabulary, and lasts no time.
    void latencyOfATextModelIsTimed() {
        const fs::path out = place() / "latency";
        const Finished timed = runWorkerProgram({"study", "latency", "--model", fsmt(), "--set", "lengths=[3,9]", "--set", "repeats=3", "--out", named(out)});
        QVERIFY2(timed.status == 0, timed.err.c_str());
        const auto rows = nlohmann::json::parse(std::ifstream(out / "study.json"))["tables"][0]["rows"];
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[1][1].get<double>(), 9.0);
        QVERIFY2(rows[1][2].is_null() && rows[1][5].get<double>() > 0, rows[1].dump().c_str());
        const Finished longer = runWorkerProgram({"study", "latency", "--model", fsmt(), "--set", "lengths=9999", "--out", named(place() / "longer")});
        QVERIFY2(longer.status == 1 && longer.says(" tokens, but one of the lengths is 9,999. Set shorter lengths."), longer.err.c_str());
    }

    void anFsmtFolderTranslatesAlsoWhenImported() {
        const auto imported = place() / "imported";
        const Finished done = runWorkerProgram({"import", fsmt(), "--out", named(imported)});
        QVERIFY2(done.status == 0, done.err.c_str());
        writeFile(named(place() / "letters.txt"), "abc cd e\n");
        std::string first;
        for (const QString& model : {fsmt(), named(imported)}) {
            const Finished found = runWorkerProgram(
                {"translate", "--model", model, named(place() / "letters.txt"), "--beam", "4"});
            QVERIFY2(found.status == 0, found.err.c_str());
            if (first.empty())
                first = found.out;
            QCOMPARE(found.out, first);
        }
        QVERIFY(first.size() > 1);
    }

    void whatDoesNotFitIsSaid() {
        writeSound((place() / "tone.wav").string(), 0.5);
        const QString sound = named(place() / "tone.wav"), text = named(place() / "three.txt");
        const Finished heard = runWorkerProgram({"transcribe", "--model", fsmt(), sound});
        QCOMPARE(heard.status, 1);
        QVERIFY2(heard.says("reads text, not recordings"), heard.err.c_str());
        const Finished read = runWorkerProgram({"translate", "--model", kModel, text});
        QCOMPARE(read.status, 1);
        QVERIFY2(read.says("headroom-worker transcribe takes recordings"), read.err.c_str());
        const Finished missing =
            runWorkerProgram({"translate", "--model", fsmt(), named(place() / "none.txt"), text});
        QCOMPARE(missing.status, 1);
        QVERIFY2(missing.says("none.txt"), missing.err.c_str());
        QCOMPARE(std::count(missing.out.begin(), missing.out.end(), '\n'), 3); // the other file is done
        const Finished wrong =
            runWorkerProgram({"evaluate", "--model", kModel, "--data", data(), "--split", "dev", "--task",
                              "translate", "--out", named(place() / "wrong")});
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.says("is parallel text"), wrong.err.c_str());
    }

    void thePresetOfTheTableIsDescribed() {
        const Finished described = runWorkerProgram(
            {"describe",
             QStringLiteral(HEADROOM_SOURCE_DIR "/resources/architectures/relaxed-mt-baseline.json"),
             "--json"});
        QVERIFY2(described.status == 0, described.err.c_str());
        const auto document = described.document();
        QCOMPARE(document["parameters"].get<std::int64_t>(), 36'663'296);
        QVERIFY(document["lengths"][0]["seconds"].is_null());
        QCOMPARE(document["lengths"][0]["tokens"].get<int>(), 10);
    }
};

HEADROOM_TEST(TextLoopTest)

} // namespace headroom::testing::text_loop_test

#include "text_loop_test.moc"
