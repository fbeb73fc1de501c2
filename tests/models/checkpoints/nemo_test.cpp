// SPDX-License-Identifier: GPL-3.0-or-later
// NeMo archives: the small Parakeet of the goldens under NeMo's names gives the same numbers. The names are those that
// transformers' own converter reads (models/parakeet/convert_nemo_to_hf.py).
#include "core/text/tokenizer.h"
#include "models/checkpoints/import.h"
#include "models/checkpoints/yaml_document.h"
#include "tests/models/model_folders.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/runner.h"
#include "tests/support/tar_writer.h"

#include <regex>

namespace headroom::testing::nemo_test {

using namespace headroom::models;

namespace {

constexpr const char* kConfig = R"(sample_rate: 16000
target: nemo.collections.asr.models.ctc_bpe_models.EncDecCTCModelBPE
train_ds:
  manifest_filepath: null   # left out
  labels:
  - '''s'
  - "\u2581the"
preprocessor:
  _target_: nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor
  sample_rate: 16000
  normalize: per_feature
  window_size: 0.025
  window_stride: 0.01
  window: hann
  features: 32
  n_fft: 512
  log: true
  frame_splicing: 1
  dither: 1.0e-05
encoder:
  _target_: nemo.collections.asr.modules.ConformerEncoder
  feat_in: 32
  feat_out: -1
  n_layers: 2
  d_model: 16
  use_bias: false
  subsampling: dw_striding
  subsampling_factor: 4
  subsampling_conv_channels: 4
  causal_downsampling: false
  ff_expansion_factor: 4
  self_attention_model: rel_pos
  n_heads: 2
  att_context_size:
  - -1
  - -1
  xscaling: false
  untie_biases: true
  conv_kernel_size: 5
  conv_norm_type: batch_norm
  conv_context_size: null
  dropout: 0.1
  dropout_att: 0.1
decoder:
  _target_: nemo.collections.asr.modules.ConvASRDecoder
  num_classes: 58
)";

/// transformers' names → NeMo's: its converter's table backwards.
std::string nemoName(std::string name) {
    static const std::pair<std::regex, const char*> kNames[]{
        {std::regex("^encoder\\.subsampling\\.layers\\."), "encoder.pre_encode.conv."},
        {std::regex("^encoder\\.subsampling\\.linear\\."), "encoder.pre_encode.out."},
        {std::regex("\\.conv\\.norm\\."), ".conv.batch_norm."},
        {std::regex("^ctc_head\\."), "decoder.decoder_layers.0."},
        {std::regex("\\.relative_k_proj\\."), ".linear_pos."},
        {std::regex("\\.([qkv])_proj\\."), ".linear_$1."},
        {std::regex("\\.o_proj\\."), ".linear_out."},
        {std::regex("\\.bias_([uv])$"), ".pos_bias_$1"}};
    for (const auto& [theirs, nemo] : kNames)
        name = std::regex_replace(name, theirs, nemo);
    return name;
}

} // namespace

class NemoTest : public QObject, ModelFolders {
    Q_OBJECT

    /// The golden as an archive; its feed-forward layers are made four times as wide as the layer, as NeMo's are.
    fs::path archiveOf(const fs::path& folder, const std::string& config = kConfig) {
        Named tensors = readAll(folder / "model.safetensors");
        for (auto& [name, tensor] : tensors)
            name = nemoName(name);
        tensors.emplace_back("preprocessor.featurizer.window", Tensor::of<float>({2}, std::vector<float>{1, 2}));
        TorchSaver saver;
        PickleWriter pickle;
        saver.stateDict(pickle, tensors);
        const fs::path file = fresh() / "parakeet.nemo";
        fs::create_directories(file.parent_path());
        writeText(file, tarArchive({{"./tokenizer.model", "pieces"},
                                    {"./model_config.yaml", config},
                                    {"./model_weights.ckpt", saver.file(pickle, "model_weights")}}));
        return file;
    }
    fs::path wideGolden() {
        const fs::path folder = copyOf("parakeet-small");
        editConfig(folder, [](nlohmann::json& config) { config["encoder_config"]["intermediate_size"] = 64; });
        editWeights(folder, [](Named& tensors) {
            for (auto& [name, tensor] : tensors) {
                const bool first = name.find(".feed_forward") != std::string::npos && name.ends_with("linear1.weight"),
                           second = name.find(".feed_forward") != std::string::npos && name.ends_with("linear2.weight");
                if (!first && !second)
                    continue;
                std::vector<float> values;
                for (int i = 0; i < 64 * 16; ++i)
                    values.push_back(0.3F * std::sin(static_cast<float>(i) * (first ? 1.7F : 2.3F)));
                tensor = Tensor::of<float>(first ? std::vector<std::int64_t>{64, 16} : std::vector<std::int64_t>{16, 64},
                                           values);
            }
        });
        return folder;
    }

private Q_SLOTS:
    void anArchiveGivesTheNumbersOfTheFolder() {
        const fs::path folder = wideGolden(), archive = archiveOf(folder);
        const auto expected = SpeechModel::open(folder), opened = SpeechModel::open(archive);
        const Matrix<float> features = madeFeatures(90, 1, 32);
        QCOMPARE(opened->encode(features).values(), expected->encode(features).values());
        QCOMPARE(opened->ctcLogProbabilities(features).values(), expected->ctcLogProbabilities(features).values());
        QCOMPARE(opened->info().architecture.ctcBlank, expected->info().architecture.ctcBlank);
        QCOMPARE(opened->info().name, std::string("parakeet"));
        QCOMPARE(opened->info().parameters, expected->info().parameters);
        // The folder that holds nothing else stands for its archive, and it can be imported.
        QCOMPARE(SpeechModel::open(archive.parent_path())->encode(features).values(), opened->encode(features).values());
        const ImportReport report = importModel(archive, fresh());
        QCOMPARE(report.sourceKind, std::string("NeMo"));
        QCOMPARE(SpeechModel::open(report.model.folder)->encode(features).values(), opened->encode(features).values());
    }

    void labelsHaveTheirText_data() {
        QTest::addColumn<bool>("pieces");
        QTest::newRow("characters") << false;
        QTest::newRow("pieces") << true;
    }
    void labelsHaveTheirText() {
        QFETCH(bool, pieces);
        std::string config = std::string(kConfig) + "  vocabulary:\n";
        std::vector<std::string> labels;
        for (int i = 0; i < 58; ++i) // ten distinct letters after a space or ▁
            labels.push_back(i == 0 && !pieces ? " " : i % 7 == 0 && pieces ? "\xE2\x96\x81" + std::string(1, char('a' + i % 26)) + std::to_string(i)
                                                       : std::string(1, char('a' + i % 26)) + (i < 26 ? "" : std::to_string(i)));
        for (const std::string& label : labels)
            config += "  - '" + label + "'\n";
        const fs::path archive = archiveOf(wideGolden(), config);
        const auto opened = SpeechModel::open(archive);
        QCOMPARE(opened->info().tokenizer, archive);
        const Tokenizer tokenizer(opened->info().tokenizer);
        QCOMPARE(tokenizer.size(), 59); // the blank, too
        QCOMPARE(tokenizer.decode(std::vector<int>{2, 1, 7, 3}), pieces ? std::string("cb h7d") : std::string("cbhd"));
        QCOMPARE(tokenizer.decode(std::vector<int>{2, 0, 3}), pieces ? std::string("c a0d") : std::string("c d"));
        QCOMPARE(tokenizer.decode(std::vector<int>{2, 58}), std::string("c"));
        if (!pieces)
            QCOMPARE(tokenizer.encode("c d"), (std::vector<int>{2, 0, 3}));
        // A folder of ours has the list beside the weights.
        const ImportReport report = importModel(archive, fresh());
        const auto again = SpeechModel::open(report.model.folder);
        QCOMPARE(again->info().tokenizer.filename(), fs::path("token_list.yaml"));
        QCOMPARE(Tokenizer(again->info().tokenizer).decode(std::vector<int>{2, 0, 7, 3}),
                 tokenizer.decode(std::vector<int>{2, 0, 7, 3}));
        const auto place = config.rfind("  - '");
        refused(archiveOf(wideGolden(), config.substr(0, place)), "model.badConfig", {"57 labels", "58 beside its blank"});
    }

    void whatIsNotThatNetworkIsRefused() {
        const fs::path folder = wideGolden();
        const auto changed = [](const char* from, const char* to) {
            std::string config = kConfig;
            config.replace(config.find(from), std::string(from).size(), to);
            return config;
        };
        refused(archiveOf(folder, changed("rel_pos", "rel_pos_local_attn")), "model.unsupported", {"self_attention_model"});
        refused(archiveOf(folder, changed("dw_striding", "striding")), "model.unsupported", {"“subsampling”"});
        refused(archiveOf(folder, changed("batch_norm", "layer_norm")), "model.unsupported", {"conv_norm_type"});
        refused(archiveOf(folder, changed("modules.ConformerEncoder", "modules.SqueezeformerEncoder")),
                "model.unsupported", {"SqueezeformerEncoder", "ConformerEncoder"});
        refused(archiveOf(folder, changed("window_size: 0.025", "window_size: 0.02")), "model.unsupported", {"window_size"});
        refused(archiveOf(folder, changed("n_layers: 2", "n_layers: 3")), "model.missingTensor", {"encoder.layers.2."});
        refused(archiveOf(folder, changed("use_bias: false", "use_bias: !!python/object:os.system [x]")), "model.badConfig",
                {"line 26", "tags are never executed"});
        const fs::path archive = archiveOf(folder);
        fs::resize_file(archive, fs::file_size(archive) / 2);
        refused(archive, "model.truncated", {"parakeet.nemo", "ends inside"});
        writeText(archive, tarArchive({{"model_weights.ckpt", "x"}}));
        refused(archive, "model.notWeights", {"no model_config.yaml"});
    }

    void theYamlOfConfigurationsIsRead() {
        const auto yaml = parseYaml(kConfig, "a.yaml");
        QVERIFY(yaml["train_ds"]["manifest_filepath"].is_null());
        QVERIFY(yaml["train_ds"]["labels"] == nlohmann::json({"'s", "▁the"}));
        QVERIFY(yaml["encoder"]["att_context_size"] == nlohmann::json({-1, -1}));
        QVERIFY(yaml["preprocessor"]["dither"] == 1e-5 && yaml["preprocessor"]["log"] == true);
        const auto more = parseYaml("a: [1, two, [x, 'y, z'], {k: v}]\nb:\n  - name: n\n    size: 2\n  -\n    - 1\nc: a folded\n"
                                    "  text # remark\nd: \"#\\n\"\n\"e f\": {}\n",
                                    "b.yaml");
        QVERIFY(more["a"] == nlohmann::json::parse(R"([1, "two", ["x", "y, z"], {"k": "v"}])"));
        QVERIFY(more["b"] == nlohmann::json::parse(R"([{"name": "n", "size": 2}, [1]])"));
        QVERIFY(more["c"] == "a folded text" && more["d"] == "#\n" && more["e f"] == nlohmann::json::object());
        const auto says = [](const std::string& text, const char* words) {
            try {
                parseYaml(text, "c.yaml");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("model.badConfig"));
                QVERIFY2(std::string(error.what()).find(words) != std::string::npos, error.what());
                return;
            }
            QFAIL(words);
        };
        says("a: *b\n", "line 1: the line has an anchor or alias");
        says("a: 1\na: 2\n", "line 2: the line repeats the key “a”");
        says("a: [1, 2\n", "no closing bracket");
        says("a: 'x\n", "quotes do not match");
        says("a: 1\n   b: 2\n", "c.yaml, line 2: the line does not fit");
        says(std::string(200, '[') + "\n", "nested more than 32 deep");
        says("a:\n- 1\nb: {c: 1, c: 2}\n", "line 3: the line repeats the key “c”");
        says("a: &b 1\n", "line 1: the line has an anchor or alias");
        says("a: 1\n---\na: 2\n", "line 2: the line begins a second document");
        says("a: 1\nb: !none!x 2\n", "line 2: the line has a tag; tags are never executed");
        says("a: 1\nb:\n\t- 2\n", "line 3: the line is indented with a tab");
        says("a: 1\nb: \xff\n", "line 2: the line is not UTF-8 text");
        says("a: \"\\q\"\n", "line 1: the line has an unknown escape in a text");
        says(std::string((16 << 20) + 1, '\n'), "too long");
        const auto scalars = parseYaml("%YAML 1.1\n---\na: |\n  two\n  lines\nb: '1'\nc: +1.5e3\nd: ~\ne:\n1: True\n", "d.yaml");
        QVERIFY(scalars == nlohmann::json::parse(R"({"a": "two\nlines\n", "b": "1", "c": 1500.0, "d": null, "e": null, "1": true})"));
        QVERIFY(parseYaml("# nothing\n", "e.yaml") == nlohmann::json::object());
    }
};

HEADROOM_TEST(NemoTest)

} // namespace headroom::testing::nemo_test

#include "nemo_test.moc"
