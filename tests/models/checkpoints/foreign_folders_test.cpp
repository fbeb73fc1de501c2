// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that are no model Headroom opens, and models of the newer families with one thing wrong: each is refused
// in a sentence that says what it is.
#include "core/model_folders/model_kind.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/families/family.h"
#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/weights.h"
#include "tests/models/model_folders.h"
#include "tests/support/runner.h"

namespace headroom::testing::foreign_folders_test {

using namespace headroom::models;
using nlohmann::json;

class ForeignFoldersTest : public QObject, ModelFolders {
    Q_OBJECT

    fs::path folderWith(const std::vector<std::pair<std::string, std::string>>& files) {
        const fs::path folder = fresh();
        fs::create_directories(folder);
        for (const auto& [name, text] : files)
            writeText(folder / name, text);
        return folder;
    }

private Q_SLOTS:
    void everyFamilyOfCoreIsOpenedHere() {
        std::vector<std::string> known, opened;
        for (const ModelFamily& family : modelFamilies())
            known.push_back(family.name);
        for (const Family& family : families())
            opened.push_back(family.name);
        QVERIFY(known == opened);
    }

    void foldersOfOtherProgramsSayWhatTheyAre() {
        const std::string bare = R"({"alignment_ids": []})", whisper = R"({"model_type": "whisper"})";
        refused(folderWith({{"config.json", bare}, {"model.bin", "x"}}), "model.otherFormat",
                {"CTranslate2 weights, as faster-whisper uses them (model.bin)", "Hugging Face folder"});
        refused(folderWith({{"ggml-base.gguf", "x"}}), "model.otherFormat", {"GGUF weights", "whisper.cpp"});
        refused(folderWith({{"a.nemo", "x"}, {"b.nemo", "x"}}), "model.otherFormat", {"several NeMo archives (", "open one of them"});
        refused(folderWith({{"a.nemo", "x"}}), "model.truncated", {"a.nemo is not a usable tar archive"});
        refused(folderWith({{"config.json", whisper}, {"encoder.onnx", "x"}}), "model.otherFormat", {"ONNX weights"});
        refused(folderWith({{"config.json", whisper}, {"tf_model.h5", "x"}}), "model.otherFormat",
                {"weights for TensorFlow", "in PyTorch"});
        refused(folderWith({{"config.json", whisper}}), "model.missingFile", {"model.safetensors is missing"});
        refused(folderWith({{"config.json", bare}}), "model.badConfig", {"model_type"});
        refused(folderWith({{"model_index.json", "{}"}}), "model.unsupported", {"a pipeline that generates"});
    }

    void anAdapterIsNoModel() {
        refused(folderWith({{"adapter_config.json", "{}"}, {"adapter_model.safetensors", "x"}}), "model.adapterOnly",
                {"only an adapter for another model", "Merge it"});
        // Some tools put the configuration of the model beside it.
        refused(folderWith({{"adapter_config.json", "{}"}, {"config.json", R"({"model_type": "whisper"})"}}),
                "model.adapterOnly", {"only an adapter for another model"});
    }

    void speechModelsOfOtherFamiliesSayWhatTheyNeed() {
        const auto of = [&](const char* type, const char* modelClass) {
            return folderWith({{"config.json", json{{"model_type", type}, {"architectures", {modelClass}}}.dump()}});
        };
        refused(of("clap", "ClapModel"), "model.unsupported",
                {"ClapModel", "it needs the shifted windows of patches of CLAP", "Parakeet", "AST"});
        refused(of("moonshine", "MoonshineForConditionalGeneration"), "model.unsupported",
                {"a speech model that Headroom does not open", "Moonshine"});
        refused(of("quux", "QuuxForCTC"), "model.unsupported", {"a speech model that Headroom does not open"});
        refused(of("quux", "QuuxForCausalLM"), "model.unsupported", {"a text model"});
        refused(of("quux", "QuuxForImageClassification"), "model.unsupported", {"an image model"});
        refused(of("quux", "QuuxForTextToWaveform"), "model.unsupported", {"a model that generates sound"});
        refused(of("quux", "QuuxModel"), "model.unsupported", {"a family that Headroom does not know"});
    }

