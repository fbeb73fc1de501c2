// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of fairseq: arguments into the document, names into ours.
#include "core/architecture/costs.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/fairseq_names.h"
#include "models/checkpoints/import.h"
#include "tests/models/checkpoints/fairseq_file.h"
#include "tests/support/runner.h"

namespace headroom::testing::fairseq_test {

using namespace headroom::models;

namespace {

Tensor zeros(std::vector<std::int64_t> shape) {
    const std::vector<float> values(
        static_cast<std::size_t>(TensorView{DType::F32, shape, {}}.elementCount()));
    return Tensor::of<float>(std::move(shape), values);
}

/// The arguments of a small network with heads that the released Multiformer has.
FairseqArgs multiformerArgs() {
    Architecture small;
    small.encoder.width = 16;
    small.encoder.feedForward = 32;
    small.encoder.layers.assign(2, {parseHeads("4 full")});
    small.frontEnd.channels = 8;
    small.decoder.emplace();
    small.decoder->width = 16;
    small.decoder->layers = 1;
    small.decoder->selfAttention = parseHeads("4 masked");
    small.decoder->crossAttention = parseHeads("4 full");
    FairseqArgs args = argsOf(small);
    args["arch"] = "s2t_multiformer_s_v1";
    args["arg_supremo"] =
        "1 * ((('local', 2, 64), ('compressed', 2, 5, 2, 'depthwise')),) + 1 * ((('full', 4),),)";
    args["conv_ks"] = "5,5";
    args["conv_strides"] = "2,2";
    args.erase("encoder_attention_heads"); // as that code does
    return args;
}

} // namespace

class FairseqTest : public QObject, ModelFolders {
    Q_OBJECT

    /// The reference model as a checkpoint of fairseq, alone with its SentencePiece model.
    fs::path checkpoint(ArgsForm form, bool legacy = false,
                        const std::function<void(FairseqArgs&)>& edit = {}) {
        const fs::path folder = fresh();
        fs::create_directories(folder);
        const auto reference = SpeechModel::open(referenceModel());
        FairseqArgs args = argsOf(reference->info().architecture);
        if (edit)
            edit(args);
        writeText(
            folder / "checkpoint_best.pt",
            fairseqFile(args, fairseqTensors(readAll(referenceModel() / "model.safetensors")), form, legacy));
        fs::copy(reference->info().tokenizer, folder / "spm_unigram.model");
        return folder;
    }
    ModelFolder described(const FairseqArgs& args, Named tensors) {
        const fs::path folder = fresh();
        fs::create_directories(folder);
        tensors.emplace_back("decoder.embed_tokens.weight", zeros({20, 16}));
        writeText(folder / "small.pt", fairseqFile(args, tensors));
        return describeModelFolder(folder / "small.pt");
    }
    static std::vector<std::string> headsOf(const Architecture& architecture) {
        std::vector<std::string> result;
        for (const auto& layer : architecture.encoder.layers)
            result.push_back(toText(layer.heads));
        return result;
    }

private Q_SLOTS:
    void everyFormSaysTheSameAsItsSource_data() {
        QTest::addColumn<int>("form");
        QTest::addColumn<bool>("legacy");
        QTest::newRow("args") << int(ArgsForm::Namespace) << false;
        QTest::newRow("args, before PyTorch 1.6") << int(ArgsForm::Namespace) << true;
        QTest::newRow("cfg with a Namespace") << int(ArgsForm::ConfigOfDicts) << false;
        QTest::newRow("cfg of omegaconf objects") << int(ArgsForm::ConfigOfObjects) << false;
    }
    void everyFormSaysTheSameAsItsSource() {
        QFETCH(int, form);
        QFETCH(bool, legacy);
        const fs::path folder = checkpoint(static_cast<ArgsForm>(form), legacy);
        const auto reference = SpeechModel::open(referenceModel());
        const ImportReport report = importModel(folder / "checkpoint_best.pt", fresh());
        QCOMPARE(report.sourceKind, std::string("fairseq"));
        QCOMPARE(report.sourceStoredAs,
                 std::string("float16 fairseq, PyTorch") + (legacy ? " before 1.6" : ""));
        QCOMPARE(report.model.tensors, reference->info().tensors);
        QCOMPARE(report.model.report.loaded.size(), std::size_t(reference->info().tensors));
        Architecture expected = reference->info().architecture;
        expected.name = report.model.architecture.name;
        expected.source = "fairseq s2t_transformer_s";
        QCOMPARE(report.model.architecture, expected);
        QCOMPARE(report.model.tokenizer.filename(), fs::path("sentencepiece.model"));

        const auto model = SpeechModel::open(report.model.folder);
        const Matrix<float> features = testing::madeFeatures(70);
        QCOMPARE(model->encode(features).values(), reference->encode(features).values());
        QCOMPARE(model->forcedLogits(features, {2, 7, 9}).values(),
                 reference->forcedLogits(features, {2, 7, 9}).values());
        const auto provenance = readJson(report.model.folder / "provenance.json");
        QVERIFY(provenance["sourceKind"] == "fairseq" && provenance["file"] == "checkpoint_best.pt");
        QCOMPARE(provenance["sha256"]["checkpoint_best.pt"].get<std::string>().size(), std::size_t(64));
        QVERIFY(provenance["assumed"].size() == 1); // config.yaml is missing
    }

