// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of wav2vec 2.0 and its kin, whole, in parts and spoilt; folders of models of other kinds.
#include "core/text/tokenizer.h"
#include "models/checkpoints/import.h"
#include "models/checkpoints/model_folder.h"
#include "tests/models/model_folders.h"
#include "tests/support/made_adapters.h"
#include "tests/support/runner.h"

#include <algorithm>

namespace headroom::testing::waveform_folders_test {

using namespace headroom::models;
using nlohmann::json;

class WaveformFoldersTest : public QObject, ModelFolders {
    Q_OBJECT

private Q_SLOTS:
    void partsAreOneModel() {
        const fs::path folder = copyOf("wav2vec2");
        const auto whole = SpeechModel::open(folder)->encode(noise(2000));
        const Named all = readAll(folder / "model.safetensors");
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        writeAll(folder / "model-00001-of-00002.safetensors", Named(all.begin(), middle));
        writeAll(folder / "model-00002-of-00002.safetensors", Named(middle, all.end()));
        json map;
        for (auto tensor = all.begin(); tensor != all.end(); ++tensor)
            map[tensor->first] = tensor < middle ? "model-00001-of-00002.safetensors"
                                                  : "model-00002-of-00002.safetensors";
        writeText(folder / "model.safetensors.index.json", json{{"weight_map", map}}.dump());
        fs::remove(folder / "model.safetensors");
        const auto parts = SpeechModel::open(folder);
        QCOMPARE(parts->encode(noise(2000)).values(), whole.values());
        QCOMPARE(parts->info().storedAs, std::string("float32 safetensors, 2 files"));
        QCOMPARE(SpeechModel::open(folder / "model-00002-of-00002.safetensors")->info().tensors,
                 parts->info().tensors);
        fs::remove(folder / "model-00002-of-00002.safetensors");
        refused(folder, "model.missingFile", {"model-00002-of-00002.safetensors", "index.json lists it"});
        writeText(folder / "model.safetensors.index.json", R"({"weight_map": {"a": "../a.safetensors"}})");
        refused(folder, "model.badConfig", {"../a.safetensors", "not a file name in this folder"});
    }

    void oldNamesOfWeightNormSayTheSame() {
        for (const char* family : {"wav2vec2", "wavlm"}) {
            const fs::path folder = copyOf(family);
            const auto expected = SpeechModel::open(folder)->encode(noise(3000)).values();
            int renamed = 0;
            editWeights(folder, [&](Named& tensors) {
                for (auto& [name, tensor] : tensors)
                    for (const auto& [now, before] : {std::pair<std::string, std::string>("parametrizations.weight.original0", "weight_g"),
                                                      {"parametrizations.weight.original1", "weight_v"}})
                        if (const auto at = name.find(now); at != std::string::npos) {
                            name.replace(at, now.size(), before);
                            ++renamed;
                        }
            });
            QCOMPARE(renamed, 2);
            QVERIFY2(SpeechModel::open(folder)->encode(noise(3000)).values() == expected, family);
        }
    }

    void bareEncodersHaveNoPrefix() {
        for (const auto& [family, prefix] :
             {std::pair<const char*, std::string>("wav2vec2", "wav2vec2."), {"hubert-batch-norm", "hubert."},
              {"wavlm", "wavlm."}, {"data2vec-audio", "data2vec_audio."}}) {
            const fs::path folder = copyOf(family);
            const auto expected = SpeechModel::open(folder)->encode(noise(3000)).values();
            editWeights(folder, [&, start = prefix](Named& tensors) {
                std::erase_if(tensors, [&](const auto& one) { return !one.first.starts_with(start); });
                for (auto& [name, tensor] : tensors)
                    name = name.substr(start.size());
            });
            editConfig(folder, [](json& config) { config["architectures"] = {"AModel"}; });
            const auto bare = SpeechModel::open(folder);
            QVERIFY2(bare->encode(noise(3000)).values() == expected, family);
            QVERIFY(!bare->info().architecture.ctc);
        }
    }

    void filesOfPreTrainingSayTheSame() {
        const fs::path folder = copyOf("wav2vec2");
        const auto expected = SpeechModel::open(folder)->encode(noise(3000)).values();
        editWeights(folder, [](Named& tensors) {
            std::erase_if(tensors, [](const auto& one) { return one.first.starts_with("lm_head."); });
            for (const char* name : {"quantizer.codevectors", "quantizer.weight_proj.weight", "project_hid.weight", "project_q.weight"})
                tensors.emplace_back(name, tensors.front().second);
        });
        editConfig(folder, [](json& config) { config["architectures"] = {"Wav2Vec2ForPreTraining"}; });
        const auto model = SpeechModel::open(folder);
        QVERIFY(model->encode(noise(3000)).values() == expected);
        QVERIFY(!model->info().architecture.ctc);
        const auto& assumed = model->info().report.assumed;
        QVERIFY(std::any_of(assumed.begin(), assumed.end(), [](const std::string& sentence) {
            return sentence.find("quantizer.codevectors") != std::string::npos;
        }));
    }

