// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face folders whose weights are a PyTorch file.
#include "core/tensors/half.h"
#include "models/checkpoints/import.h"
#include "tests/models/model_folders.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/runner.h"

namespace headroom::testing::torch_weights_test {

using namespace headroom::models;

class TorchWeightsTest : public QObject, ModelFolders {
    Q_OBJECT

    /// A copy of the reference model whose weights are pytorch_model.bin.
    fs::path withPickle(bool legacy, const std::function<void(Named&)>& edit = {}) {
        const fs::path folder = copyOfDemo();
        Named tensors = readAll(folder / "model.safetensors");
        fs::remove(folder / "model.safetensors");
        if (edit)
            edit(tensors);
        writeText(folder / "pytorch_model.bin", stateDictFile(tensors, legacy));
        return folder;
    }
    static std::string stateDictFile(const Named& tensors, bool legacy) {
        TorchSaver saver(legacy);
        PickleWriter pickle;
        saver.stateDict(pickle, tensors);
        pickle.emptyDict().text("_metadata").emptyDict().raw("s").build(); // PyTorch's own attribute
        return saver.file(pickle, "pytorch_model");
    }

private Q_SLOTS:
    void foldersWithAPickleOpenAsTheyAre() {
        const Matrix<float> features = testing::madeFeatures(60);
        const auto reference = SpeechModel::open(referenceModel());
        for (const bool legacy : {false, true}) {
            const fs::path folder = withPickle(legacy);
            const auto model = SpeechModel::open(folder);
            QCOMPARE(model->info().storedAs,
                     std::string(legacy ? "float16 PyTorch before 1.6" : "float16 PyTorch"));
            QCOMPARE(model->encode(features).values(), reference->encode(features).values());
            QCOMPARE(model->info().tensors, reference->info().tensors);

            // A file stands for its folder with these weights.
            fs::rename(folder / "pytorch_model.bin", folder / "best.bin");
            QCOMPARE(SpeechModel::open(folder / "best.bin")->encode(features).values(),
                     reference->encode(features).values());
            const ImportReport report = importModel(folder / "best.bin", fresh());
            QCOMPARE(report.sourceKind, std::string("Hugging Face Speech2Text"));
            QCOMPARE(report.sourceStoredAs.find("float16 PyTorch"), std::size_t(0));
            QCOMPARE(report.model.storedAs, std::string("float16 safetensors")); // the precision is kept
            QVERIFY(readAll(report.model.folder / "model.safetensors").size() ==
                    std::size_t(reference->info().tensors));
            const auto provenance = readJson(report.model.folder / "provenance.json");
            QVERIFY(provenance["file"] == "best.bin");
            QCOMPARE(provenance["sha256"]["best.bin"].get<std::string>().size(), std::size_t(64));
            QVERIFY(provenance["sha256"].contains("config.json"));
            QVERIFY(provenance["tool"].get<std::string>().starts_with("Headroom "));
            QCOMPARE(provenance["imported"].get<std::string>().size(), std::string("2026-11-21").size());
        }
    }

    void everyPrecisionIsAcceptedAndSaid() {
        const Matrix<float> features = testing::madeFeatures(40);
        const Matrix<float> expected = SpeechModel::open(referenceModel())->encode(features);
        const fs::path wide = withPickle(false, [](Named& tensors) {
            for (auto& [name, tensor] : tensors)
                tensor = Tensor::of<double>(tensor.shape, toDoubles(tensor.view()));
        });
        const auto inDouble = SpeechModel::open(wide);
        QCOMPARE(inDouble->encode(features).values(), expected.values());
        QCOMPARE(inDouble->info().storedAs, std::string("float64 PyTorch"));
        QVERIFY(inDouble->info().report.assumed.size() == 1 &&
                inDouble->info().report.assumed.front().find("float32") != std::string::npos);

        const fs::path narrow = withPickle(false, [](Named& tensors) {
            for (auto& [name, tensor] : tensors) {
                const std::vector<float> values = toFloats(tensor.view());
                tensor.dtype = DType::BF16;
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const std::uint16_t bits = bfloat16FromFloat(values[i]);
                    std::memcpy(tensor.bytes.data() + 2 * i, &bits, 2);
                }
            }
        });
        const auto inBfloat = SpeechModel::open(narrow);
        QCOMPARE(inBfloat->info().storedAs, std::string("bfloat16 PyTorch"));
        const double difference = largestDifference(inBfloat->encode(features).values(), expected.values());
        QVERIFY(difference > 0 && difference < 1);

        refused(withPickle(false,
                           [](Named& tensors) {
                               const auto count = tensors.front().second.view().elementCount();
                               tensors.front().second = Tensor::of<std::int32_t>(
                                   tensors.front().second.shape,
                                   std::vector<std::int32_t>(static_cast<std::size_t>(count)));
                           }),
                "model.badType", {"pytorch_model.bin", "i32"});
    }

    void defectsOfPicklesAreRefused() {
        fs::path folder = withPickle(false);
        const auto size = fs::file_size(folder / "pytorch_model.bin");
        fs::resize_file(folder / "pytorch_model.bin", size / 2);
        refused(folder, "model.truncated", {"pytorch_model.bin"});
        writeText(folder / "pytorch_model.bin", "PK\x03\x04");
        refused(folder, "model.truncated", {"pytorch_model.bin"});
        writeText(folder / "pytorch_model.bin", "nonsense");
        refused(folder, "model.badHeader", {"pytorch_model.bin"});

        PickleWriter evil;
        evil.global("os", "system").mark().text("touch PWNED").tuple().reduce();
        writeText(folder / "pytorch_model.bin", TorchSaver().file(evil));
        refused(folder, "model.forbidden", {"pytorch_model.bin", "os.system", "Nothing was executed"});

        PickleWriter empty;
        writeText(folder / "pytorch_model.bin", TorchSaver().file(empty.emptyDict()));
        refused(folder, "model.notWeights", {"pytorch_model.bin"});
        PickleWriter other;
        other.emptyDict().text("epoch").integer(3).raw("s");
        writeText(folder / "pytorch_model.bin", TorchSaver().file(other));
        refused(folder, "model.notWeights", {"pytorch_model.bin", "epoch"});

        folder = withPickle(false, [](Named& tensors) { tensors.push_back(tensors.front()); });
        refused(folder, "model.duplicateName", {"pytorch_model.bin", "twice"});
        folder = withPickle(true, [](Named& tensors) { tensors.pop_back(); });
        refused(folder, "model.missingTensor", {"pytorch_model.bin", "config.json"});
    }

    void whatIsMissingIsNamed() {
        const fs::path folder = withPickle(false);
        writeText(folder / "pytorch_model.bin.index.json", "{}");
        QVERIFY(SpeechModel::open(folder)->info().tensors > 0);
        fs::rename(folder / "pytorch_model.bin", folder / "weights.bin");
        refused(folder, "model.badConfig", {"pytorch_model.bin.index.json", "weight_map"});
        fs::remove(folder / "pytorch_model.bin.index.json");
        refused(folder, "model.missingFile", {"model.safetensors", "pytorch_model.bin"});
        fs::remove(folder / "config.json");
        refused(folder / "weights.bin", "model.missingFile", {"weights.bin", "config.json"});
        refused(folder / "nothing.bin", "model.missing", {"nothing.bin"});
        refused(folder / "vocab.json", "model.missing", {"vocab.json"});
    }
};

HEADROOM_TEST(TorchWeightsTest)

} // namespace headroom::testing::torch_weights_test

#include "torch_weights_test.moc"