    void checkpointsOpenDirectly() {
        const fs::path folder = checkpoint(ArgsForm::Namespace);
        const auto model = SpeechModel::open(folder / "checkpoint_best.pt");
        QCOMPARE(model->info().name, folder.filename().string());
        QCOMPARE(SpeechModel::open(folder)->info().tensors,
                 model->info().tensors); // the only *.pt of a folder
        fs::copy(folder / "checkpoint_best.pt", folder / "checkpoint_last.pt");
        refused(folder, "model.notAModel", {folder.filename().string(), "*.pt"});
        fs::rename(folder / "checkpoint_last.pt", folder / "st-en-de.pt");
        QCOMPARE(SpeechModel::open(folder / "st-en-de.pt")->info().name, std::string("st-en-de"));
    }

    /// fairseq takes the old name where the new one is absent or 0; what equals the dropout is not written.
    void activationDropoutIsThatOfTheArguments() {
        const auto imported = [&](const std::map<std::string, double>& values) {
            const fs::path folder = checkpoint(ArgsForm::Namespace, false, [&](FairseqArgs& args) {
                for (const auto& [key, value] : values)
                    args[key] = value;
            });
            return describeModelFolder(folder / "checkpoint_best.pt").architecture.encoder.activationDropout;
        };
        QVERIFY(!imported({{"dropout", 0.3}}));
        QVERIFY(!imported({{"dropout", 0.3}, {"activation_dropout", 0.3}}));
        QCOMPARE(imported({{"dropout", 0.3}, {"activation_dropout", 0.1}}), std::optional(0.1));
        QCOMPARE(imported({{"dropout", 0.3}, {"activation_dropout", 0.0}, {"relu_dropout", 0.2}}), std::optional(0.2));
        QCOMPARE(imported({{"dropout", 0.3}, {"activation_dropout", 0.0}}), std::optional(0.0));
    }

    void tokenizersAreFoundByTheirSize() {
        const fs::path folder = checkpoint(ArgsForm::Namespace);
        const fs::path file = folder / "checkpoint_best.pt";
        QCOMPARE(describeModelFolder(file).tokenizer.filename(), fs::path("spm_unigram.model"));
        writeText(folder / "another.model", "of another kind");
        QCOMPARE(describeModelFolder(file).tokenizer.filename(), fs::path("spm_unigram.model"));
        fs::copy(folder / "spm_unigram.model", folder / "second.model");
        const ModelFolder two = describeModelFolder(file);
        QVERIFY(two.tokenizer.empty());
        QVERIFY(two.assumed.back().find("none was chosen") != std::string::npos);
        ImportOptions options;
        options.tokenizer = folder / "second.model";
        QVERIFY(!importModel(file, fresh(), options).model.tokenizer.empty());
        options.tokenizer = folder / "another.model";
        QVERIFY_EXCEPTION_THROWN(importModel(file, fresh(), options), Error);

        fs::remove(folder / "second.model");
        writeText(folder / "dict.txt", "wrong 1\n");
        refused(file, "model.tokenizer", {"spm_unigram.model", "line 1", "dict.txt"});
    }

