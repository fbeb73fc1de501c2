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

#include <algorithm>
#include <cmath>
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
    int calls() const { return m_scorer.calls; }
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

struct Weighed {
    double logP = 0;
    int covered = 0;
};

/// The score from the definition: the coverage is not divided by the length.
double scoreOf(const Weighed& text, std::size_t length, const BeamSettings& settings) {
    return text.logP / std::pow(double(length), settings.lengthPenalty) + settings.coverageWeight * text.covered;
}

/// ln P and covered tokens of every text.
std::map<Text, Weighed> everyText(const Table& table, std::int64_t recording, int vocabulary, const BeamSettings& settings) {
    std::map<Text, Weighed> all;
    const std::function<void(const Text&, double, std::vector<std::vector<float>>)> grow =
        [&](const Text& text, double sum, std::vector<std::vector<float>> attention) {
            attention.push_back(drawnAttention(recording, text));
            const int count = covered(attention, settings.coverageThreshold);
            const std::vector<float> row = table(recording, text);
            for (int token = 0; token < vocabulary; ++token) {
                Text next = text;
                next.push_back(token);
                const double logP = sum + static_cast<double>(row[static_cast<std::size_t>(token)]);
                if (token == kEnd || static_cast<std::int64_t>(text.size()) == settings.maxNewTokens)
                    all[Text(next.begin() + 1, next.end())] = {logP, count};
                else
                    grow(next, logP, attention);
            }
        };
    grow({settings.start}, 0, {});
    return all;
}

struct Searched {
    Text text; ///< with the start token
    double logP = 0;
    std::vector<std::vector<float>> attention{};
    double score = 0;
};

/// The search that never stops before the limit, written from the rule.
std::vector<Searched> searchToTheLimit(const Table& table, std::int64_t recording, int vocabulary,
                                       const BeamSettings& settings) {
    const auto byScore = [](const Searched& a, const Searched& b) { return a.score > b.score; };
    const auto beams = static_cast<std::size_t>(settings.beams);
    std::vector<Searched> running{{{settings.start}}}, pool;
    for (std::int64_t length = 1; length <= settings.maxNewTokens; ++length) {
        std::vector<Searched> all, next;
        for (Searched& one : running) {
            one.attention.push_back(drawnAttention(recording, one.text));
            const std::vector<float> row = table(recording, one.text);
            const int count = covered(one.attention, settings.coverageThreshold);
            for (int token = 0; token < vocabulary; ++token) {
                all.push_back(one);
                all.back().text.push_back(token);
                all.back().logP += static_cast<double>(row[static_cast<std::size_t>(token)]);
                all.back().score = scoreOf({all.back().logP, count}, std::size_t(length), settings);
            }
        }
        std::stable_sort(all.begin(), all.end(), byScore);
        for (std::size_t rank = 0; rank < std::min(all.size(), 2 * beams); ++rank)
            if (all[rank].text.back() != kEnd && length < settings.maxNewTokens) {
                if (next.size() < beams)
                    next.push_back(all[rank]);
            } else if (rank < beams) {
                pool.push_back(all[rank]);
            }
        running = std::move(next);
    }
    std::stable_sort(pool.begin(), pool.end(), byScore);
    pool.resize(std::min(pool.size(), beams));
    return pool;
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
    void everyTextHasTheScoreOfTheDefinition_data() {
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("threshold");
        QTest::addColumn<double>("lengthPenalty");
        QTest::newRow("as usual") << 0.7 << 0.5 << 1.0;
        QTest::newRow("no length penalty") << 0.7 << 0.5 << 0.0;
        QTest::newRow("short texts win") << 0.7 << 0.5 << -0.5;
        QTest::newRow("a low threshold") << 0.3 << 0.2 << 0.6;
        QTest::newRow("a negative weight") << -0.5 << 0.5 << 1.0;
    }
    void everyTextHasTheScoreOfTheDefinition() {
        QFETCH(double, weight);
        QFETCH(double, threshold);
        QFETCH(double, lengthPenalty);
        BeamSettings settings = covering();
        settings.coverageWeight = weight;
        settings.coverageThreshold = threshold;
        settings.lengthPenalty = lengthPenalty;
        const Table table = drawnTable(4);
        AttendingScorer scorer(4, 2, table);
        const auto found = beamSearch(scorer, 2, settings);
        for (std::int64_t recording = 0; recording < 2; ++recording) {
            const auto expected = everyText(table, recording, 4, settings);
            const auto& all = found[static_cast<std::size_t>(recording)];
            QCOMPARE(all.size(), expected.size());
            for (const BeamHypothesis& one : all) {
                QVERIFY(expected.contains(one.ids));
                const Weighed& text = expected.at(one.ids);
                QVERIFY(std::abs(one.sum - text.logP) < 1e-5);
                QCOMPARE(one.covered, std::int64_t(text.covered));
                QVERIFY(std::abs(one.score - scoreOf(text, one.ids.size(), settings)) < 1e-5);
                double scores = 0;
                for (const double score : one.tokenScores)
                    scores += score;
                QVERIFY(std::abs(scores - one.sum) < 1e-9); // ln P alone
            }
            QVERIFY(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; }));
        }
    }

    void neverStopsBeforeATextThatCouldEnter_data() {
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("lengthPenalty");
        for (const double weight : {2.0, 0.7, 0.05, -0.5})
            for (const double penalty : {1.0, 0.5, 0.0, -0.5})
                QTest::addRow("weight %g, length penalty %g", weight, penalty) << weight << penalty;
    }
    void neverStopsBeforeATextThatCouldEnter() {
        QFETCH(double, weight);
        QFETCH(double, lengthPenalty);
        BeamSettings settings = covering();
        settings.coverageWeight = weight;
        settings.lengthPenalty = lengthPenalty;
        settings.maxNewTokens = 10;
        const Table table = drawnTable(4);
        for (settings.beams = 2; settings.beams <= 4; ++settings.beams) {
            AttendingScorer scorer(4, 30, table);
            const auto found = beamSearch(scorer, 30, settings);
            for (std::int64_t recording = 0; recording < 30; ++recording) {
                const auto expected = searchToTheLimit(table, recording, 4, settings);
                const auto& all = found[static_cast<std::size_t>(recording)];
                QCOMPARE(all.size(), expected.size());
                for (std::size_t i = 0; i < all.size(); ++i) {
                    QCOMPARE(all[i].ids, Text(expected[i].text.begin() + 1, expected[i].text.end()));
                    QVERIFY(std::abs(all[i].score - expected[i].score) < 1e-5);
                }
            }
        }
    }

    void neverStopsOnceNoTextCouldEnter() {
        BeamSettings settings = covering();
        settings.beams = 2;
        settings.coverageWeight = 0.05;
        settings.maxNewTokens = 30;
        int calls = 0;
        for (std::int64_t draw = 0; draw < 10; ++draw) {
            AttendingScorer scorer(4, 1, [table = drawnTable(4), draw](std::int64_t, const Text& text) { return table(draw, text); });
            (void)beamSearch(scorer, 1, settings);
            calls += scorer.calls();
        }
        QVERIFY2(calls < 200, qPrintable(QString::number(calls))); // 300 to the limit
    }

    void aRealDecodersScoreIsThatOfItsMaps() {
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
            const double expected = scoreOf({logP, covered(attention, 0.4)}, one.ids.size(), settings.beam);
            QVERIFY2(std::abs(one.score - expected) < 1e-4, qPrintable(QStringLiteral("%1 %2").arg(one.score).arg(expected)));
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
