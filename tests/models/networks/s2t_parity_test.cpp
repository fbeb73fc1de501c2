// SPDX-License-Identifier: GPL-3.0-or-later
// Against what the field's Python libraries compute (tests/golden) and the trained reference model's expected
// numbers.
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "tests/support/small_model.h"

#include <QTest>

namespace headroom::testing::s2t_parity_test {

using namespace headroom::models;
using testing::largestDifference;

class ParityTest : public QObject {
    Q_OBJECT
    std::filesystem::path m_parity;
    std::unique_ptr<SpeechModel> m_tiny;

    Matrix<float> features(const std::string& name) const {
        return testing::readMatrix(name == "long" ? m_parity / "s2t-tiny" / "expected" / "long.features.npy"
                                                  : m_parity / "fbank" / (name + ".cmvn.npy"));
    }
    static void threeUtterances() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"short", "medium", "long"})
            QTest::newRow(name) << name;
    }

private Q_SLOTS:
    void initTestCase_data() { testing::addGoldenFolders(); }
    void init() {
        const auto parity = testing::classGoldens() / "parity";
        if (parity == m_parity)
            return;
        m_parity = parity;
        m_tiny = SpeechModel::open(m_parity / "s2t-tiny");
    }

    void tinyModelHasItsTensorsAndParameters() {
        QCOMPARE(m_tiny->info().tensors, 126);
        QCOMPARE(m_tiny->info().parameters, testing::smallModelParameters(testing::classGoldens()));
        QCOMPARE(m_tiny->info().storedAs, std::string("float32 safetensors"));
        QCOMPARE(m_tiny->info().report.assumed.size(), std::size_t(0));
    }

    void encoderOutputEqualsTheReference_data() { threeUtterances(); }
    void encoderOutputEqualsTheReference() {
        QFETCH(QString, name);
        const std::string id = name.toStdString();
        const Matrix<float> expected =
            testing::readMatrix(m_parity / "s2t-tiny" / "expected" / (id + ".encoder_output.npy"));
        QVERIFY(largestDifference(m_tiny->encode(features(id)).values(), expected.values()) <= 1e-4);
    }

    void forcedLogitsEqualTheReference_data() { threeUtterances(); }
    void forcedLogitsEqualTheReference() {
        QFETCH(QString, name);
        const std::string id = name.toStdString();
        const auto folder = m_parity / "s2t-tiny" / "expected";
        for (const auto& utterance : testing::readJson(folder / "utterances.json"))
            if (utterance["name"] == id) {
                const Matrix<float> found = m_tiny->forcedLogits(
                    features(id), utterance["decoder_input_ids"].get<std::vector<int>>());
                const Matrix<float> expected = testing::readMatrix(folder / (id + ".decoder_logits.npy"));
                QVERIFY(largestDifference(found.values(), expected.values()) <= 1e-4);
                return;
            }
        QFAIL("no such utterance");
    }

    void greedyIdsEqualTheReference_data() { threeUtterances(); }
    void greedyIdsEqualTheReference() {
        QFETCH(QString, name);
        const std::string id = name.toStdString();
        const auto generation =
            testing::readJson(m_parity / "s2t-tiny" / "expected" / (id + ".generation.json"));
        auto expected = generation["greedy"]["ids"].get<std::vector<int>>();
        expected.erase(expected.begin()); // the start token
        QCOMPARE(m_tiny->greedy(features(id), generation.value("max_new_tokens", 200)), expected);
        expected.resize(3);
        QCOMPARE(m_tiny->greedy(features(id), 3), expected);
    }

    void contributionsEqualTheReference_data() { threeUtterances(); }
    void contributionsEqualTheReference() {
        QFETCH(QString, name);
        const std::string id = name.toStdString();
        const auto folder = m_parity / "contributions";
        const auto summary = testing::readJson(folder / "summary.json")[id];
        const auto layers = summary["layers_stored"].get<std::vector<int>>();
        const std::vector<float> stored = toFloats(readNpy(folder / (id + ".contribution.npy")).view());
        const std::vector<double> profiles =
            toDoubles(readNpy(folder / (id + ".diagonal_profile.npy")).view());
        const std::vector<double> relevance =
            toDoubles(readNpy(folder / (id + ".head_relevance.npy")).view());
        const std::vector<double> cad = toDoubles(readNpy(folder / (id + ".cad.npy")).view());
        int seen = 0;
        m_tiny->analyse(features(id), {}, [&](LayerAnalysis&& layer) {
            const std::size_t n = layer.contributions.rows(),
                              index = static_cast<std::size_t>(layer.layer - 1);
            std::vector<std::size_t> rows;
            if (summary["rows_stored"].is_array())
                rows = summary["rows_stored"].get<std::vector<std::size_t>>();
            else
                for (std::size_t i = 0; i < n; ++i)
                    rows.push_back(i);
            const auto place = std::find(layers.begin(), layers.end(), layer.layer - 1);
            if (place != layers.end())
                for (std::size_t r = 0; r < rows.size(); ++r) {
                    const std::size_t offset =
                        (static_cast<std::size_t>(place - layers.begin()) * rows.size() + r) * n;
                    const std::span<const float> expected(stored.data() + offset, n);
                    QVERIFY(largestDifference(layer.contributions.row(rows[r]), expected) <= 1e-5);
                    ++seen;
                }
            const std::span<const double> profile(profiles.data() + index * (2 * n - 1), 2 * n - 1);
            QVERIFY(largestDifference(layer.contributionProfile.sums(), profile) <= 1e-5);
            const std::span<const double> shares(relevance.data() + index * n * 4, n * 4);
            QVERIFY(largestDifference(layer.headRelevance.values(), shares) <= 1e-5);
            for (std::size_t h = 0; h < 4;
                 ++h) { // CAD = 1 − E|j − i|/(N − 1) sees the whole attention profile
                const DiagonalProfile& map = layer.attentionProfiles[h];
                double distance = 0;
                for (std::int64_t k = 1 - map.size(); k < map.size(); ++k)
                    distance += static_cast<double>(std::abs(k)) * map.at(k);
                const auto tokens = static_cast<double>(n);
                QVERIFY(std::abs(1 - distance / tokens / (tokens - 1) - cad[index * 4 + h]) <= 1e-5);
            }
            QVERIFY(layer.rebuildError <= 1e-4);
            QVERIFY(layer.gramError <= 1e-5);
        });
        QVERIFY(seen > 0);
    }

    void trainedModelSaysWhatItIsKnownToSay() {
        const auto folder = testing::classGoldens() / "s2t-reference";
        const auto model = SpeechModel::open(folder);
        const auto expected = testing::readJson(folder / "expected.json");
        QCOMPARE(model->info().parameters, expected["parameters"].get<std::int64_t>());
        QCOMPARE(model->info().tensors, expected["tensors"].get<std::int64_t>());
        QCOMPARE(model->info().storedAs, std::string("float16 safetensors"));
        const Matrix<float> input = testing::readMatrix(folder / "utterance.features.npy");
        auto ids = expected["utterance"]["greedy_ids"].get<std::vector<int>>();
        ids.erase(ids.begin());
        QCOMPARE(model->greedy(input), ids);

        const std::vector<float> contributions =
            toFloats(readNpy(folder / "utterance.contributions.npy").view());
        const EncoderAnalysis whole = model->analyse(input, {}, [&](LayerAnalysis&& layer) {
            const std::size_t n = layer.contributions.rows();
            const std::span<const float> matrix(
                contributions.data() + static_cast<std::size_t>(layer.layer - 1) * n * n, n * n);
            QVERIFY(largestDifference(layer.contributions.values(), matrix) <= 1e-5);
            const auto& row = expected["utterance"]["layers"][static_cast<std::size_t>(layer.layer - 1)];
            const DiagonalProfile& profile = layer.contributionProfile;
            double inside = 0;
            for (std::int64_t k = -10; k <= 10; ++k)
                inside += profile.at(k);
            QVERIFY(std::abs(profile.at(0) / static_cast<double>(n) - row["D1"].get<double>()) <= 1e-5);
            QVERIFY(std::abs(inside / static_cast<double>(n) - row["D21"].get<double>()) <= 1e-5);
        });
        QCOMPARE(whole.tokens, expected["utterance"]["tokens_encoder"].get<std::int64_t>());
        const Matrix<float> output = testing::readMatrix(folder / "utterance.encoder_output.npy");
        QVERIFY(largestDifference(whole.encoderOutput.values(), output.values()) <= 1e-4);
    }
};

HEADROOM_TEST(ParityTest)

} // namespace headroom::testing::s2t_parity_test

#include "s2t_parity_test.moc"