    void whatIsNotComputedIsRefusedByName_data() {
        using Value = FairseqArgs::mapped_type;
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("code");
        m_values.clear();
        const auto row = [&](const char* key, Value value, const char* code) {
            QTest::newRow(key) << key << code;
            m_values[key] = std::move(value);
        };
        row("no_scale_embedding", true, "model.unsupported");
        row("layernorm_embedding", true, "model.unsupported");
        row("adaptive_softmax_cutoff", "1000,2000", "model.unsupported");
        row("decoder_output_dim", 7, "model.unsupported");
        row("activation_fn", "gelu_accurate", "model.unsupported");
        row("input_channels", 2, "model.unsupported");
        row("arch", "wav2vec2", "model.unsupported");
        row("encoder_layers", "many", "model.badConfig");
        row("encoder_embed_dim", -5, "model.badConfig");
        row("encoder_attention_heads", 5, "model.badConfig");
        row("dropout", 1.5, "model.badConfig");
        row("conv_kernel_sizes", "5;5", "model.badConfig");
        row("encoder_normalize_before", 1, "model.badConfig");
        row("decoder_layers", 3000, "model.badConfig");
    }
    void whatIsNotComputedIsRefusedByName() {
        QFETCH(QString, key);
        QFETCH(QString, code);
        const fs::path folder = checkpoint(ArgsForm::Namespace, false, [&](FairseqArgs& args) {
            args[key.toStdString()] = m_values.at(key.toStdString());
        });
        const bool named = key != "encoder_attention_heads"; // the document's own sentence
        refused(folder, code.toStdString(), {"checkpoint_best.pt", named ? key.toStdString() : "5"});
    }

    void missingArgumentsAreNamed() {
        for (const char* key : {"encoder_layers", "conv_channels", "max_source_positions", "arch"}) {
            const fs::path folder =
                checkpoint(ArgsForm::ConfigOfObjects, false, [&](FairseqArgs& args) { args.erase(key); });
            refused(folder, std::string(key) == "arch" ? "model.unsupported" : "model.badConfig",
                    {"checkpoint_best.pt", "cfg.model." + std::string(key)});
        }
        const fs::path mark = checkpoint(ArgsForm::ConfigOfObjects, false,
                                         [](FairseqArgs& args) { args["conv_channels"] = "???"; });
        refused(mark, "model.badConfig", {"conv_channels", "missing"});
    }

    void featuresNormalisedByTheCorpusAreRefused() {
        const fs::path folder = checkpoint(ArgsForm::Namespace);
        writeText(folder / "config.yaml", "transforms:\n  '*':\n  - utterance_cmvn # not global_cmvn\n");
        QVERIFY(describeModelFolder(folder / "checkpoint_best.pt").assumed.empty());
        writeText(folder / "config.yaml", "transforms:\n  '*':\n  - global_cmvn\n");
        refused(folder, "model.frontEnd", {"config.yaml", "global_cmvn"});
    }

    void tensorsThatDoNotFitTheArgumentsAreListed() {
        const fs::path folder = checkpoint(ArgsForm::Namespace, false,
                                           [](FairseqArgs& args) { args["encoder_ffn_embed_dim"] = 24; });
        refused(folder, "model.wrongShape", {"checkpoint_best.pt", "fc1", "configuration in it"});
    }

    void multiformersBecomeDocuments() {
        Named tensors;
        for (const char* name : {"wq.weight", "wk.weight", "wv.weight", "wo.weight", "wo.bias"})
            tensors.emplace_back(std::string("encoder.transformer_layers.0.self_attn.") + name,
                                 zeros(std::string(name) == "wo.bias" ? std::vector<std::int64_t>{16}
                                                                      : std::vector<std::int64_t>{16, 16}));
        const ModelFolder model = described(multiformerArgs(), tensors);
        QCOMPARE(headsOf(model.architecture),
                 (std::vector<std::string>{"2 local 64 block + 2 conv 5/2", "4 full"}));
        QVERIFY(!model.architecture.encoder.queryKeyValueBias);
        QCOMPARE(model.architecture.frontEnd.strides, (std::vector<int>{2, 2}));
        QCOMPARE(model.architecture.vocabulary, 20);
        QCOMPARE(model.architecture, parseArchitecture(canonicalText(model.architecture), "canonical"));

        FairseqArgs byName = multiformerArgs();
        byName.erase("arg_supremo");
        byName["arch"] = "s2t_multiformer_s_v2";
        const ModelFolder v2 = described(byName, {});
        QCOMPARE(headsOf(v2.architecture)[3], std::string("3 local 64 block + 1 conv 5/2"));
        QVERIFY(v2.assumed.front().find("arg_supremo") != std::string::npos); // said

        FairseqArgs shipped = multiformerArgs();
        shipped["arg_supremo"] = "3 * ((('local', 4, 64),),) + 5 ((('local', 4, 64),),)";
        try {
            described(shipped, {});
            QFAIL("read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.badConfig"));
            QVERIFY(std::string(error.what()).find("small.pt: args.arg_supremo") != std::string::npos);
        }
        byName["arch"] = "s2t_multiformer_mine";
        QVERIFY_EXCEPTION_THROWN(described(byName, {}), Error);
    }