    void quantisedWeightsAreNamed_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"wav2vec2", "wavlm", "whisper-small", "wav2vec2-bert-small", "parakeet-small"})
            QTest::newRow(family) << family;
    }
    void quantisedWeightsAreNamed() { // also where config.json does not say so
        QFETCH(QString, family);
        const fs::path folder = copyOf(qPrintable(family));
        std::string packed;
        editWeights(folder, [&](Named& tensors) {
            for (auto& [name, tensor] : tensors)
                if (name.find("layers.0.") != std::string::npos && name.ends_with("weight") && tensor.shape.size() == 2) {
                    packed = name;
                    const std::vector<std::int64_t> shape{tensor.shape[0], tensor.shape[1] / 4};
                    tensor = Tensor::of<std::int32_t>(
                        shape, std::vector<std::int32_t>(static_cast<std::size_t>(shape[0] * shape[1])));
                    break;
                }
            tensors.emplace_back(packed + "_scale", Tensor::of<float>({1}, std::vector<float>{1}));
        });
        refused(folder, "model.badType", {packed, "i32", "quantised", "float16"});
    }

    void defectsOfEveryFamilyAreNamedAsInTheFile_data() { quantisedWeightsAreNamed_data(); }
    void defectsOfEveryFamilyAreNamedAsInTheFile() {
        QFETCH(QString, family);
        std::string name;
        const auto spoilt = [&](auto edit) {
            const fs::path folder = copyOf(qPrintable(family));
            editWeights(folder, [&](Named& tensors) {
                const auto found = std::find_if(tensors.begin(), tensors.end(), [](const auto& tensor) {
                    return tensor.first.find("layers.1.") != std::string::npos && tensor.second.shape.size() == 2;
                });
                name = found->first;
                edit(tensors, found);
            });
            return folder;
        };
        refused(spoilt([](Named& tensors, auto found) { tensors.erase(found); }), "model.missingTensor",
                {name.empty() ? "layers.1." : name, "config.json expects"});
        refused(spoilt([](Named& tensors, auto found) { tensors.emplace_back("surplus.weight", found->second); }),
                "model.unexpectedTensor", {"surplus.weight"});
        refused(spoilt([](Named&, auto found) {
                    auto& shape = found->second.shape;
                    shape = {shape[0] * 2, shape[1] / 2};
                }),
                "model.wrongShape", {"layers.1.", " × ", "config.json expects"});
        const fs::path cut = copyOf(qPrintable(family));
        fs::resize_file(cut / "model.safetensors", fs::file_size(cut / "model.safetensors") - 100);
        refused(cut, "model.truncated", {"model.safetensors"});
    }

    void configurationsThatContradictTheirWeightsAreRefused_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("value");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* family, const char* key, int value, const char* code) {
            QTest::addRow("%s, %s", family, key) << family << key << value << code;
        };
        row("whisper-small", "encoder_layers", 3, "model.missingTensor");
        row("whisper-small", "decoder_layers", 1, "model.unexpectedTensor");
        row("whisper-small", "d_model", 32, "model.wrongShape");
        row("whisper-small", "decoder_ffn_dim", 48, "model.wrongShape");
        row("whisper-small", "num_mel_bins", 128, "model.frontEnd");
        row("whisper-small", "vocab_size", 400, "model.wrongShape");
        row("parakeet-small", "num_hidden_layers", 9, "model.missingTensor");
        row("parakeet-small", "intermediate_size", 99, "model.wrongShape");
        row("parakeet-small", "conv_kernel_size", 17, "model.wrongShape");
        row("parakeet-small", "num_mel_bins", 48, "model.frontEnd");
        row("wav2vec2-bert-small", "num_hidden_layers", 9, "model.missingTensor");
        row("wav2vec2-bert-small", "intermediate_size", 99, "model.wrongShape");
        row("wav2vec2-bert-small", "left_max_position_embeddings", 90, "model.wrongShape");
        row("wav2vec2-bert-small", "vocab_size", 400, "model.wrongShape");
    }
    void configurationsThatContradictTheirWeightsAreRefused() {
        QFETCH(QString, family);
        QFETCH(QString, key);
        QFETCH(int, value);
        QFETCH(QString, code);
        const fs::path folder = copyOf(qPrintable(family));
        editConfig(folder, [&](json& config) {
            json& place = config.contains("encoder_config") && config["encoder_config"].contains(key.toStdString())
                              ? config["encoder_config"]
                              : config;
            if (!place.contains(key.toStdString()) || place[key.toStdString()] == value)
                throw std::runtime_error("no such key, or no contradiction");
            place[key.toStdString()] = value;
        });
        // Another file of the folder may contradict it first.
        refused(folder, code.toStdString(), {code == "model.badConfig"  ? "generation_config.json"
                                             : code == "model.frontEnd" ? "preprocessor_config.json"
                                                                        : "model.safetensors"});
    }

    void aTokenizerThatDoesNotFitIsRefused() {
        const fs::path whisper = copyOf("whisper-small");
        editConfig(whisper, [](json& vocabulary) { vocabulary["surplus"] = 99999; }, "vocab.json");
        refused(whisper, "model.tokenizer", {"vocab.json"});
        const fs::path characters = copyOf("hubert-batch-norm");
        writeText(characters / "vocab.json", R"({"a": "b"})");
        refused(characters, "model.tokenizer", {"vocab.json"});
        const fs::path none = copyOf("whisper-small");
        for (const char* file : {"vocab.json", "merges.txt"})
            fs::remove(none / file);
        const auto opened = SpeechModel::open(none); // analysed without text
        QVERIFY(opened->info().tokenizer.empty());
        const auto& assumed = opened->info().report.assumed;
        QVERIFY(std::any_of(assumed.begin(), assumed.end(), [](const std::string& sentence) {
            return sentence.find("token ids have no text") != std::string::npos;
        }));
    }

    void aVocabularyWithoutBlankIsRefused() {
        for (const char* family : {"wav2vec2", "hubert-batch-norm", "wavlm", "data2vec-audio", "wav2vec2-bert-small"})
            for (const json& blank : {json(), json(100000), json("<pad>")}) {
                const fs::path folder = copyOf(family);
                editConfig(folder, [&](json& config) { config["pad_token_id"] = blank; });
                refused(folder, "model.noBlank", {"pad_token_id", "blank"});
            }
    }

    void weightsThatDoNotFitIntoMemoryAreRefusedWithBothNumbers() {
        const ModelFolder folder = describeModelFolder(copyOf("wavlm"));
        const NamedTensors weights = modelWeights(folder);
        const auto expected = expectedTensors(folder.architecture, folder.tied);
        const std::int64_t needed = bytesToLoad(weights, expected);
        std::int64_t numbers = 0;
        for (const ExpectedTensor& tensor : expected)
            numbers += weights.tensor(tensor.name).elementCount();
        QVERIFY(needed > 4 * numbers && needed < 8 * numbers);
        refuseWeightsThatDoNotFit(needed, "x/model.safetensors", needed);
        refuseWeightsThatDoNotFit(needed, "x/model.safetensors", -1); // not known
        try {
            refuseWeightsThatDoNotFit(needed, "x/model.safetensors", needed - 1);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.memory"));
            QVERIFY(error.values()["needed"] == needed && error.values()["free"] == needed - 1);
            QVERIFY(std::string(error.what()).starts_with("Opening x/model.safetensors needs "));
        }
    }

    void aSnapshotHasTheNameOfItsRepository() {
        const fs::path repository = fresh() / "models--facebook--wav2vec2-base-960h", snapshot =
                                                                                          repository / "snapshots/abc";
        fs::create_directories(repository / "blobs");
        fs::create_directories(snapshot);
        for (const auto& entry : fs::directory_iterator(copyOf("wav2vec2"))) {
            fs::rename(entry, repository / "blobs" / entry.path().filename());
            fs::create_symlink(fs::path("../../blobs") / entry.path().filename(), snapshot / entry.path().filename());
        }
        QCOMPARE(SpeechModel::open(snapshot)->info().name, std::string("wav2vec2-base-960h"));
        QCOMPARE(SpeechModel::open(snapshot / "model.safetensors")->info().name, std::string("wav2vec2-base-960h"));
        QCOMPARE(SpeechModel::open(repository)->info().name, std::string("wav2vec2-base-960h")); // its only snapshot
        fs::create_directories(repository / "snapshots/def");
        refused(repository, "model.notAModel", {"refs/main names none of the folders in snapshots"});
        fs::remove(snapshot / "model.safetensors");
        refused(snapshot, "model.missingFile", {"wav2vec2-base-960h/model.safetensors is missing"});
    }
};

HEADROOM_TEST(ForeignFoldersTest)

} // namespace headroom::testing::foreign_folders_test

#include "foreign_folders_test.moc"
