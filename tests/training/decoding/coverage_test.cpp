// SPDX-License-Identifier: GPL-3.0-or-later
// The coverage of a beam search: against every text of a small vocabulary, and against the maps of a real decoder, in double.
#include "core/errors/error.h"
#include "core/features/model_input.h"
#include "models/networks/speech_model.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "tests/training/decoding/table_scorer.h"
#include "training/decoding/fused_scorer.h"
#include "training/decoding/text_decoder.h"

#include <QTest>

#include <map>

namespace headroom::testing::coverage_test {

using namespace headroom::training;

namespace {

constexpr std::size_t kTokens = 6; ///< of the encoder

/// How the last token of a text attends: drawn from a hash of the text.
std::vector<float> drawnAttention(std::int64_t recording, const Text& text) {
    const auto logits = drawnTable(static_cast<int>(kTokens), 4)(recording + 1000, text);
    std::vector<float> row;
    for (const float logP : logits)
        row.push_back(std::exp(logP));
    return row;
}

class AttendingScorer final : public models::TokenScorer {
public:
    AttendingScorer(int vocabulary, std::int64_t recordings, const Table& table) : m_scorer(vocabulary, recordings, table) {
        for (std::int64_t recording = 0; recording < recordings; ++recording)
            m_rows.push_back({recording, {}});
    }
    int vocabulary() const override { return m_scorer.vocabulary(); }
    std::int64_t maximumTokens() const override { return m_scorer.maximumTokens(); }
    bool keepAttention() override { return true; }
    const Matrix<float>& attention() const override { return m_attention; }
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override {
        std::vector<std::pair<std::int64_t, Text>> rows;
        m_attention = Matrix<float>(parents.size(), kTokens);
        for (std::size_t i = 0; i < parents.size(); ++i) {
            rows.push_back(m_rows.at(static_cast<std::size_t>(parents[i])));
            rows.back().second.push_back(tokens[i]);
            const auto row = drawnAttention(rows.back().first, rows.back().second);
            std::copy(row.begin(), row.end(), m_attention.row(i).begin());
        }
        m_rows = std::move(rows);
        return m_scorer.extend(parents, tokens);
    }

private:
    TableScorer m_scorer;
    std::vector<std::pair<std::int64_t, Text>> m_rows;
    Matrix<float> m_attention;
};

/// Σ_j [Σ_i α_ij > threshold].
int covered(const std::vector<std::vector<float>>& attention, double threshold) {
    int count = 0;
    for (std::size_t token = 0; !attention.empty() && token < attention.front().size(); ++token) {
        double sum = 0;
        for (const auto& row : attention)
            sum += static_cast<double>(row[token]);
        count += sum > threshold ? 1 : 0;
    }
    return count;
}

/// The sum of every text: ln P and the coverage, from the definition.
std::map<Text, double> everyText(const Table& table, std::int64_t recording, int vocabulary, const BeamSettings& settings) {
    std::map<Text, double> all;
    const std::function<void(const Text&, double, std::vector<std::vector<float>>)> grow =
        [&](const Text& text, double sum, std::vector<std::vector<float>> attention) {
            attention.push_back(drawnAttention(recording, text));
            const double coverage = settings.coverageWeight * covered(attention, settings.coverageThreshold);
            const std::vector<float> row = table(recording, text);
            for (int token = 0; token < vocabulary; ++token) {
                Text next = text;
                next.push_back(token);
                const double logP = sum + static_cast<double>(row[static_cast<std::size_t>(token)]);
                if (token == kEnd || static_cast<std::int64_t>(text.size()) == settings.maxNewTokens)
                    all[Text(next.begin() + 1, next.end())] = logP + coverage;
                else
                    grow(next, logP, attention);
            }
        };
    grow({settings.start}, 0, {});
    return all;
}

BeamSettings covering() {
    BeamSettings settings;
    settings.beams = 4000; // more than there are texts
    settings.earlyStopping = EarlyStopping::Never;
    settings.lengthPenalty = 0;
    settings.maxNewTokens = 4;
    settings.coverageWeight = 0.7;
    return settings;
}

} // namespace

class CoverageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTextHasTheSumOfTheDefinition_data() {
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("threshold");
        QTest::newRow("as usual") << 0.7 << 0.5;
        QTest::newRow("a low threshold") << 0.3 << 0.2;
        QTest::newRow("a negative weight") << -0.5 << 0.5;
    }
    void everyTextHasTheSumOfTheDefinition() {
        QFETCH(double, weight);
        QFETCH(double, threshold);
        BeamSettings settings = covering();
        settings.coverageWeight = weight;
        settings.coverageThreshold = threshold;
        const Table table = drawnTable(4);
        AttendingScorer scorer(4, 2, table);
        const auto found = beamSearch(scorer, 2, settings);
        for (std::int64_t recording = 0; recording < 2; ++recording) {
            const auto expected = everyText(table, recording, 4, settings);
            const auto& all = found[static_cast<std::size_t>(recording)];
            QCOMPARE(all.size(), expected.size());
            for (const BeamHypothesis& one : all) {
                QVERIFY(expected.contains(one.ids));
                QVERIFY(std::abs(one.sum - expected.at(one.ids)) < 1e-5);
                double scores = 0;
                for (const double score : one.tokenScores)
                    scores += score;
                QVERIFY(std::abs(scores - one.sum) < 1e-9);
            }
            QVERIFY(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; }));
        }
    }

    void aFewBeamsNeverStopBeforeABetterText() {
        // The pool is full early; a text that goes on may still be covered, and is found.
        BeamSettings settings = covering();
        const Table table = drawnTable(4);
        const auto expected = everyText(table, 0, 4, settings);
        double best = -1e9;
        for (const auto& [text, sum] : expected)
            best = std::max(best, sum);
        AttendingScorer scorer(4, 1, table);
        QVERIFY(std::abs(beamSearch(scorer, 1, settings).front().front().score - best) < 1e-5);
        settings.beams = 40;
        AttendingScorer narrow(4, 1, table);
        QVERIFY(std::abs(beamSearch(narrow, 1, settings).front().front().score - best) < 1e-5);
    }

    void aRealDecodersSumIsThatOfItsMaps() {
        const auto model = models::SpeechModel::open(repositoryGoldens() / "parity/decoding/text/model");
        const Tokenizer tokenizer(model->info().tokenizer);
        const Matrix<float> features = textFeatures(tokenizer.encode("abc cd e"));
        DecodingSettings settings;
        settings.beam.beams = settings.nBest = 4;
        settings.beam.lengthPenalty = 0.6;
        settings.beam.maxNewTokens = 12;
        settings.beam.coverageWeight = 0.3;
        settings.beam.coverageThreshold = 0.4;
        settings.beam.start = model->info().tokens.start;
        DecodingSource source;
        source.decoder = [&] { return model->scorer(features); };
        const auto found = TextDecoder(settings, model->info()).decode(source).front();
        QCOMPARE(found.size(), std::size_t(4));
        models::AnalysisOptions options;
        options.explain = options.keepContributions = false;
        options.keepAttention = true;
        for (const TextHypothesis& one : found) {
            std::vector<int> inputs{settings.beam.start};
            inputs.insert(inputs.end(), one.ids.begin(), one.ids.end() - 1);
            std::vector<std::vector<float>> attention;
            model->analyseDecoder(features, inputs, options, [&](models::DecoderLayerAnalysis&& layer) {
                attention.clear(); // the last layer stays
                const auto& heads = layer.cross.attention;
                for (std::size_t row = 0; row < heads.front().rows(); ++row) {
                    std::vector<float> mean(heads.front().columns());
                    for (const Matrix<float>& head : heads)
                        for (std::size_t token = 0; token < mean.size(); ++token)
                            mean[token] += head(row, token) / static_cast<float>(heads.size());
                    attention.push_back(std::move(mean));
                }
            });
            QCOMPARE(attention.size(), one.ids.size());
            double logP = 0;
            auto scorer = model->scorer(features);
            for (std::size_t i = 0; i < one.ids.size(); ++i) {
                const std::int64_t parent = 0;
                const Matrix<float> row = scorer->extend({&parent, 1}, {&inputs[i], 1});
                logP += static_cast<double>(row(0, static_cast<std::size_t>(one.ids[i])));
            }
            const double sum = logP + 0.3 * covered(attention, 0.4);
            QVERIFY2(std::abs(one.score - sum / std::pow(one.ids.size(), 0.6)) < 1e-4,
                     qPrintable(QStringLiteral("%1 %2").arg(one.score).arg(sum)));
        }
    }

    void whatCannotCoverIsRefused() {
        BeamSettings settings = covering();
        TableScorer none(4, 1, drawnTable(4));
        QVERIFY_EXCEPTION_THROWN(beamSearch(none, 1, settings), Error); // without attention
        settings.beams = 1;
        AttendingScorer scorer(4, 1, drawnTable(4));
        QVERIFY_EXCEPTION_THROWN(beamSearch(scorer, 1, settings), Error); // compares nothing
    }
};

HEADROOM_TEST(CoverageTest)

} // namespace headroom::testing::coverage_test

#include "coverage_test.moc"
