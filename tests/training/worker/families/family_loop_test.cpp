// SPDX-License-Identifier: GPL-3.0-or-later
// The whole loop with a small model of each family, Hugging Face's and ESPnet's: explained, studied, drafted with local windows,
// trained from its weights, opened again.
#include "core/architecture/architecture.h"
#include "core/runs/events.h"
#include "core/studies/study.h"
#include "tests/support/longer_ast.h"
#include "tests/support/made_adapters.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

namespace headroom::testing::family_loop_test {

namespace fs = std::filesystem;

namespace {

constexpr int kWindow = 5, kUpdates = 50;

/// The largest contribution of a token beyond the window, in any layer of an analysis.
double beyondWindow(const fs::path& npz) {
    double largest = 0;
    int layers = 0;
    for (const auto& [name, tensor] : arraysOf(npz.string())) {
        if (!name.ends_with(".contributions"))
            continue;
        ++layers;
        const auto values = toFloats(tensor.view());
        const auto tokens = tensor.shape.at(0);
        for (std::int64_t i = 0; i < tokens; ++i)
            for (std::int64_t j = 0; j < tokens; ++j)
                if (std::abs(i - j) > kWindow / 2)
                    largest = std::max(largest, double(values[static_cast<std::size_t>(i * tokens + j)]));
    }
    return layers > 0 ? largest : -1;
}

double meanLoss(const std::vector<RunCurves::Point>& points, std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i)
        sum += points[i].value;
    return sum / static_cast<double>(count);
}

} // namespace

class FamilyLoopTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;

    fs::path place() const { return m_place.path().toStdString(); }
    static QString text(const fs::path& path) { return QString::fromStdString(path.string()); }
    static fs::path folderOf(const char* family) {
        return fs::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/encoders" / family;
    }
    fs::path audio() const { return m_corpus->folder() / "audio" / "dev0.wav"; }

    /// `analyse`; the summary.
    nlohmann::json analysed(const fs::path& model, const fs::path& out, const QStringList& more = {}) const {
        const Finished done =
            runWorkerProgram(QStringList{"analyse", "--model", text(model), text(audio()), "--out", text(out), "--json"} + more);
        return done.status == 0 ? done.document() : nlohmann::json{{"error", done.err}};
    }
    /// The model's own document with local heads in every layer.
    static Architecture drafted(const fs::path& model) {
        const auto described = runWorkerProgram({"describe", text(model), "--json"}).document();
        Architecture draft = parseArchitecture(described["architecture"].dump(), "described");
        for (Architecture::Layer& layer : draft.encoder.layers)
            layer.heads = parseHeads(std::to_string(layer.headCount()) + " local " + std::to_string(kWindow));
        return draft;
    }

