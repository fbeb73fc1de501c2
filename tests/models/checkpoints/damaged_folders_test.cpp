// SPDX-License-Identifier: GPL-3.0-or-later
// Models whose files are incomplete, foreign, not downloaded or damaged, and heads of models that play no part.
#include "models/checkpoints/model_folder.h"
#include "tests/models/model_folders.h"
#include "tests/support/made_adapters.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace headroom::testing::damaged_folders_test {

using namespace headroom::models;
using nlohmann::json;

constexpr const char* kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4665\nsize 12345\n";

class DamagedFoldersTest : public QObject, ModelFolders {
    Q_OBJECT

    static bool says(const SpeechModel& model, const std::string& words) {
        const auto& assumed = model.info().report.assumed;
        return std::any_of(assumed.begin(), assumed.end(),
                           [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
    }

    /// The code and the sentence that `compute` is refused with.
    template <class Compute>
    static std::pair<std::string, std::string> refusalOf(Compute compute) {
        try {
            compute();
        } catch (const Error& error) {
            return {error.code(), error.what()};
        }
        return {"computed", ""};
    }

    static void setFirst(Tensor& tensor, float value) {
        std::memcpy(tensor.bytes.data(), &value, sizeof value);
    }

private Q_SLOTS:
    void aFileOfALanguageMustBeWholeAndItsOwn() {
        const fs::path folder = fresh();
        writeMadeAdapters(folder);
        const fs::path good = folder / "adapter.xyz.safetensors", file = folder / "adapter.eng.safetensors";
        const Named whole = readAll(folder / "adapter.eng.safetensors");
        QVERIFY(SpeechModel::open(file)->info().architecture.ctc.has_value());
        const auto spoilt = [&](const std::function<void(Named&)>& edit) {
            Named tensors = whole;
            edit(tensors);
            writeAll(file, tensors);
        };
        const std::string layer = "wav2vec2.encoder.layers.1.adapter_layer.";
        spoilt([&](Named& tensors) { std::erase_if(tensors, [&](const auto& one) { return one.first.starts_with(layer); }); });
        refused(file, "model.missingTensor", {"adapter.eng.safetensors has no tensor " + layer, "the model with these adapters expects"});
        spoilt([](Named& tensors) { std::erase_if(tensors, [](const auto& one) { return one.first.starts_with("lm_head."); }); });
        refused(file, "model.missingTensor", {"adapter.eng.safetensors has no tensor lm_head.weight"});
        spoilt([](Named& tensors) { tensors.emplace_back("wav2vec2.encoder.layers.0.attention.k_proj.weight", tensors.front().second); });
        refused(file, "model.unexpectedTensor", {"adapter.eng.safetensors has a tensor wav2vec2.encoder.layers.0.attention.k_proj.weight"});
        spoilt([](Named& tensors) { tensors.emplace_back("foo", tensors.front().second); });
        refused(file, "model.unexpectedTensor", {"adapter.eng.safetensors has a tensor foo"});
        spoilt([&](Named& tensors) { find(tensors, layer + "norm.bias") = Tensor::of<float>({3}, std::vector<float>{1, 2, 3}); });
        refused(file, "model.wrongShape", {"adapter.eng.safetensors: " + layer + "norm.bias is 3, ", "expects 16"});
        spoilt([&](Named& tensors) { find(tensors, "lm_head.bias") = Tensor::of<float>({3}, std::vector<float>{1, 2, 3}); });
        refused(file, "model.wrongShape", {"adapter.eng.safetensors: lm_head.bias is 3, ", "expects 32"});
        refused(folder, "model.wrongShape", {"adapter.eng.safetensors"}); // as tokenizer_config.json says
        spoilt([&](Named& tensors) { setFirst(find(tensors, layer + "norm.bias"), std::nanf("")); });
        refused(file, "model.notFinite", {"adapter.eng.safetensors: " + layer + "norm.bias contains numbers that are not finite"});
        SpeechModel::open(good);
    }

    void theHeadOfASpeakerClassifierPlaysNoPart() {
        for (const auto& [family, type] : {std::pair<const char*, const char*>("wav2vec2", "Wav2Vec2ForXVector"),
                                           {"wavlm", "WavLMForXVector"}, {"data2vec-audio", "Data2VecAudioForXVector"}}) {
            const fs::path folder = copyOf(family);
            const auto expected = SpeechModel::open(folder)->encode(noise(3000)).values();
            editWeights(folder, [](Named& tensors) {
                std::erase_if(tensors, [](const auto& one) { return one.first.starts_with("lm_head."); });
                for (const char* name : {"projector.weight", "tdnn.0.kernel.weight", "feature_extractor.weight", "feature_extractor.bias",
                                         "classifier.weight", "objective.weight"})
                    tensors.emplace_back(name, Tensor::of<float>({1}, std::vector<float>{1}));
            });
            editConfig(folder, [&, name = type](json& config) { config["architectures"] = {name}; });
            const auto model = SpeechModel::open(folder);
            QVERIFY2(model->encode(noise(3000)).values() == expected, family);
            QVERIFY2(says(*model, "left out: ") && says(*model, "feature_extractor.weight"), family);
        }
    }

    void adaptersOfHubertAreThoseOfWav2vec2() {
        const fs::path folder = copyOf("wav2vec2-adapters");
        const auto expected = SpeechModel::open(folder)->encode(noise(3000)).values();
        editWeights(folder, [](Named& tensors) {
            for (auto& [name, tensor] : tensors)
                if (name.starts_with("wav2vec2."))
                    name = "hubert." + name.substr(9);
        });
        editConfig(folder, [](json& config) {
            config["model_type"] = "hubert";
            config["architectures"] = {"HubertForCTC"};
        });
        const auto hubert = SpeechModel::open(folder);
        QCOMPARE(hubert->info().architecture.encoder.adapters, 6);
        QVERIFY(hubert->encode(noise(3000)).values() == expected);
    }

    void filesThatWereNotDownloadedAreNamed_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("file");
        for (const char* file : {"config.json", "model.safetensors", "vocab.json", "tokenizer_config.json", "preprocessor_config.json"})
            QTest::addRow("wav2vec2, %s", file) << "wav2vec2" << file;
        for (const char* file : {"vocab.json", "merges.txt", "generation_config.json"})
            QTest::addRow("whisper-small, %s", file) << "whisper-small" << file;
        QTest::newRow("parakeet-small, tokenizer.json") << "parakeet-small" << "tokenizer.json";
    }
    void filesThatWereNotDownloadedAreNamed() {
        QFETCH(QString, family);
        QFETCH(QString, file);
        const fs::path folder = copyOf(qPrintable(family));
        QVERIFY(fs::exists(folder / file.toStdString()));
        writeText(folder / file.toStdString(), kPointer);
        const auto [code, sentence] = refusalOf([&] { SpeechModel::open(folder); });
        QVERIFY2(sentence.ends_with("/" + file.toStdString() +
                                    " is a pointer of Git LFS, and its contents were not downloaded (git lfs pull)."),
                 (code + ": " + sentence).c_str());
    }

    void pointersInOtherFormatsAreNamedToo() {
        const fs::path pickled = copyOf("wav2vec2");
        fs::remove(pickled / "model.safetensors");
        writeText(pickled / "pytorch_model.bin", kPointer);
        refused(pickled, "model.badHeader", {"pytorch_model.bin", "a pointer of Git LFS", "not downloaded"});
        const fs::path archive = fresh();
        fs::create_directories(archive);
        writeText(archive / "a.nemo", kPointer);
        refused(archive / "a.nemo", "model.notWeights", {"a.nemo", "a pointer of Git LFS", "not downloaded"});
        const fs::path adapters = fresh();
        writeMadeAdapters(adapters);
        writeText(adapters / "adapter.xyz.safetensors", kPointer);
        refused(adapters / "adapter.xyz.safetensors", "model.notDownloaded", {"adapter.xyz.safetensors is a pointer of Git LFS"});
        const fs::path page = copyOf("wavlm");
        writeText(page / "model.safetensors", "<!DOCTYPE html><html>404</html>");
        refused(page, "model.notDownloaded", {"model.safetensors is a web page"});
    }

    void bucketsThatGiveNoBiasAreRefused_data() {
        QTest::addColumn<int>("buckets");
        QTest::addColumn<int>("distance");
        QTest::newRow("no single distance") << 2 << 20;
        QTest::newRow("no range") << 16 << 4;
        QTest::newRow("range below") << 16 << 3;
    }
    void bucketsThatGiveNoBiasAreRefused() {
        QFETCH(int, buckets);
        QFETCH(int, distance);
        const fs::path folder = copyOf("wavlm");
        editConfig(folder, [&](json& config) {
            config["num_buckets"] = buckets;
            config["max_bucket_distance"] = distance;
        });
        editWeights(folder, [&](Named& tensors) {
            Tensor& table = find(tensors, "wavlm.encoder.layers.0.attention.rel_attn_embed.weight");
            table.shape[0] = buckets;
            table.bytes.resize(static_cast<std::size_t>(buckets * table.shape[1]) * sizeof(float));
        });
        refused(folder, "model.badConfig",
                {"config.json: “num_buckets” is " + std::to_string(buckets), "“max_bucket_distance” is " + std::to_string(distance)});
        editConfig(folder, [&](json& config) { config["max_bucket_distance"] = 5; });
        if (buckets == 16)
            QVERIFY(SpeechModel::open(folder)->encode(noise(3000)).rows() > 5);
    }

    void numbersThatAreNotFiniteAreNamedAsInTheFile() {
        for (const auto& [family, tensor] :
             {std::pair<const char*, std::string>("wav2vec2", "wav2vec2.feature_projection.layer_norm.weight"),
              {"whisper-small", "model.encoder.conv1.weight"}, {"parakeet-small", "encoder.layers.0.norm_conv.weight"}}) {
            const fs::path folder = copyOf(family);
            editWeights(folder, [&, name = tensor](Named& tensors) { setFirst(find(tensors, name), std::numeric_limits<float>::infinity()); });
            refused(folder, "model.notFinite", {"model.safetensors: " + tensor + " contains numbers that are not finite"});
        }
    }

    void aNegativeVarianceIsAFaultOfTheFile() {
        const fs::path folder = copyOf("parakeet-small");
        const std::string variance = "encoder.layers.1.conv.norm.running_var";
        editWeights(folder, [&](Named& tensors) { setFirst(find(tensors, variance), -1); });
        refused(folder, "model.negativeVariance", {"model.safetensors: " + variance + " contains a negative variance"});
    }

    void resultsThatAreNotFiniteAreRefused() {
        const fs::path folder = copyOf("wav2vec2");
        editWeights(folder, [](Named& tensors) { // weight norm divides by the length
            for (auto& [name, tensor] : tensors)
                if (name.ends_with("parametrizations.weight.original1") || name.ends_with("weight_v"))
                    std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::byte{});
        });
        const auto model = SpeechModel::open(folder);
        const auto sound = noise(3000);
        const auto ignore = [](LayerAnalysis&&) {};
        for (const auto& [code, sentence] :
             {refusalOf([&] { model->encode(sound); }), refusalOf([&] { model->greedy(sound); }),
              refusalOf([&] { model->ctcLogProbabilities(sound); }), refusalOf([&] { model->analyse(sound, {}, ignore); })}) {
            QCOMPARE(code, std::string("model.notFinite"));
            QVERIFY2(sentence.find("not finite") != std::string::npos && sentence.ends_with('.'), sentence.c_str());
        }
    }