    void importedModelsSayTheSame_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"wav2vec2", "wav2vec2-adapters", "hubert-batch-norm", "wavlm", "data2vec-audio"})
            QTest::newRow(family) << family;
    }
    void importedModelsSayTheSame() {
        QFETCH(QString, family);
        const fs::path folder = copyOf(qPrintable(family)), out = fresh();
        importModel(folder, out);
        const auto theirs = SpeechModel::open(folder), ours = SpeechModel::open(out);
        QCOMPARE(ours->encode(noise(3000)).values(), theirs->encode(noise(3000)).values());
        QCOMPARE(ours->greedy(noise(3000)), theirs->greedy(noise(3000)));
        QCOMPARE(ours->info().tokenizer.filename().string(), std::string("vocab.json"));
        QVERIFY(ours->info().report.assumed.empty());
        QVERIFY(readJson(out / "front_end.json")["features"]["kind"] == json("waveform"));
    }

    void defectsOfTheWeightsAreNamedAsInTheFile() {
        const fs::path folder = copyOf("wav2vec2");
        const std::string norm = "wav2vec2.encoder.layers.1.final_layer_norm.bias";
        editWeights(folder, [&](Named& tensors) {
            std::erase_if(tensors, [&](const auto& tensor) { return tensor.first == norm; });
        });
        refused(folder, "model.missingTensor", {norm, "config.json expects"});
        const fs::path extra = copyOf("wavlm");
        editWeights(extra, [](Named& tensors) { tensors.emplace_back("wavlm.more", tensors.front().second); });
        refused(extra, "model.unexpectedTensor", {"wavlm.more"});
        const fs::path other = copyOf("hubert-batch-norm");
        editConfig(other, [](json& config) { config["intermediate_size"] = 25; });
        refused(other, "model.wrongShape", {"feed_forward.intermediate_dense", "24 × 16", "25 × 16"});
    }

    void configurationsThatCannotRunAreRefused() {
        const auto spoilt = [&](const std::function<void(json&)>& edit) {
            const fs::path folder = copyOf("wav2vec2-adapters");
            editConfig(folder, edit);
            return folder;
        };
        refused(spoilt([](json& config) { config["add_adapter"] = true; }), "model.unsupported", {"add_adapter"});
        refused(spoilt([](json& config) { config["hidden_act"] = "mish"; }), "model.unsupported",
                {"hidden_act", "mish"});
        refused(spoilt([](json& config) { config["pad_token_id"] = nullptr; }), "model.noBlank",
                {"pad_token_id", "blank"});
        refused(spoilt([](json& config) { config["num_attention_heads"] = 3; }), "model.badConfig",
                {"3 heads do not divide"});
        refused(spoilt([](json& config) { config["conv_stride"] = {5, 2}; }), "model.badConfig",
                {"equally many"});
        refused(spoilt([](json& config) { config["quantization_config"] = {{"quant_method", "bitsandbytes"}}; }),
                "model.quantised", {"bitsandbytes", "float16"});
        const fs::path telephone = copyOf("wavlm");
        editConfig(telephone, [](json& settings) { settings["sampling_rate"] = 8000; },
                   "preprocessor_config.json");
        refused(telephone, "model.frontEnd", {"sampling_rate", "8000", "16000"});
    }

    void modelsOfOtherKindsAreNamed_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("says");
        QTest::newRow("text") << "bert" << "a text model";
        QTest::newRow("image") << "vit" << "an image model";
        QTest::newRow("sound") << "musicgen" << "a model that generates sound";
        QTest::newRow("unknown") << "quux" << "a speech model that Headroom does not open"; // by its class, …ForCTC
    }
    void modelsOfOtherKindsAreNamed() {
        QFETCH(QString, type);
        QFETCH(QString, says);
        const fs::path folder = copyOf("wav2vec2");
        editConfig(folder, [&](json& config) { config["model_type"] = type.toStdString(); });
        refused(folder, "model.unsupported", {type.toStdString(), says.toStdString(), "wav2vec 2.0", "WavLM"});
    }

    void anAdapterAloneIsNoModel() {
        const fs::path folder = fresh();
        fs::create_directories(folder);
        writeText(folder / "adapter_config.json", "{}");
        refused(folder, "model.adapterOnly", {"adapter for another model"});
    }

    void theAdaptersOfALanguageAreTheModelsWithThem() {
        const fs::path folder = fresh(), whole = copyOf("wav2vec2-adapters");
        const Named made = writeMadeAdapters(folder);
        editWeights(whole, [&](Named& tensors) { // as if the model file were in that language
            for (auto& [name, tensor] : tensors)
                for (const auto& [other, replaced] : made)
                    if (name == other)
                        tensor = replaced;
        });
        editConfig(whole, [](json& config) { config["vocab_size"] = kMadeLabels; });
        fs::remove(whole / "vocab.json");
        const auto sound = noise(3000);
        const auto expected = SpeechModel::open(whole);
        const auto own = SpeechModel::open(folder);
        QVERIFY(own->encode(sound).values() != expected->encode(sound).values());
        QCOMPARE(own->info().architecture.ctc.value_or(0), 32);
        editConfig(
            folder, [](json& settings) { settings["target_lang"] = "xyz"; }, "tokenizer_config.json");
        const auto configured = SpeechModel::open(folder);
        editConfig(
            folder, [](json& settings) { settings["target_lang"] = "eng"; }, "tokenizer_config.json");
        const auto asked = SpeechModel::open(modelInLanguage(folder, "xyz"));
        for (const auto* model : {&configured, &asked}) {
            QCOMPARE((*model)->encode(sound).values(), expected->encode(sound).values());
            QCOMPARE((*model)->ctcLogProbabilities(sound).values(),
                     expected->ctcLogProbabilities(sound).values());
            QCOMPARE(static_cast<std::int64_t>((*model)->info().architecture.ctc.value_or(0)), kMadeLabels);
        }
        QCOMPARE(Tokenizer(asked->info().tokenizer).decode(std::vector<int>{5, 0, 6, 4, 7}),
                 std::string("et a")); // small letters
        QCOMPARE(asked->info().name, folder.filename().string() + " xyz");
        QCOMPARE(own->info().name, folder.filename().string());
        QVERIFY(asked->info().weightsHash != own->info().weightsHash);

        const fs::path out = fresh();
        importModel(folder / "adapter.xyz.safetensors", out);
        const auto ours = SpeechModel::open(out);
        QCOMPARE(ours->ctcLogProbabilities(sound).values(), expected->ctcLogProbabilities(sound).values());
        QCOMPARE(Tokenizer(ours->info().tokenizer).decode(std::vector<int>{5, 0, 6, 4, 7}),
                 std::string("et a"));
        const json provenance = readJson(out / "provenance.json");
        QCOMPARE(provenance["language"].get<std::string>(), std::string("xyz"));
        for (const char* file : {"model.safetensors", "adapter.xyz.safetensors", "vocab.json"})
            QVERIFY2(provenance["sha256"].contains(file), file);
    }

    void aLanguageThatIsNotThereIsRefusedWithThoseThatAre() {
        const fs::path folder = fresh(), none = copyOf("wav2vec2");
        writeMadeAdapters(folder);
        QCOMPARE(modelInLanguage(folder, ""), folder);
        QCOMPARE(modelInLanguage(none, "xyz"), none); // it may be told in another way
        try {
            modelInLanguage(folder, "deu");
            QFAIL("found");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.noSuchLanguage"));
            QVERIFY2(std::string(error.what())
                         .ends_with("no adapters of the language “deu”; it has those of eng, xyz."),
                     error.what());
        }
        fs::copy_file(folder / "adapter.xyz.safetensors", none / "adapter.xyz.safetensors");
        refused(none / "adapter.xyz.safetensors", "model.noSuchLanguage",
                {"without adapters of languages", "adapter.xyz.safetensors"});
        fs::rename(folder / "adapter.xyz.safetensors", folder / "adapter.deu.safetensors");
        refused(folder / "adapter.deu.safetensors", "model.tokenizer",
                {"vocab.json", "no vocabulary of the language “deu”", "eng, xyz"});
    }

    void aTokenizerMayBeMissingButNotTooLarge() {
        const fs::path folder = copyOf("wav2vec2");
        fs::remove(folder / "vocab.json");
        const auto model = SpeechModel::open(folder);
        QVERIFY(model->info().tokenizer.empty());
        QVERIFY(!model->greedy(noise(3000)).empty());
        writeText(folder / "vocab.json", R"({"a": 99})");
        refused(folder, "model.tokenizer", {"100 pieces", "expects"});
    }

    void soundBelowTheReceptiveFieldIsRefused() {
        const auto model = SpeechModel::open(copyOf("wav2vec2"));
        QCOMPARE(model->encode(noise(400)).rows(), std::size_t(1));
        try {
            model->encode(noise(399));
            QFAIL("encoded");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.tooShort"));
            QVERIFY(std::string(error.what()).find("at least 400 samples (25.0 ms)") != std::string::npos);
        }
    }
};

HEADROOM_TEST(WaveformFoldersTest)

} // namespace headroom::testing::waveform_folders_test

#include "waveform_folders_test.moc"
