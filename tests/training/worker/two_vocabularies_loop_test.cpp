// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel text with a vocabulary for each language, from the pieces to the analysis.
#include "core/architecture/architecture.h"
#include "core/corpus/corpus.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "tests/support/tiny_text_model.h"
#include "tests/training/worker/run_training.h"

#include <QTemporaryDir>

namespace headroom::testing::two_vocabularies_loop_test {

namespace fs = std::filesystem;

class TwoVocabulariesLoopTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_place;
    fs::path place() const { return m_place.path().toStdString(); }
    fs::path data() const { return place() / "text"; }
    fs::path model() const { return place() / "run" / "model"; }
    static QString named(const fs::path& path) { return QString::fromStdString(path.string()); }

    Finished train(const char* architecture, const char* run, const QStringList& more = {}) const {
        QStringList words{"train", "--architecture", named(place() / architecture), "--recipe", HEADROOM_SOURCE_DIR "/resources/recipes/demo-text.json",
                          "--data", named(data()), "--run", named(place() / run)};
        for (const char* set : {"length.maxUpdates=8", "validation.everyUpdates=8", "validation.maxUtterances=3", "validation.maxTokens=8",
                                "loss.tokenCutoff=0.1", "machine.threads=1", "data.maxBatchFrames=400"})
            words << "--set" << set;
        return runWorkerProgram(words + more);
    }
    Finished pieces(const QStringList& more) const {
        return runWorkerProgram(QStringList{"corpus", "pieces", "--data", named(data()), "--task", "translate", "--json"} + more);
    }

private Q_SLOTS:
    void initTestCase() {
        const Finished made = runWorkerProgram({"corpus", "demo", "--text", "--sentences", "300", "--out", named(data())});
        QVERIFY2(made.status == 0, made.err.c_str());
        QByteArray own = kTinyText;
        for (const auto& [special, plain] : {std::pair("full relaxed 0.05", "full"), {"local 5", "full"}, {"full relaxed 0.1", "full"}})
            own.replace(special, plain); // FSMT has no others
        QVERIFY(own.contains(R"("kind": "text" })"));
        writeFile(place() / "shared.json", kTinyText);
        writeFile(place() / "own.json", own.replace(R"("kind": "text" })", R"("kind": "text", "vocabulary": 9 })").constData());
        writeFile(place() / "one.txt", "The dog sees a cat.\n");
    }

