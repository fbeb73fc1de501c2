// SPDX-License-Identifier: GPL-3.0-or-later
// A translation model (FSMT) against what its library computes: states, maps, contributions, logits,
// searches, the loss of a padded batch and its gradients.
#include "core/tensors/safetensors.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/checkpoint.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "tests/training/decoding/golden_searches.h"
#include "training/loop/batch_loss.h"

#include <ATen/core/Tensor.h>

#include <QTest>

namespace headroom::testing::text_parity_test {

using namespace headroom::models;
using namespace headroom::training;
using nlohmann::json;

namespace {

Matrix<float> columnOf(const std::vector<int>& ids) {
    return {ids.size(), 1, std::vector<float>(ids.begin(), ids.end())};
}

/// All numbers of an array whose first dimension counts layers, and the part of one layer.
struct Layers {
    std::vector<float> values;
    std::size_t layers;
    explicit Layers(const std::filesystem::path& file) {
        const Tensor tensor = readNpy(file);
        values = toFloats(tensor.view());
        layers = static_cast<std::size_t>(tensor.shape.front());
    }
    std::span<const float> layer(int number) const { // from 1
        const std::size_t each = values.size() / layers;
        return {values.data() + static_cast<std::size_t>(number - 1) * each, each};
    }
};

std::vector<float> joined(const std::vector<Matrix<float>>& maps) {
    std::vector<float> all;
    for (const Matrix<float>& map : maps)
        all.insert(all.end(), map.values().begin(), map.values().end());
    return all;
}

Batch batchOf(const json& golden) {
    Batch batch;
    batch.bins = 1;
    for (const json& row : golden.at("source")) {
        const auto ids = row.get<std::vector<int>>();
        batch.longest = static_cast<std::int64_t>(ids.size());
        batch.frames.push_back(std::count_if(ids.begin(), ids.end(), [](int id) { return id != 1; }));
        for (const int id : ids)
            batch.features.push_back(id == 1 ? 0 : static_cast<float>(id)); // as the loader pads
    }
    for (const json& row : golden.at("labels")) {
        auto ids = row.get<std::vector<int>>();
        std::erase(ids, 1);
        ids.pop_back(); // </s>
        batch.targets.push_back(std::move(ids));
    }
    return batch;
}

} // namespace

class TextParityTest : public QObject {
    Q_OBJECT
    std::filesystem::path m_folder;
    std::unique_ptr<SpeechModel> m_model;
    json m_golden;

private Q_SLOTS:
    void initTestCase_data() { testing::addGoldenFolders(); } // of “shared”, the tables of positions were trained
    void init() {
        const auto folder = testing::classGoldens() / "parity/decoding/text";
        if (folder == m_folder)
            return;
        m_folder = folder;
        m_model = SpeechModel::open(folder / "model");
        m_golden = testing::readJson(folder / "sentences.json");
    }

    void folderIsATranslationModelWithOneVocabulary() {
        const ModelInfo& info = m_model->info();
        QCOMPARE(info.architecture.frontEnd.kind, FrontEndKind::Text);
        QCOMPARE(info.architecture.encoder.norm, NormPlace::Post);
        QVERIFY(info.architecture.decoder->tiedEmbeddings);
        QCOMPARE(Tokenizer(info.tokenizer).size(), info.architecture.vocabulary);
    }

    void encoderEqualsTheLibrary() {
        for (const json& sentence : m_golden.at("sentences")) {
            const std::string name = sentence.at("name");
            const Layers states(m_folder / (name + ".encoder_states.npy")),
                maps(m_folder / (name + ".encoder_attention.npy")),
                contributions(m_folder / (name + ".contribution.npy"));
            AnalysisOptions options;
            options.keepAttention = options.keepStates = true;
            int seen = 0;
            const auto result =
                m_model->analyse(columnOf(sentence.at("source_ids")), options, [&](LayerAnalysis&& layer) {
                    ++seen;
                    QVERIFY(largestDifference(layer.state.values(), states.layer(layer.layer + 1)) <= 1e-4);
                    QVERIFY(largestDifference(joined(layer.attention), maps.layer(layer.layer)) <= 1e-4);
                    QVERIFY(largestDifference(layer.contributions.values(),
                                              contributions.layer(layer.layer)) <= 1e-4);
                    QVERIFY(layer.rebuildError <= 1e-4);
                    QVERIFY(layer.gramError <= 1e-5);
                });
            QCOMPARE(seen, static_cast<int>(maps.layers));
            QVERIFY(largestDifference(result.input.values(), states.layer(1)) <= 1e-4);
            QVERIFY(largestDifference(result.encoderOutput.values(), states.layer(seen + 1)) <= 1e-4);
            QCOMPARE(result.tokens, static_cast<std::int64_t>(sentence.at("source_ids").size()));
            QCOMPARE(m_model->info().clock.centre(Tokens(3)).value(), 3.0); // places instead of times
        }
    }

