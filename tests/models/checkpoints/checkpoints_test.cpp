// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/runs/run_folder.h"
#include "core/tensors/sha256.h"
#include "models/checkpoints/tensor_names.h"
#include "tests/models/model_folders.h"
#include "tests/support/runner.h"

namespace headroom::testing::checkpoints_test {

using namespace headroom::models;

namespace {

constexpr const char* kSmallConfig = R"({"model_type": "speech_to_text", "d_model": 256, "encoder_layers": 12,
  "decoder_layers": 6, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 2048,
  "decoder_ffn_dim": 2048, "conv_channels": 1024, "conv_kernel_sizes": [5, 5], "num_conv_layers": 2,
  "input_feat_per_channel": 80, "input_channels": 1, "vocab_size": 8000, "activation_function": "relu",
  "max_source_positions": 6000, "max_target_positions": 1024, "scale_embedding": true, "dropout": 0.1,
  "attention_dropout": 0.1, "tie_word_embeddings": false, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2,
  "decoder_start_token_id": 2, "model_max_length": 1000000000000000019884624838656})";

} // namespace

class CheckpointsTest : public QObject, ModelFolders {
    Q_OBJECT
private Q_SLOTS:
    void s2tSmallHasItsTensorsAndParameters() { // O17
        const fs::path folder = fresh();
        fs::create_directories(folder);
        writeText(folder / "config.json", kSmallConfig);
        // The shapes of s2t_transformer_s; every tensor borrows one buffer of
        // small halves.
        Architecture architecture;
        architecture.encoder.layers.assign(12, {parseHeads("4 full")});
        architecture.decoder.emplace();
        architecture.vocabulary = 8000;
        std::vector<std::byte> halves(2 * 8000 * 256);
        for (std::size_t i = 0; i < halves.size(); i += 2) {
            halves[i] = static_cast<std::byte>(i * 31 % 251);
            halves[i + 1] = static_cast<std::byte>(0x24 | (i * 7 % 2 ? 0x80 : 0)); // about ±0.02
        }
        std::vector<std::pair<std::string, TensorView>> tensors;
        for (const ExpectedTensor& tensor : expectedTensors(architecture, false)) {
            TensorView view{DType::F16, tensor.shape, {}};
            view.bytes = std::span(halves).first(static_cast<std::size_t>(view.elementCount()) * 2);
            tensors.emplace_back(tensor.name, view);
        }
        writeSafetensors(folder / "model.safetensors", tensors);

        const auto model = SpeechModel::open(folder);
        QCOMPARE(model->info().tensors, 358);
        QCOMPARE(model->info().parameters, 31'072'256);
        QCOMPARE(model->info().report.loaded.size(), std::size_t(358));
        QVERIFY(model->info().report.missing.empty());
        QVERIFY(model->info().report.unexpected.empty());
        QCOMPARE(parameterCosts(model->info().architecture).parameters, 31'072'256);
        QCOMPARE(parameterCosts(model->info().architecture).encoderParameters, 17'503'232);
        QCOMPARE(model->encode(testing::madeFeatures(98)).rows(), std::size_t(25));
    }

    /// A message named it “2026-11-29T09-18_…”, which stands in no list.
    void theResultOfARunIsCalledAsItsRun() {
        const fs::path run = fresh();
        fs::create_directories(run);
        fs::rename(copyOfDemo(), run / "model");
        RunInfo about;
        about.id = run.filename().string();
        about.seed = 7;
        writeRun(run, about);
        writeText(RunPaths{run}.name(), "my first run");
        QCOMPARE(SpeechModel::open(run / "model")->info().name, std::string("my first run, seed 7"));
        fs::remove(RunPaths{run}.run());
        QCOMPARE(SpeechModel::open(run / "model")->info().name, run.filename().string());
    }

    void referenceModelTellsWhatItIs() {
        const auto model = SpeechModel::open(testing::referenceModel());
        const ModelInfo& info = model->info();
        QCOMPARE(info.name, std::string("s2t-reference"));
        QCOMPARE(info.tensors, 190);
        QCOMPARE(info.parameters, 2'448'128);
        QCOMPARE(info.parameters, parameterCosts(info.architecture).parameters);
        QCOMPARE(info.storedAs, std::string("float16 safetensors"));
        QCOMPARE(info.maxSourceFrames, 6000);
        QCOMPARE(info.clock.centre(Tokens(1)).value(), 0.0525);
        QCOMPARE(info.weightsHash, sha256OfFile(testing::referenceModel() / "model.safetensors"));
        QCOMPARE(info.tokenizer.filename().string(), std::string("sentencepiece.bpe.model"));
        QCOMPARE(info.architecture, parseArchitecture(canonicalText(info.architecture), "canonical text"));
        QVERIFY(SpeechModel::open(testing::referenceModel() / "")->info().name == "s2t-reference");
    }

