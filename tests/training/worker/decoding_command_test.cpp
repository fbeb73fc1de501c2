// SPDX-License-Identifier: GPL-3.0-or-later
// Searches and paired tests on the command line, with the demo model.
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"
#include "tests/training/worker/worker_program.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::decoding_command_test {

namespace {

const QString kDemo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo");
const std::string kSentence = "The big man looks for the pictures in the forest at night.";

Finished transcribed(const QStringList& options) {
    return runWorkerProgram(
        QStringList{"transcribe", "--model", kDemo + "/model", kDemo + "/demo.wav"} + options);
}

/// What of the arrays of `analyse` the options --attention write.
std::map<std::string, Tensor> attentionOf(const QString& npz) {
    auto arrays = arraysOf(npz.toStdString());
    std::erase_if(arrays, [](const auto& one) {
        const std::string& name = one.first;
        return !name.ends_with("attention") && name != "token_seconds" &&
               !(name.starts_with("decoder.") && (name.ends_with("inputs") || name.ends_with("outputs") || name.ends_with("pieces")));
    });
    return arrays;
}

/// The names of both, and max |x − y|; NaN where names or shapes differ.
double apart(const std::map<std::string, Tensor>& left, const std::map<std::string, Tensor>& right) {
    double largest = left.size() == right.size() ? 0 : NAN;
    for (const auto& [name, tensor] : left) {
        const auto other = right.find(name);
        if (other == right.end() || other->second.shape != tensor.shape)
            return NAN;
        const auto x = toDoubles(tensor.view()), y = toDoubles(other->second.view());
        for (std::size_t i = 0; i < x.size(); ++i)
            largest = std::max(largest, std::abs(x[i] - y[i]));
    }
    return largest;
}

} // namespace

class DecodingCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& text) {
        const QString file = m_folder.filePath(name);
        writeFile(file, text);
        return file;
    }