    void multiformersOpenAndRun() {
        const auto reference = SpeechModel::open(referenceModel());
        const Architecture& plain = reference->info().architecture;
        const std::size_t layers = plain.encoder.layers.size();
        const std::int64_t channels = plain.encoder.width / 4;
        Named tensors;
        for (auto& [name, tensor] : fairseqTensors(readAll(referenceModel() / "model.safetensors"))) {
            if (name.starts_with("encoder.transformer_layers.") &&
                name.find(".self_attn.") != std::string::npos) {
                const bool isOut = name.find(".out_proj.") != std::string::npos;
                if (name.ends_with(".bias") && !isOut)
                    continue; // Multiformer's projections have none
                const auto at = name.find("_proj.");
                name = isOut ? name.replace(at - 3, 8, "wo")
                             : name.replace(at - 1, 6, std::string("w") + name[at - 1]);
            }
            tensors.emplace_back(name, tensor);
        }
        std::vector<float> taps(static_cast<std::size_t>(channels) * 5),
            biases(static_cast<std::size_t>(channels), 0.1F);
        for (std::size_t i = 0; i < taps.size(); ++i)
            taps[i] = 0.1F * static_cast<float>(i % 7);
        for (std::size_t l = 0; l < layers; ++l)
            for (const char* which : {"conv_k", "conv_v"}) {
                const std::string name =
                    "encoder.transformer_layers." + std::to_string(l) + ".self_attn.attentions.1." + which;
                tensors.emplace_back(name + ".weight", Tensor::of<float>({channels, 1, 5}, taps));
                tensors.emplace_back(name + ".bias", Tensor::of<float>({channels}, biases));
            }
        FairseqArgs args = argsOf(plain);
        args["arch"] = "s2t_multiformer_s_lc";
        args["arg_supremo"] =
            std::to_string(layers) + " * ((('local', 2, 64), ('compressed', 2, 5, 2, 'depthwise')),)";
        args.erase("encoder_attention_heads");
        const fs::path folder = fresh();
        fs::create_directories(folder);
        writeText(folder / "lc.pt", fairseqFile(args, tensors));

        const ImportReport report = importModel(folder / "lc.pt", fresh());
        QCOMPARE(headsOf(report.model.architecture),
                 std::vector<std::string>(layers, "2 local 64 block + 2 conv 5/2"));
        QCOMPARE(report.model.parameters, parameterCosts(report.model.architecture).parameters);
        const Matrix<float> features = testing::madeFeatures(300);
        const Matrix<float> output = SpeechModel::open(report.model.folder)->encode(features);
        QCOMPARE(output.values(), SpeechModel::open(folder / "lc.pt")->encode(features).values());
        QVERIFY(std::isfinite(largestDifference(output.values(), reference->encode(features).values())));
        QVERIFY(largestDifference(output.values(), reference->encode(features).values()) > 1e-3);
    }

    void conformersBecomeDocuments() {
        FairseqArgs args = multiformerArgs();
        args["arch"] = "s2t_conformer";
        args.erase("arg_supremo");
        args["encoder_attention_heads"] = 4;
        args["depthwise_conv_kernel_size"] = 31;
        args["attn_type"] = "espnet";
        args["pos_enc_type"] = "rel_pos";
        args["conv_version"] = "s2t_transformer";
        const Architecture relative = described(args, {}).architecture;
        QCOMPARE(relative.encoder.kind, EncoderKind::Conformer);
        QCOMPARE(relative.encoder.positions, Positions::Relative);
        QCOMPARE(relative.encoder.activation, Activation::Swish);
        QCOMPARE(relative.encoder.convolution->kernel, 31);
        QCOMPARE(relative.encoder.convolution->norm, ConvolutionNorm::Batch);
        QVERIFY(!relative.encoder.convolution->bias && relative.frontEnd.projection);
        args["attn_type"] = nullptr;
        args["pos_enc_type"] = "abs";
        QCOMPARE(described(args, {}).architecture.encoder.positions, Positions::Sinusoidal);
        args["pos_enc_type"] = "rope"; // turned before the projections there
        QVERIFY_EXCEPTION_THROWN(described(args, {}), Error);
        args["pos_enc_type"] = "abs";
        args["conv_version"] = "convtransformer";
        QVERIFY_EXCEPTION_THROWN(described(args, {}), Error);
    }

