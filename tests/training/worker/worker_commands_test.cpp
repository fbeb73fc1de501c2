// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <algorithm>
#include <fstream>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>
#include <set>

namespace headroom::testing::worker_commands_test {

namespace {

using Shape = std::vector<std::int64_t>;

/// 148 frames, 37 tokens.
constexpr double kSeconds = 1.5;
constexpr std::int64_t kFrames = 148, kTokens = 37, kLayers = 8, kHeads = 4, kWidth = 128;

} // namespace

class WorkerCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_audio = path("tone.wav");
        writeSound(m_audio.toStdString(), kSeconds);
        m_out = path("out");
    }

    void wrongUsageIsStatusTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList();
        QTest::newRow("an unknown command") << QStringList{"frobnicate"};
        QTest::newRow("no recording") << QStringList{"features", "--out", "x"};
        QTest::newRow("no folder") << QStringList{"features", "x.wav"};
        QTest::newRow("no model") << QStringList{"analyse", "x.wav", "--out", "x"};
        QTest::newRow("an unknown option") << QStringList{"features", "x.wav", "--out", "x", "--loud"};
        QTest::newRow("a part that ends before it begins")
            << QStringList{"analyse", "--model", "m", "x.wav", "--out", "x", "--from", "2", "--to", "1"};
        QTest::newRow("a part that begins at no number")
            << QStringList{"analyse", "--model", "m", "x.wav", "--out", "x", "--from", "nan"};
        QTest::newRow("a part without an end")
            << QStringList{"analyse", "--model", "m", "x.wav", "--out", "x", "--to", "inf"};
        QTest::newRow("a part before the beginning")
            << QStringList{"analyse", "--model", "m", "x.wav", "--out", "x", "--from", "-1"};
        QTest::newRow("too fast") << QStringList{"speak", "hello", "--out", "x.wav", "--rate", "441"};
        QTest::newRow("an unknown benchmark") << QStringList{"bench", "nonsense"};
    }

    void wrongUsageIsStatusTwo() {
        QFETCH(QStringList, arguments);
        const auto done = runWorkerProgram(arguments);
        QCOMPARE(done.status, 2);
        QVERIFY(!done.err.empty());
        QVERIFY(done.out.empty());
    }

    void helpAndVersionAreStatusZero() {
        QCOMPARE(runWorkerProgram({"--help"}).status, 0);
        QVERIFY(runWorkerProgram({"--version"}).out.starts_with("headroom-worker "));
    }

    void theGuideNamesEveryCommandThatTakesADevice() {
        QFile guide(HEADROOM_SOURCE_DIR "/resources/guide/gpus.md");
        QVERIFY(guide.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(guide.readAll()),
                      list = text.section("`cuda:K`.", 1).section("take it", 0, 0);
        std::set<QString> named, taking;
        for (auto found = QRegularExpression("`([a-z]+)`").globalMatch(list); found.hasNext();)
            named.insert(found.next().captured(1));
        const QString all = QString::fromStdString(runWorkerProgram({"--help"}).out);
        for (auto found =
                 QRegularExpression("^  ([a-z]+) ", QRegularExpression::MultilineOption).globalMatch(all);
             found.hasNext();) {
            const QString command = found.next().captured(1);
            if (runWorkerProgram({command, "--help"}).out.find("\n  --device ") != std::string::npos)
                taking.insert(command);
        }
        QVERIFY(taking.contains("analyse") && !taking.contains("features"));
        for (const QString& command : taking)
            QVERIFY2(named.contains(command), qPrintable(command));
        QCOMPARE(named.size(), taking.size());
    }

    /// OpenMP reads the variable before main(): the program starts once more with it.
    void threadsWaitWithoutSpinning() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("OMP_WAIT_POLICY");
        QProcess worker;
        worker.setProcessEnvironment(environment);
        worker.start(kWorker, {"serve"});
        QVERIFY(worker.waitForStarted());
        const auto isSet = [&] {
            QFile words("/proc/" + QString::number(worker.processId()) + "/environ");
            return words.open(QIODevice::ReadOnly) && words.readAll().split('\0').contains("OMP_WAIT_POLICY=PASSIVE");
        };
        QVERIFY(QTest::qWaitFor(isSet, 60000));
        worker.closeWriteChannel();
        QVERIFY(worker.waitForFinished(60000));
        QCOMPARE(worker.exitCode(), 0);
    }

    void featuresAreWrittenAsNpy() {
        const auto done = runWorkerProgram({"features", m_audio, "--out", m_out, "--json"});
        QCOMPARE(done.status, 0);
        const auto document = done.document();
        QCOMPARE(keysOf(document), (std::set<std::string>{"format", "version", "raw", "recordings"}));
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/features"));
        QCOMPARE(keysOf(document["recordings"][0]),
                 (std::set<std::string>{"audio", "npy", "frames", "error"}));
        QCOMPARE(document["recordings"][0]["frames"].get<std::int64_t>(), kFrames);
        const auto features = readNpy((m_out + "/tone.npy").toStdString());
        QVERIFY(features.dtype == DType::F32);
        QCOMPARE(features.shape, (Shape{kFrames, 80}));
        double sum = 0; // after CMVN every bin has mean 0
        for (const float value : toFloats(features.view()))
            sum += value;
        QVERIFY(std::abs(sum) < 0.1);
    }

    void rawFeaturesAreBeforeCmvn() {
        QCOMPARE(runWorkerProgram({"features", m_audio, "--out", m_out, "--raw"}).status, 0);
        const auto values = toFloats(readNpy((m_out + "/tone.npy").toStdString()).view());
        QVERIFY(*std::max_element(values.begin(), values.end()) > 10); // log energies of samples times 32768
    }

    void analyseWritesTheArraysOfTheContract() {
        const auto done = runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--maps"});
        QCOMPARE(done.err, done.status == 0 ? done.err : std::string());
        QCOMPARE(done.status, 0);
        const auto arrays = arraysOf((m_out + "/tone.npz").toStdString());
        std::map<std::string, std::pair<DType, Shape>> expected{
            {"features", {DType::F32, {kFrames, 80}}},
            {"token_seconds", {DType::F64, {kTokens}}},
            {"encoder_output", {DType::F32, {kTokens, kWidth}}},
        };
        for (int layer = 1; layer <= kLayers; ++layer) {
            const auto prefix = "layer." + std::to_string(layer) + ".";
            expected[prefix + "contributions"] = {DType::F32, {kTokens, kTokens}};
            expected[prefix + "contribution_profile"] = {DType::F64, {2 * kTokens - 1}};
            expected[prefix + "attention_profile"] = {DType::F64, {kHeads, 2 * kTokens - 1}};
            expected[prefix + "head_relevance"] = {DType::F32, {kTokens, kHeads}};
            expected[prefix + "rebuild_error"] = {DType::F32, {}};
            expected[prefix + "gram_error"] = {DType::F32, {}};
            expected[prefix + "attention"] = {DType::F32, {kHeads, kTokens, kTokens}};
        }
        QCOMPARE(arrays.size(), expected.size());
        for (const auto& [name, what] : expected) {
            QVERIFY2(arrays.contains(name), name.c_str());
            QVERIFY2(arrays.at(name).dtype == what.first, name.c_str());
            QVERIFY2(arrays.at(name).shape == what.second, name.c_str());
        }
        const auto rowsSumToOne = [&](const std::string& name, std::int64_t columns) {
            const auto values = toFloats(arrays.at(name).view());
            for (std::size_t row = 0; row < values.size() / static_cast<std::size_t>(columns); ++row) {
                double sum = 0;
                for (std::int64_t column = 0; column < columns; ++column)
                    sum += values[row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
                if (std::abs(sum - 1) > 1e-4)
                    return false;
            }
            return true;
        };
        QVERIFY(rowsSumToOne("layer.3.contributions", kTokens));
        QVERIFY(rowsSumToOne("layer.3.attention", kTokens));
        QVERIFY(rowsSumToOne("layer.3.head_relevance", kHeads));
        const auto seconds = toDoubles(arrays.at("token_seconds").view());
        QVERIFY(std::abs(seconds[0] - 0.0125) < 1e-12);
        QVERIFY(std::abs(seconds[10] - 0.4125) < 1e-12);
        QVERIFY(toFloats(arrays.at("layer.8.rebuild_error").view())[0] < 1e-4F);
        QVERIFY(toFloats(arrays.at("layer.8.gram_error").view())[0] < 1e-4F);
    }

    void mapsAreLeftOutUnlessAskedFor() {
        QCOMPARE(runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out}).status, 0);
        QVERIFY(!arraysOf((m_out + "/tone.npz").toStdString()).contains("layer.1.attention"));
    }

    void theDecoderIsExplainedAtWhatItWrites() {
        const auto done = runWorkerProgram(
            {"analyse", "--model", kModel, m_audio, "--out", m_out, "--decoder", "--maps", "--json"});
        QCOMPARE(done.status, 0);
        const auto arrays = arraysOf((m_out + "/tone.npz").toStdString());
        const auto& inputs = arrays.at("decoder.inputs");
        QVERIFY(inputs.dtype == DType::I64);
        const std::int64_t targets = inputs.shape.at(0);
        QVERIFY(targets >= 1);
        const auto fed = toDoubles(inputs.view()), next = toDoubles(arrays.at("decoder.outputs").view());
        QCOMPARE(fed.front(), 2.0);
        for (std::size_t t = 1; t < fed.size(); ++t)
            QCOMPARE(fed[t], next[t - 1]); // greedy: what is written is fed
        const std::string layer = "decoder.layer.2.";
        QCOMPARE(arrays.at(layer + "self.contributions").shape, (Shape{targets, targets}));
        QCOMPARE(arrays.at(layer + "self.contribution_profile").shape, (Shape{2 * targets - 1}));
        QCOMPARE(arrays.at(layer + "cross.contributions").shape, (Shape{targets, kTokens + 1}));
        QCOMPARE(arrays.at(layer + "cross.head_relevance").shape.at(0), targets);
        QCOMPARE(arrays.at(layer + "cross.attention").shape.at(2), kTokens);
        QVERIFY(!arrays.contains(layer + "cross.attention_profile"));
        const auto document = done.document();
        const auto& decoder = document["utterances"][0]["decoder"];
        QCOMPARE(decoder["targets"].get<std::int64_t>(), targets);
        for (const auto& row : decoder["layers"]) {
            QCOMPARE(keysOf(row["self"]),
                     (std::set<std::string>{"D1", "CCD", "rebuildError", "gramError", "reason"}));
            QCOMPARE(keysOf(row["cross"]),
                     (std::set<std::string>{"residual", "rebuildError", "gramError", "reason"}));
            for (const char* block : {"self", "cross"}) {
                QVERIFY(row[block]["rebuildError"].get<double>() <= 1e-4);
                QVERIFY(row[block]["gramError"].get<double>() <= 1e-5);
            }
            const double residual = row["cross"]["residual"].get<double>();
            QVERIFY(residual > 0 && residual < 1);
        }
    }

    void summaryAndJsonAreTheSameDocument() {
        const auto done = runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--json"});
        QCOMPARE(done.status, 0);
        const auto document = done.document();
        QVERIFY(document == nlohmann::json::parse(std::ifstream((m_out + "/summary.json").toStdString())));
        QCOMPARE(keysOf(document), (std::set<std::string>{"format", "version", "model", "utterances"}));
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/analysis"));
        QCOMPARE(document["version"].get<int>(), 1);
        const auto& utterance = document["utterances"][0];
        QCOMPARE(keysOf(utterance),
                 (std::set<std::string>{"audio", "npz", "frames", "tokens", "error", "layers"}));
        QCOMPARE(utterance["npz"].get<std::string>(), std::string("tone.npz"));
        QCOMPARE(utterance["tokens"].get<std::int64_t>(), kTokens);
        QVERIFY(utterance["error"].is_null());
        QCOMPARE(utterance["layers"].size(), std::size_t(kLayers));
        const auto& layer = utterance["layers"][2];
        QCOMPARE(keysOf(layer),
                 (std::set<std::string>{"layer", "D1", "CCD", "rebuildError", "gramError", "reason"}));
        QVERIFY(layer["reason"].is_null());
        QCOMPARE(layer["layer"].get<int>(), 3);
        QVERIFY(layer["D1"].get<double>() > 0 && layer["D1"].get<double>() < layer["CCD"].get<double>());
    }

    void aPartIsAnalysedOnTheRecordingsAxis() {
        const auto done = runWorkerProgram(
            {"analyse", "--model", kModel, m_audio, "--out", m_out, "--from", "0.5", "--to", "1.1"});
        QCOMPARE(done.status, 0);
        const auto arrays = arraysOf((m_out + "/tone.npz").toStdString());
        QCOMPARE(arrays.at("features").shape, (Shape{58, 80}));
        QVERIFY(std::abs(toDoubles(arrays.at("token_seconds").view())[0] - 0.5125) < 1e-12);
    }

    void aPartAfterTheEndIsABadInput() {
        const auto done =
            runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out, "--from", "9"});
        QCOMPARE(done.status, 1);
        QVERIFY(done.says("tone.wav ends at 1.50 s"));
    }

    void badInputsHaveASentenceAndTheOthersAreDone() {
        const auto text = path("notes.wav"), empty = path("empty.wav"), brief = path("brief.wav");
        writeFile(text, "this is not a recording");
        writeFile(empty, "");
        writeSound(brief.toStdString(), 0.01);
        const auto done = runWorkerProgram(
            {"analyse", "--model", kModel, text, empty, m_audio, path("nowhere.wav"), brief, "--out", m_out});
        QCOMPARE(done.status, 1);
        const auto summary = nlohmann::json::parse(std::ifstream((m_out + "/summary.json").toStdString()));
        QCOMPARE(summary["utterances"].size(), std::size_t(5));
        int index = 0;
        for (const char* name : {"notes.wav", "empty.wav", "", "nowhere.wav", "brief.wav"}) {
            const auto& utterance = summary["utterances"][static_cast<std::size_t>(index++)];
            if (*name == '\0') {
                QVERIFY(utterance["error"].is_null());
                continue;
            }
            QVERIFY(utterance["npz"].is_null() && utterance["tokens"].is_null());
            const auto sentence = utterance["error"].get<std::string>();
            QVERIFY2(sentence.find(name) != std::string::npos, sentence.c_str());
            QVERIFY2(sentence.ends_with('.'), sentence.c_str());
            QVERIFY(done.says(sentence + "\n"));
        }
        QVERIFY(QFile::exists(m_out + "/tone.npz"));
        QCOMPARE(QDir(m_out).entryList(QDir::Files | QDir::Hidden).size(), 2); // no half-written file
    }

    void collidingStemsKeepTheirWholeNames() {
        QVERIFY(QDir().mkpath(path("b")));
        const auto other = path("tone.flac"), twin = path("b/tone.wav");
        QVERIFY(QFile::copy(m_audio, other)); // the content decides, not the name
        QVERIFY(QFile::copy(m_audio, twin));
        const auto done = runWorkerProgram({"features", m_audio, other, twin, "--out", m_out});
        QCOMPARE(done.status, 1);
        QCOMPARE(QDir(m_out).entryList(QDir::Files), (QStringList{"tone.flac.npy", "tone.wav.npy"}));
        QVERIFY(done.says("b/tone.wav was left out"));
    }

    void tooLongIsRefusedWithTheLimit() {
        const auto minute = path("minute.wav");
        writeSound(minute.toStdString(), 60.1);
        const auto done = runWorkerProgram({"analyse", "--model", kModel, minute, "--out", m_out});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("minute.wav") && done.says("6,000 frames (60.02 s)") && done.says("6,008 (60.10 s)"),
                 done.err.c_str());
        QVERIFY(!QFile::exists(m_out + "/minute.npz"));
    }

    void aPartTooShortForAFrameIsNotCalledTheRecording() {
        const auto done = runWorkerProgram(
            {"analyse", "--model", kModel, m_audio, "--out", m_out, "--from", "0.5", "--to", "0.505"});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("tone.wav: the part has 80 samples"), done.err.c_str());
    }

    void anUnknownCommandIsNamed() {
        const auto done = runWorkerProgram({"frobnicate"});
        QCOMPARE(done.status, 2);
        QVERIFY2(done.says("Unknown command “frobnicate”"), done.err.c_str());
    }

    void whatIsNotThereIsSaidToBeMissing() {
        const auto done = runWorkerProgram({"describe", path("nowhere")});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("nowhere does not exist."), done.err.c_str());
        const auto score = runWorkerProgram({"score", "--reference", path("nowhere"), "--hypothesis", m_audio});
        QCOMPARE(score.status, 1);
        QVERIFY2(score.says("nowhere does not exist."), score.err.c_str());
        const auto words = runWorkerProgram({"transcribe", "--model", kModel, m_audio, "--only-words", path("nowhere")});
        QCOMPARE(words.status, 1);
        QVERIFY2(words.says("nowhere does not exist."), words.err.c_str());
        const auto folderIsSaid = [&](const QStringList& arguments, const QString& given) {
            const auto ended = runWorkerProgram(arguments);
            return ended.status == 1 && ended.says((given + QStringLiteral(" does not exist.")).toUtf8().constData());
        };
        QVERIFY(folderIsSaid({"score", "--reference", path("none/r.txt"), "--hypothesis", m_audio}, path("none/r.txt")));
        QVERIFY(folderIsSaid({"features", "none/x.wav", "--out", m_out}, QStringLiteral("none/x.wav")));
        QVERIFY(folderIsSaid({"alignments", "--data", "none/c"}, QStringLiteral("The folder none/c")));
        QVERIFY(folderIsSaid({"experiment", "none/e.json", "--out", m_out}, QStringLiteral("none/e.json"))); // “could not be read: No such file …”
        QVERIFY(folderIsSaid({"figures", "none/s"}, QStringLiteral("none/s")));
        QVERIFY(folderIsSaid({"corpus", "pieces", "--data", "none/c"}, QStringLiteral("none/c")));
        QVERIFY(folderIsSaid({"align", m_audio, "--text", "a dog", "--aligner", "none/a", "--out", m_out}, QStringLiteral("none/a/aligner.json")));
        const auto run = runWorkerProgram({"train", "--run", m_audio, "--resume"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.says("tone.wav is a file, not the folder of a run."), run.err.c_str());
    }

    void aFolderThatIsNoModelIsABadInput() {
        const auto done = runWorkerProgram({"analyse", "--model", path("."), m_audio, "--out", m_out});
        QCOMPARE(done.status, 1);
        QVERIFY(!done.err.empty() && done.out.empty());
    }

    void progressGoesToStandardErrorAsLines() {
        const auto done = runWorkerProgram({"features", m_audio, "--out", m_out});
        QVERIFY(done.says("0 of 1: tone.wav\n"));
        QCOMPARE(done.out, std::string("tone: 148 frames\n"));
    }

    void transcriptsAreNameTabText() {
        const auto done = runWorkerProgram({"transcribe", "--model", kModel, m_audio});
        QCOMPARE(done.status, 0);
        QVERIFY(done.out.starts_with("tone\t"));
        QCOMPARE(std::count(done.out.begin(), done.out.end(), '\n'), 1);
        const auto document =
            runWorkerProgram({"transcribe", "--model", kModel, m_audio, "--json"}).document();
        QCOMPARE(keysOf(document),
                 (std::set<std::string>{"format", "version", "model", "decoding", "utterances"}));
        const auto& row = document["utterances"][0];
        QCOMPARE(keysOf(row), (std::set<std::string>{"audio", "hypotheses", "error"}));
        QCOMPARE(keysOf(row["hypotheses"][0]), (std::set<std::string>{"text", "ids", "score", "tokenScores"}));
        QCOMPARE("tone\t" + row["hypotheses"][0]["text"].get<std::string>() + "\n", done.out);
    }

    void checksPassHere() {
        const auto done = runWorkerProgram({"check"});
        QVERIFY2(done.status == 0, done.out.c_str());
        QVERIFY(!done.out.empty());
        for (const auto& line : QString::fromStdString(done.out).split('\n', Qt::SkipEmptyParts))
            QVERIFY(line.startsWith("PASS  "));
        QCOMPARE(runWorkerProgram({"check", "--device", "abacus"}).status, 1);
        const auto document = runWorkerProgram({"check", "--json"}).document();
        QCOMPARE(keysOf(document), (std::set<std::string>{"format", "version", "device", "checks"}));
        QCOMPARE(keysOf(document["checks"][0]),
                 (std::set<std::string>{"name", "precision", "device", "passed", "detail"}));
    }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_audio, m_out;
};

HEADROOM_TEST(WorkerCommandsTest)

} // namespace headroom::testing::worker_commands_test

#include "worker_commands_test.moc"
