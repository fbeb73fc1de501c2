// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/tensors/safetensors.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cstring>

namespace headroom::testing::train_inputs_test {

namespace fs = std::filesystem;

namespace {

/// A copy of a model folder with one tensor's numbers all set to `value`.
void spoil(const fs::path& model, const fs::path& copy, const std::string& tensor, float value) {
    fs::copy(model, copy, fs::copy_options::recursive);
    const Safetensors weights(model / "model.safetensors");
    std::vector<std::pair<std::string, TensorView>> tensors;
    const TensorView old = weights.tensor(tensor);
    std::vector<float> numbers(old.bytes.size() / sizeof(float), value);
    for (const std::string& name : weights.names())
        tensors.emplace_back(name, weights.tensor(name));
    for (auto& [name, view] : tensors)
        if (name == tensor)
            view.bytes = std::as_bytes(std::span(numbers));
    writeSafetensors(copy / "model.safetensors", tensors, weights.metadata());
}

} // namespace

class TrainInputsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void theResultOpensAndIsEvaluated();
    void startingFromACheckpointTakesItsWeights();
    void startingFromAModelTakesItsWeights();
    void recipesWithMistakesStopBeforeAnythingIsMade();
    void aRunStandsForItsModel();
    void corporaWithDefectsAreTrainedOnWithASentence();
    void textsThatCannotBeWrittenAreRefused();
    void modelsOfAnotherShapeAreListedTensorByTensor();
    void headsWithoutWeightsAreNamedByTheirPlace();
    void lossThatIsNotANumberNamesStepAndUtterances();
    void headsThatDoNotDivideAndWindowsWiderThanTheUtterance();
    void aRunIsNotWrittenTwice();
    void otherValuesThanTheRunsAreRefused();
    void changedDataIsRefused();

private:
    fs::path place() const { return m_place.path().toStdString(); }
    Finished train(const std::string& name, const QStringList& more = {}) {
        return runWorkerProgram(m_tiny->arguments(name, more));
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

void TrainInputsTest::initTestCase() {
    m_corpus = std::make_unique<ToneCorpus>(place() / "corpus", 10, 3);
    m_tiny = std::make_unique<TinyTraining>(place(), m_corpus->folder());
    m_tiny->recipe.length.maxUpdates = 4;
    m_tiny->recipe.validation.everyUpdates = 4;
    const Finished ended = train("base", {"--json"});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    const auto document = nlohmann::json::parse(ended.out);
    QCOMPARE(document["format"].get<std::string>(), std::string("headroom/training"));
    QCOMPARE(document["state"].get<std::string>(), std::string("finished"));
    QCOMPARE(document["update"].get<int>(), 4);
}

void TrainInputsTest::theResultOpensAndIsEvaluated() {
    const QString model = TinyTraining::text(RunPaths{m_tiny->run("base")}.model());
    const Finished described = runWorkerProgram({"describe", model, "--json"});
    QVERIFY2(described.status == 0, described.err.c_str());
    const QString out = TinyTraining::text(place() / "evaluated");
    const Finished ended =
        runWorkerProgram({"evaluate", "--model", model, "--data", TinyTraining::text(m_corpus->folder()), "--split",
                   "dev", "--out", out, "--max-tokens", "10", "--json"});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    const auto document = nlohmann::json::parse(ended.out);
    QCOMPARE(document["utterances"].size(), std::size_t(3));
    QVERIFY(document["wer"].is_number() && document["bleu"].is_number() && document["nll"].is_number());
    QVERIFY(document == readStrictObject(place() / "evaluated" / "evaluation.json", "test"));
    const std::string references = readSmallFile(place() / "evaluated" / "references.txt", "test");
    QCOMPARE(std::count(references.begin(), references.end(), '\n'), std::ptrdiff_t(3));

    const Finished analysed =
        runWorkerProgram({"analyse", "--model", model, TinyTraining::text(m_corpus->utterances("dev")[0].audio),
                   "--out", out, "--json"});
    QVERIFY2(analysed.status == 0, analysed.err.c_str());
    const auto layers = nlohmann::json::parse(analysed.out)["utterances"][0]["layers"];
    QCOMPARE(layers.size(), std::size_t(2));
    QVERIFY(layers[1]["rebuildError"].get<double>() < 1e-4);

    const Finished none = runWorkerProgram({"evaluate", "--model", model, "--data",
                                  TinyTraining::text(m_corpus->folder()), "--split", "tst", "--out", out});
    QCOMPARE(none.status, 1);
    QVERIFY2(none.says("dev"), none.err.c_str()); // the splits that there are
}

void TrainInputsTest::startingFromACheckpointTakesItsWeights() {
    const QStringList one{"--set", "length.maxUpdates=1", "--set", "validation.everyUpdates=1"}; // with a learning rate of 0
    const auto expectWeightsOf = [&](const std::string& run, const std::string& checkpoint) {
        const Safetensors model(RunPaths{m_tiny->run(run)}.model() / "model.safetensors"),
            source(RunPaths{m_tiny->run("base")}.checkpoints() / checkpoint);
        QVERIFY(!model.names().empty());
        for (const std::string& name : model.names())
            QVERIFY2(std::ranges::equal(model.tensor(name).bytes, source.tensor(name).bytes), name.c_str());
    };
    const QString base = TinyTraining::text(m_tiny->run("base"));
    const Finished ended = train("branch", one + QStringList{"--start-from", base + "@2"});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    expectWeightsOf("branch", "step-000002.safetensors");
    const Safetensors start(m_tiny->run("base") / "branches/step-000002/model.safetensors"),
        source(RunPaths{m_tiny->run("base")}.checkpoints() / "step-000002.safetensors");
    for (const char* ofCtc : {"ctc.weight", "ctc.bias"}) // which the architecture does not have: training added it
        QVERIFY2(std::ranges::equal(start.tensor(ofCtc).bytes, source.tensor(ofCtc).bytes), ofCtc);
    QVERIFY2(!ended.says("random weights"), ended.err.c_str());
    // An older version left it out: it is made anew.
    fs::copy_file(RunPaths{m_tiny->run("base")}.architecture(), m_tiny->run("base") / "branches/step-000002/architecture.json", fs::copy_options::overwrite_existing);
    const Finished again = train("again", one + QStringList{"--start-from", base + "@2"});
    QVERIFY2(again.status == 0 && !again.says("random weights"), again.err.c_str());
    QCOMPARE(readRun(m_tiny->run("branch")).parent, std::string("base"));
    QCOMPARE(readRun(m_tiny->run("branch")).startFrom, (m_tiny->run("base") / "branches/step-000002").string());

    // The same of a run without a result, by the file of the checkpoint.
    const fs::path result = RunPaths{m_tiny->run("base")}.model(), aside = m_tiny->run("base") / "aside";
    fs::rename(result, aside);
    const Finished file = train("file", one + QStringList{"--start-from", base + "/checkpoints/step-000004.safetensors"});
    fs::rename(aside, result);
    QVERIFY2(file.status == 0, file.err.c_str());
    expectWeightsOf("file", "step-000004.safetensors");

    const Finished absent = train("absent", one + QStringList{"--start-from", base + "@3"});
    QCOMPARE(absent.status, 1);
    QVERIFY2(absent.says("has no checkpoint “3”. It has those of updates 2, 4."), absent.err.c_str());
    QVERIFY(!fs::exists(m_tiny->run("absent") / "run.json"));
}

void TrainInputsTest::startingFromAModelTakesItsWeights() {
    const QString model = TinyTraining::text(RunPaths{m_tiny->run("base")}.model());
    // The first update is made with a learning rate of 0: what comes out is what went in.
    const QStringList one{"--set", "length.maxUpdates=1", "--set", "validation.everyUpdates=1"};
    QCOMPARE(train("whole", one + QStringList{"--start-from", model}).status, 0);
    QVERIFY(m_tiny->weights("whole") == m_tiny->weights("base"));
    QCOMPARE(readRun(m_tiny->run("whole")).parent, std::string("base"));
    QCOMPARE(train("half", one + QStringList{"--start-from", model + ":encoder"}).status, 0);
    const Safetensors base(RunPaths{m_tiny->run("base")}.model() / "model.safetensors"),
        half(RunPaths{m_tiny->run("half")}.model() / "model.safetensors");
    for (const std::string& name : base.names()) {
        if (name.find("layer_norm") != std::string::npos || name.ends_with("bias"))
            continue; // alike at the start too
        const auto left = base.tensor(name).bytes, right = half.tensor(name).bytes;
        const bool same = std::memcmp(left.data(), right.data(), left.size()) == 0;
        QVERIFY2(same == (name.rfind("model.encoder.", 0) == 0), name.c_str());
    }
}

void TrainInputsTest::recipesWithMistakesStopBeforeAnythingIsMade() {
    for (const auto& [set, part] : {std::pair("optimiser.learnRate=1", "nearest is “optimiser.learningRate”"),
                                    {"optimiser.accumulate=0", "from 1 to 10,000"},
                                    {"machine.precision=fp32", "machine.precision=\"fp32\""},
                                    {"data.maxFrames=100000", "does not fit into a batch"}}) {
        const Finished ended = train("bad", {"--set", set});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.says(part), ended.err.c_str());
    }
    const Finished neither = train("neither", {"--set", "data.trainSplit=\"a\"", "--set", "data.validationSplit=\"b\""});
    QCOMPARE(neither.status, 1);
    QVERIFY2(neither.says("has neither the split “a” nor “b”"), neither.err.c_str());
    const Finished missing =
        runWorkerProgram({"train", "--architecture", "/nowhere/a.json", "--recipe",
                   TinyTraining::text(place() / "recipe.json"), "--data",
                   TinyTraining::text(m_corpus->folder()), "--run", TinyTraining::text(m_tiny->run("bad"))});
    QCOMPARE(missing.status, 1);
    QVERIFY2(missing.says("/nowhere/a.json") || missing.says("a.json"), missing.err.c_str());
    std::string text = readSmallFile(place() / "architecture.json", "test");
    text.replace(text.find("\"features\": 80"), 14, "\"features\": 40");
    Architecture mute = readArchitecture(place() / "architecture.json");
    mute.decoder.reset();
    mute.vocabulary = 0;
    for (const auto& [document, said] : {std::pair(text, "/given.json, frontEnd.features: Headroom computes 80 mel bins, or 83 features (80 mel bins and 3 of pitch), and 40"),
                                         {canonicalText(mute), "/given.json has neither a decoder nor a CTC output"}}) {
        std::ofstream(place() / "given.json") << document;
        const Finished ended = runWorkerProgram(m_tiny->arguments("bad").replaceInStrings("architecture.json", "given.json"));
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.says(said), ended.err.c_str());
    }
    QVERIFY(!fs::exists(m_tiny->run("bad")));
}

