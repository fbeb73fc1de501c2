// SPDX-License-Identifier: GPL-3.0-or-later
// import, describe and bench, and what commands say of mistakes in what they are given.
#include "core/tensors/npy.h"
#include "tests/support/made_adapters.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QFile>
#include <QtTest>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace headroom::testing::worker_models_test {

namespace fs = std::filesystem;

class WorkerModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_audio = path("tone.wav");
        writeSound(m_audio.toStdString(), 1.5);
        m_out = path("out");
    }

    void whatAnImportAssumedIsSaid() {
        QVERIFY(QDir().mkpath(path("bare")));
        for (const auto& file : QDir(kModel).entryList(QDir::Files))
            if (file != "preprocessor_config.json")
                QVERIFY(QFile::copy(kModel + ("/" + file), path("bare/") + file));
        const auto imported = runWorkerProgram({"import", path("bare"), "--out", path("model"), "--json"});
        QCOMPARE(imported.status, 0);
        QVERIFY2(imported.says("bare/preprocessor_config.json is missing"), imported.err.c_str());
        QCOMPARE(imported.document()["assumed"].size(), std::size_t(1));
        QVERIFY(runWorkerProgram({"describe", path("bare")}).says("preprocessor_config.json is missing"));
    }

    /// The guide's commands name files that lie in share/headroom, where nobody looks for them.
    void whatComesWithTheProgramIsFoundByItsName() {
        const auto described = runWorkerProgram({"describe", "shim-1h4x16.json", "--json"});
        QVERIFY2(described.status == 0, described.err.c_str());
        QVERIFY(described.document()["model"].is_null());
        const auto training = runWorkerProgram(
            {"train", "--architecture", "demo-lm.architecture.json", "--recipe", "demo-lm.json", "--data", path("nowhere"), "--run", path("run")});
        QCOMPARE(training.status, 1);
        QVERIFY2(training.says("The folder " + path("nowhere").toStdString() + " does not exist."), training.err.c_str()); // not the architecture, nor the recipe
        const auto latency = runWorkerProgram({"study", "latency", "--model", "shim-1h4x16.json", "smoke.architecture.json", "--set", "lengths=[64]",
                                               "--set", "repeats=3", "--out", path("latency")});
        QVERIFY2(latency.status == 0, latency.err.c_str());
        for (const char* command : {"describe", "train", "study", "evaluate", "analyse"})
            QVERIFY2(runWorkerProgram({command, "--help"}).out.find("comes with the program, such as ") != std::string::npos, command);
        // The user's own file goes first, and a path is a path.
        const auto mine = runWorkerProgram({"describe", path("shim-1h4x16.json")});
        QVERIFY2(mine.status == 1 && mine.says("does not exist"), mine.err.c_str());
        writeFile(path("shim-1h4x16.json"), "{}");
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder->path()));
        const auto own = runWorkerProgram({"describe", "shim-1h4x16.json"});
        QVERIFY(QDir::setCurrent(before));
        QVERIFY2(own.status == 1, own.out.c_str());
    }

    void anEncoderHasNoTextWhateverLiesBesideIt() {
        const fs::path folder = path("pre-trained").toStdString();
        writeMadeAdapters(folder);
        const Safetensors whole(folder / "model.safetensors");
        std::vector<std::pair<std::string, TensorView>> kept;
        for (const std::string& name : whole.names())
            if (!name.starts_with("lm_head."))
                kept.emplace_back(name, whole.tensor(name));
        writeSafetensors(folder / "encoder.safetensors", kept);
        fs::rename(folder / "encoder.safetensors", folder / "model.safetensors");
        for (const char* language : {"eng", "xyz"})
            fs::remove(folder / ("adapter." + std::string(language) + ".safetensors"));
        auto config = nlohmann::json::parse(std::ifstream(folder / "config.json"));
        config["architectures"] = {"Wav2Vec2ForPreTraining"};
        std::ofstream(folder / "config.json") << config.dump();
        const auto done = runWorkerProgram({"transcribe", "--model", path("pre-trained"), m_audio});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("has no CTC output (no lm_head) and no decoder"), done.err.c_str());
    }

    /// No vocabulary beside it would help.
    void aModelOfPatchesLacksAnOutputAndNoTokenizer() {
        const QString folder = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/ast-small");
        const auto done = runWorkerProgram({"transcribe", "--model", folder, m_audio});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("has no CTC output and no decoder, so it writes no text."), done.err.c_str());
    }

    void anEmptyLanguageIsNoDefault() {
        const auto empty = [&](const QStringList& arguments) {
            const auto done = runWorkerProgram(arguments);
            QVERIFY2(done.status != 0 && done.says("--language"), done.err.c_str());
        };
        empty({"transcribe", "--model", kModel, m_audio, "--language", ""});
        empty({"analyse", "--model", kModel, m_audio, "--out", m_out, "--language", ""});
        empty({"evaluate", "--model", kModel, "--data", path("data"), "--split", "test", "--out", m_out, "--language", ""});
    }

    void usageMistakesEndWithTwo() {
        QCOMPARE(runWorkerProgram({"train", "--run", "x"}).status, 2);
        QCOMPARE(runWorkerProgram({"train", "--architecture", "a", "--recipe", "r", "--data", "d"}).status, 2);
        QCOMPARE(runWorkerProgram({"evaluate", "--model", "m"}).status, 2);
        QCOMPARE(runWorkerProgram({"queue"}).status, 2);
        const auto nothing = runWorkerProgram({"train", "--resume", "--run", path("nothing")});
        QCOMPARE(nothing.status, 1);
        QVERIFY2(nothing.says("does not exist"), nothing.err.c_str());
    }

    /// They were named by their whole path, and an empty folder was left.
    void whatIsMissingIsNamedAsGivenAndNothingIsLeft() {
        const auto refused = [&](const QStringList& arguments, const char* said) {
            const auto done = runWorkerProgram(arguments);
            QCOMPARE(done.status, 1);
            QVERIFY2(done.says(said) && !done.says(std::string("/") + said), done.err.c_str());
            QVERIFY(!std::filesystem::exists(m_out.toStdString()));
        };
        const QString recipes = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/smoke");
        refused({"evaluate", "--model", kModel, "--data", "none", "--split", "test", "--out", m_out}, "The folder none does not exist.");
        refused({"train", "--recipe", recipes + ".json", "--architecture", recipes + ".architecture.json", "--data", "none", "--run", m_out},
                "The folder none does not exist.");
        refused({"study", "windows", "--model", kModel, "--audio", "none.wav", "--out", m_out}, "none.wav does not exist.");
        const QString longName = path(QString(300, u'x')); // it was an internal error
        const auto unmade = runWorkerProgram({"evaluate", "--model", kModel, "--data", "none", "--split", "test", "--out", longName});
        QVERIFY2(unmade.status == 1 && unmade.says(" could not be created: ") && !unmade.says("Internal"), unmade.err.c_str());
        // Who made the folder reads there how it ended.
        std::filesystem::create_directories(m_out.toStdString());
        QCOMPARE(runWorkerProgram({"evaluate", "--model", kModel, "--data", "none", "--split", "test", "--out", m_out}).status, 1);
        QVERIFY(std::filesystem::exists(m_out.toStdString() + "/progress.json"));
    }

    void describeCountsAModel() {
        const auto done = runWorkerProgram({"describe", kModel, "--json"});
        QCOMPARE(done.status, 0);
        const auto document = done.document();
        QCOMPARE(keysOf(document),
                 (std::set<std::string>{"format", "version", "name", "source", "architecture", "parameters",
                                        "encoderParameters", "decoderParameters", "frontEndParameters",
                                        "parts", "publishedParameters", "publishedParametersWithout",
                                        "comparableParameters", "lengths", "reason", "model"}));
        QCOMPARE(document["model"]["parameters"].get<std::int64_t>(), 2448128);
        QCOMPARE(document["model"]["tensors"].get<std::int64_t>(), 190);
        QCOMPARE(document["lengths"].size(), std::size_t(6));
        QCOMPARE(keysOf(document["lengths"][0]),
                 (std::set<std::string>{"seconds", "frames", "tokens", "macs", "attentionMacs",
                                        "attentionMapBytes", "activationBytes", "parts", "layers"}));
        QCOMPARE(document["lengths"][0]["tokens"].get<std::int64_t>(), 25);
        // An architecture file says the same without weights.
        writeFile(path("architecture.json"), QByteArray::fromStdString(document["architecture"].dump()));
        const auto file = runWorkerProgram({"describe", path("architecture.json"), "--json"}).document();
        QVERIFY(file["parameters"] == document["parameters"]);
        QVERIFY(file["model"].is_null());
    }

    /// Whisper computes 30 s whatever a recording has, and an AST its own window. Longer ones are refused.
    void describeEndsAtTheWindowOfTheModel() {
        const auto folder = [](const char* family) {
            return QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/") + family;
        };
        const auto whisper =
            runWorkerProgram({"describe", folder("whisper-small"), "--json"}).document()["lengths"];
        QCOMPARE(whisper.size(), std::size_t(5));
        QCOMPARE(whisper.back()["seconds"].get<int>(), 30);
        const auto said = runWorkerProgram({"describe", folder("whisper-small")});
        QVERIFY2(said.says("Training keeps less than the maps") && said.out.find("beside the positions, which are not trained") != std::string::npos,
                 (said.out + said.err).c_str());
        const auto ast =
            runWorkerProgram({"describe", folder("ast-small"), "--json"}).document(); // less than a second
        QCOMPARE(ast["lengths"].size(), std::size_t(1));
        QCOMPARE(ast["lengths"][0]["frames"], ast["architecture"]["frontEnd"]["windowFrames"]);
        const auto shown = runWorkerProgram({"describe", folder("ast-small")});
        QVERIFY2(shown.out.find("  0.495 ") != std::string::npos &&
                     shown.out.find(" 0.495 s  (GMAC)") != std::string::npos,
                 shown.out.c_str());
    }

    /// "attention" meant the maps alone here, and the projections, too, in the window; their parameters stood beside the maps.
    void describeNamesAttentionAsTheWindowDoes() {
        const auto words = [](const std::string& text, const std::string& line) {
            std::istringstream row(text.substr(text.find('\n' + line) + 1 + line.size()));
            std::vector<std::string> found;
            std::string rest;
            std::getline(row, rest);
            std::istringstream one(rest);
            for (std::string word; one >> word;)
                found.push_back(word);
            return found;
        };
        const std::string shown = runWorkerProgram({"describe", HEADROOM_SOURCE_DIR "/resources/recipes/demo.architecture.json"}).out;
        const auto all = words(shown, "attention "), projections = words(shown, "  projections "), maps = words(shown, "  maps (scores, AV) ");
        QCOMPARE(all.size(), projections.size() + 1); // the parameters
        QCOMPARE(maps.size(), projections.size());
        for (std::size_t i = 0; i < maps.size(); ++i)
            QVERIFY2(std::abs(std::stod(all[i + 1]) - std::stod(projections[i]) - std::stod(maps[i])) < 0.0016, shown.c_str());
        QVERIFY2(shown.find("\nprojections") == std::string::npos, shown.c_str());
    }

    void describeSumsWhatItsPartsSay() {
        const QString folder = HEADROOM_SOURCE_DIR "/resources/architectures/";
        for (const char* name : {"shim-4h8x4.json", "multiformer-v1.json", "relaxed-lm-lstm.json"}) {
            const auto done = runWorkerProgram({"describe", folder + name, "--json"});
            QVERIFY2(done.status == 0, done.err.c_str());
            const auto document = done.document();
            const auto sum = [](const nlohmann::json& parts) {
                std::int64_t count = 0;
                for (const auto& part : parts)
                    count += part["count"].get<std::int64_t>();
                return count;
            };
            QCOMPARE(sum(document["parts"]), document["parameters"].get<std::int64_t>());
            for (const auto& length : document["lengths"])
                QCOMPARE(sum(length["parts"]), length["macs"].get<std::int64_t>());
        }
        const auto shim = runWorkerProgram({"describe", folder + "shim-4h8x4.json"});
        QVERIFY(QString::fromStdString(shim.out).contains(
            "24,660,000 without the front end; counted the same way 24,657,024"));
    }

    void importedModelsAnalyseAlike() {
        const auto imported = runWorkerProgram({"import", kModel, "--out", path("model"), "--json"});
        QVERIFY2(imported.status == 0, imported.err.c_str());
        const auto said = runWorkerProgram({"import", kModel, "--out", path("again")});
        QVERIFY2(said.out.find("again: 2,448,128 parameters in 190 tensors, ") != std::string::npos,
                 said.out.c_str());
        const auto document = imported.document();
        QCOMPARE(keysOf(document),
                 (std::set<std::string>{"format", "version", "source", "sourceKind", "sourceStoredAs",
                                        "model", "files", "licence", "parameters", "tensors", "storedAs",
                                        "computedAs", "hash", "assumed", "report"}));
        for (const char* file : {"architecture.json", "model.safetensors", "sentencepiece.model",
                                 "front_end.json", "provenance.json"})
            QVERIFY2(QFile::exists(path("model/") + file), file);
        QCOMPARE(
            runWorkerProgram({"analyse", "--model", path("model"), m_audio, "--out", path("own")}).status, 0);
        QCOMPARE(runWorkerProgram({"analyse", "--model", kModel, m_audio, "--out", m_out}).status, 0);
        QVERIFY(arraysOf(path("own/tone.npz").toStdString()).at("layer.5.contributions").bytes ==
                arraysOf((m_out + "/tone.npz").toStdString()).at("layer.5.contributions").bytes);
        QCOMPARE(runWorkerProgram({"transcribe", "--model", path("model"), m_audio}).out,
                 runWorkerProgram({"transcribe", "--model", kModel, m_audio}).out);
    }

    void benchmarksAreRatiosToANamedAlternative() {
        const auto done = runWorkerProgram({"bench", "filterbank", "--json"});
        QCOMPARE(done.status, 0);
        const auto document = done.document();
        QCOMPARE(keysOf(document), (std::set<std::string>{"format", "version", "rows", "training"}));
        QVERIFY(document["training"].is_null());
        QCOMPARE(keysOf(document["rows"][0]),
                 (std::set<std::string>{"benchmark", "name", "ours", "alternative", "unit", "alternativeName",
                                        "ratio", "note"}));
        QCOMPARE(document["rows"][0]["benchmark"].get<std::string>(), std::string("filterbank"));
        QVERIFY(document["rows"][0]["ratio"].get<double>() > 0);
    }

    void onlyTheNamedRowsAreMeasured() {
        const auto done = runWorkerProgram({"bench", "attention", "--quick", "--only", "4 layers, one map, H 4, N 192, forward", "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto rows = done.document()["rows"];
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0]["name"].get<std::string>(), std::string("4 layers, one map, H 4, N 192, forward"));
        QCOMPARE(rows[0]["wanted"].get<double>(), 1.5);
    }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_audio, m_out;
};

HEADROOM_TEST(WorkerModelsTest)

} // namespace headroom::testing::worker_models_test

#include "worker_models_test.moc"
