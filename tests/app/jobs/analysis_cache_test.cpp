// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/analysis_cache.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::analysis_cache_test {

using namespace headroom::app;

namespace {

AnalysisKey key(int utterance, int model = 1) {
    return {UtteranceId(utterance), ModelId(model)};
}

void fill(AnalysisResult& result, std::size_t side) {
    result.layers.resize(1);
    result.layers[0].contributions = std::make_shared<const MaxPyramid>(Matrix<float>(side, side, 0.5F));
}

} // namespace

class AnalysisCacheTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOldestGoesFirstAndTheNewestNever();
    void whatIsShownStays();
    void aFailureIsRemembered();
    void closingTakesItsResultsAlong();
    void bytesCountThePyramids();
};

void AnalysisCacheTest::theOldestGoesFirstAndTheNewestNever() {
    AnalysisCache cache(300 * 1000);
    for (int i = 1; i <= 4; ++i)
        fill(cache.touch(key(i)), 128); // 4/3 · 64 KiB = 87 kB each
    cache.touch(key(1));
    const auto dropped = cache.trim({key(1)});
    QCOMPARE(dropped.size(), std::size_t(1));
    QVERIFY(dropped[0] == key(2));
    QVERIFY(cache.find(key(2)) == nullptr);
    QVERIFY(cache.find(key(1)) != nullptr);
    cache.setBound(1);
    cache.trim({key(1)});
    QVERIFY(cache.find(key(1)) != nullptr);
    QCOMPARE(cache.order().size(), std::size_t(1));
}

void AnalysisCacheTest::whatIsShownStays() {
    AnalysisCache cache(1);
    fill(cache.touch(key(1)), 64);
    fill(cache.touch(key(2)), 64);
    fill(cache.touch(key(3)), 64);
    const auto dropped = cache.trim({key(1)});
    QCOMPARE(dropped.size(), std::size_t(1));
    QVERIFY(cache.find(key(1)) && cache.find(key(3)));
}

/// Forgotten, it would be tried again by itself, and fail again.
void AnalysisCacheTest::aFailureIsRemembered() {
    AnalysisCache cache(1);
    fill(cache.touch(key(1)), 64);
    cache.find(key(1))->state = AnalysisResult::State::Failed;
    cache.find(key(1))->sentence = QStringLiteral("It failed.");
    fill(cache.touch(key(2)), 64);
    QCOMPARE(cache.trim({}).size(), std::size_t(1));
    QVERIFY(cache.find(key(1)));
    QCOMPARE(cache.find(key(1))->sentence, QStringLiteral("It failed."));
    QVERIFY(cache.find(key(1))->layers.empty());
    QVERIFY(cache.trim({}).empty()); // there is nothing left to drop
}

void AnalysisCacheTest::closingTakesItsResultsAlong() {
    AnalysisCache cache;
    cache.touch(key(1, 1));
    cache.touch(key(1, 2));
    cache.touch(key(2, 2));
    cache.remove(ModelId(2));
    QVERIFY(cache.find(key(1, 1)) && !cache.find(key(1, 2)) && !cache.find(key(2, 2)));
    cache.remove(UtteranceId(1));
    QVERIFY(!cache.find(key(1, 1)));
    QVERIFY(cache.order().empty());
}

void AnalysisCacheTest::bytesCountThePyramids() {
    AnalysisCache cache;
    fill(cache.touch(key(1)), 1024);
    QVERIFY(cache.bytes() > std::size_t(1024) * 1024 * 4 * 13 / 10);
    QVERIFY(cache.bytes() < std::size_t(1024) * 1024 * 4 * 14 / 10);
}

HEADROOM_TEST(AnalysisCacheTest)

} // namespace headroom::testing::analysis_cache_test

#include "analysis_cache_test.moc"