    void namesAreOurs() {
        const std::pair<const char*, const char*> names[]{
            {"encoder.subsample.conv_layers.0.weight", "model.encoder.conv.conv_layers.0.weight"},
            {"encoder.transformer_layers.3.self_attn.k_proj.bias",
             "model.encoder.layers.3.self_attn.k_proj.bias"},
            {"encoder.transformer_layers.3.self_attn.wq.weight",
             "model.encoder.layers.3.self_attn.q_proj.weight"},
            {"encoder.transformer_layers.3.self_attn.wk.weight",
             "model.encoder.layers.3.self_attn.k_proj.weight"},
            {"encoder.transformer_layers.3.self_attn.wv.weight",
             "model.encoder.layers.3.self_attn.v_proj.weight"},
            {"encoder.transformer_layers.3.self_attn.wo.bias",
             "model.encoder.layers.3.self_attn.out_proj.bias"},
            {"encoder.transformer_layers.3.self_attn.attentions.1.conv_k.weight",
             "model.encoder.layers.3.self_attn.groups.1.conv_k.weight"},
            {"encoder.transformer_layers.0.self_attn.attentions.1.conv_v.0.bias",
             "model.encoder.layers.0.self_attn.groups.1.conv_v.0.bias"},
            {"encoder.conformer_layers.2.self_attn.linear_q.weight",
             "model.encoder.layers.2.self_attn.q_proj.weight"},
            {"encoder.conformer_layers.2.self_attn.linear_out.bias",
             "model.encoder.layers.2.self_attn.out_proj.bias"},
            {"encoder.conformer_layers.2.self_attn.linear_pos.weight",
             "model.encoder.layers.2.self_attn.linear_pos.weight"},
            {"encoder.conformer_layers.2.self_attn.pos_bias_u",
             "model.encoder.layers.2.self_attn.pos_bias_u"},
            {"encoder.conformer_layers.2.ffn1.layer_norm.bias",
             "model.encoder.layers.2.ffn1_layer_norm.bias"},
            {"encoder.conformer_layers.2.ffn2.w_2.weight", "model.encoder.layers.2.ffn2.fc2.weight"},
            {"encoder.conformer_layers.2.conv_module.batch_norm.running_mean",
             "model.encoder.layers.2.conv_module.batch_norm.running_mean"},
            {"encoder.layer_norm.weight", "model.encoder.layer_norm.weight"},
            {"decoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"},
            {"decoder.layers.1.encoder_attn.q_proj.weight",
             "model.decoder.layers.1.encoder_attn.q_proj.weight"},
            {"decoder.output_projection.weight", "lm_head.weight"}};
        for (const auto& [theirs, ours] : names)
            QCOMPARE(fromFairseqName(theirs).value_or("dropped"), std::string(ours));
        for (const char* name :
             {"encoder.version", "decoder.version", "encoder.embed_positions._float_tensor",
              "encoder.conformer_layers.0.conv_module.batch_norm.num_batches_tracked"})
            QVERIFY2(!fromFairseqName(name), name);

        NamedTensors twice({}, "fairseq");
        twice.add("encoder.transformer_layers.0.self_attn.wq.weight", {});
        twice.add("encoder.transformer_layers.0.self_attn.q_proj.weight", {});
        QVERIFY_EXCEPTION_THROWN(fromFairseqNames(twice, {}, "m.pt"), Error);
        NamedTensors tied({}, "fairseq");
        tied.add("decoder.output_projection.weight", {});
        QVERIFY(fromFairseqNames(tied, {"lm_head.weight"}, "m.pt").names().empty());
        QCOMPARE(fromFairseqNames(tied, {}, "m.pt").names().size(), std::size_t(1));
    }

private:
    FairseqArgs m_values;
};

HEADROOM_TEST(FairseqTest)

} // namespace headroom::testing::fairseq_test

#include "fairseq_test.moc"