    void decoderEqualsTheLibrary() {
        for (const json& sentence : m_golden.at("sentences")) {
            const std::string name = sentence.at("name");
            const auto inputs = sentence.at("decoder_input_ids").get<std::vector<int>>();
            const Layers self(m_folder / (name + ".decoder_attention.npy")),
                cross(m_folder / (name + ".cross_attention.npy"));
            AnalysisOptions options;
            options.keepAttention = true;
            int seen = 0;
            m_model->analyseDecoder(
                columnOf(sentence.at("source_ids")), inputs, options, [&](DecoderLayerAnalysis&& layer) {
                    ++seen;
                    QVERIFY(largestDifference(joined(layer.self.attention), self.layer(layer.layer)) <= 1e-4);
                    QVERIFY(largestDifference(joined(layer.cross.attention), cross.layer(layer.layer)) <=
                            1e-4);
                    QVERIFY(layer.cross.rebuildError <= 1e-4);
                });
            QCOMPARE(seen, static_cast<int>(self.layers));
            const Layers logits(m_folder / (name + ".logits.npy"));
            const Matrix<float> found = m_model->forcedLogits(columnOf(sentence.at("source_ids")), inputs);
            QVERIFY(largestDifference(found.values(), logits.values) <= 1e-4);
        }
    }

    void searchesFindTheLibrarysHypotheses() {
        for (const json& sentence : m_golden.at("sentences"))
            for (const json& run : sentence.at("generation")) {
                const auto scorer = m_model->scorer(columnOf(sentence.at("source_ids")));
                const auto found = beamSearch(*scorer, 1, settingsOf(run.at("settings"))).front();
                const QString wrong = difference(found, run, "sum_log_prob");
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong + " in " + QString::fromStdString(run.dump())));
            }
    }

    void lossAndGradientsOfAPaddedBatchEqualTheLibrary() {
        const Checkpoint model = readCheckpoint(m_folder / "model");
        Parameters parameters;
        model.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            parameters.set(name, tensor.clone().requires_grad_(true));
        });
        const json& golden = m_golden.at("batch");
        Recipe::Loss recipe;
        recipe.labelSmoothing = golden.at("label_smoothing");
        const BatchLoss loss =
            batchLoss(parameters, model.info.architecture, recipe, batchOf(golden), false, true);
        QCOMPARE(loss.crossEntropy.tokens, golden.at("tokens").get<std::int64_t>());
        const double sum = golden.at("loss_sum"), nll = golden.at("nll_sum");
        QVERIFY(std::abs(loss.crossEntropy.lossSum - sum) <= 1e-4);
        QVERIFY(std::abs(loss.crossEntropy.nllSum - nll) <= 1e-4);
        const Safetensors gradients(m_folder / "batch.gradients.safetensors");
        int compared = 0;
        parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            // The library names the matrix of both texts and of the output after the encoder.
            const std::string theirs =
                name == "model.decoder.embed_tokens.weight" ? "model.encoder.embed_tokens.weight" : name;
            if (!gradients.contains(theirs))
                return;
            const at::Tensor found = tensor.grad().div(golden.at("tokens").get<double>()).contiguous();
            const std::span<const float> values(found.const_data_ptr<float>(),
                                                static_cast<std::size_t>(found.numel()));
            const std::vector<float> all = toFloats(gradients.tensor(theirs));
            QVERIFY(all.size() >= values.size());
            const std::span<const float> expected = std::span(all).last(values.size()); // without rows of <pad>
            QVERIFY2(largestDifference(values, expected) <= 1e-4, name.c_str());
            ++compared;
        });
        QVERIFY(compared >= 10);
    }

    void whatIsNoTokenOfTheSourceIsRefused() {
        for (const float id : {-1.0F, 2.5F, 1e6F})
            QVERIFY_EXCEPTION_THROWN(m_model->encode(Matrix<float>(1, 1, std::vector<float>{id})), Error);
        const std::size_t many = static_cast<std::size_t>(m_model->info().maxSourceFrames) + 1;
        try {
            m_model->encode(Matrix<float>(many, 1, std::vector<float>(many, 5)));
            QFAIL("too long");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.tooLong"));
        }
    }
};

HEADROOM_TEST(TextParityTest)

} // namespace headroom::testing::text_parity_test

#include "text_parity_test.moc"