void TrainInputsTest::aRunStandsForItsModel() {
    const fs::path run = m_tiny->run("base");
    const Finished described = runWorkerProgram({"describe", TinyTraining::text(run), "--json"});
    QVERIFY2(described.status == 0, described.err.c_str());
    QVERIFY(nlohmann::json::parse(described.out)["model"]["folder"] == RunPaths{run}.model().string());
    const QStringList one{"--set", "length.maxUpdates=1", "--set", "validation.everyUpdates=1"};
    QCOMPARE(train("fromRun", one + QStringList{"--start-from", TinyTraining::text(run)}).status, 0);
    QVERIFY(m_tiny->weights("fromRun") == m_tiny->weights("base"));
    QCOMPARE(readRun(m_tiny->run("fromRun")).parent, std::string("base"));

    const fs::path unfinished = place() / "unfinished";
    fs::copy(run, unfinished, fs::copy_options::recursive | fs::copy_options::skip_symlinks);
    fs::remove_all(RunPaths{unfinished}.model());
    const Finished none = runWorkerProgram({"describe", TinyTraining::text(unfinished)});
    QCOMPARE(none.status, 1);
    QVERIFY2(none.says("is a run without a finished model"), none.err.c_str());
}

void TrainInputsTest::corporaWithDefectsAreTrainedOnWithASentence() {
    auto& rows = m_corpus->utterances("train");
    const auto before = rows;
    rows[0].text.clear();
    m_corpus->write("train");
    const fs::path hidden = rows[1].audio.string() + ".away";
    fs::rename(rows[1].audio, hidden);
    const Finished ended = train("defects");
    QVERIFY2(ended.status == 0, ended.err.c_str());
    QVERIFY2(ended.says("train1"), ended.err.c_str());                    // the missing recording
    QVERIFY2(ended.says("there is no text (train0)"), ended.err.c_str()); // the empty text
    const std::string log = readSmallFile(RunPaths{m_tiny->run("defects")}.log(), "test");
    QVERIFY(log.find("there is no text (train0)") != std::string::npos);
    fs::rename(hidden, rows[1].audio);

    for (Utterance& row : rows)
        row.text.clear();
    m_corpus->write("train");
    const Finished empty = train("empty");
    QCOMPARE(empty.status, 1);
    QVERIFY2(empty.says("train_asr.tsv has no utterance for “train”, task asr: "), empty.err.c_str());
    QVERIFY2(empty.says("there is no text (the first is train0)"), empty.err.c_str());
    fs::remove(m_corpus->folder() / "train_asr.tsv");
    const Finished missing = train("empty");
    QVERIFY2(missing.says("task asr: train_asr.tsv: the table is missing or cannot be read"), missing.err.c_str());
    std::ofstream(m_corpus->folder() / "train_asr.tsv") << "id\taudio\n";
    const Finished column = train("empty");
    QVERIFY2(column.says("the header lacks the column"), column.err.c_str());
    rows = before;
    m_corpus->write("train");
    const Finished split = train("empty", {"--set", "data.validationSplit=\"absent\""});
    QVERIFY2(split.status == 1 && split.says("absent"), split.err.c_str());
    QVERIFY(!fs::exists(m_tiny->run("empty"))); // none of them left a folder
    fs::create_directories(m_tiny->run("own"));
    QCOMPARE(train("own", {"--set", "data.validationSplit=\"absent\""}).status, 1);
    QVERIFY(fs::exists(m_tiny->run("own"))); // it was there before

    // A recording that is not one, found out in the middle of an epoch.
    const fs::path audio = rows[4].audio;
    const fs::path kept = audio.string() + ".away";
    fs::rename(audio, kept);
    std::ofstream(audio) << "this is not a recording, whatever its name says";
    const Finished broken = train("broken");
    QCOMPARE(broken.status, 1);
    QVERIFY2(broken.says("Utterance train4"), broken.err.c_str());
    QVERIFY(readRun(m_tiny->run("broken")).state == RunState::Failed);
    fs::remove(audio);
    fs::rename(kept, audio);
}

