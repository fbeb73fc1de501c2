// SPDX-License-Identifier: GPL-3.0-or-later
// Training folders of ESPnet: which file is opened, what is refused. Their numbers: networks/conformer_parity_test.cpp.
#include "core/tensors/npy.h"
#include "models/checkpoints/import.h"
#include "models/checkpoints/torch_checkpoint.h"
#include "tests/models/model_folders.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/runner.h"

#include <cmath>
#include <sstream>

namespace headroom::testing::espnet_test {

using namespace headroom::models;

namespace {

std::string textOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

} // namespace

class EspnetTest : public QObject, ModelFolders {
    Q_OBJECT

    /// The small model with another line in config.yaml.
    fs::path changed(const char* family, const std::string& from, const std::string& to) {
        const fs::path folder = copyOf(family);
        std::string config = textOf(folder / "config.yaml");
        const auto place = config.find(from);
        if (place == std::string::npos)
            throw std::runtime_error("no " + from);
        writeText(folder / "config.yaml", config.replace(place, from.size(), to));
        return folder;
    }

private Q_SLOTS:
    void theFolderTheFileAndTheImportAreOneModel() {
        const fs::path folder = copyOf("espnet-conformer");
        const auto opened = SpeechModel::open(folder), file = SpeechModel::open(folder / "valid.acc.ave.pth");
        const Matrix<float> features = madeFeatures(90, 1, 20);
        QCOMPARE(file->encode(features).values(), opened->encode(features).values());
        QCOMPARE(opened->info().name, folder.filename().string());
        QCOMPARE(opened->info().architecture.encoder.kind, EncoderKind::Conformer);
        QVERIFY(opened->info().architecture.frontEnd.cmvn && opened->info().architecture.ctc == 31);
        const ImportReport report = importModel(folder, fresh());
        QCOMPARE(report.sourceKind, std::string("ESPnet"));
        QCOMPARE(SpeechModel::open(report.model.folder)->encode(features).values(), opened->encode(features).values());
    }

    void theWeightsThatRecipesDecodeWithAreChosen() {
        const fs::path folder = copyOf("espnet-branchformer");
        const Matrix<float> features = madeFeatures(90, 1, 20);
        const auto expected = SpeechModel::open(folder)->encode(features).values();
        writeText(folder / "checkpoint.pth", "of the optimiser");
        writeText(folder / "3epoch.pth", "no weights");
        QCOMPARE(SpeechModel::open(folder)->encode(features).values(), expected);
        fs::rename(folder / "valid.acc.ave.pth", folder / "valid.acc.ave_10best.pth");
        QCOMPARE(SpeechModel::open(folder)->encode(features).values(), expected);
        writeText(folder / "valid.loss.ave_10best.pth", "no weights");
        refused(folder, "model.missingFile", {"several files of weights", "open one of them"});
        for (const char* name : {"3epoch.pth", "valid.loss.ave_10best.pth", "valid.acc.ave_10best.pth"})
            fs::remove(folder / name);
        refused(folder, "model.missingFile", {"only checkpoint.pth", "an epoch"});
        fs::remove(folder / "checkpoint.pth");
        writeText(folder / "config.yaml", "another: &program config\n");
        refused(folder, "model.notAModel", {"is not a model folder"});
    }

    void statisticsBesideTheWeightsAreUsedWhereTheseHaveNone() {
        const fs::path folder = copyOf("espnet-conformer");
        const auto expected = SpeechModel::open(folder)->info().architecture.frontEnd.cmvn.value();
        Named tensors;
        {
            const TorchCheckpoint file = openTorchCheckpoint(folder / "valid.acc.ave.pth");
            for (const std::string& name : file.tensors.names())
                if (const TensorView view = file.tensors.tensor(name);
                    !name.starts_with("normalize.") && view.dtype == DType::F32)
                    tensors.emplace_back(name, Tensor{view.dtype, view.shape, {view.bytes.begin(), view.bytes.end()}});
        }
        TorchSaver saver;
        PickleWriter pickle;
        saver.stateDict(pickle, tensors);
        writeText(folder / "valid.acc.ave.pth", saver.file(pickle, "valid.acc.ave"));
        refused(folder, "model.missingFile", {"feats_stats.npz is missing", "config.yaml"});
        const double frames = 37;
        std::vector<double> sums, squares;
        for (std::size_t bin = 0; bin < expected.mean.size(); ++bin) {
            sums.push_back(frames * expected.mean[bin]);
            squares.push_back(frames * (std::pow(expected.deviation[bin], 2) + std::pow(expected.mean[bin], 2)));
        }
        const auto bins = static_cast<std::int64_t>(sums.size());
        const Tensor count = Tensor::of<double>({1}, std::vector<double>{frames}), sum = Tensor::of<double>({bins}, sums),
                     square = Tensor::of<double>({bins}, squares);
        NpzWriter writer(folder / "feats_stats.npz");
        writer.add("count", count.view());
        writer.add("sum", sum.view());
        writer.add("sum_square", square.view());
        writer.close();
        // Also where a recipe has it, named from the folder in which exp/ lies.
        const fs::path repository = fresh(), training = repository / "exp" / "asr_train",
                       statistics = repository / "exp" / "asr_stats_raw_en_bpe30" / "train";
        fs::create_directories(statistics);
        fs::copy(folder, training, fs::copy_options::recursive);
        fs::rename(training / "feats_stats.npz", statistics / "feats_stats.npz");
        QVERIFY(SpeechModel::open(training)->info().architecture.frontEnd.cmvn->mean ==
                SpeechModel::open(folder)->info().architecture.frontEnd.cmvn->mean);
        const auto found = SpeechModel::open(folder)->info().architecture.frontEnd.cmvn.value();
        for (std::size_t bin = 0; bin < expected.mean.size(); ++bin)
            QVERIFY(std::abs(found.mean[bin] - expected.mean[bin]) <= 1e-9 &&
                    std::abs(found.deviation[bin] - expected.deviation[bin]) <= 1e-9);
    }