    void tablesOfPositionsAreIgnored() {
        const fs::path folder = copyOfDemo();
        editWeights(folder, [](Named& tensors) {
            const std::vector<float> table(128 * 8, 0.5F);
            tensors.emplace_back("model.encoder.embed_positions.weights", Tensor::of<float>({8, 128}, table));
            tensors.emplace_back("model.decoder.embed_positions.weights", Tensor::of<float>({8, 128}, table));
        });
        QCOMPARE(SpeechModel::open(folder)->info().tensors, 190);
    }

    void everyPrecisionIsComputedInFloat32() {
        const fs::path folder = copyOfDemo();
        const Matrix<float> features = testing::madeFeatures(60);
        const Matrix<float> expected = SpeechModel::open(folder)->encode(features);
        editWeights(folder, [](Named& tensors) {
            bool inDouble = false;
            for (auto& [name, tensor] : tensors) {
                inDouble = !inDouble;
                if (inDouble)
                    tensor = Tensor::of<double>(tensor.shape, toDoubles(tensor.view()));
                else
                    tensor = Tensor::of<float>(tensor.shape, toFloats(tensor.view()));
            }
        });
        const auto model = SpeechModel::open(folder);
        QCOMPARE(model->encode(features).values(), expected.values());
        QVERIFY(model->info().storedAs.find("float64") != std::string::npos);
    }

    void tiedOutputIsTheEmbeddingCountedOnce() {
        const fs::path folder = copyOfDemo();
        editConfig(folder, [](nlohmann::json& config) { config["tie_word_embeddings"] = true; });
        editWeights(folder, [](Named& tensors) {
            std::erase_if(tensors, [](const auto& tensor) { return tensor.first == "lm_head.weight"; });
        });
        const auto model = SpeechModel::open(folder);
        QCOMPARE(model->info().tensors, 189);
        QCOMPARE(model->info().parameters, 2'448'128 - 256 * 128);
        QCOMPARE(model->forcedLogits(testing::madeFeatures(60), {2, 5}).columns(), std::size_t(256));
    }

    void defectsOfWeightsAreRefused() {
        const std::string norm = "model.encoder.layers.3.final_layer_norm.bias";
        fs::path folder = copyOfDemo();
        editWeights(folder, [&](Named& tensors) {
            std::erase_if(tensors, [&](const auto& tensor) { return tensor.first == norm; });
        });
        refused(folder, "model.missingTensor", {"model.safetensors", norm, "config.json"});
        try {
            SpeechModel::open(folder);
        } catch (const Error& error) {
            QVERIFY(error.values()["report"]["missing"] == nlohmann::json::array({norm}));
            QVERIFY(error.values()["report"]["loaded"] == 189);
        }

        folder = copyOfDemo();
        editWeights(folder, [](Named& tensors) {
            tensors.emplace_back("ctc.weight", Tensor::of<float>({1}, std::vector<float>{1}));
        });
        refused(folder, "model.unexpectedTensor", {"model.safetensors", "ctc.weight"});

        folder = copyOfDemo();
        editWeights(folder, [](Named& tensors) {
            find(tensors, "model.encoder.layers.0.fc1.weight").shape = {128, 512};
        });
        refused(folder, "model.wrongShape",
                {"model.safetensors", "layers.0.fc1.weight", "128 × 512", "512 × 128"});

        folder = copyOfDemo();
        editWeights(folder, [](Named& tensors) {
            find(tensors, "model.encoder.layer_norm.bias").dtype = DType::I16;
        });
        refused(folder, "model.badType", {"model.encoder.layer_norm.bias", "i16"});

        folder = copyOfDemo();
        editWeights(folder, [](Named& tensors) {
            Tensor& tensor = find(tensors, "model.encoder.layer_norm.bias");
            tensor.bytes[1] = std::byte{0x7e}; // a half NaN
            tensor.bytes[0] = std::byte{0x01};
        });
        refused(folder, "model.notFinite", {"model.safetensors", "model.encoder.layer_norm.bias"});

        folder = copyOfDemo();
        fs::resize_file(folder / "model.safetensors", 4'000'000);
        refused(folder, "model.truncated", {"model.safetensors"});
        fs::resize_file(folder / "model.safetensors", 0);
        refused(folder, "model.truncated", {"model.safetensors"});
        fs::remove(folder / "model.safetensors");
        refused(folder, "model.missingFile", {"model.safetensors"});
        writeText(folder / "pytorch_model.bin", "PK"); // taken where there is no model.safetensors
        refused(folder, "model.badHeader", {"pytorch_model.bin"});
    }