void TrainInputsTest::textsThatCannotBeWrittenAreRefused() {
    auto& rows = m_corpus->utterances("train");
    const auto before = rows;
    rows[3].text += " 鬱";
    m_corpus->write("train");
    const Finished ended = train("letters");
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("train3") && ended.says(" of “train” hold") && ended.says("unknown to the tokenizer"), ended.err.c_str());
    rows = before;
    m_corpus->write("train");
}

void TrainInputsTest::modelsOfAnotherShapeAreListedTensorByTensor() {
    const Finished ended =
        train("shape", {"--start-from", QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/s2t-reference")});
    QCOMPARE(ended.status, 1);
    for (const char* name :
         {"model.encoder.conv.conv_layers.0.weight", "lm_head.weight", "model.decoder.layers.0.fc1.bias"})
        QVERIFY2(ended.says(name), ended.err.c_str());
    QVERIFY(!fs::exists(RunPaths{m_tiny->run("shape")}.run()));
}

void TrainInputsTest::headsWithoutWeightsAreNamedByTheirPlace() {
    const fs::path document = place() / "architecture.json";
    const std::string before = readSmallFile(document, "test");
    std::string text = before;
    std::ofstream(document) << text.replace(text.find("2 local 5"), 9, "1 full + 1 conv 5/2");
    const Finished ended = train("heads", {"--start-from", TinyTraining::text(RunPaths{m_tiny->run("base")}.model())});
    std::ofstream(document) << before;
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("head 2 (conv 5/2) needs a convolution that the model does not have; start from random weights, or make "
                        "this head full or local.") &&
                 !ended.says("conv_k"),
             ended.err.c_str());
}

void TrainInputsTest::lossThatIsNotANumberNamesStepAndUtterances() {
    const fs::path spoilt = place() / "spoilt";
    spoil(RunPaths{m_tiny->run("base")}.model(), spoilt, "lm_head.weight", 3e38F);
    const Finished ended = train("nan", {"--start-from", TinyTraining::text(spoilt)});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("The loss of update 1 is not a finite number") &&
                 ended.says("there is no checkpoint yet") && ended.says("The utterances were train"),
             ended.err.c_str());
    const RunInfo info = readRun(m_tiny->run("nan"));
    QVERIFY(info.state == RunState::Failed);
    QVERIFY(info.error.find("update 1") != std::string::npos);
    // Evaluated, such a model had a WER of 100 %, that of texts without meaning.
    const fs::path out = place() / "scores-of-spoilt";
    const Finished evaluated = runWorkerProgram({"evaluate", "--model", TinyTraining::text(spoilt), "--data", TinyTraining::text(m_corpus->folder()),
                                                 "--split", "dev", "--out", TinyTraining::text(out)});
    QCOMPARE(evaluated.status, 1);
    QVERIFY2(evaluated.says("a loss that is not finite (NaN or infinity) for dev") && evaluated.says("so it has no scores"), evaluated.err.c_str());
    QVERIFY(!fs::exists(out / "evaluation.json"));
}

