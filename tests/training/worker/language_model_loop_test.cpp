// SPDX-License-Identifier: GPL-3.0-or-later
// Language models from end to end: sentences, training, perplexity, fusion with a speech model.
#include "core/corpus/corpus.h"
#include "core/runs/run_folder.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace headroom::testing::language_model_loop_test {

namespace {

namespace fs = std::filesystem;

QString named(const fs::path& path) {
    return QString::fromStdString(path.string());
}

std::string architectureText(const QString& kind) {
    return R"({ "format": "headroom/architecture", "version": 1, "name": "tiny language model", "languageModel": )" +
           std::string(
               kind == "lstm"
                   ? R"({ "kind": "lstm", "layers": 2, "width": 32, "dropout": 0.1, "tiedEmbeddings": true })"
                   : R"({ "kind": "transformer", "layers": 2, "width": 32, "feedForward": 48,
            "selfAttention": )" +
                         std::string(kind == "windows" ? R"(["2 masked 5", "1 masked 3 + 1 masked"])"
                                                       : R"("2 masked")") +
                         R"(, "dropout": 0.1, "attentionDropout": 0.1 })") +
           R"(, "vocabulary": 77 })";
}

/// Per validation, in the order of the updates.
std::vector<double> perplexities(const fs::path& run) {
    std::vector<double> found;
    std::ifstream events(run / "events.jsonl");
    for (std::string line; std::getline(events, line);)
        if (const auto event = nlohmann::json::parse(line); event["event"] == "validation")
            found.push_back(event["perplexity"].get<double>());
    return found;
}

} // namespace

class LanguageModelLoopTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_place;
    fs::path place() const { return m_place.path().toStdString(); }
    fs::path data() const { return place() / "texts"; }
    QString recipe() const { return QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-lm.json"); }
    QStringList training(const QString& kind, const QString& run, const QStringList& set) const {
        writeFile(named(place() / (kind.toStdString() + ".json")),
                  QByteArray::fromStdString(architectureText(kind)));
        QStringList words{"train",       "--architecture", named(place() / (kind.toStdString() + ".json")),
                          "--recipe",    recipe(),         "--data",
                          named(data()), "--run",          named(place() / run.toStdString())};
        for (const QString& one :
             QStringList{"machine.threads=1", "data.maxBatchFrames=400", "validation.everyUpdates=20"} + set)
            words << "--set" << one;
        return words;
    }

private Q_SLOTS:
    void initTestCase() { // the demo model's own vocabulary, so that its speech can be decoded with the
                          // language model
        fs::create_directories(data());
        fs::copy_file(kModel.toStdString() + "/sentencepiece.bpe.model", data() / "lm.sentencepiece.model");
        const Finished made = runWorkerProgram(
            {"corpus", "demo", "--text", "--sentences", "400", "--out", named(place() / "demo"), "--json"});
        QVERIFY2(made.status == 0, made.err.c_str());
        for (const char* split : {"train", "dev"}) {
            std::string sentences;
            const Corpus corpus = Corpus::open(place() / "demo");
            for (const Utterance& pair : corpus.utterances(split, "translate"))
                sentences += pair.sourceText + "\n";
            writeFile(named(data() / (std::string(split) + "_lm.txt")),
                      QByteArray::fromStdString("\xEF\xBB\xBF" + sentences + "\r\n"));
        }
    }

    void perplexityFallsAndTheModelOpens_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"transformer", "windows", "lstm"})
            QTest::newRow(kind) << kind;
    }
    void perplexityFallsAndTheModelOpens() {
        QFETCH(QString, kind);
        const Finished trained = runWorkerProgram(training(kind, kind, {"length.maxUpdates=60"}));
        QVERIFY2(trained.status == 0, trained.err.c_str());
        const auto found = perplexities(place() / kind.toStdString());
        QCOMPARE(found.size(), std::size_t(3));
        QVERIFY2(found[1] < found[0] && found[2] < found[1], std::to_string(found[2]).c_str());
        const auto folder = place() / kind.toStdString() / "model";
        QVERIFY(!fs::exists(folder / "front_end.json"));

        const auto out = place() / (kind.toStdString() + " scored");
        const Finished scored =
            runWorkerProgram({"evaluate", "--model", named(folder), "--data", named(data()), "--split", "dev",
                              "--out", named(out), "--json"});
        QVERIFY2(scored.status == 0, scored.err.c_str());
        QVERIFY(std::abs(scored.document()["perplexity"].get<double>() / found[2] - 1) < 1e-5);
        QVERIFY(std::abs(std::exp2(scored.document()["nll"].get<double>()) / found[2] - 1) < 1e-5);
    }

    void itsLayersAreAnalysed() {
        writeFile(named(place() / "sentence.txt"), "the dog sees a cat\n");
        const auto folder = place() / "analysed";
        const Finished analysed = runWorkerProgram({"analyse", "--model", named(place() / "transformer"),
                                                    named(place() / "sentence.txt"), "--out", named(folder), "--maps", "--json"});
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const auto row = analysed.document()["utterances"][0];
        const auto tokens = row["tokens"].get<std::int64_t>();
        const auto arrays = arraysOf((folder / row["npz"].get<std::string>()).string());
        const auto ids = toDoubles(arrays.at("source_ids").view());
        QCOMPARE(static_cast<std::int64_t>(ids.size()), tokens);
        QCOMPARE(ids.front(), 2.0); // </s> starts the text
        QVERIFY(ids.back() != 2.0);
        QCOMPARE(row["layers"].size(), std::size_t(2));
        QCOMPARE(arrays.at("layer.2.attention").shape, (std::vector<std::int64_t>{2, tokens, tokens}));
        const auto map = toDoubles(arrays.at("layer.1.contributions").view());
        for (std::int64_t query = 0; query < tokens; ++query)
            for (std::int64_t key = query + 1; key < tokens; ++key)
                QCOMPARE(map[static_cast<std::size_t>(query * tokens + key)], 0.0);
        const Finished lstm = runWorkerProgram({"analyse", "--model", named(place() / "lstm"), named(place() / "sentence.txt"),
                                                "--out", named(place() / "of an lstm")});
        QCOMPARE(lstm.status, 1);
        QVERIFY2(lstm.says("is an LSTM, which has no attention to analyse."), lstm.err.c_str());
    }

    void aDraftShowsItsWindowsUntrained() {
        const auto model = named(place() / "transformer" / "model");
        const auto perplexity = [&](const QStringList& more) {
            const Finished scored =
                runWorkerProgram(QStringList{"evaluate", "--model", model, "--data", named(data()), "--split",
                                             "dev", "--out", named(place() / "of a draft"), "--json"} +
                                 more);
            if (scored.status != 0)
                qWarning("%s", scored.err.c_str());
            return scored.document()["perplexity"].get<double>();
        };
        const double whole = perplexity({});
        const fs::path own = place() / "transformer" / "model" / "architecture.json";
        QCOMPARE(perplexity({"--draft", named(own)}), whole);
        std::ifstream file(own);
        std::string draft{std::istreambuf_iterator<char>(file), {}};
        const std::string same = R"("2 masked")";
        QVERIFY(draft.find(same) != std::string::npos);
        draft.replace(draft.find(same), same.size(), R"(["2 masked 5", "1 masked 3 + 1 masked"])");
        writeFile(named(place() / "draft.json"), QByteArray::fromStdString(draft));
        const QStringList windows{"--draft", named(place() / "draft.json")};
        QVERIFY(std::abs(perplexity(windows) / whole - 1) > 1e-3);

        writeFile(named(place() / "longer.txt"), "the dog sees a cat and the cat sees a dog\n");
        const auto folder = place() / "draft analysed";
        const Finished analysed =
            runWorkerProgram(QStringList{"analyse", "--model", model, named(place() / "longer.txt"), "--out",
                                         named(folder), "--maps", "--json"} +
                             windows);
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const auto row = analysed.document()["utterances"][0];
        const auto tokens = row["tokens"].get<std::int64_t>();
        QVERIFY(tokens > 6);
        const auto arrays = arraysOf((folder / row["npz"].get<std::string>()).string());
        const auto map = toDoubles(arrays.at("layer.1.contributions").view());
        const auto heads = toDoubles(arrays.at("layer.2.attention").view()); // of masked 3, and of masked
        for (std::int64_t query = 0; query < tokens; ++query)
            for (std::int64_t key = 0; key < tokens; ++key) {
                const auto at = static_cast<std::size_t>(query * tokens + key);
                const std::int64_t before = query - key;
                QCOMPARE(map[at] > 0, before >= 0 && before <= 2);
                QCOMPARE(heads[at] > 0, before >= 0 && before <= 1);
                QCOMPARE(heads[static_cast<std::size_t>(tokens * tokens) + at] > 0, before >= 0);
            }
        const Finished other =
            runWorkerProgram({"analyse", "--model", model, named(place() / "longer.txt"), "--draft",
                              named(place() / "lstm.json"), "--out", named(place() / "none")});
        QCOMPARE(other.status, 1);
        QVERIFY2(other.says("its “languageModel” differs in more than heads"), other.err.c_str());
    }

    void itIsAddedToTheScoresOfSpeech() {
        const fs::path tones = place() / "tones";
        fs::create_directories(tones);
        writeSound(tones / "a.wav", 1.0);
        std::vector<std::string> texts;
        for (const char* weight : {"0.5", "3"}) {
            const Finished found = runWorkerProgram(
                {"transcribe", "--model", kModel, named(tones / "a.wav"), "--beam", "4", "--max-tokens", "12",
                 "--language-model", named(place() / "transformer"), "--lm-weight", weight, "--json"});
            QVERIFY2(found.status == 0, found.err.c_str());
            texts.push_back(found.document()["utterances"][0]["hypotheses"][0].dump());
        }
        QVERIFY(texts[0] != texts[1]);
    }

    /// Density ratio: the language model of the training texts is taken off.
    void anotherIsSubtractedFromTheScores() {
        const fs::path tones = place() / "ratio";
        fs::create_directories(tones);
        writeSound(tones / "a.wav", 1.0);
        const auto found = [&](const QStringList& more) {
            const Finished ended = runWorkerProgram(QStringList{"transcribe", "--model", kModel, named(tones / "a.wav"), "--beam", "4",
                                                                "--max-tokens", "12", "--json"} + more);
            if (ended.status != 0)
                qWarning("%s", ended.err.c_str());
            return ended.document();
        };
        const auto added = [&](const char* kind, const char* weight) {
            return QStringList{"--language-model", named(place() / kind), "--lm-weight", weight};
        };
        const auto subtracted = [&](const char* kind, const char* weight) {
            return QStringList{"--subtract", named(place() / kind), "--subtract-weight", weight};
        };
        const auto best = [](const nlohmann::json& document) { return document["utterances"][0]["hypotheses"][0]; };
        const auto score = [&](const nlohmann::json& document) { return best(document)["score"].get<double>(); };
        const auto plain = found({});
        // One that is added and subtracted changes nothing.
        const auto both = found(added("transformer", "0.4") + subtracted("transformer", "0.4"));
        QVERIFY(best(both)["ids"] == best(plain)["ids"]);
        QVERIFY(std::abs(score(both) - score(plain)) < 1e-4);
        // Of one text the score is a sum; weights so small leave the search the same text.
        const auto plus = found(added("transformer", "0.01")), minus = found(subtracted("lstm", "0.01")),
                   ratio = found(added("transformer", "0.01") + subtracted("lstm", "0.01"));
        for (const auto& one : {plus, minus, ratio})
            QVERIFY2(best(one)["ids"] == best(plain)["ids"], best(one).dump().c_str());
        QVERIFY(score(plus) < score(plain) - 1e-3);
        QVERIFY(score(minus) > score(plain) + 1e-3);
        QVERIFY(std::abs(score(plus) + score(minus) - score(plain) - score(ratio)) < 1e-4);
        QCOMPARE(ratio["decoding"]["subtract"].get<std::string>(), (place() / "lstm").string());
        QCOMPARE(ratio["decoding"]["subtractWeight"].get<double>(), 0.01);
    }

    void aResumedRunGivesTheSameBytes() {
        const QStringList set{"length.maxUpdates=14", "checkpoints.everyUpdates=7",
                              "validation.everyUpdates=7"};
        const Finished whole = runWorkerProgram(training("lstm", "whole", set));
        QVERIFY2(whole.status == 0, whole.err.c_str());
        // Killed after update 7: what came later is removed.
        fs::copy(place() / "whole", place() / "killed", fs::copy_options::recursive);
        fs::remove_all(place() / "killed" / "model");
        fs::remove(place() / "killed" / "checkpoints" / "step-000014.safetensors");
        auto info = readRun(place() / "killed");
        info.state = RunState::Stopped;
        writeRun(place() / "killed", info);
        const Finished resumed = runWorkerProgram({"train", "--run", named(place() / "killed"), "--resume"});
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QCOMPARE(readSmallFile(place() / "killed" / "checkpoints" / "step-000014.safetensors", "test"),
                 readSmallFile(place() / "whole" / "checkpoints" / "step-000014.safetensors", "test"));
    }

    void transcriptsOfACorpusAreSentencesToo() {
        const Finished trained =
            runWorkerProgram({"train", "--architecture", named(place() / "lstm.json"), "--recipe", recipe(),
                              "--data", named(place() / "demo"), "--run", named(place() / "of a task"),
                              "--set", "task=\"lm_translate\"", "--set", "length.maxUpdates=2"});
        QVERIFY2(trained.status == 0, trained.err.c_str());
        QVERIFY2(trained.says("The vocabulary was set from 77 to"), trained.err.c_str());
    }

    void mistakesAreSaid_data() {
        QTest::addColumn<QStringList>("set");
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("sentence");
        const QString speech =
            QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json");
        QTest::newRow("another task") << QStringList{"task=\"asr\""} << ""
                                      << ""
                                      << "Set it to lm, or to lm_TASK for the texts of TASK.";
        QTest::newRow("speech") << QStringList() << speech << ""
                                << "is a speech or text model, and the task of";
        QTest::newRow("best") << QStringList{"validation.best=\"bleu\""} << ""
                              << ""
                              << "validation.best must be loss";
        QTest::newRow("ctc") << QStringList{"loss.ctcWeight=1"} << ""
                             << ""
                             << "must be 0.";
        QTest::newRow("several") << QStringList() << ""
                                 << "demo"
                                 << "Set the recipe's task to one of lm_translate, lm_translate_es.";
        QTest::newRow("no texts") << QStringList() << ""
                                  << "nothing"
                                  << "has neither train_lm.txt nor a corpus.json.";
        QTest::newRow("no split") << QStringList{"data.validationSplit=\"test\""} << ""
                                  << ""
                                  << "has no test_lm.txt.";
    }
    void mistakesAreSaid() {
        QFETCH(QStringList, set);
        QFETCH(QString, architecture);
        QFETCH(QString, data);
        QFETCH(QString, sentence);
        fs::create_directories(place() / "nothing");
        QStringList words = training("transformer", "wrong", set);
        if (!architecture.isEmpty())
            words[2] = architecture;
        if (!data.isEmpty())
            words[6] = named(place() / data.toStdString());
        const Finished refused = runWorkerProgram(words);
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.says(sentence.toStdString()), refused.err.c_str());
        QVERIFY(!fs::exists(RunPaths{place() / "wrong"}.run()));
    }
};

HEADROOM_TEST(LanguageModelLoopTest)

} // namespace headroom::testing::language_model_loop_test

#include "language_model_loop_test.moc"