private Q_SLOTS:
    void initTestCase() {
        m_corpus = std::make_unique<ToneCorpus>(place() / "corpus", 16, 3);
        // A letter for each tone: a CTC output needs more tokens than labels, and Parakeet has one every 80 ms.
        for (const char* split : {"train", "dev"}) {
            for (Utterance& utterance : m_corpus->utterances(split)) {
                std::string letters;
                for (std::size_t i = 0; i < utterance.text.size(); ++i)
                    if (i == 0 || utterance.text[i - 1] == ' ')
                        letters += utterance.text[i];
                utterance.text = letters;
            }
            m_corpus->write(split);
        }
    }

    void anAstIsExplainedStudiedAndDrafted() { // and has no loss to train with
        const fs::path own = place() / "ast", model = own / "model";
        writeLongerAst(model, 600);
        const auto explained = analysed(model, own / "explained");
        QVERIFY2(!explained.contains("error"), explained.dump().c_str());
        for (const auto& layer : explained["utterances"][0]["layers"])
            QVERIFY2(layer["rebuildError"].get<double>() < 1e-3, layer.dump().c_str());
        const auto arrays = arraysOf((own / "explained" / "dev0.npz").string());
        const auto seconds = toDoubles(arrays.at("token_seconds").view());
        QCOMPARE(arrays.at("layer.1.padding_share").shape, arrays.at("token_seconds").shape);
        for (std::size_t t = 0; t < seconds.size(); ++t) // four bands of 8 frames every 6
            QVERIFY(std::abs(seconds[t] - (0.0475 + 0.06 * double(t / 4))) < 1e-9);

        const Finished study =
            runWorkerProgram({"study", "windows", "--model", text(model), "--data", text(m_corpus->folder()), "--split", "dev",
                              "--out", text(own / "study"), "--cache", text(own / "cache")});
        QVERIFY2(study.status == 0, study.err.c_str());
        QCOMPARE(readStudy(own / "study").models.at(0).clockBands, 4);

        Architecture draft = drafted(model);
        std::ofstream(own / "architecture.json") << canonicalText(draft);
        const auto untrained = analysed(model, own / "untrained", {"--draft", text(own / "architecture.json")});
        QVERIFY2(!untrained.contains("error"), untrained.dump().c_str());
        QCOMPARE(beyondWindow(own / "untrained" / "dev0.npz"), 0.0);
        TinyTraining tiny(own, m_corpus->folder());
        std::ofstream(own / "architecture.json") << canonicalText(draft);
        const Finished refused = runWorkerProgram(tiny.arguments("run", {"--start-from", text(model)}));
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.says("neither a decoder nor a CTC output"), refused.err.c_str());
    }

    void everyFamilyClosesTheLoop_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"wav2vec2", "wav2vec2-adapters", "hubert-batch-norm", "wavlm", "data2vec-audio",
                                   "wav2vec2-bert-small", "parakeet-small", "whisper-small", "espnet-conformer",
                                   "espnet-branchformer", "espnet-e-branchformer"})
            QTest::newRow(family) << family;
    }
    void everyFamilyClosesTheLoop() {
        QFETCH(QString, family);
        // Labels of pieces without their SentencePiece model: the encoder is trained, with the corpus's pieces.
        const bool encoderOnly = family.endsWith("branchformer");
        const fs::path model = folderOf(qPrintable(family)), own = place() / family.toStdString();
        const auto explained = analysed(model, own / "explained");
        QVERIFY2(!explained.contains("error"), explained.dump().c_str());
        const auto& layers = explained["utterances"][0]["layers"];
        QVERIFY(layers.size() >= 2);
        for (const auto& layer : layers)
            QVERIFY2(layer["rebuildError"].get<double>() < 1e-3, layer.dump().c_str());
        QVERIFY(beyondWindow(own / "explained" / "dev0.npz") > 0);

        const Finished study =
            runWorkerProgram({"study", "windows", "--model", text(model), "--data", text(m_corpus->folder()), "--split",
                              "dev", "--out", text(own / "study"), "--cache", text(own / "cache")});
        QVERIFY2(study.status == 0, study.err.c_str());

        Architecture draft = drafted(model);
        TinyTraining tiny(own, m_corpus->folder());
        std::ofstream(own / "architecture.json") << canonicalText(draft);
        const auto untrained =
            analysed(model, own / "untrained", {"--draft", text(own / "architecture.json")});
        QVERIFY2(!untrained.contains("error"), untrained.dump().c_str());
        QCOMPARE(beyondWindow(own / "untrained" / "dev0.npz"), 0.0);
        if (encoderOnly) {
            draft.ctc = 256;
            std::ofstream(own / "architecture.json") << canonicalText(draft);
        }

        tiny.recipe.length.maxUpdates = kUpdates;
        tiny.recipe.validation.everyUpdates = kUpdates;
        tiny.recipe.checkpoints.everyUpdates = kUpdates / 2;
        tiny.recipe.optimiser.learningRate = 5e-3;
        tiny.recipe.optimiser.accumulate = 1;
        tiny.recipe.loss.ctcWeight = 0; // CTC is the loss
        if (family == "parakeet-small" || family == "espnet-conformer")
            tiny.recipe.data.unknownPieces = "keep"; // its few pieces lack the letters
        tiny.recipe.augmentation.frequencyMasks = tiny.recipe.augmentation.timeMasks = 0;
        const Finished ended = runWorkerProgram(tiny.arguments("run", {"--start-from", text(model) + (encoderOnly ? ":encoder" : "")}));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        RunCurves curves;
        for (const auto& event : EventFollower(RunPaths{tiny.run("run")}.events()).poll())
            curves.add(event);
        const auto& loss = curves.series().at("loss");
        QCOMPARE(loss.size(), std::size_t(kUpdates));
        const double before = meanLoss(loss, 0, 5), after = meanLoss(loss, kUpdates - 5, 5);
        QVERIFY2(after < 0.9 * before, (std::to_string(before) + " → " + std::to_string(after)).c_str());

        const auto trained = analysed(RunPaths{tiny.run("run")}.model(), own / "trained");
        QVERIFY2(!trained.contains("error"), trained.dump().c_str());
        QCOMPARE(beyondWindow(own / "trained" / "dev0.npz"), 0.0);
        for (const auto& layer : trained["utterances"][0]["layers"])
            QVERIFY2(layer["rebuildError"].get<double>() < 1e-3, layer.dump().c_str());
        const Finished said = runWorkerProgram(
            {"transcribe", "--model", text(RunPaths{tiny.run("run")}.model()), text(audio())});
        QVERIFY2(said.status == 0 && said.out.starts_with("dev0\t"), said.err.c_str());
    }

    void evaluateTakesTheLanguageOfAdapters() {
        const fs::path model = place() / "many languages";
        writeMadeAdapters(model);
        const auto evaluated = [&](const fs::path& folder, const char* language) {
            return runWorkerProgram({"evaluate", "--model", text(folder), "--data", text(m_corpus->folder()),
                                     "--split", "dev", "--language", language, "--out",
                                     text(place() / language), "--json"});
        };
        const Finished english = evaluated(model, "eng"), other = evaluated(model, "xyz");
        QVERIFY2(english.status == 0 && other.status == 0, (english.err + other.err).c_str());
        QVERIFY(english.document()["language"] == "eng" && other.document()["language"] == "xyz");
        QVERIFY(english.document()["weightsHash"] != other.document()["weightsHash"]);
        const Finished unknown = evaluated(model, "fr"), told = evaluated(folderOf("wav2vec2"), "en");
        QVERIFY2(unknown.status != 0 && unknown.says("it has those of eng, xyz."), unknown.err.c_str());
        QVERIFY2(told.status != 0 && told.says("neither a decoder that is told a language nor adapters"),
                 told.err.c_str());
    }

    void evaluateWritesWhatTranscribeWrites() { // Whisper's prompt, and the tokens that it may not say
        const fs::path model = folderOf("whisper-small"), out = place() / "whisper evaluated";
        const Finished done =
            runWorkerProgram({"evaluate", "--model", text(model), "--data", text(m_corpus->folder()), "--split", "dev",
                              "--max-tokens", "12", "--out", text(out), "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const Finished said = runWorkerProgram(
            {"transcribe", "--model", text(model), "--language", "en", "--max-tokens", "12", text(audio())});
        QVERIFY2(said.status == 0, said.err.c_str());
        const auto row = done.document()["utterances"][0];
        QCOMPARE(row["id"].get<std::string>(), std::string("dev0"));
        QCOMPARE("dev0\t" + row["hypothesis"].get<std::string>() + "\n", said.out);
        const Finished other =
            runWorkerProgram({"evaluate", "--model", text(model), "--data", text(m_corpus->folder()), "--split", "dev",
                              "--out", text(out), "--language", "xx"});
        QVERIFY2(other.status == 1 && other.says("no language “xx”"), other.err.c_str());
    }

    void aStudyTakesADraft() { // no layer has contributions beyond its window, and the folder keeps the draft
        const fs::path model = folderOf("wav2vec2"), own = place() / "drafted", out = own / "study";
        fs::create_directories(own);
        std::ofstream(own / "draft of mine.json") << canonicalText(drafted(model));
        const auto words = [&](const QStringList& more) {
            return QStringList{"study", "diagonality", "--model", text(model), "--data", text(m_corpus->folder()),
                               "--split", "dev", "--out", text(out), "--cache", text(own / "cache")} + more;
        };
        const QStringList withDraft{"--draft", text(own / "draft of mine.json")};
        const Finished done = runWorkerProgram(words(withDraft));
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto arrays = readStudyArrays(out);
        const auto grid = toDoubles(arrays.at("1.window_grid").view());
        const auto diagonality = toDoubles(arrays.at("1.diagonality").view());
        const auto column = std::find(grid.begin(), grid.end(), kWindow) - grid.begin();
        const auto width = static_cast<std::ptrdiff_t>(grid.size());
        QVERIFY(column < width);
        for (std::ptrdiff_t cell = column; cell < std::ssize(diagonality); cell += width)
            QVERIFY2(std::abs(diagonality[static_cast<std::size_t>(cell)] - 1) < 1e-6,
                     std::to_string(diagonality[static_cast<std::size_t>(cell)]).c_str());
        QCOMPARE(readStudy(out).notes.front(), std::string("Every model runs with the heads of the draft ") +
                                                   readArchitecture(out / "draft.json").name +
                                                   " (draft.json), untrained.");
        const Finished without = runWorkerProgram(words({}));
        QVERIFY2(without.status == 1 && without.says("contains a study of another draft"), without.err.c_str());
    }

    void aDraftChangesHeadsOnly() {
        const fs::path model = folderOf("wav2vec2");
        const auto says = [&](const Architecture& draft, const char* what) {
            std::ofstream(place() / "draft.json") << canonicalText(draft);
            const Finished done =
                runWorkerProgram({"analyse", "--model", text(model), text(audio()), "--out",
                                  text(place() / "none"), "--draft", text(place() / "draft.json")});
            QCOMPARE(done.status, 1);
            QVERIFY2(done.says("draft.json is not a draft of wav2vec2: ") && done.says(what),
                     done.err.c_str());
        };
        Architecture draft = drafted(model);
        draft.encoder.feedForward += 8;
        says(draft, "its “encoder” differs in more than heads.");
        draft = drafted(model);
        draft.encoder.layers.pop_back();
        says(draft, "layers, not ");
        draft = drafted(model);
        draft.frontEnd.strides.back() = 1;
        says(draft, "its “frontEnd” differs in more than heads.");
        draft = drafted(model);
        draft.encoder.layers[0].heads =
            parseHeads(std::to_string(draft.encoder.layers[0].headCount()) + " conv 5/2");
        says(draft, "Train the draft, and analyse the result.");
    }
};

HEADROOM_TEST(FamilyLoopTest)

} // namespace headroom::testing::family_loop_test

#include "family_loop_test.moc"