void TrainInputsTest::headsThatDoNotDivideAndWindowsWiderThanTheUtterance() {
    const auto withHeads = [&](const std::string& heads, const std::string& name) {
        m_tiny->arguments("unused");
        std::string text = readSmallFile(place() / "architecture.json", "test");
        const auto at = text.find("2 local 5");
        const fs::path file = place() / (name + ".json");
        std::ofstream(file) << text.replace(at, 9, heads);
        return runWorkerProgram({"train", "--architecture", TinyTraining::text(file), "--recipe",
                          TinyTraining::text(place() / "recipe.json"), "--data",
                          TinyTraining::text(m_corpus->folder()), "--run",
                          TinyTraining::text(m_tiny->run(name))});
    };
    const Finished thirds = withHeads("3 full", "thirds");
    QCOMPARE(thirds.status, 1);
    QVERIFY2(thirds.says("thirds.json"), thirds.err.c_str());
    const Finished wide = withHeads("2 local 99999", "wide"); // the same as full
    QVERIFY2(wide.status == 0, wide.err.c_str());
    const Finished conv = withHeads("2 conv 5/2", "conv"); // every kind is trained
    QVERIFY2(conv.status == 0, conv.err.c_str());
    const Finished even = withHeads("2 local 4", "even");
    QCOMPARE(even.status, 1);
    QVERIFY2(even.says("local 4"), even.err.c_str());
}

