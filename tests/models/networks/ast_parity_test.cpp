// SPDX-License-Identifier: GPL-3.0-or-later
// AST against what its library computes. The library has two class tokens and then the patches band by band; ours are
// column by column, lowest band first, with the class tokens behind them, and only the recording's own are shown.
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::ast_parity_test {

using namespace headroom::models;
namespace fs = std::filesystem;

namespace {

constexpr double kTolerance = 1e-4;

std::vector<float> floatsIn(const fs::path& file) {
    return toFloats(readNpy(file).view());
}

double largestOf(std::span<const float> values) {
    float largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(value));
    return static_cast<double>(largest);
}

} // namespace

class AstParityTest : public QObject {
    Q_OBJECT

    fs::path m_folder;
    nlohmann::json m_expected;
    std::vector<float> m_samples;
    std::unique_ptr<SpeechModel> m_model;
    Matrix<float> m_features;
    std::size_t m_bands = 0, m_columns = 0, m_own = 0, m_all = 0; ///< m_own: tokens of the recording
    std::vector<LayerAnalysis> m_layers;
    EncoderAnalysis m_whole;

    fs::path golden(const char* name) const { return m_folder / "expected" / name; }

    /// Where the library has our token: behind two class tokens, band by band.
    std::size_t theirs(std::size_t token) const { return 2 + token % m_bands * m_columns + token / m_bands; }

    /// Rows of a library's [token, columns] in our order, the recording's own.
    Matrix<float> ownRows(std::span<const float> all) const {
        Matrix<float> rows(m_own, all.size() / m_all);
        for (std::size_t token = 0; token < m_own; ++token)
            std::ranges::copy(all.subspan(theirs(token) * rows.columns(), rows.columns()), rows.row(token).begin());
        return rows;
    }

    /// A library's [token, token] in our order, cut to the recording's own, rows divided by their sum; and what was cut off.
    std::pair<Matrix<float>, std::vector<float>> ownMap(std::span<const float> all) const {
        const Matrix<float> rows = ownRows(all);
        Matrix<float> map(m_own, m_own);
        std::vector<float> shares;
        for (std::size_t query = 0; query < m_own; ++query) {
            double sum = 0;
            for (std::size_t key = 0; key < m_own; ++key)
                sum += static_cast<double>(rows(query, theirs(key)));
            for (std::size_t key = 0; key < m_own; ++key)
                map(query, key) = static_cast<float>(static_cast<double>(rows(query, theirs(key))) / sum);
            shares.push_back(static_cast<float>(1 - sum));
        }
        return {map, shares};
    }

    std::span<const float> part(const std::vector<float>& values, std::size_t parts, std::size_t index) const {
        return std::span(values).subspan(values.size() / parts * index, values.size() / parts);
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder = fs::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/encoders/ast-small";
        m_expected = readJson(golden("expected.json"));
        m_bands = m_expected["bands"].get<std::size_t>();
        m_columns = m_expected["columns"].get<std::size_t>();
        m_own = m_bands * m_expected["valid_columns"].get<std::size_t>();
        m_all = m_bands * m_columns + 2;
        m_samples = loadRecording(golden("") / m_expected["audio"].get<std::string>()).samples;
        m_model = SpeechModel::open(m_folder);
        m_features = modelFeatures(m_samples, m_model->info().architecture.frontEnd.input());
        AnalysisOptions options;
        options.keepAttention = options.keepStates = true;
        m_whole = m_model->analyse(m_features, options, [&](LayerAnalysis&& layer) { m_layers.push_back(std::move(layer)); });
    }

    void featuresAreTheExtractors() {
        const auto expected = floatsIn(golden("input_values.npy"));
        const double difference = largestDifference(m_features.values(), expected);
        qInfo("features %.1e", difference);
        QVERIFY(difference <= 1e-4); // the extractor transforms in float
    }

    void tokensAreColumnsTimesBands() {
        const auto& frontEnd = m_model->info().architecture.frontEnd;
        QCOMPARE(m_whole.tokens, static_cast<std::int64_t>(m_own));
        QCOMPARE(frontEnd.bands(), static_cast<std::int64_t>(m_bands));
        QCOMPARE(frontEnd.computedTokens(1), static_cast<std::int64_t>(m_all));
    }

