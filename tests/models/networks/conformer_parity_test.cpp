// SPDX-License-Identifier: GPL-3.0-or-later
// wav2vec2-BERT and Parakeet against what transformers computes, and ESPnet's encoders against its own classes: folders
// as people have them, from recording to text.
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/import.h"
#include "models/checkpoints/model_folder.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::conformer_parity_test {

using namespace headroom::models;

namespace {

namespace fs = std::filesystem;

/// max |found − expected| over the first `rows` rows and `columns` columns, relative to the largest expected
/// value.
double relativeDifference(MatrixView<const float> found, std::span<const float> expected,
                          std::size_t columns) {
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < found.rows(); ++i)
        for (std::size_t j = 0; j < found.columns(); ++j) {
            const double wanted = expected[i * columns + j];
            largest = std::max(largest, std::abs(wanted));
            const double apart = std::abs(static_cast<double>(found(i, j)) - wanted);
            difference = apart <= difference ? difference : apart; // a NaN comes through
        }
    return difference / largest;
}

/// Numbers of one index of the first dimension of an array.
struct Slices {
    explicit Slices(const fs::path& file) : tensor(readNpy(file)), values(toFloats(tensor.view())) {}
    std::span<const float> at(std::size_t index) const {
        const std::size_t size = values.size() / static_cast<std::size_t>(tensor.shape.front());
        return std::span(values).subspan(index * size, size);
    }
    Tensor tensor;
    std::vector<float> values;
};

constexpr double kTolerance = 1e-4;

} // namespace

class ConformerParityTest : public QObject {
    Q_OBJECT

    fs::path m_folder;
    nlohmann::json m_expected;
    std::vector<float> m_samples;
    std::unique_ptr<SpeechModel> m_model;
    Matrix<float> m_features;

    std::size_t whole(const char* key) const { return m_expected[key].get<std::size_t>(); }
    fs::path golden(const char* name) const { return m_folder / "expected" / name; }

private Q_SLOTS:
    void initTestCase_data() {
        addEncoderFolders({"wav2vec2-bert-small", "parakeet-small", "espnet-conformer", "espnet-conformer-legacy",
                           "espnet-conformer-absolute", "espnet-e-branchformer",
                           "espnet-branchformer", "wav2vec2-bert", "wav2vec2-bert-adapter", "parakeet-ctc"});
    }

    void init() {
        QFETCH_GLOBAL(QString, folder);
        if (m_folder == folder.toStdString())
            return;
        m_folder = folder.toStdString();
        m_expected = readJson(golden("expected.json"));
        m_samples = loadRecording(m_folder / "expected" / m_expected["audio"].get<std::string>()).samples;
        m_model = SpeechModel::open(m_folder);
        m_features = modelFeatures(m_samples, m_model->info().architecture.frontEnd.input());
    }

    void featuresAreTheExtractors() {
        const auto expected = toFloats(readNpy(golden("input_features.npy")).view());
        const auto& input = m_model->info().architecture.frontEnd.input();
        // The Fourier transforms of Parakeet's and ESPnet's originals are in float.
        const double difference = largestDifference(m_features.values(), expected);
        qInfo("features %.1e", difference);
        QVERIFY(difference <= (input.kind == InputKind::StackedKaldiLogMel ? 1e-5 : 1e-3));
        QCOMPARE(m_model->info().clock.tokenCount(Frames(input.validRows(m_features))).value(),
                 m_expected["valid_tokens"].get<std::int64_t>());
        QCOMPARE(m_model->info()
                     .clock.tokenCount(input.frameCount(Samples(static_cast<std::int64_t>(m_samples.size()))))
                     .value(),
                 m_expected["tokens"].get<std::int64_t>());
    }

    void layersAreTheOriginals() {
        const std::size_t valid = whole("valid_tokens"), tokens = whole("tokens");
        const Slices states(golden("hidden_states.npy")), maps(golden("attention.npy")),
            contributions(golden("contribution.npy")), relevance(golden("head_relevance.npy"));
        AnalysisOptions options;
        options.keepStates = options.keepAttention = true;
        std::size_t seen = 0;
        const EncoderAnalysis analysis = m_model->analyse(m_features, options, [&](LayerAnalysis&& layer) {
            const auto index = static_cast<std::size_t>(layer.layer - 1);
            QCOMPARE(layer.state.rows(), valid);
            const double state = relativeDifference(layer.state, states.at(index + 1), layer.state.columns());
            double map = 0;
            const std::size_t heads = layer.attention.size();
            for (std::size_t h = 0; h < heads; ++h)
                map = std::max(
                    map,
                    relativeDifference(layer.attention[h],
                                       maps.at(index).subspan(h * tokens * tokens, tokens * tokens), tokens));
            const double contribution =
                relativeDifference(layer.contributions, contributions.at(index), valid);
            const double share = relativeDifference(layer.headRelevance, relevance.at(index), heads);
            qInfo("layer %d: states %.1e, maps %.1e, contributions %.1e, relevance %.1e, O1 %.1e, Gram %.1e",
                  layer.layer, state, map, contribution, share, layer.rebuildError, layer.gramError);
            QCOMPARE(layer.contributions.rows(), valid);
            QVERIFY(state <= kTolerance);
            QVERIFY(map <= kTolerance);
            QVERIFY(contribution <= kTolerance);
            QVERIFY(share <= kTolerance);
            QVERIFY(layer.rebuildError <= kTolerance);
            QVERIFY(layer.gramError <= 1e-5F);
            ++seen;
        });
        QCOMPARE(seen, m_model->info().architecture.encoder.layers.size());
        QCOMPARE(analysis.tokens, static_cast<std::int64_t>(valid));
        QVERIFY(relativeDifference(analysis.input, states.at(0), analysis.input.columns()) <= kTolerance);
        const bool normed = fs::exists(golden("encoder_output.npy")); // behind the last layer
        const Slices output(golden(normed ? "encoder_output.npy" : "hidden_states.npy"));
        QVERIFY(relativeDifference(analysis.encoderOutput, normed ? std::span<const float>(output.values) : states.at(seen),
                                   analysis.encoderOutput.columns()) <= kTolerance);
    }

