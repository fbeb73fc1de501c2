// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/import.h"
#include "tests/models/model_folders.h"
#include "tests/support/runner.h"

namespace headroom::testing::import_test {

using namespace headroom::models;

class ImportTest : public QObject, ModelFolders {
    Q_OBJECT

private Q_SLOTS:
    void importedModelSaysTheSame() {
        const fs::path out = fresh();
        const ImportReport report = importModel(testing::referenceModel(), out);
        QCOMPARE(report.model.tensors, 190);
        for (const char* name : {"architecture.json", "model.safetensors", "sentencepiece.model",
                                 "front_end.json", "provenance.json"})
            QVERIFY2(fs::exists(out / name), name);
        const auto source = SpeechModel::open(testing::referenceModel());
        const auto imported = SpeechModel::open(out);
        const Matrix<float> features = testing::madeFeatures(90);
        QCOMPARE(imported->encode(features).values(), source->encode(features).values());
        QCOMPARE(imported->greedy(features, 5), source->greedy(features, 5));
        QCOMPARE(imported->info().storedAs, std::string("float16 safetensors"));
        QCOMPARE(imported->info().maxSourceFrames, 6000);
        QCOMPARE(imported->info().architecture, source->info().architecture);
        const auto provenance = testing::readJson(out / "provenance.json");
        QVERIFY(provenance["sha256"]["model.safetensors"] == source->info().weightsHash);
        QVERIFY(provenance["licence"].is_null());
        QVERIFY_EXCEPTION_THROWN(importModel(testing::referenceModel(), out), Error); // not empty
        QVERIFY_EXCEPTION_THROWN(importModel(out, fresh()), Error);              // ours already
    }

    void importTakesTheLicenceOfTheCardAndLeavesNothingOnFailure() {
        const fs::path folder = copyOfDemo();
        writeText(folder / "README.md", "---\nlanguage: en\nlicense: mit\n---\n# Model\n");
        QCOMPARE(importModel(folder, fresh()).licence, std::string("mit"));
        fs::resize_file(folder / "model.safetensors", 4'000'000);
        const fs::path out = fresh();
        QVERIFY_EXCEPTION_THROWN(importModel(folder, out), Error);
        QVERIFY(!fs::exists(out));
    }

    void defectsOfOurOwnFolderAreRefused() {
        const fs::path good = fresh();
        importModel(testing::referenceModel(), good);
        const auto copy = [&] {
            const fs::path folder = fresh();
            fs::copy(good, folder);
            return folder;
        };
        fs::path folder = copy();
        editConfig(
            folder, [](nlohmann::json& document) { document["subsampling"][0]["stride"] = 3; },
            "front_end.json");
        refused(folder, "model.frontEnd", {"front_end.json", "subsampling", "architecture.json"});
        fs::remove(folder / "front_end.json");
        refused(folder, "model.missingFile", {"front_end.json"});
        folder = copy();
        writeText(folder / "architecture.json", "{}");
        refused(folder, "model.architecture", {"architecture.json"});

        folder = copy();
        Architecture architecture = SpeechModel::open(good)->info().architecture;
        architecture.encoder.layers[2].heads = parseHeads("4 local 7");
        writeText(folder / "architecture.json", canonicalText(architecture));
        std::size_t outside = 0;
        SpeechModel::open(folder)->analyse(testing::madeFeatures(120), {}, [&](LayerAnalysis&& layer) {
            QVERIFY(layer.rebuildError <= 1e-4F && layer.gramError <= 1e-5F && layer.rowSumError <= 1e-5F);
            if (layer.layer == 3)
                for (std::size_t i = 0; i < 30; ++i)
                    for (std::size_t j = 0; j < 30; ++j)
                        outside += (i > j ? i - j : j - i) > 3 && layer.contributions(i, j) != 0;
        });
        QCOMPARE(outside, std::size_t(0));
        architecture.encoder.layers[2].heads = parseHeads("4 conv 5/2");
        writeText(folder / "architecture.json", canonicalText(architecture));
        refused(folder, "model.missingTensor", {"layers.2.self_attn.groups.0.conv_k.weight"});
        architecture.encoder.layers[2].heads = parseHeads("4 local 7");
        architecture.encoder.positions = Positions::Relative;
        writeText(folder / "architecture.json", canonicalText(architecture));
        refused(folder, "model.missingTensor", {"layers.0.self_attn.linear_pos.weight"});
    }
};

HEADROOM_TEST(ImportTest)

} // namespace headroom::testing::import_test

#include "import_test.moc"
