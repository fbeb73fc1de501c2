// SPDX-License-Identifier: GPL-3.0-or-later
// Every command on another device than the CPU, without a GPU: far_device.cpp adds to torch a device that refuses tensors of
// the CPU, and whose numbers are the CPU's.
#include "core/studies/study.h"
#include "core/tensors/safetensors.h"
#include "tests/support/runner.h"
#include "tests/training/worker/far_device.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>

#include <cstring>

namespace headroom::testing::other_device_test {

namespace fs = std::filesystem;

class OtherDeviceTest : public QObject {
    Q_OBJECT

    FarOutcome onFarDevice(const QStringList& arguments) const { return testing::onFarDevice(m_place.filePath("device.log"), arguments); }

    static std::string read(const fs::path& file) { return readSmallFile(file, "test"); }

    static std::vector<float> floatsOf(const TensorView& view) {
        std::vector<float> values(view.bytes.size() / sizeof(float));
        std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
        return values;
    }

    /// The largest difference of any weight of two runs' models. Biases of keys are left out: softmax takes no notice of
    /// them, so their gradient is rounding, which Adam makes as large as any other.
    double weightDifference(const std::string& a, const std::string& b) const {
        const Safetensors left(RunPaths{m_tiny->run(a)}.model() / "model.safetensors"),
            right(RunPaths{m_tiny->run(b)}.model() / "model.safetensors");
        double difference = 0;
        for (const std::string& name : left.names()) {
            if (name.ends_with("k_proj.bias"))
                continue;
            const auto x = floatsOf(left.tensor(name)), y = floatsOf(right.tensor(name));
            if (x.size() != y.size())
                return INFINITY;
            for (std::size_t i = 0; i < x.size(); ++i)
                difference = std::max(difference, static_cast<double>(std::abs(x[i] - y[i])));
        }
        return difference;
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;

private Q_SLOTS:
    void initTestCase() {
        const fs::path place = m_place.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 8, 3);
        m_tiny = std::make_unique<TinyTraining>(place, m_corpus->folder());
        m_tiny->recipe.length.maxUpdates = 6;
        m_tiny->recipe.validation.everyUpdates = 3;
        const std::string head = R"({ "format": "headroom/architecture", "version": 1, "name": "tiny", "source": "a test", )";
        const std::string encoder = R"("width": 16, "feedForward": 24, "norm": "pre", "positions": "sinusoidal", "queryKeyValueBias": true,
            "dropout": 0.1, "attentionDropout": 0.1, "layers": [ { "heads": "2 full" }, { "heads": "2 local 5" } ] },
            "decoder": null, "ctc": 256, "vocabulary": 0 })";
        std::ofstream(place / "conformer.json") << head << R"("frontEnd": { "kind": "conv1d", "features": 80, "channels": 16,
            "kernels": [3, 3], "strides": [2, 2], "activation": "relu", "norm": "batch" }, "encoder": { "kind": "conformer",
            "activation": "swish", "convolution": { "kernel": 7, "norm": "batch" }, )" << encoder;
        std::ofstream(place / "waveform.json") << head << R"("frontEnd": { "kind": "waveform", "channels": [8, 8, 8],
            "kernels": [10, 8, 8], "strides": [5, 8, 8], "norm": "layer" }, "encoder": { "kind": "transformer",
            "activation": "gelu", )" << encoder;
        std::ofstream(place / "language.json") << head << R"("languageModel": { "kind": "transformer", "layers": 2, "width": 16,
            "feedForward": 24, "selfAttention": "2 masked", "dropout": 0.1, "attentionDropout": 0.1 }, "vocabulary": 256 })";
        fs::create_directories(place / "texts");
        fs::copy_file(m_corpus->folder() / corpusTokenizerName("asr"), place / "texts/lm.sentencepiece.model");
        for (const char* split : {"train", "dev"}) {
            std::ofstream texts(place / "texts" / (std::string(split) + "_lm.txt"));
            for (const Utterance& utterance : m_corpus->utterances(split))
                texts << utterance.text << "\n";
        }
    }

    void trainingGivesTheWeightsOfTheCpu() {
        QCOMPARE(runWorkerProgram(m_tiny->arguments("cpu")).status, 0);
        const FarOutcome far = onFarDevice(m_tiny->arguments("far"));
        QVERIFY2(far.status == 0, far.err.c_str());
        QVERIFY(weightDifference("cpu", "far") < 2e-5);
        QCOMPARE(readRun(m_tiny->run("far")).decided.device, std::string("privateuseone:0"));
        QCOMPARE(readRun(m_tiny->run("cpu")).decided.device, std::string("cpu"));
    }

    /// What our kernels alone can do is left out.
    void everyCheckPassesThere() {
        const FarOutcome far = onFarDevice({"check"});
        QVERIFY2(far.status == 0, (far.out + far.err).c_str());
        const QStringList rows = QString::fromStdString(far.out).split('\n', Qt::SkipEmptyParts);
        QVERIFY2(rows.size() > 100, far.out.c_str());
        for (const QString& row : rows)
            QVERIFY2(row.startsWith("PASS  ") && row.contains(", privateuseone:0: "), qPrintable(row));
    }

    void noiseOnTheWeightsIsThatOfTheCpu() {
        const Recipe before = m_tiny->recipe;
        m_tiny->recipe.optimiser.weightNoise = 0.05;
        m_tiny->recipe.optimiser.warmupUpdates = 2;
        const Finished here = runWorkerProgram(m_tiny->arguments("noisy"));
        const FarOutcome there = onFarDevice(m_tiny->arguments("noisy there"));
        m_tiny->recipe.optimiser.weightNoise = 0;
        const Finished plain = runWorkerProgram(m_tiny->arguments("not noisy"));
        m_tiny->recipe = before;
        QVERIFY2(here.status == 0 && there.status == 0 && plain.status == 0, (here.err + there.err + plain.err).c_str());
        QVERIFY(weightDifference("noisy", "noisy there") < 2e-5);
        QVERIFY(weightDifference("noisy", "not noisy") > 1e-3);
    }

    /// Rank 0 starts the others, and they compute where it does.
    void severalRanksTrainOnTheDevice() {
        QVERIFY2(fs::exists(m_tiny->run("cpu")), "needs trainingGivesTheWeightsOfTheCpu");
        const fs::path document = fs::path(m_place.path().toStdString()) / "architecture.json";
        const std::string before = read(document);
        std::string text = before; // each rank draws its own dropout
        for (const char* key : {"\"dropout\": 0.1", "\"attentionDropout\": 0.1"})
            text.replace(text.find(key), std::strlen(key), std::string(key, std::strlen(key) - 3) + "0");
        std::ofstream(document) << text;
        const Finished one = runWorkerProgram(m_tiny->arguments("one"));
        const FarOutcome two = onFarDevice(m_tiny->arguments("two", {"--ranks", "2"}));
        std::ofstream(document) << before;
        QVERIFY2(one.status == 0, one.err.c_str());
        QVERIFY2(two.status == 0, two.err.c_str());
        QVERIFY(weightDifference("one", "two") < 2e-5);
    }

    /// An update waits for the device once for the loss of each of its batches and once for the norm of the gradient.
    void anUpdateWaitsForFewNumbers() {
        const auto counts = [&](const char* name, std::int64_t updates) {
            Recipe recipe = m_tiny->recipe;
            std::swap(recipe, m_tiny->recipe);
            m_tiny->recipe.length.maxUpdates = updates;
            m_tiny->recipe.validation.everyUpdates = m_tiny->recipe.checkpoints.everyUpdates = 100;
            const FarOutcome outcome = onFarDevice(m_tiny->arguments(name));
            std::swap(recipe, m_tiny->recipe);
            return outcome;
        };
        const FarOutcome four = counts("four", 4), eight = counts("eight", 8);
        QVERIFY2(four.status == 0 && eight.status == 0, (four.err + eight.err).c_str());
        const long waits = eight.counted.at("fetched") + eight.counted.at("reads") - four.counted.at("fetched") -
                           four.counted.at("reads");
        const long batches = m_tiny->recipe.optimiser.accumulate;
        qInfo("%ld waits in 4 updates of %ld batches", waits, batches);
        QVERIFY(waits <= 4 * (batches + 1));
    }

    /// On a GPU a small batch is bound by what is launched. Counted with our kernels; the norms of the gradients are a launch for each
    /// parameter here.
    void anUpdateLaunchesFewOperations() {
        const auto launched = [&](const char* name, std::int64_t updates) {
            const Recipe before = m_tiny->recipe;
            m_tiny->recipe.length.maxUpdates = updates;
            m_tiny->recipe.validation.everyUpdates = m_tiny->recipe.checkpoints.everyUpdates = m_tiny->recipe.machine.logEvery = 100;
            const QStringList arguments = m_tiny->arguments(name);
            m_tiny->recipe = before;
            const FarOutcome outcome = testing::onFarDevice(m_place.filePath("device.log"), arguments, {"FAR_DEVICE_KERNELS=1"});
            return outcome.status == 0 ? outcome.counted.at("launched") : -1;
        };
        const long two = launched("launches of two", 2), four = launched("launches of four", 4);
        QVERIFY(two > 0 && four > two);
        qInfo("%ld launches in an update of %ld batches", (four - two) / 2, static_cast<long>(m_tiny->recipe.optimiser.accumulate));
        QVERIFY((four - two) / 2 <= 850);
    }

    void betweenLinesOfTheLogNothingWaits_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("aside"); // copies of a batch on the second stream
        QTest::addColumn<int>("sums");  // of an update, which go through the CPU here and through NCCL on a GPU
        const int batches = static_cast<int>(m_tiny->recipe.optimiser.accumulate);
        constexpr int kNorms = 4; // two in the front end, one in each layer
        QTest::newRow("speech to text") << "architecture" << "fp32" << 1 << 1 << 0;
        QTest::newRow("bfloat16") << "architecture" << "bf16" << 1 << 1 << 0;
        QTest::newRow("BatchNorm") << "conformer" << "fp32" << 1 << 1 << 0;
        QTest::newRow("samples") << "waveform" << "fp32" << 1 << 1 << 0;
        QTest::newRow("scheduled sampling") << "architecture" << "fp32" << 1 << 1 << 0;
        QTest::newRow("language model") << "language" << "fp32" << 1 << 0 << 0;
        // One bucket of gradients, and which parameters were used.
        QTest::newRow("two ranks") << "architecture" << "fp32" << 2 << 1 << 2;
        QTest::newRow("two ranks, BatchNorm") << "conformer" << "fp32" << 2 << 1 << 2 + 2 * batches * kNorms;
    }
    /// Numbers stay there, and batches go there from pinned memory on a second stream.
    void betweenLinesOfTheLogNothingWaits() {
        QFETCH(QString, architecture);
        QFETCH(QString, precision);
        QFETCH(int, ranks);
        QFETCH(int, aside);
        QFETCH(int, sums);
        const auto counts = [&](std::int64_t updates) {
            const Recipe before = m_tiny->recipe;
            Recipe& recipe = m_tiny->recipe;
            recipe.length.maxUpdates = updates;
            recipe.validation.everyUpdates = recipe.checkpoints.everyUpdates = recipe.machine.logEvery = 100;
            recipe.machine.precision = precision.toStdString();
            if (QByteArray(QTest::currentDataTag()) == "scheduled sampling")
                recipe.loss.scheduledSampling = "0.5";
            const bool isLanguage = architecture == "language";
            if (isLanguage) {
                recipe.task = "lm";
                recipe.loss.ctcWeight = 0;
                recipe.validation.best = "loss";
                recipe.data.minFrames = 1;
                recipe.data.maxBatchFrames = recipe.data.maxFrames = 20;
            }
            const std::string name = "quiet " + std::string(QTest::currentDataTag()) + std::to_string(updates);
            QStringList arguments = m_tiny->arguments(name, {"--ranks", QString::number(ranks)});
            m_tiny->recipe = before;
            arguments[arguments.indexOf("--architecture") + 1] = m_place.filePath(architecture + ".json");
            if (isLanguage)
                arguments[arguments.indexOf("--data") + 1] = m_place.filePath("texts");
            return onFarDevice(arguments);
        };
        const FarOutcome four = counts(4), eight = counts(8);
        QVERIFY2(four.status == 0 && eight.status == 0, (four.err + eight.err).c_str());
        const auto more = [&](const char* what) { return eight.counted.at(what) - four.counted.at(what); };
        const long batches = m_tiny->recipe.optimiser.accumulate;
        QCOMPARE(more("aside"), 4 * batches * aside);
        QCOMPARE(more("reads"), 0L);
        QCOMPARE(more("fetched"), 4L * sums); // all others are read together, at the end
        QCOMPARE(more("waited"), 4L * sums);  // the way back
    }

    /// Reading at every update or at none makes no difference to the weights.
    void whenNumbersAreReadIsNoMatter() {
        QVERIFY2(fs::exists(m_tiny->run("quiet speech to text4")), "needs betweenLinesOfTheLogNothingWaits");
        const double apart = weightDifference("four", "quiet speech to text4"); // which read every update
        QVERIFY2(apart == 0, std::to_string(apart).c_str());
    }

    /// Though it is read updates later. What both learn from has weights as large as a number can be.
    void aLossThatIsNotFiniteNamesItsUpdate() {
        const fs::path spoilt = fs::path(m_place.path().toStdString()) / "spoilt";
        fs::copy(RunPaths{m_tiny->run("cpu")}.model(), spoilt, fs::copy_options::recursive);
        const std::vector<float> huge(1000, 3e38F);
        std::fstream file(spoilt / "model.safetensors", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-static_cast<std::streamoff>(huge.size() * sizeof(float)), std::ios::end);
        file.write(reinterpret_cast<const char*>(huge.data()), static_cast<std::streamsize>(huge.size() * sizeof(float)));
        file.close();
        Recipe recipe = m_tiny->recipe;
        std::swap(recipe, m_tiny->recipe);
        m_tiny->recipe.validation.everyUpdates = m_tiny->recipe.checkpoints.everyUpdates = m_tiny->recipe.machine.logEvery = 100;
        const QStringList from{"--start-from", TinyTraining::text(spoilt)};
        const Finished here = runWorkerProgram(m_tiny->arguments("wild", from));
        const FarOutcome there = onFarDevice(m_tiny->arguments("wild-there", from)),
                      two = onFarDevice(m_tiny->arguments("wild-two", from + QStringList{"--ranks", "2"}));
        std::swap(recipe, m_tiny->recipe);
        QVERIFY2(here.status == 1 && there.status == 1, (here.err + there.err).c_str());
        const std::string expected = readRun(m_tiny->run("wild")).error, found = readRun(m_tiny->run("wild-there")).error;
        QVERIFY2(expected.find(" is not a finite number; there is no checkpoint yet.") != std::string::npos, expected.c_str());
        QCOMPARE(found, expected);
        // Of two ranks each names its part of the batch.
        QCOMPARE(two.status, 1);
        const auto parts = [](const std::string& sentence) {
            QStringList ids = QString::fromStdString(sentence).section("The utterances were ", 1).chopped(1).split(", ");
            ids.sort();
            return QString::fromStdString(sentence).section("The utterances were ", 0, 0) + ids.join(' ');
        };
        QCOMPARE(parts(readRun(m_tiny->run("wild-two")).error), parts(expected));
    }

    void whatWasTrainedThereIsReadHere() {
        const QString model = TinyTraining::text(RunPaths{m_tiny->run("far")}.model());
        const QString sound = TinyTraining::text(m_corpus->folder() / "audio/dev0.wav");
        QCOMPARE(runWorkerProgram({"transcribe", "--model", model, sound}).out,
                 onFarDevice({"transcribe", "--model", model, sound}).out);
    }

    void whatAnalyseWritesIsThatOfTheCpu_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("alone") << QStringList{};
        const QString measures = "attention,attention-norm,contributions,alti,value-zeroing,rollout-attention,rollout-alti";
        QTest::newRow("maps, states and measures of tokens") << QStringList{"--maps", "--states", "--mixing", measures};
        for (const char* units : {"phones", "words"})
            QTest::newRow(units) << QStringList{"--mixing", measures, "--units", units};
    }
    void whatAnalyseWritesIsThatOfTheCpu() {
        QFETCH(QStringList, options);
        const QString sound = m_place.filePath("sound.wav"), here = m_place.filePath("here"), there = m_place.filePath("there");
        for (const QString& folder : {here, there})
            QDir(folder).removeRecursively();
        writeSound(sound.toStdString(), 1.3);
        std::ofstream(m_place.filePath("sound.TextGrid").toStdString())
            << "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n1.3\n<exists>\n2\n"
               "\"IntervalTier\"\n\"words\"\n0\n1.3\n2\n0\n0.6\n\"one\"\n0.6\n1.3\n\"two\"\n"
               "\"IntervalTier\"\n\"phones\"\n0\n1.3\n3\n0\n0.3\n\"a\"\n0.3\n0.6\n\"b\"\n0.6\n1.3\n\"c\"\n";
        const auto arguments = [&](const QString& out) { return QStringList{"analyse", "--model", kModel, sound, "--out", out} + options; };
        const Finished near = runWorkerProgram(arguments(here));
        QVERIFY2(near.status == 0, near.err.c_str());
        const FarOutcome far = onFarDevice(arguments(there));
        QVERIFY2(far.status == 0, far.err.c_str());
        int compared = 0;
        for (const auto& entry : fs::recursive_directory_iterator(here.toStdString())) {
            if (entry.path().extension() != ".npz")
                continue;
            const auto expected = arraysOf(entry.path().string());
            const auto found = arraysOf((fs::path(there.toStdString()) / fs::relative(entry.path(), here.toStdString())).string());
            QCOMPARE(found.size(), expected.size());
            for (const auto& [name, tensor] : expected) {
                QVERIFY2(found.at(name).shape == tensor.shape, name.c_str());
                const auto x = toFloats(tensor.view()), y = toFloats(found.at(name).view());
                for (std::size_t i = 0; i < x.size(); ++i)
                    if (std::isfinite(x[i]) || std::isfinite(y[i]))
                        QVERIFY2(std::abs(x[i] - y[i]) <= 1e-5 * std::max(1.0, std::abs(static_cast<double>(x[i]))),
                                 name.c_str());
                ++compared;
            }
        }
        QVERIFY(compared > 5);
    }

    void evaluatingGivesTheSameTextsAndScores() {
        const QString model = TinyTraining::text(RunPaths{m_tiny->run("cpu")}.model());
        const QStringList arguments{"evaluate", "--model", model, "--data", TinyTraining::text(m_corpus->folder()),
                                    "--split", "dev", "--beam", "3", "--n-best", "2", "--max-tokens", "6", "--json", "--out"};
        const Finished near = runWorkerProgram(arguments + QStringList{m_place.filePath("evaluated here")});
        QVERIFY2(near.status == 0, near.err.c_str());
        const FarOutcome far = onFarDevice(arguments + QStringList{m_place.filePath("evaluated there")});
        QVERIFY2(far.status == 0, far.err.c_str());
        const auto here = near.document()["utterances"], there = nlohmann::json::parse(far.out)["utterances"];
        QCOMPARE(here.size(), std::size_t(3));
        for (std::size_t i = 0; i < here.size(); ++i) {
            QCOMPARE(there[i]["hypothesis"].get<std::string>(), here[i]["hypothesis"].get<std::string>());
            QVERIFY(std::abs(there[i]["hypotheses"][0]["score"].get<double>() -
                             here[i]["hypotheses"][0]["score"].get<double>()) < 1e-5);
        }
    }

    void aStudyGivesTheSameStatistics() {
        const auto arguments = [&](const char* where) {
            return QStringList{"study", "windows", "--model", kModel, "--data", TinyTraining::text(m_corpus->folder()),
                               "--split", "dev", "--cache", m_place.filePath(QString("cache ") + where), "--out",
                               m_place.filePath(QString("studied ") + where)};
        };
        const Finished near = runWorkerProgram(arguments("here"));
        QVERIFY2(near.status == 0, near.err.c_str());
        const FarOutcome far = onFarDevice(arguments("there"));
        QVERIFY2(far.status == 0, far.err.c_str());
        const auto here = readStudyArrays(m_place.filePath("studied here").toStdString()),
                   there = readStudyArrays(m_place.filePath("studied there").toStdString());
        const auto x = toDoubles(here.at("1.statistic").view()), y = toDoubles(there.at("1.statistic").view());
        QCOMPARE(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            QVERIFY(std::abs(x[i] - y[i]) < 1e-3);
    }

    void aDeviceThatIsNotThereIsASentence() {
        const Finished refused = runWorkerProgram({"transcribe", "--model", kModel, "x.wav", "--device", "privateuseone:0"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("Torch cannot compute on privateuseone:0: "), refused.err.c_str());
    }
};

HEADROOM_TEST(OtherDeviceTest)

} // namespace headroom::testing::other_device_test

#include "other_device_test.moc"
