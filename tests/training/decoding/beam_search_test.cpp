// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "tests/training/decoding/table_scorer.h"
#include "training/decoding/beam_search.h"
#include "training/decoding/fused_scorer.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <map>

namespace headroom::testing::beam_search_test {

using namespace headroom::training;

namespace {

/// Every text of at most `limit` tokens, best first: what a search with endless beams must find.
std::vector<BeamHypothesis> everyText(const Table& table, int vocabulary, const BeamSettings& settings) {
    std::vector<BeamHypothesis> all;
    const std::function<void(const Text&, double)> grow = [&](const Text& text, double sum) {
        const std::vector<float> row = table(0, text);
        for (int token = 0; token < vocabulary; ++token) {
            const auto length = static_cast<std::int64_t>(text.size());
            if (token == kEnd && length <= settings.minNewTokens)
                continue;
            Text next = text;
            next.push_back(token);
            const double nextSum = sum + static_cast<double>(row[static_cast<std::size_t>(token)]);
            if (token == kEnd || length == settings.maxNewTokens)
                all.push_back({Text(next.begin() + 1, next.end()), nextSum,
                               nextSum / std::pow(static_cast<double>(length), settings.lengthPenalty)});
            else
                grow(next, nextSum);
        }
    };
    grow({settings.start}, 0);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    return all;
}

std::vector<BeamHypothesis> searched(const Table& table, int vocabulary, const BeamSettings& settings) {
    TableScorer scorer(vocabulary, 1, table);
    return beamSearch(scorer, 1, settings).front();
}

} // namespace

class BeamSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWideBeamFindsWhatEnumerationFinds_data() {
        QTest::addColumn<double>("lengthPenalty");
        QTest::addColumn<int>("minimum");
        for (const double penalty : {0.0, 0.6, 1.0, 1.5})
            for (const int minimum : {0, 2})
                QTest::addRow("penalty %g, at least %d", penalty, minimum) << penalty << minimum;
    }
    void aWideBeamFindsWhatEnumerationFinds() {
        QFETCH(double, lengthPenalty);
        QFETCH(int, minimum);
        BeamSettings settings;
        settings.beams = 2000; // more than there are texts: nothing is lost
        settings.lengthPenalty = lengthPenalty;
        settings.maxNewTokens = 5;
        settings.minNewTokens = minimum;
        settings.earlyStopping = EarlyStopping::Never;
        const Table table = drawnTable(4);
        const auto expected = everyText(table, 4, settings), found = searched(table, 4, settings);
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].ids, expected[i].ids);
            QVERIFY(std::abs(found[i].score - expected[i].score) < 1e-9);
            QVERIFY(std::abs(found[i].sum - expected[i].sum) < 1e-9);
        }
    }

    void oneBeamTakesTheFirstOfEqualMaxima() {
        const Table flat = [](std::int64_t, const Text& text) {
            return text.size() < 4 ? std::vector<float>{-2, -1, -3, -1} : std::vector<float>{-2, -3, -1, -1};
        };
        BeamSettings settings;
        settings.beams = 1;
        const auto found = searched(flat, 4, settings);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].ids, (Text{1, 1, 1, kEnd}));
        QVERIFY(std::abs(found[0].score - -4) < 1e-12); // no length penalty
    }

    void atTheLimitATextStaysAsItIsUnlessItsEndIsForced() {
        const Table never = [](std::int64_t, const Text&) { return std::vector<float>{-1, -2, -50, -3}; };
        BeamSettings settings;
        settings.beams = 2;
        settings.maxNewTokens = 3;
        settings.lengthPenalty = 1;
        auto found = searched(never, 4, settings);
        QCOMPARE(found[0].ids, (Text{0, 0, 0}));
        QVERIFY(std::abs(found[0].score - -1) < 1e-12);
        settings.forcedEnd = kEnd;
        found = searched(never, 4, settings);
        QCOMPARE(found[0].ids, (Text{0, 0, kEnd}));
        QVERIFY(std::abs(found[0].sum - -2) < 1e-12); // the forced end costs nothing …
        QVERIFY(std::abs(found[0].score - -2.0 / 3) < 1e-12); // … and counts in the length
    }

    void noNgramOccursTwice() {
        const Table table = drawnTable(5, 6);
        for (const int n : {1, 2, 3}) {
            BeamSettings settings;
            settings.beams = 3;
            settings.maxNewTokens = n == 1 ? 4 : 12;
            settings.minNewTokens = settings.maxNewTokens;
            settings.noRepeatNgram = n;
            for (const BeamHypothesis& one : searched(table, 5, settings)) {
                Text text{kEnd};
                text.insert(text.end(), one.ids.begin(), one.ids.end());
                std::map<Text, int> counts;
                for (auto at = text.begin(); text.end() - at >= n; ++at)
                    QCOMPARE(++counts[Text(at, at + n)], 1);
            }
        }
    }

    void earlyStoppingEndsSooner() {
        // After k tokens the best text has −k, and −(k + ½) with </s>; over √k: the pool of two holds −1.5 and
        // −1.77 from the second step on, a running text −k/√k, and at most −k/√30.
        const Table table = [](std::int64_t, const Text&) { return std::vector<float>{-1, -3, -1.5, -9}; };
        BeamSettings settings;
        settings.beams = 2;
        settings.maxNewTokens = 30;
        settings.lengthPenalty = 0.5;
        const auto calls = [&](EarlyStopping kind) {
            settings.earlyStopping = kind;
            TableScorer scorer(4, 1, table);
            const auto found = beamSearch(scorer, 1, settings).front();
            return found.front().ids == Text{kEnd} ? scorer.calls : -1;
        };
        QCOMPARE(calls(EarlyStopping::Full), 2);
        QCOMPARE(calls(EarlyStopping::Heuristic), 4);
        QCOMPARE(calls(EarlyStopping::Never), 10);
    }

    void recordingsBesideOneAnotherChangeNothing() {
        const Table table = drawnTable(7, 3);
        BeamSettings settings;
        settings.beams = 4;
        settings.maxNewTokens = 15;
        TableScorer together(7, 5, table);
        const auto found = beamSearch(together, 5, settings);
        for (std::int64_t recording = 0; recording < 5; ++recording) {
            TableScorer alone(7, 1, [&](std::int64_t, const Text& text) { return table(recording, text); });
            QVERIFY(found[static_cast<std::size_t>(recording)] == beamSearch(alone, 1, settings).front());
        }
    }

    void fusionIsAWeightedSum() {
        const Table speech = drawnTable(5), language = [](std::int64_t, const Text& text) {
            return drawnTable(5, 1)(9, text);
        };
        const auto part = [](const Table& table, double weight) {
            return FusedScorer::Part{std::make_unique<TableScorer>(5, 1, table), weight};
        };
        std::vector<FusedScorer::Part> parts;
        parts.push_back(part(speech, 1));
        parts.push_back(part(language, 0.4));
        parts.push_back(part(language, 0)); // left out
        FusedScorer fused(std::move(parts));
        BeamSettings settings;
        settings.beams = 3;
        settings.maxNewTokens = 8;
        const Table summed = [&](std::int64_t recording, const Text& text) {
            auto row = speech(recording, text);
            const auto other = language(recording, text);
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] += 0.4F * other[i];
            return row;
        };
        const auto found = beamSearch(fused, 1, settings).front(), expected = searched(summed, 5, settings);
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].ids, expected[i].ids);
            QVERIFY(std::abs(found[i].score - expected[i].score) < 1e-5);
        }
    }

    void modelsOverOtherPiecesAreRejected() {
        std::vector<FusedScorer::Part> parts;
        parts.push_back({std::make_unique<TableScorer>(5, 1, drawnTable(5)), 1});
        parts.push_back({std::make_unique<TableScorer>(6, 1, drawnTable(6)), 0.3});
        QVERIFY_EXCEPTION_THROWN(FusedScorer(std::move(parts)), Error);
    }

    void settingsWithoutMeaningAreRejected() {
        BeamSettings settings;
        settings.beams = 0;
        QVERIFY_EXCEPTION_THROWN(searched(drawnTable(4), 4, settings), Error);
        settings.beams = 2;
        settings.lengthPenalty = std::nan("");
        QVERIFY_EXCEPTION_THROWN(searched(drawnTable(4), 4, settings), Error);
    }
};

HEADROOM_TEST(BeamSearchTest)

} // namespace headroom::testing::beam_search_test

#include "beam_search_test.moc"