    void alignmentHeadsOfAnotherDecoderAreIgnored() {
        for (const json& pair : {json{9, 0}, json{0, 99}, json("x")}) {
            const fs::path folder = copyOf("whisper-small");
            QVERIFY(!SpeechModel::open(folder)->info().tokens.alignmentHeads.empty());
            editConfig(folder, [&](json& rules) { rules["alignment_heads"].push_back(pair); }, "generation_config.json");
            const auto model = SpeechModel::open(folder);
            QVERIFY(model->info().tokens.alignmentHeads.empty());
            QVERIFY(says(*model, "generation_config.json: “alignment_heads” names " + pair.dump() + ", and the decoder has no such layer and head"));
        }
    }

    void suppressedTokensBeyondTheVocabularyAreIgnored() {
        for (const char* key : {"begin_suppress_tokens", "suppress_tokens"}) {
            const fs::path folder = copyOf("whisper-small");
            const TokenRules whole = SpeechModel::open(folder)->info().tokens;
            editConfig(folder, [&](json& rules) { rules[key].push_back(50256); }, "generation_config.json");
            const auto model = SpeechModel::open(folder);
            QVERIFY2(model->info().tokens == whole, key);
            QVERIFY(says(*model, "generation_config.json: “" + std::string(key) + "” names the token 50256"));
            editConfig(folder, [&](json& rules) { rules[key] = {-5}; }, "generation_config.json");
            refused(folder, "model.badConfig", {key, "-5"});
        }
    }

    void theSpeechT5ThatRecognisesGeneratesNoSound() {
        const auto of = [&](const char* modelClass) {
            const fs::path folder = fresh();
            fs::create_directories(folder);
            writeText(folder / "config.json", json{{"model_type", "speecht5"}, {"architectures", {modelClass}}}.dump());
            return folder;
        };
        refused(of("SpeechT5ForSpeechToText"), "model.unsupported", {"a speech model that Headroom does not open: it needs", "of SpeechT5"});
        refused(of("SpeechT5ForTextToSpeech"), "model.unsupported", {"a model that generates sound", ", ESPnet"});
        refused(of("SpeechT5ForSpeechToSpeech"), "model.unsupported", {"a model that generates sound"});
    }
};

HEADROOM_TEST(DamagedFoldersTest)

} // namespace headroom::testing::damaged_folders_test

#include "damaged_folders_test.moc"