    void theirPositionsAreThoseOfTheirRecipe() {
        const auto positionsOf = [](const fs::path& folder) {
            return SpeechModel::open(folder)->info().architecture.encoder.positions;
        };
        QCOMPARE(positionsOf(copyOf("espnet-conformer-legacy")), Positions::RelativeLegacy);
        QCOMPARE(positionsOf(copyOf("espnet-conformer-absolute")), Positions::Interleaved);
        QCOMPARE(positionsOf(changed("espnet-conformer", "    rel_pos_type: latest\n", "")),
                 Positions::RelativeLegacy); // ESPnet's default
    }

    void whatIsNotComputedIsRefused() {
        refused(changed("espnet-conformer", "rel_pos_type: latest", "rel_pos_type: newest"), "model.unsupported",
                {"“encoder_conf”", "“rel_pos_type” is \"newest\""});
        refused(changed("espnet-conformer", "pos_enc_layer_type: rel_pos", "pos_enc_layer_type: scaled_abs_pos"),
                "model.unsupported", {"“pos_enc_layer_type” is \"scaled_abs_pos\""});
        refused(changed("espnet-conformer", "pos_enc_layer_type: rel_pos", "pos_enc_layer_type: abs_pos"),
                "model.unsupported", {"“selfattention_layer_type” is \"rel_selfattn\"", "runs \"selfattn\" only"});
        refused(changed("espnet-conformer-legacy", "rel_pos_type: legacy", "rel_pos_type: legacy\n    max_pos_emb_len: 900"),
                "model.unsupported", {"“max_pos_emb_len” is 900"});
        refused(changed("espnet-conformer", "macaron_style: true", "macaron_style: false"), "model.unsupported",
                {"macaron_style"});
        refused(changed("espnet-conformer", "encoder: conformer", "encoder: contextual_block_conformer"),
                "model.unsupported", {"contextual_block_conformer", "e_branchformer"});
        refused(changed("espnet-conformer", "input_layer: conv2d", "input_layer: linear"), "model.unsupported",
                {"input_layer", "conv2d8"});
        refused(changed("espnet-conformer", "frontend: default", "frontend: s3prl"), "model.frontEnd", {"s3prl", "default"});
        refused(changed("espnet-conformer", "fs: 16k", "fs: 8k"), "model.unsupported", {"“fs”", "16k"});
        refused(changed("espnet-branchformer", "merge_method: concat", "merge_method: learned_ave"), "model.unsupported",
                {"merge_method"});
        refused(changed("espnet-e-branchformer", "gate_activation: identity", "gate_activation: swish"), "model.unsupported",
                {"gate_activation"});
        refused(changed("espnet-e-branchformer", "num_blocks: 2", "num_blocks: 3"), "model.missingTensor",
                {"encoder.encoders.2."});
        refused(changed("espnet-e-branchformer", "merge_conv_kernel: 5", "merge_conv_kernel: 7"), "model.wrongShape",
                {"depthwise_conv_fusion"});
        refused(changed("espnet-conformer", "log_level: INFO", "log_level: !!python/object:os.system [x]"),
                "model.badConfig", {"tags are never executed"});
        refused(changed("espnet-conformer", "attention_heads: 2", "attention_heads: 3"), "model.badConfig",
                {"3 heads", "16"});
    }
};

HEADROOM_TEST(EspnetTest)

} // namespace headroom::testing::espnet_test

#include "espnet_test.moc"
