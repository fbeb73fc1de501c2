// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/corpus/acoustics.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

namespace headroom::testing::acoustics_test {

using namespace headroom::training;

namespace {

std::vector<float> tone(std::size_t samples) {
    std::vector<float> result(samples);
    for (std::size_t i = 0; i < samples; ++i)
        result[i] =
            static_cast<float>(0.2 * std::sin(2 * std::numbers::pi * 440 * static_cast<double>(i) / 16000));
    return result;
}

/// Mean power per octave: the signal's slopes at pairs of samples 1, 2, 4 … apart would do as well; here
/// Haar's wavelets, whose k-th level holds the octave below 1 / 2^k of the band.
std::vector<double> octaves(std::vector<float> signal, int count) {
    std::vector<double> powers;
    for (int k = 0; k < count; ++k) {
        std::vector<float> half(signal.size() / 2);
        double power = 0;
        for (std::size_t i = 0; i < half.size(); ++i) {
            const double difference = (signal[2 * i] - signal[2 * i + 1]) / std::sqrt(2.0);
            half[i] = static_cast<float>((signal[2 * i] + signal[2 * i + 1]) / std::sqrt(2.0));
            power += difference * difference;
        }
        powers.push_back(power / static_cast<double>(half.size()));
        signal = std::move(half);
    }
    return powers;
}

double decibels(double ratio) {
    return 20 * std::log10(ratio);
}

} // namespace

class AcousticsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whiteNoiseIsWhite() {
        Random random({1});
        const auto noise = whiteNoise(1 << 18, random);
        QVERIFY(std::abs(rootMeanSquare(noise) - 1) < 0.01);
        for (const double power : octaves(noise, 8))
            QVERIFY2(std::abs(power - 1) < 0.1, qPrintable(QString::number(power)));
    }

    void pinkNoiseFallsByThreeDecibelsAnOctave() {
        Random random({2});
        const auto powers = octaves(pinkNoise(1 << 18, random), 9);
        // Per coefficient of a wavelet the power of 1/f doubles with each octave downwards.
        const double slope = 10 * std::log10(powers[8] / powers[2]) / 6;
        QVERIFY2(slope > 2.3 && slope < 3.7, qPrintable(QString::number(slope)));
    }

    void aRoomFallsBySixtyDecibels() {
        Random random({3});
        const auto response = impulseResponse(SampleRate(16000), 0.4, 6, random);
        QCOMPARE(response.front(), 1.0F);
        QCOMPARE(response.size(), std::size_t(6400));
        for (std::size_t i = 1; i < 32; ++i)
            QCOMPARE(response[i], 0.0F);
        const auto level = [&](std::size_t at) {
            return rootMeanSquare(std::span(response).subspan(at, 600));
        };
        // 5,200 samples apart: 0.325 s of 0.4 s, which is 48.75 dB
        QVERIFY(std::abs(decibels(level(100) / level(5300)) - 48.75) < 1.5);
        double tail = 0;
        for (std::size_t i = 1; i < response.size(); ++i)
            tail += static_cast<double>(response[i]) * response[i];
        QVERIFY(std::abs(-10 * std::log10(tail) - 6) < 0.01);
    }

    void convolutionIsTheSumOfProducts() {
        Random random({4});
        const auto signal = whiteNoise(300, random), response = whiteNoise(77, random);
        const auto result = convolved(signal, response);
        QCOMPARE(result.size(), signal.size());
        for (std::size_t i = 0; i < signal.size(); ++i) {
            double sum = 0;
            for (std::size_t k = 0; k <= i && k < response.size(); ++k)
                sum += static_cast<double>(response[k]) * signal[i - k];
            QVERIFY(std::abs(sum - result[i]) < 1e-4);
        }
    }

    void noiseHasTheLevelThatWasAskedFor() {
        const auto speech = tone(32000);
        Random random({5});
        const auto babble = whiteNoise(5000, random); // shorter than the speech: it goes round
        for (const auto noise : {Noise::White, Noise::Pink, Noise::Babble})
            for (const double ratio : {10.0, 25.0}) {
                Conditions conditions;
                conditions.noise = noise;
                conditions.signalToNoise = ratio;
                conditions.level = -24;
                Random same({6});
                const auto heard = underConditions(speech, SampleRate(16000), conditions, babble, same);
                conditions.noise = Noise::None;
                const auto clean = underConditions(speech, SampleRate(16000), conditions, babble, same);
                std::vector<float> difference(heard.size());
                std::transform(heard.begin(), heard.end(), clean.begin(), difference.begin(), std::minus<>());
                QVERIFY(std::abs(decibels(rootMeanSquare(clean)) + 24) < 0.01);
                QVERIFY(std::abs(decibels(rootMeanSquare(clean) / rootMeanSquare(difference)) - ratio) <
                        0.05);
            }
    }

    void theDirectSoundKeepsItsPlace() {
        std::vector<float> click(8000);
        click[1234] = 1;
        Conditions conditions;
        conditions.reverberation = 0.6;
        conditions.directToReverberant = 4;
        Random random({7});
        const auto heard = underConditions(click, SampleRate(16000), conditions, {}, random);
        const auto loudest = std::max_element(heard.begin(), heard.end(),
                                              [](float a, float b) { return std::abs(a) < std::abs(b); });
        QCOMPARE(loudest - heard.begin(), std::ptrdiff_t(1234));
        for (std::size_t i = 0; i < 1234; ++i)
            QVERIFY(std::abs(heard[i]) < 1e-6);
    }

    void nothingClipsAndSilenceStaysSilent() {
        Conditions conditions;
        conditions.level = 10;
        Random random({8});
        const auto loud = underConditions(tone(16000), SampleRate(16000), conditions, {}, random);
        QVERIFY(*std::max_element(loud.begin(), loud.end()) <= 0.99F);
        const auto silent =
            underConditions(std::vector<float>(1000), SampleRate(16000), conditions, {}, random);
        QCOMPARE(rootMeanSquare(silent), 0.0);
        QVERIFY_EXCEPTION_THROWN(underConditions({}, SampleRate(16000), conditions, {}, random),
                                 std::invalid_argument);
    }

    void everyKindOfConditionsOccurs() {
        std::map<std::string, int> noises, rooms;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            Random random({9, i});
            const auto conditions = randomConditions(random);
            ++noises[nameOf(conditions.noise)];
            ++rooms[QString::number(conditions.reverberation, 'f', 1).toStdString()];
            QVERIFY(conditions.noise == Noise::None ||
                    (conditions.signalToNoise >= 10 && conditions.signalToNoise <= 25));
        }
        for (const char* name : {"white", "pink", "babble"})
            QVERIFY(std::abs(noises[name] - 667) < 100);
        QVERIFY(std::abs(noises["none"] - 1000) < 100);
        QVERIFY(std::abs(rooms["0.0"] - 1200) < 120);
        for (const char* name : {"0.2", "0.4", "0.6"})
            QVERIFY(std::abs(rooms[name] - 600) < 100);
    }
};

HEADROOM_TEST(AcousticsTest)

} // namespace headroom::testing::acoustics_test

#include "acoustics_test.moc"
