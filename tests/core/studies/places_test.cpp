// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/places.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>
#include <random>

namespace headroom::testing::places_test {

class PlacesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theStrongestAreKeptInAnyOrderOfOffers();
    void aSetReadsBackAsItWasStored();
    void aTimeIsReadAsItIsWritten();
    void arraysThatDoNotFitAreRefused();
};

void PlacesTest::theStrongestAreKeptInAnyOrderOfOffers() {
    std::vector<StudyPlace> all;
    for (int i = 0; i < 20; ++i)
        all.push_back({i, 0.5 * i, 0.25 * i, static_cast<double>(i % 5)}); // ties: the earlier utterance
    std::mt19937 random(3);
    for (int repeat = 0; repeat < 20; ++repeat) {
        std::shuffle(all.begin(), all.end(), random);
        PlaceSet set({2, 3}, 6);
        const std::vector<std::int64_t> index{1, 2}, other{1, 1};
        for (const StudyPlace& place : all)
            set.offer(index, place);
        set.offer(index, {99, 0, 0, std::nan("")});
        const auto kept = set.at(index);
        std::vector<int> utterances;
        for (const StudyPlace& place : kept)
            utterances.push_back(place.utterance);
        QCOMPARE(utterances, (std::vector<int>{4, 9, 14, 19, 3, 8}));
        QVERIFY(set.at(other).empty());
    }
}

void PlacesTest::aSetReadsBackAsItWasStored() {
    PlaceSet set({2}, 3);
    const std::vector<std::int64_t> first{0}, second{1};
    set.offer(first, {7, 1.25, 2.5, 0.5});
    set.offer(first, {8, 1.5, 2.75, 4});
    StudyArrays arrays;
    set.store("1.layer", arrays);
    QCOMPARE(arrays.at("1.layer_query").shape, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(toDoubles(arrays.at("1.layer_utterance").view()), (std::vector<double>{8, 7, -1, -1, -1, -1}));
    const PlaceSet back = PlaceSet::read("1.layer", arrays, "places.npz");
    QVERIFY(back.at(first) == set.at(first));
    QVERIFY(back.at(second).empty());
    QCOMPARE(back.most(), std::int64_t(3));
}

void PlacesTest::aTimeIsReadAsItIsWritten() {
    PlaceSet set({1}, 1);
    const std::vector<std::int64_t> first{0};
    const StudyPlace place{3, 4.0525, 4.0925, 0.46}; // none of them has an exact float
    set.offer(first, place);
    StudyArrays arrays;
    set.store("1.layer", arrays);
    const StudyPlace back = PlaceSet::read("1.layer", arrays, "places.npz").at(first).at(0);
    QCOMPARE(back.query - place.query, 0.0);
    QCOMPARE(back.key - place.key, 0.0);
    QCOMPARE(back.value - place.value, 0.0);
}

void PlacesTest::arraysThatDoNotFitAreRefused() {
    PlaceSet set({2}, 3);
    StudyArrays arrays;
    set.store("1.layer", arrays);
    QVERIFY_EXCEPTION_THROWN(PlaceSet::read("1.head", arrays, "places.npz"), Error);
    arrays.at("1.layer_key").shape = {3, 2};
    QVERIFY_EXCEPTION_THROWN(PlaceSet::read("1.layer", arrays, "places.npz"), Error);
}

HEADROOM_TEST(PlacesTest)

} // namespace headroom::testing::places_test

#include "places_test.moc"