void TrainInputsTest::aRunIsNotWrittenTwice() {
    const Finished again = train("base");
    QCOMPARE(again.status, 1);
    QVERIFY2(again.says("already exists"), again.err.c_str());
    const Finished finished = train("base", {"--resume"});
    QCOMPARE(finished.status, 1);
    QVERIFY2(finished.says("is finished"), finished.err.c_str());
    std::ofstream(place() / "a file") << "not a folder";
    const Finished unwritable = train("a file/run");
    QCOMPARE(unwritable.status, 1);
    QVERIFY2(unwritable.says("could not be created: Not a directory"), unwritable.err.c_str());
    const FileLock lock = takeRun(m_tiny->run("taken"));
    const Finished taken = train("taken");
    QCOMPARE(taken.status, 1);
    QVERIFY2(taken.says("being written by another process"), taken.err.c_str());
}

void TrainInputsTest::otherValuesThanTheRunsAreRefused() {
    RunInfo info = readRun(m_tiny->run("base"));
    info.state = RunState::Stopped;
    writeRun(m_tiny->run("base"), info);
    const Finished ended = train("base", {"--resume", "--set", "optimiser.learningRate=0.5"});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("its optimiser.learningRate is 0.002, and 0.5 was asked for"), ended.err.c_str());
    info.state = RunState::Finished;
    writeRun(m_tiny->run("base"), info);
}

void TrainInputsTest::changedDataIsRefused() {
    QCOMPARE(train("moved").status, 0);
    RunInfo info = readRun(m_tiny->run("moved"));
    info.state = RunState::Stopped;
    writeRun(m_tiny->run("moved"), info);
    auto& rows = m_corpus->utterances("dev");
    const auto before = rows;
    rows[0].text = "my shadow hears";
    m_corpus->write("dev");
    const Finished ended = train("moved", {"--resume"});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("has changed since the run"), ended.err.c_str());
    rows = before;
    m_corpus->write("dev");
    QCOMPARE(train("moved", {"--resume"}).status, 0);
}

HEADROOM_TEST(TrainInputsTest)

} // namespace headroom::testing::train_inputs_test

#include "train_inputs_test.moc"
