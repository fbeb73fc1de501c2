// SPDX-License-Identifier: GPL-3.0-or-later
// AST folders: names with and without the head's prefix, what is assumed, what is refused.
#include "models/checkpoints/import.h"
#include "models/networks/speech_model.h"
#include "tests/models/model_folders.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::ast_folders_test {

using namespace headroom::models;
using nlohmann::json;
namespace fs = std::filesystem;

class AstFoldersTest : public QObject, ModelFolders {
    Q_OBJECT

    static std::vector<float> outputOf(const fs::path& folder) {
        const auto model = SpeechModel::open(folder);
        return model->encode(madeFeatures(31, 1, 24)).values();
    }
    fs::path with(const char* key, const json& value, const char* file = "config.json") {
        const fs::path folder = copyOf("ast-small");
        editConfig(folder, [&](json& config) { config[key] = value; }, file);
        return folder;
    }
    fs::path without(const char* key, const char* file = "config.json") {
        const fs::path folder = copyOf("ast-small");
        editConfig(folder, [&](json& config) { config.erase(key); }, file);
        return folder;
    }
    static bool assumes(const fs::path& folder, const char* words) {
        const auto assumed = SpeechModel::open(folder)->info().report.assumed;
        return std::any_of(assumed.begin(), assumed.end(),
                           [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
    }

private Q_SLOTS:
    void theDocumentSaysItAll() {
        const auto model = SpeechModel::open(copyOf("ast-small"));
        const Architecture& found = model->info().architecture;
        QVERIFY(parseArchitecture(canonicalText(found), "a.json") == found);
        QCOMPARE(model->info().maxSourceFrames, 48);
        QCOMPARE(found.frontEnd.frequencyStride, 5);
        QCOMPARE(found.frontEnd.strides, std::vector<int>{6});
        QCOMPARE(found.frontEnd.cmvn->deviation.front(), 2 * 4.5689974);
        QCOMPARE(found.source, std::string("Hugging Face AST"));
    }

    void aBareModelHasNoPrefix() {
        const fs::path folder = copyOf("ast-small");
        const std::vector<float> expected = outputOf(folder);
        editWeights(folder, [](Named& tensors) {
            const std::string prefix = "audio_spectrogram_transformer.";
            std::erase_if(tensors, [&](const auto& one) { return !one.first.starts_with(prefix); });
            for (auto& [name, tensor] : tensors)
                name = name.substr(prefix.size());
        });
        QVERIFY(outputOf(folder) == expected);
        QVERIFY(!assumes(folder, "left out"));
    }

    void theClassifierIsLeftOut() { QVERIFY(assumes(copyOf("ast-small"), "classifier.dense.weight")); }

    void patchesOfTwoEqualSidesAreOneNumber() {
        QVERIFY(outputOf(with("patch_size", {8, 8})) == outputOf(copyOf("ast-small")));
        refused(with("patch_size", {8, 4}), "model.unsupported", {"patch_size", "squares"});
    }

    void whatIsMissingIsTheLibrarysDefault() {
        fs::path folder = copyOf("ast-small");
        const auto expected = outputOf(folder);
        fs::remove(folder / "preprocessor_config.json");
        QVERIFY(outputOf(folder) == expected);
        QVERIFY(assumes(folder, "the mean and deviation of AudioSet were assumed"));
        QVERIFY(assumes(without("qkv_bias"), "does not define “qkv_bias”"));
        QVERIFY(assumes(without("std", "preprocessor_config.json"), "does not define “std”"));
        const auto exact = SpeechModel::open(without("layer_norm_eps"));
        QCOMPARE(exact->info().architecture.encoder.normEpsilon, 1e-12);
        const auto plain = SpeechModel::open(with("do_normalize", false, "preprocessor_config.json"));
        QVERIFY(!plain->info().architecture.frontEnd.cmvn);
    }

    void contradictionsAreRefused() {
        refused(with("max_length", 49, "preprocessor_config.json"), "model.frontEnd", {"max_length", "48"});
        refused(with("num_mel_bins", 32, "preprocessor_config.json"), "model.frontEnd", {"num_mel_bins", "24"});
        refused(with("sampling_rate", 8000, "preprocessor_config.json"), "model.frontEnd", {"sampling_rate"});
        refused(with("std", 0, "preprocessor_config.json"), "model.unsupported", {"“std”", "above 0"});
        refused(with("std", "much", "preprocessor_config.json"), "model.unsupported", {"“std”", "a number"});
        refused(with("time_stride", 9), "model.unsupported", {"time_stride"});
        refused(with("patch_size", 30), "model.badConfig", {"patch_size", "48 frames of 24 mel bins"});
        refused(with("num_attention_heads", 3), "model.badConfig", {"3 heads"});
        refused(with("head_dim", 8), "model.unsupported", {"head_dim"});
        refused(with("hidden_act", "quick_gelu"), "model.unsupported", {"hidden_act"});
        // A longer window has more positions than the file.
        const fs::path longer = with("max_length", 60);
        editConfig(longer, [](json& config) { config["max_length"] = 60; }, "preprocessor_config.json");
        refused(longer, "model.wrongShape", {"position_embeddings", "config.json expects"});
    }

    void defectsAreNamedAsInTheFile() {
        const std::string name = "audio_spectrogram_transformer.encoder.layer.1.attention.output.dense.weight";
        const fs::path folder = copyOf("ast-small");
        editWeights(folder, [&](Named& tensors) { std::erase_if(tensors, [&](const auto& one) { return one.first == name; }); });
        refused(folder, "model.missingTensor", {name});
        const fs::path more = copyOf("ast-small");
        editWeights(more, [](Named& tensors) { tensors.emplace_back("surplus.weight", tensors.front().second); });
        refused(more, "model.unexpectedTensor", {"surplus.weight"});
    }
};

HEADROOM_TEST(AstFoldersTest)

} // namespace headroom::testing::ast_folders_test

#include "ast_folders_test.moc"