    void centresAreThoseOfTheColumns() {
        const Matrix<double> samples = [&] {
            const Tensor tensor = readNpy(golden("clock.npy"));
            return Matrix<double>(static_cast<std::size_t>(tensor.shape[0]), static_cast<std::size_t>(tensor.shape[1]),
                                  toDoubles(tensor.view()));
        }();
        const TokenClock& clock = m_model->info().clock;
        QCOMPARE(samples.rows() * m_bands, m_own);
        for (std::size_t token = 0; token < m_own; ++token)
            QVERIFY(std::abs(clock.centre(Tokens(std::int64_t(token))).value() - samples(token / m_bands, 2) / 16000) < 1e-12);
    }

    void statesAreTheLibrarys() {
        const auto states = floatsIn(golden("hidden_states.npy")), output = floatsIn(golden("encoder_output.npy"));
        const double most = kTolerance * largestOf(states);
        QVERIFY(largestDifference(m_whole.input.values(), ownRows(part(states, m_layers.size() + 1, 0)).values()) <= most);
        QVERIFY(largestDifference(m_whole.encoderOutput.values(), ownRows(output).values()) <=
                kTolerance * largestOf(output));
        for (std::size_t l = 0; l < m_layers.size(); ++l)
            QVERIFY(largestDifference(m_layers[l].state.values(),
                                      ownRows(part(states, m_layers.size() + 1, l + 1)).values()) <= most);
    }

    void mapsAreTheLibrarys() {
        const auto maps = floatsIn(golden("attention.npy"));
        const auto heads = m_expected["heads"].get<std::size_t>();
        QCOMPARE(m_layers.size(), m_expected["layers"].get<std::size_t>());
        for (std::size_t l = 0; l < m_layers.size(); ++l)
            for (std::size_t h = 0; h < heads; ++h) {
                const auto map = ownMap(part(maps, m_layers.size() * heads, l * heads + h)).first;
                QVERIFY(largestDifference(m_layers[l].attention.at(h).values(), map.values()) <=
                        kTolerance * largestOf(map.values()));
            }
    }

    void contributionsAreExact() {
        const auto contributions = floatsIn(golden("contribution.npy")), relevance = floatsIn(golden("head_relevance.npy"));
        for (std::size_t l = 0; l < m_layers.size(); ++l) {
            const LayerAnalysis& layer = m_layers[l];
            const auto [map, shares] = ownMap(part(contributions, m_layers.size(), l));
            QVERIFY(largestDifference(layer.contributions.values(), map.values()) <= kTolerance * largestOf(map.values()));
            // What lies on the rest of the window and on the class tokens is said.
            QVERIFY(largestDifference(layer.paddingShare, shares) <= kTolerance);
            QVERIFY(*std::ranges::min_element(shares) > 0);
            QVERIFY(largestDifference(layer.headRelevance.values(),
                                      ownRows(part(relevance, m_layers.size(), l)).values()) <= kTolerance);
            QVERIFY(layer.rebuildError <= 1e-4F);
            QVERIFY(layer.gramError <= 1e-5F);
        }
    }

    void shorterThanOnePatchIsRefused() {
        // 7 frames, and a patch has 8.
        const auto features = modelFeatures(std::span(m_samples).first(400 + 6 * 160), m_model->info().architecture.frontEnd.input());
        try {
            m_model->encode(features);
            QFAIL("7 frames were read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.tooShort"));
        }
    }

    void longerThanTheWindowIsRefused() {
        const std::vector<float> longer(400 + 48 * 160, 0.1F);
        try {
            modelFeatures(longer, m_model->info().architecture.frontEnd.input());
            QFAIL("49 frames were read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("features.tooLong"));
            QVERIFY2(std::string(error.what()).find("0.50 s") != std::string::npos, error.what());
        }
        QCOMPARE(modelFeatures(std::span(longer).first(longer.size() - 1), m_model->info().architecture.frontEnd.input()).rows(),
                 std::size_t(49));
    }

    void aWholeWindowIsComputedWithoutARowBehindIt() {
        const std::vector<float> whole(400 + 47 * 160, 0.1F);
        const auto output =
            m_model->encode(modelFeatures(whole, m_model->info().architecture.frontEnd.input()));
        QCOMPARE(output.rows(), m_bands * m_columns);
    }
};

HEADROOM_TEST(AstParityTest)

} // namespace headroom::testing::ast_parity_test

#include "ast_parity_test.moc"