    void configsThatContradictTheWeightsAreRefused() {
        const std::vector<std::tuple<const char*, nlohmann::json, const char*>> cases{
            {"encoder_layers", 9, "model.missingTensor"},
            {"encoder_layers", 7, "model.unexpectedTensor"},
            {"decoder_layers", 3, "model.missingTensor"},
            {"encoder_ffn_dim", 256, "model.wrongShape"},
            {"conv_channels", 512, "model.wrongShape"},
            {"conv_kernel_sizes", {3, 5}, "model.wrongShape"},
            {"d_model", 256, "model.wrongShape"},
            {"vocab_size", 300, "model.tokenizer"},
            {"encoder_attention_heads", 5, "model.badConfig"},
            {"num_conv_layers", 3, "model.badConfig"},
            {"encoder_layers", -1, "model.badConfig"},
            {"encoder_layers", "many", "model.badConfig"},
            {"conv_kernel_sizes", "five", "model.badConfig"},
            {"d_model", 1e30, "model.badConfig"},
            {"model_type", "moonshine", "model.unsupported"},
            {"activation_function", "gelu", "model.unsupported"},
            {"scale_embedding", false, "model.unsupported"},
            {"eos_token_id", 3, "model.unsupported"},
            {"dropout", 2, "model.badConfig"}};
        for (const auto& [key, value, code] : cases) {
            const fs::path folder = copyOfDemo();
            editConfig(folder, [&, k = key, v = value](nlohmann::json& config) { config[k] = v; });
            const bool namesConfig = std::string(code) != "model.tokenizer";
            refused(folder, code, {"config.json", namesConfig ? "" : "sentencepiece"});
        }
        for (const char* key :
             {"d_model", "encoder_layers", "vocab_size", "max_source_positions", "eos_token_id"}) {
            const fs::path folder = copyOfDemo();
            editConfig(folder, [&](nlohmann::json& config) { config.erase(key); });
            refused(folder, "model.badConfig", {"config.json", key});
        }
        const fs::path folder = copyOfDemo();
        writeText(folder / "config.json", "{\"d_model\": ");
        refused(folder, "model.badConfig", {"config.json", "not JSON"});
        writeText(folder / "config.json", "{\"d_model\": " + std::string(8'000'000, '['));
        refused(folder, "model.badConfig", {"config.json", "deep"});
        writeText(folder / "config.json", "[]");
        refused(folder, "model.badConfig", {"config.json"});
        fs::remove(folder / "config.json");
        refused(folder, "model.notAModel", {folder.filename().string()});
        refused(folder / "nowhere", "model.missing", {"nowhere"});
        refused(testing::referenceModel() / "config.json", "model.missing", {"config.json"});
    }

    void frontEndsThatDifferAreRefused() {
        const fs::path folder = copyOfDemo();
        editConfig(
            folder, [](nlohmann::json& config) { config["num_mel_bins"] = 40; }, "preprocessor_config.json");
        refused(folder, "model.frontEnd", {"preprocessor_config.json", "num_mel_bins", "40"});
        fs::remove(folder / "preprocessor_config.json");
        QCOMPARE(SpeechModel::open(folder)->info().report.assumed.size(), std::size_t(1));
    }

    void wrongTokenizersAreRefused() {
        fs::path folder = copyOfDemo();
        writeText(folder / "sentencepiece.bpe.model", "not a model");
        refused(folder, "model.tokenizer", {"sentencepiece.bpe.model"});
        folder = copyOfDemo();
        editConfig(
            folder, [](nlohmann::json& vocabulary) { std::swap(vocabulary["<pad>"], vocabulary["</s>"]); },
            "vocab.json");
        refused(folder, "model.tokenizer", {"sentencepiece.bpe.model", "vocab.json"});
        fs::remove(folder / "sentencepiece.bpe.model");
        QVERIFY(SpeechModel::open(folder)->info().tokenizer.empty());
    }

    void malformedParityFilesAreRefused_data() { testing::addGoldenFolders(); }
    void malformedParityFilesAreRefused() {
        const fs::path tiny = testing::goldens() / "parity" / "s2t-tiny";
        for (const char* name : {"truncated.safetensors", "overlap.safetensors", "badheader.safetensors"}) {
            const fs::path folder = fresh();
            fs::create_directories(folder);
            fs::copy(tiny / "config.json", folder / "config.json");
            fs::copy(tiny / name, folder / "model.safetensors");
            try {
                SpeechModel::open(folder);
                QFAIL(name);
            } catch (const Error& error) {
                QVERIFY2(error.code().rfind("model.", 0) == 0, error.code().c_str());
                QVERIFY2(std::string(error.what()).find("model.safetensors") != std::string::npos,
                         error.what());
            }
        }
    }
};

HEADROOM_TEST(CheckpointsTest)

} // namespace headroom::testing::checkpoints_test

#include "checkpoints_test.moc"
