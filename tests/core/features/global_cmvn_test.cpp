// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/features/features.h"
#include "core/features/global_cmvn.h"
#include "core/features/model_input.h"
#include "tests/support/runner.h"

#include <cmath>
#include <numbers>
#include <QtTest>

namespace headroom::testing::global_cmvn_test {

namespace {

std::vector<float> tone(double hertz, double seconds) {
    std::vector<float> samples(static_cast<std::size_t>(seconds * 16000));
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] =
            static_cast<float>(0.3 * std::sin(2 * std::numbers::pi * hertz * static_cast<double>(i) / 16000) *
                               std::sin(static_cast<double>(i) / 3000));
    return samples;
}

Architecture withCmvn(const GlobalCmvn& cmvn) {
    Architecture architecture =
        readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/s2t-small.json");
    architecture.frontEnd.cmvn = cmvn;
    return architecture;
}

} // namespace

class GlobalCmvnTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersAreThoseOfAllFrames() {
        CmvnSums first, second;
        first.add(Matrix<float>(2, 2, {1, 10, 3, 10}));
        second.add(Matrix<float>(1, 2, {8, 10}));
        first.add(second);
        const GlobalCmvn cmvn = first.result();
        QCOMPARE(first.frames(), std::int64_t(3));
        QCOMPARE(cmvn.mean[0], 4.0);
        QVERIFY(std::abs(cmvn.deviation[0] - std::sqrt((1.0 + 9 + 64) / 3 - 16)) <
                1e-12); // of the population
        QCOMPARE(cmvn.mean[1], 10.0);
        QCOMPARE(cmvn.deviation[1], 1e-10); // a bin that is always the same
        Matrix<float> features(1, 2, {4, 10});
        applyGlobalCmvn(features, cmvn);
        QCOMPARE(features(0, 0), 0.0F);
        QVERIFY_EXCEPTION_THROWN(CmvnSums().result(), std::logic_error);
        Matrix<float> wider(1, 3);
        QVERIFY_EXCEPTION_THROWN(applyGlobalCmvn(wider, cmvn), std::invalid_argument);
    }

    void allRecordingsTogetherHaveMeanZeroAndVarianceOne() {
        CmvnSums sums;
        LogMelFilterbank filterbank;
        for (const double hertz : {300.0, 900.0})
            sums.add(filterbank.compute(tone(hertz, 0.5)));
        ModelInput input;
        input.cmvn = sums.result();
        CmvnSums after;
        for (const double hertz : {300.0, 900.0})
            after.add(modelFeatures(tone(hertz, 0.5), input));
        const GlobalCmvn left = after.result();
        for (std::size_t bin = 0; bin < 80; ++bin) {
            QVERIFY(std::abs(left.mean[bin]) < 1e-5);
            QVERIFY(std::abs(left.deviation[bin] - 1) < 1e-5);
        }
        // One recording alone is not normalised to itself: that is the other kind.
        CmvnSums one, own;
        one.add(modelFeatures(tone(300, 0.5), input));
        own.add(modelFeatures(tone(300, 0.5), ModelInput()));
        QVERIFY(std::abs(one.result().mean[10]) > 0.01);
        QVERIFY(std::abs(own.result().mean[10]) < 1e-5);
    }

    void aDocumentCarriesThem() {
        GlobalCmvn cmvn;
        for (int bin = 0; bin < 80; ++bin) {
            cmvn.mean.push_back(10 + bin / 7.0);
            cmvn.deviation.push_back(3 - bin / 90.0);
        }
        const std::string text = canonicalText(withCmvn(cmvn));
        const Architecture read = parseArchitecture(text, "x.json");
        QVERIFY(read.frontEnd.cmvn == cmvn); // every digit
        QVERIFY(read.frontEnd.input().cmvn == cmvn);
        QCOMPARE(canonicalText(read), text);
        QVERIFY(canonicalText(readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/s2t-small.json"))
                    .find("cmvn") == std::string::npos);
    }

    void wrongNumbersAreNamed() {
        const auto refused = [](const GlobalCmvn& cmvn) -> std::string {
            try {
                parseArchitecture(canonicalText(withCmvn(cmvn)), "x.json");
            } catch (const Error& error) {
                return error.what();
            }
            return {};
        };
        const std::vector<double> good(80, 1.0);
        QCOMPARE(refused({good, good}), std::string());
        QVERIFY(refused({std::vector<double>(79, 1.0), good})
                    .find("frontEnd.cmvn.mean: this must be a list of 80 numbers") != std::string::npos);
        QVERIFY(refused({good, std::vector<double>(80, 0.0)}).find("frontEnd.cmvn.deviation") !=
                std::string::npos);
    }
};

HEADROOM_TEST(GlobalCmvnTest)

} // namespace headroom::testing::global_cmvn_test

#include "global_cmvn_test.moc"