    void piecesAreLearntOfEachLanguage() {
        Finished refused = train("own.json", "none"); // one vocabulary of both
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("--separate, or remove the key"), refused.err.c_str());
        const Finished learnt = pieces({"--separate", "--size", "150"});
        QVERIFY2(learnt.status == 0, learnt.err.c_str());
        const auto report = learnt.document();
        const fs::path source = report["source"]["written"].get<std::string>();
        QCOMPARE(source, data() / corpusSourceTokenizerName("translate"));
        const Tokenizer english(source), german(data() / corpusTokenizerName("translate"));
        QCOMPARE(english.size(), report["source"]["size"].get<int>());
        QCOMPARE(german.size(), report["size"].get<int>());
        QVERIFY(english.encode("the dog sees").size() < german.encode("the dog sees").size());
        QVERIFY(german.encode("der Hund sieht").size() < english.encode("der Hund sieht").size());
        refused = train("shared.json", "none");
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("a vocabulary of the source alone") && refused.says("Give its front end the key “vocabulary”"), refused.err.c_str());
        QVERIFY(!fs::exists(place() / "none/run.json"));
        refused = runWorkerProgram({"corpus", "pieces", "--data", named(data()), "--separate", "--joint"});
        QCOMPARE(refused.status, 2);
    }

    void aModelIsTrainedAndWrittenWithBoth() {
        const Finished trained = train("own.json", "run");
        QVERIFY2(trained.status == 0, trained.err.c_str());
        QVERIFY2(trained.says("The vocabulary of the source was set from 9 to "), trained.err.c_str());
        const Tokenizer source(data() / corpusSourceTokenizerName("translate"));
        QCOMPARE(readArchitecture(model() / "architecture.json").frontEnd.vocabulary, source.size());
        QCOMPARE(sourceTokenizerIn(model()).filename(), fs::path("source.sentencepiece.model"));
        QCOMPARE(Tokenizer(sourceTokenizerIn(model())).encode("The dog sees a cat."), source.encode("The dog sees a cat."));
        QCOMPARE(Tokenizer(tokenizerIn(model())).size(), Tokenizer(data() / corpusTokenizerName("translate")).size());
    }

    /// The loss of `evaluate` is that of the validation, which was computed beside the training.
    void itIsEvaluatedAndAnalysedWithTheRightPieces() {
        const Finished scored = runWorkerProgram({"evaluate", "--model", named(place() / "run"), "--data", named(data()), "--split", "dev", "--task",
                                                  "translate", "--max-tokens", "6", "--beam", "2", "--out", named(place() / "scored"), "--json"});
        QVERIFY2(scored.status == 0, scored.err.c_str());
        QVERIFY(scored.document()["nll"].get<double>() > 0);
        const Finished written = runWorkerProgram({"translate", "--model", named(place() / "run"), named(place() / "one.txt"), "--max-tokens", "6"});
        QVERIFY2(written.status == 0, written.err.c_str());
        const Finished analysed = runWorkerProgram({"analyse", "--model", named(place() / "run"), named(place() / "one.txt"), "--out",
                                                    named(place() / "analysed"), "--decoder", "--json"});
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const auto arrays = arraysOf((place() / "analysed" / analysed.document()["utterances"][0]["npz"].get<std::string>()).string());
        const Tokenizer source(sourceTokenizerIn(model()));
        auto expected = source.encode("The dog sees a cat.");
        expected.push_back(2); // </s>
        const auto ids = toDoubles(arrays.at("source_ids").view());
        QCOMPARE(std::vector<int>(ids.begin(), ids.end()), expected);
    }

    void inHuggingFacesFormItTranslatesTheSame() {
        const fs::path folder = place() / "fsmt";
        const Finished made = runWorkerProgram({"import", named(model()), "--format", "hugging-face", "--out", named(folder)});
        QVERIFY2(made.status == 0 && made.says("convert texts with the library SentencePiece"), made.err.c_str());
        for (const char* name : {"config.json", "source.sentencepiece.model", "sentencepiece.model"})
            QVERIFY2(fs::exists(folder / name), name);
        const auto evaluated = [&](const fs::path& from, const char* out) {
            return runWorkerProgram({"evaluate", "--model", named(from), "--data", named(data()), "--split", "dev", "--task", "translate", "--max-tokens",
                                     "6", "--out", named(place() / out), "--json"});
        };
        const Finished before = evaluated(model(), "before"), after = evaluated(folder, "after");
        QVERIFY2(after.status == 0, after.err.c_str());
        QVERIFY(before.document()["nll"].get<double>() > 0);
        QCOMPARE(after.document()["nll"].get<double>(), before.document()["nll"].get<double>());
        QCOMPARE(after.document()["utterances"].dump(), before.document()["utterances"].dump());
    }

    void moreIsLearntFromItWithItsOwnPieces() {
        const Finished trained = train("own.json", "more", {"--start-from", named(model())});
        QVERIFY2(trained.status == 0, trained.err.c_str());
    }

    void oneVocabularyAgainRemovesTheSources() {
        const Finished learnt = pieces({"--size", "150"});
        QVERIFY2(learnt.status == 0, learnt.err.c_str());
        QVERIFY(learnt.document()["source"].is_null());
        QVERIFY(!fs::exists(data() / corpusSourceTokenizerName("translate")));
        const Finished trained = train("shared.json", "again");
        QVERIFY2(trained.status == 0, trained.err.c_str());
        QVERIFY(!fs::exists(place() / "again" / "model" / "source.sentencepiece.model"));
    }
};

HEADROOM_TEST(TwoVocabulariesLoopTest)

} // namespace headroom::testing::two_vocabularies_loop_test

#include "two_vocabularies_loop_test.moc"
