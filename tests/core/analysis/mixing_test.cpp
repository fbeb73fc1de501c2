// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/mixing.h"
#include "core/errors/error.h"
#include "tests/support/runner.h"

#include <QtTest>

namespace headroom::testing::mixing_test {

class MixingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNameIsReadBack() {
        for (const MixingFacts& facts : mixingFacts())
            for (const bool rollout : {false, true}) {
                const MixingMeasure measure{facts.kind, rollout};
                QVERIFY(mixingMeasure(nameOf(measure)) == measure);
                QVERIFY(factsOf(facts.kind).name == facts.name);
                QVERIFY(explained(measure).find(facts.paper) != std::string::npos);
            }
        const std::vector<MixingMeasure> listed = mixingMeasures("alti,rollout-alti,alti");
        QVERIFY((listed == std::vector<MixingMeasure>{{Mixing::Alti, false}, {Mixing::Alti, true}}));
    }

    /// In captions of studies, whose models may have their LayerNorms in either place.
    void aFormulaIsThatOfBothPlacesOfTheNorm() {
        for (const Mixing kind : {Mixing::AttentionNorm, Mixing::Contributions}) {
            const std::string formula = explained({kind, false});
            QVERIFY2(formula.find("post-norm") != std::string::npos && formula.find("(LN(x) W") == std::string::npos, formula.c_str());
        }
    }

    void anUnknownNameIsAnErrorThatListsTheOthers() {
        for (const char* name : {"", "rollout", "norm", "alti,", "rollout-rollout-alti"})
            try {
                mixingMeasures(name);
                QFAIL(name);
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("mixing.unknown"));
                QVERIFY(std::string(error.what()).find("value-zeroing") != std::string::npos);
            }
    }

    void tokensBelongToTheIntervalOfTheirCentre() {
        const TokenClock clock = TokenClock::affine(Seconds(0.125), Seconds(0.25)); // 0.125, 0.375, 0.625 …
        const std::vector<Interval> words{{Seconds(0.375), Seconds(0.875), "a"},
                                          {Seconds(0.875), Seconds(0.9), "short"},
                                          {Seconds(1), Seconds(1.4), "b"},
                                          {Seconds(1.4), Seconds(1.7), "b"}};
        const std::vector<TokenUnit> units = tokenUnits(words, clock, 8); // the last centre: 1.875
        std::vector<std::string> text;
        for (const TokenUnit& unit : units)
            text.push_back(std::to_string(unit.first) + "-" + std::to_string(unit.end) + unit.label);
        // an interval includes its start, not its end; two words of one label stay two
        QVERIFY((text == std::vector<std::string>{"0-1", "1-3a", "3-4short", "4-6b", "6-7b", "7-8"}));
        QCOMPARE(tokenUnits({}, clock, 3).size(), std::size_t(1));
        QVERIFY(tokenUnits(words, clock, 0).empty());
    }

    void aMapOfUnitsKeepsItsShares() {
        const Matrix<float> map(3, 3, {0.5F, 0.25F, 0.25F, 0.1F, 0.1F, 0.8F, 0, 0, 1});
        const std::vector<TokenUnit> units{{0, 2, "a"}, {2, 3, ""}};
        const Matrix<float> mean = pooledByUnits(map, units, UnitPooling::Mean);
        QVERIFY(std::abs(mean(0, 0) - 0.475F) < 1e-6F && std::abs(mean(0, 1) - 0.525F) < 1e-6F);
        const Matrix<float> most = pooledByUnits(map, units, UnitPooling::Maximum); // 0.75 and 0.8
        QVERIFY(std::abs(most(0, 0) - 0.75F / 1.55F) < 1e-6F);
        QCOMPARE(mean(1, 1), 1.0F);
        QVERIFY_EXCEPTION_THROWN(pooledByUnits(map, std::vector<TokenUnit>{{0, 4, ""}}, UnitPooling::Mean),
                                 std::invalid_argument);
    }

    void aMapOfUnitsIsSpreadOverTheirTokens() {
        const Matrix<float> map(2, 2, {0.75F, 0.25F, 0.5F, 0.5F});
        const Matrix<float> spread = spreadOverTokens(map, std::vector<TokenUnit>{{0, 2, "a"}, {2, 3, ""}});
        const Matrix<float> expected(3, 3, {0.375F, 0.375F, 0.25F, 0.375F, 0.375F, 0.25F, 0.25F, 0.25F, 0.5F});
        QCOMPARE(spread.values(), expected.values());
        for (const auto& units : {std::vector<TokenUnit>{{0, 2, ""}}, std::vector<TokenUnit>{{0, 1, ""}, {2, 3, ""}},
                                  std::vector<TokenUnit>{{1, 2, ""}, {2, 3, ""}}})
            QVERIFY_EXCEPTION_THROWN(spreadOverTokens(map, units), std::invalid_argument);
    }
};

HEADROOM_TEST(MixingTest)

} // namespace headroom::testing::mixing_test

#include "mixing_test.moc"