private Q_SLOTS:
    void aSearchGivesAnNBestList() {
        const auto done = transcribed({"--beam", "5", "--n-best", "3", "--length-penalty", "1", "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        QCOMPARE(document["decoding"]["kind"].get<std::string>(), std::string("beam"));
        QCOMPARE(document["decoding"]["beams"].get<int>(), 5);
        const auto& hypotheses = document["utterances"][0]["hypotheses"];
        QCOMPARE(hypotheses.size(), std::size_t(3));
        QCOMPARE(hypotheses[0]["text"].get<std::string>(), kSentence);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(hypotheses[i]["ids"].back().get<int>(), 2); // </s>
            QVERIFY(hypotheses[i]["score"].get<double>() < 0);
            QVERIFY(i == 0 || hypotheses[i]["score"] <= hypotheses[i - 1]["score"]);
            QVERIFY(i == 0 || hypotheses[i]["ids"] != hypotheses[i - 1]["ids"]);
        }
        const auto lines = transcribed({"--beam", "5", "--n-best", "3"});
        QCOMPARE(std::count(lines.out.begin(), lines.out.end(), '\n'), 3);
        QVERIFY2(lines.out.starts_with("demo\t" + kSentence + "\t-"), lines.out.c_str());
        QCOMPARE(transcribed({"--beam", "5"}).out, "demo\t" + kSentence + "\n");
    }

    void theLimitOfTokensHolds() {
        for (const char* beams : {"1", "4"}) {
            const auto done = transcribed({"--beam", beams, "--max-tokens", "3", "--json"});
            QCOMPARE(done.document()["utterances"][0]["hypotheses"][0]["ids"].size(), std::size_t(3));
        }
        const auto ids = transcribed({"--beam", "4", "--min-tokens", "30", "--json"})
                             .document()["utterances"][0]["hypotheses"][0]["ids"];
        QVERIFY(ids.size() > 30);
    }

    void theInternalLanguageModelChangesTheScore() {
        const auto scored = [](const QStringList& options) {
            return transcribed(QStringList{"--beam", "4", "--json"} + options)
                .document()["utterances"][0]["hypotheses"][0]["score"]
                .get<double>();
        };
        QVERIFY(scored({"--subtract", "internal", "--subtract-weight", "0.1"}) > scored({}));
    }

    void everyTextHasScoresOfItsTokens() {
        const auto hypothesis = [](const QStringList& options) {
            const auto done = transcribed(options + QStringList{"--json"});
            return done.document()["utterances"][0]["hypotheses"][0];
        };
        const auto sum = [](const nlohmann::json& one) {
            double all = 0;
            for (const auto& score : one["tokenScores"])
                all += score.get<double>();
            return all;
        };
        const auto greedy = hypothesis({});
        QCOMPARE(keysOf(greedy), (std::set<std::string>{"text", "ids", "score", "tokenScores"}));
        QCOMPARE(greedy["tokenScores"].size(), greedy["ids"].size());
        QVERIFY(greedy["score"].get<double>() < 0);
        QVERIFY(std::abs(sum(greedy) - greedy["score"].get<double>()) < 1e-9);
        // One beam of the search finds the same text: here the score is the sum too.
        const auto searched = hypothesis({"--min-tokens", "1"});
        QVERIFY(searched["ids"] == greedy["ids"]);
        QVERIFY(std::abs(searched["score"].get<double>() - greedy["score"].get<double>()) < 1e-3);
        const auto beam = hypothesis({"--beam", "4", "--length-penalty", "1"});
        QVERIFY(std::abs(sum(beam) / static_cast<double>(beam["ids"].size()) - beam["score"].get<double>()) < 1e-9);
    }

    void wordsHaveTimes() {
        const auto done = transcribed({"--alignment", "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto words = done.document()["utterances"][0]["hypotheses"][0]["words"];
        QCOMPARE(words.size(), std::size_t(12));
        double before = 0;
        for (const auto& word : words) {
            QCOMPARE(keysOf(word), (std::set<std::string>{"text", "start", "end"}));
            QVERIFY(word["start"].get<double>() >= before && word["end"] >= word["start"]);
            before = word["start"];
        }
        QCOMPARE(words[1]["text"].get<std::string>(), std::string("big"));
        const auto without = transcribed({"--alignment"});
        QVERIFY2(without.status == 2 && without.says("needs --json"), without.err.c_str());
    }

    /// A forced pass over the text gives the maps that `analyse` writes of the greedy one.
    void attentionIsThatOfAnalyse() {
        const QString analysed = m_folder.filePath("analysed"), written = m_folder.filePath("attention");
        const auto looked = runWorkerProgram(
            {"analyse", "--model", kDemo + "/model", kDemo + "/demo.wav", "--out", analysed, "--maps", "--decoder"});
        QVERIFY2(looked.status == 0, looked.err.c_str());
        const auto expected = attentionOf(analysed + "/demo.npz");
        QVERIFY(expected.contains("layer.8.attention") && expected.contains("decoder.layer.2.cross.attention") &&
                expected.contains("decoder.input_pieces"));
        const auto greedy = transcribed({"--attention", written, "--json"});
        QVERIFY2(greedy.status == 0, greedy.err.c_str());
        QCOMPARE(greedy.document()["utterances"][0]["attention"].get<std::string>(), std::string("demo.npz"));
        const auto found = arraysOf(written.toStdString() + "/demo.npz");
        QVERIFY2(apart(expected, found) < 1e-6, std::to_string(apart(expected, found)).c_str());

        // A search: the best text, then the others, each by what the decoder read.
        const auto best = transcribed({"--beam", "5", "--n-best", "3", "--attention", written, "--json"});
        QVERIFY2(best.status == 0, best.err.c_str());
        const auto arrays = arraysOf(written.toStdString() + "/demo.npz");
        for (std::size_t k = 0; k < 3; ++k) {
            const std::string prefix = k == 0 ? "" : "hypothesis." + std::to_string(k + 1) + ".";
            std::vector<double> inputs{2};
            const nlohmann::json document = best.document();
            for (const auto& id : document["utterances"][0]["hypotheses"][k]["ids"])
                inputs.push_back(id.get<double>());
            inputs.pop_back();
            QVERIFY(toDoubles(arrays.at(prefix + "decoder.inputs").view()) == inputs);
            const auto rows = static_cast<std::int64_t>(inputs.size()), tokens = arrays.at("token_seconds").shape[0];
            QCOMPARE(arrays.at(prefix + "decoder.layer.2.cross.attention").shape, (std::vector<std::int64_t>{4, rows, tokens}));
        }
        QVERIFY(!arrays.contains("hypothesis.2.layer.1.attention")); // the encoder heard one recording
        QVERIFY(!arrays.contains("hypothesis.4.decoder.inputs"));
        const auto cut = transcribed({"--attention", written, "--window", "2"});
        QVERIFY2(cut.status == 1 && cut.says("--attention and --window cannot be combined"), cut.err.c_str());

        // And of every text of an evaluation, beside others.
        const QString corpus = m_folder.filePath("maps corpus"), out = m_folder.filePath("maps out");
        QVERIFY(QDir().mkpath(corpus + "/deep"));
        for (const char* name : {"/a", "/deep/b"}) {
            QVERIFY(QFile::copy(kDemo + "/demo.wav", corpus + name + ".wav"));
            writeFile(corpus + name + ".txt", QByteArray::fromStdString(kSentence) + "\n");
        }
        const QStringList evaluate{"evaluate", "--model", kDemo + "/model", "--data", corpus, "--split", "all", "--out", out};
        const auto evaluated = runWorkerProgram(evaluate + QStringList{"--attention", "--json"});
        QVERIFY2(evaluated.status == 0, evaluated.err.c_str());
        for (std::size_t i = 0; i < 2; ++i) {
            const auto row = evaluated.document()["utterances"][i];
            QCOMPARE(row["attention"].get<std::string>(), "attention/" + std::to_string(i + 1) + ".npz");
            const auto maps = arraysOf(out.toStdString() + "/" + row["attention"].get<std::string>());
            QVERIFY2(apart(expected, maps) < 1e-6, std::to_string(apart(expected, maps)).c_str());
        }
        const auto windows = runWorkerProgram(evaluate + QStringList{"--attention", "--window", "2"});
        QVERIFY2(windows.status == 1 && windows.says("--attention and --window cannot be combined"), windows.err.c_str());
    }

    void onlyTheseWordsAreWritten() {
        const auto words = write("words", "The man pictures forest night big\n");
        const auto done = transcribed({"--beam", "4", "--only-words", words, "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        QCOMPARE(document["decoding"]["onlyWords"].get<std::string>(), words.toStdString());
        std::istringstream text(document["utterances"][0]["hypotheses"][0]["text"].get<std::string>());
        int count = 0;
        for (std::string word; text >> word; ++count)
            QVERIFY2((std::set<std::string>{"The", "man", "pictures", "forest", "night", "big"}.contains(word)), word.c_str());
        QVERIFY(count > 0);
        const auto bad = transcribed({"--only-words", write("bad words", "man\n\xE4\xB8\xAD\n")});
        QVERIFY2(bad.status == 1 && bad.says("line 2"), bad.err.c_str());
    }

    void espressosLimitAndFactorHold() {
        const auto ids = [](const QStringList& options) {
            const auto done = transcribed(options + QStringList{"--json"});
            return done.document()["utterances"][0]["hypotheses"][0]["ids"].size();
        };
        const std::size_t whole = ids({"--beam", "3"});
        const std::size_t cut = ids({"--beam", "3", "--max-tokens", "1", "--max-tokens-per-frame", "0.02"});
        QVERIFY(cut < whole && cut > 1);
        QCOMPARE(ids({"--beam", "3", "--max-tokens", "1", "--max-tokens-per-frame", "0.08", "--end-factor", "1.5"}), whole);
        const auto document =
            transcribed({"--beam", "3", "--end-factor", "2", "--max-tokens-per-frame", "0.5", "--json"}).document()["decoding"];
        QCOMPARE(document["endFactor"].get<double>(), 2.0);
        QCOMPARE(document["maxTokensPerFrame"].get<double>(), 0.5);
        const auto bad = transcribed({"--end-factor", "0.5"});
        QCOMPARE(bad.status, 2);
    }

    void contradictionsAreNamed() {
        const auto says = [](const QStringList& options, int status, const char* what) {
            const auto done = transcribed(options);
            QVERIFY2(done.status == status && done.says(what), done.err.c_str());
        };
        says({"--n-best", "2"}, 1,
             "A search with 1 beam finds at most 1 hypothesis, but 2 were requested.");
        says({"--ctc-beam", "5"}, 1, "has no CTC output, so it cannot be decoded with --ctc-beam.");
        says({"--length-bonus", "1"}, 1, "--length-bonus works with --ctc-beam only.");
        says({"--language-model", kDemo + "/model", "--lm-weight", "0.3"}, 1, "is a speech model.");
        says({"--language-model", kDemo + "/model"}, 2, "needs --lm-weight");
        says({"--lm-weight", "0.5"}, 1, "--lm-weight needs --language-model.");
        says({"--beam", "3", "--coverage-threshold", "0.4"}, 1, "--coverage-threshold needs --coverage-weight.");
        says({"--beam", "0"}, 2, "--beam");
        says({"--min-tokens", "9", "--max-tokens", "3"}, 2, "--min-tokens");
    }

    void evaluationSearchesToo() {
        const QString corpus = m_folder.filePath("corpus"), out = m_folder.filePath("out");
        QVERIFY(QDir().mkpath(corpus));
        QVERIFY(QFile::copy(kDemo + "/demo.wav", corpus + "/a.wav"));
        const QByteArray text = QByteArray::fromStdString(kSentence);
        writeFile(corpus + "/manifest.tsv", "id\taudio\ttext\na\ta.wav\t" + text + "\nb\ta.wav\t" + text + "\nc\ta.wav\t\n");
        const auto done =
            runWorkerProgram({"evaluate", "--model", kDemo + "/model", "--data", corpus, "--split", "all",
                              "--out", out, "--beam", "3", "--n-best", "2", "--json"});
        QVERIFY2(done.status == 1 && done.says("c: the text is empty."), done.err.c_str()); // the others are scored
        const auto document = done.document();
        QCOMPARE(document["decoding"]["beams"].get<int>(), 3);
        QVERIFY2(document["notes"].dump().find("1 utterance of “all” left out: there is no text") != std::string::npos, document["notes"].dump().c_str());
        QCOMPARE(keysOf(document["utterances"][0]["hypotheses"][0]),
                 (std::set<std::string>{"text", "ids", "score", "tokenScores"}));
        QCOMPARE(document["utterances"].size(), std::size_t(2));
        const auto alone = transcribed({"--beam", "3", "--n-best", "2", "--json"})
                               .document()["utterances"][0]["hypotheses"];
        for (const auto& row : document["utterances"]) {
            QCOMPARE(row["hypothesis"].get<std::string>(), kSentence);
            for (std::size_t i = 0; i < 2; ++i) { // beside another recording: the same numbers
                QVERIFY(row["hypotheses"][i]["ids"] == alone[i]["ids"]);
                QVERIFY(std::abs(row["hypotheses"][i]["score"].get<double>() -
                                 alone[i]["score"].get<double>()) < 1e-4);
            }
        }
    }

    void anEvaluationIsScoredBySpeaker() {
        const QString corpus = m_folder.filePath("speakers"), out = m_folder.filePath("speakers out");
        QVERIFY(QDir().mkpath(corpus));
        QVERIFY(QFile::copy(kDemo + "/demo.wav", corpus + "/a.wav"));
        QByteArray table = "id\taudio\ttext\tspeaker\n";
        table += "a\ta.wav\t" + QByteArray::fromStdString(kSentence) + "\tann\n";
        table += "b\ta.wav\tThe small man looks\tbob\n";
        table += "c\ta.wav:sp1.1\tThe big man\tsp1.1-ann\n"; // a copy at another speed
        writeFile(corpus + "/manifest.tsv", table);
        const auto done = runWorkerProgram({"evaluate", "--model", kDemo + "/model", "--data", corpus, "--split", "all", "--task",
                                            "asr", "--out", out, "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        QCOMPARE(done.document()["utterances"][1]["speaker"].get<std::string>(), std::string("bob"));
        const QStringList score{"score", "--reference", out + "/references.txt", "--hypothesis", out + "/hypotheses.txt",
                                "--metric", "wer", "--by", "speaker,length", "--json"};
        const auto scored = runWorkerProgram(score);
        QVERIFY2(scored.status == 0, scored.err.c_str());
        const auto groups = scored.document()["scores"]["wer"]["bySpeaker"];
        QCOMPARE(groups.size(), std::size_t(2));
        QCOMPARE(groups[0]["group"].get<std::string>(), std::string("ann"));
        QCOMPARE(groups[0]["lines"].get<int>(), 2);
        QCOMPARE(groups[1]["group"].get<std::string>(), std::string("bob"));
        QCOMPARE(groups[1]["referenceWords"].get<int>(), 4);
        writeFile(out + "/utterances.tsv", "id\tspeaker\na\tann\n");
        const auto other = runWorkerProgram(score);
        QVERIFY2(other.status == 1 && other.says("must correspond line by line"), other.err.c_str());
        QVERIFY(QFile::remove(out + "/utterances.tsv"));
        const auto none = runWorkerProgram(score);
        QVERIFY2(none.status == 1 && none.says("there is no utterances.tsv beside it"), none.err.c_str());
    }

    void mappingRulesCountForSclite() {
        const QString corpus = m_folder.filePath("mapped"), out = m_folder.filePath("mapped out");
        QVERIFY(QDir().mkpath(corpus));
        QVERIFY(QFile::copy(kDemo + "/demo.wav", corpus + "/a.wav"));
        writeFile(corpus + "/a.txt", "The large man looks for the pictures in the wood at night.\n");
        const QStringList evaluate{"evaluate", "--model", kDemo + "/model", "--data", corpus, "--split", "all",
                                   "--out", out};
        const auto rules = write("rules.glm", ";; x\n* case_sensitive = 'F'\n[large] => [big] / [ ] __ [ ]\n");
        const auto done = runWorkerProgram(evaluate + QStringList{"--glm", rules, "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        QVERIFY(std::abs(document["wer"].get<double>() - 200.0 / 12) < 1e-9); // fairseq's rule knows no rules
        QCOMPARE(document["glm"].get<std::string>(), rules.toStdString());
        QCOMPARE(document["wer-sclite"]["errors"].get<int>(), 1);
        QCOMPARE(document["wer-sclite"]["referenceWords"].get<int>(), 12);
        // The same as `score` on the same texts.
        const auto reference = write("mapped.trn", "The large man looks for the pictures in the wood at night. (a)\n"),
                   hypothesis = write("found.trn", QByteArray::fromStdString(kSentence) + " (a)\n");
        const auto scored = runWorkerProgram({"score", "--reference", reference, "--hypothesis", hypothesis, "--metric",
                                              "wer-sclite", "--glm", rules, "--json"});
        QVERIFY2(scored.status == 0, scored.err.c_str());
        QCOMPARE(scored.document()["scores"]["wer-sclite"]["percent"], document["wer-sclite"]["percent"]);
        const auto bad = runWorkerProgram(evaluate + QStringList{"--glm", write("bad.glm", ";; x\nno arrow\n")});
        QVERIFY2(bad.status == 1 && bad.says("bad.glm, line 2"), bad.err.c_str());
    }

    void languageModelsOfOtherPiecesAreRejected() {
        if (sharedData().empty())
            QSKIP(kNoSharedData);
        const auto model = QString::fromStdString((sharedData() / "parity/decoding/fusion/lstm").string());
        const auto done =
            transcribed({"--beam", "2", "--language-model", model, "--lm-weight", "0.3"});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("lstm is over 200 pieces, and "), done.err.c_str());
    }

    void twoSystemsAreCompared() {
        const auto reference = write("r.txt", "a b c d e f\ng h i j k\n"),
                   one = write("one.txt", "a b x d e f\ng h i j k\n"),
                   two = write("two.txt", "a b c d e f\ng h i j k\n");
        const auto done = runWorkerProgram({"score", "--reference", reference, "--hypothesis", one,
                                            "--hypothesis", two, "--metric", "wer,bleu", "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        QCOMPARE(keysOf(document),
                 (std::set<std::string>{"format", "version", "reference", "hypothesis", "lines", "scores",
                                        "systems", "tests"}));
        QCOMPARE(document["systems"][1]["scores"]["wer"]["errors"].get<int>(), 0);
        QCOMPARE(keysOf(document["tests"][0]),
                 (std::set<std::string>{"metric", "baseline", "system", "test", "p", "printedP", "segments",
                                        "referenceWords", "errors", "mean", "standardDeviation", "z"}));
        QCOMPARE(document["tests"][0]["segments"].get<int>(), 1);
        QCOMPARE(keysOf(document["tests"][1]),
                 (std::set<std::string>{"metric", "baseline", "system", "test", "p", "baselineScore",
                                        "systemScore", "differingLines", "trials", "seed"}));
        const auto lines = runWorkerProgram(
            {"score", "--reference", reference, "--hypothesis", one, "--hypothesis", two});
        QVERIFY2(lines.out.find("MAPSSWE") != std::string::npos, lines.out.c_str());
        QVERIFY2(lines.out.find("approximate randomisation, 10,000 trials, seed 12345") != std::string::npos,
                 lines.out.c_str());
    }

    void transcriptsAreScoredBySpeaker() {
        const auto reference = write("r.trn", "a b c (x_1)\nd e f g h i (y_1)\n"),
                   hypothesis = write("h.trn", "d e f g h i (y_1)\na q c (x_1)\n");
        const auto done = runWorkerProgram({"score", "--reference", reference, "--hypothesis", hypothesis,
                                            "--metric", "wer-sclite,multi-bleu", "--by", "speaker,length",
                                            "--interval", "--report", m_folder.filePath("report"), "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto scores = done.document()["scores"];
        QCOMPARE(scores["wer-sclite"]["bySpeaker"][0]["group"].get<std::string>(), std::string("x"));
        QCOMPARE(scores["wer-sclite"]["bySpeaker"][0]["errors"].get<int>(), 1);
        QCOMPARE(scores["wer-sclite"]["byLength"][0]["group"].get<std::string>(), std::string("0 to 5 words"));
        QVERIFY(scores["multi-bleu"]["interval"]["high"].is_number());
        for (const char* ending : {"sys", "raw", "pra"})
            QVERIFY(QFile::exists(m_folder.filePath("report/h.") + ending));
        const auto mixed = runWorkerProgram(
            {"score", "--reference", reference, "--hypothesis", write("h.txt", "a\nb\n")});
        QCOMPARE(mixed.status, 1);
        QVERIFY2(mixed.says("must both be .trn transcripts"), mixed.err.c_str());
    }
};

HEADROOM_TEST(DecodingCommandTest)

} // namespace headroom::testing::decoding_command_test

#include "decoding_command_test.moc"