    void ctcIsTheOriginals() {
        const auto ids = m_expected["ctc"]["ids"].get<std::vector<int>>();
        // The library's Parakeet makes masked tokens blank before it writes the text.
        const bool all = m_model->info().architecture.frontEnd.reads != InputKind::NemoLogMel;
        const std::size_t heard = all ? ids.size() : whole("valid_tokens");
        std::vector<int> collapsed;
        for (std::size_t t = 0; t < heard; ++t)
            if (ids[t] != m_model->info().architecture.ctcBlank && (t == 0 || ids[t] != ids[t - 1]))
                collapsed.push_back(ids[t]);
        const Matrix<float> logits = readMatrix(golden("logits.npy"));
        const std::vector<int> found = m_model->greedy(m_features, 1000);
        QCOMPARE(found, collapsed);
        QCOMPARE(m_model->info().tokenizer.empty(), !m_expected["ctc"].contains("text"));
        if (!m_model->info().tokenizer.empty())
            QCOMPARE(Tokenizer(m_model->info().tokenizer).decode(found), m_expected["ctc"]["text"].get<std::string>());

        const EncoderAnalysis analysis = m_model->analyse(m_features, {}, [](LayerAnalysis&&) {});
        QVERIFY(analysis.ctcIds.size() <= ids.size());
        QVERIFY(std::equal(analysis.ctcIds.begin(), analysis.ctcIds.end(), ids.begin()));
        const Matrix<float> logarithms = m_model->ctcLogProbabilities(m_features);
        QCOMPARE(logarithms.rows(), analysis.ctcIds.size());
        for (std::size_t t = 0; t < logarithms.rows(); ++t) { // logits up to a number per row
            const float shift = logits(t, 0) - logarithms(t, 0);
            for (std::size_t label = 0; label < logits.columns(); ++label)
                QVERIFY(std::abs(logits(t, label) - shift - logarithms(t, label)) <= 1e-3F);
        }
    }

    void clocksAreTheOriginals() {
        if (!fs::exists(golden("clock.npy")))
            QSKIP("this golden has no clock");
        const Tensor tensor = readNpy(golden("clock.npy"));
        const std::vector<double> clock = toDoubles(tensor.view()); // first, behind the last, centre
        for (std::int64_t t = 0; t < tensor.shape.front(); ++t)
            QVERIFY(std::abs(m_model->info().clock.centre(Tokens(t)).value() * 16000 -
                             clock[static_cast<std::size_t>(3 * t + 2)]) < 1e-8);
        if (m_expected.contains("clock_of_logits")) {
            const auto& about = m_expected["clock_of_logits"];
            const TokenClock output = m_model->info().architecture.outputClock();
            QVERIFY(std::abs(output.step().value() * 16000 - about["hop_samples"].get<double>()) < 1e-8);
            QVERIFY(std::abs(output.offset().value() * 16000 -
                             about["centre_samples_of_token_0"].get<double>()) < 1e-8);
        }
    }

    void aFolderOfOursSaysTheSame() {
        QTemporaryDir temporary;
        const fs::path copy = fs::path(temporary.path().toStdString()) / "copy";
        importModel(m_folder, copy);
        const auto again = SpeechModel::open(copy);
        QCOMPARE(again->info().architecture.encoder, m_model->info().architecture.encoder);
        QVERIFY(again->info().architecture.frontEnd.input() == m_model->info().architecture.frontEnd.input());
        QCOMPARE(again->greedy(m_features, 1000), m_model->greedy(m_features, 1000));
        QCOMPARE(again->encode(m_features).values(), m_model->encode(m_features).values());
        const std::vector<int> ids = again->greedy(m_features, 1000);
        if (!again->info().tokenizer.empty())
            QCOMPARE(Tokenizer(again->info().tokenizer).decode(ids), m_expected["ctc"]["text"].get<std::string>());
    }
};

HEADROOM_TEST(ConformerParityTest)

} // namespace headroom::testing::conformer_parity_test

#include "conformer_parity_test.moc"
