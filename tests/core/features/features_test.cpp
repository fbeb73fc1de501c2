// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/features/features.h"
#include "core/features/kernels.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <thread>

#include <QTest>

namespace headroom::testing::features_test {

namespace {

std::vector<float> noise(std::size_t size, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.1F);
    std::vector<float> samples(size);
    for (float& sample : samples)
        sample = normal(random);
    return samples;
}

std::vector<float> tone(double hertz, double amplitude, std::size_t size) {
    std::vector<float> samples(size);
    for (std::size_t n = 0; n < size; ++n)
        samples[n] = static_cast<float>(
            amplitude * std::sin(2 * std::numbers::pi * hertz * static_cast<double>(n) / 16000));
    return samples;
}

/// Every row of eight frames of noise through one set of kernels.
Matrix<float> throughKernels(const lanes::Kernels& kernels, const std::vector<float>& samples) {
    const auto tables = std::make_unique<lanes::LogMelTables>();
    lanes::fillLogMelTables(*tables);
    const auto scratch = std::make_unique<lanes::Scratch>();
    Matrix<float> result(lanes::kLanes, lanes::kMelBins);
    const float* rows[lanes::kLanes];
    float* output[lanes::kLanes];
    for (int lane = 0; lane < lanes::kLanes; ++lane) {
        rows[lane] = samples.data() + lane * lanes::kHop;
        output[lane] = result.row(static_cast<std::size_t>(lane)).data();
    }
    kernels.logMel(*tables, *scratch, rows, output);
    return result;
}

} // namespace

class FeaturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void frameCountsAreKaldis() { // O18
        LogMelFilterbank filterbank;
        QCOMPARE(filterbank.compute(noise(16000)).rows(), std::size_t(98));
        QCOMPARE(filterbank.compute(noise(16000)).columns(), std::size_t(80));
        QCOMPARE(filterbank.compute(noise(400)).rows(), std::size_t(1));
        QCOMPARE(filterbank.compute(noise(559)).rows(), std::size_t(1));
        QCOMPARE(filterbank.compute(noise(560)).rows(), std::size_t(2));
        QCOMPARE(TokenClock::speechToText().tokenCount(Frames(98)), Tokens(25));
    }

    void lessThanOneFrameIsAnErrorThatSaysSo() {
        LogMelFilterbank filterbank;
        for (const std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(399)}) {
            QCOMPARE(codeOf([&] { filterbank.compute(noise(size)); }), std::string("features.tooShort"));
            QCOMPARE(codeOf([&] { referenceLogMel(noise(size)); }), std::string("features.tooShort"));
        }
        try {
            filterbank.compute(noise(399));
        } catch (const Error& error) {
            const std::string sentence = error.what();
            QVERIFY(sentence.find("399 samples") != std::string::npos &&
                    sentence.find("25 ms") != std::string::npos);
        }
    }

    void theReferenceIsTheDefinition() {
        // One frame by hand: the transform as its sum, the triangles by their corners.
        const auto samples = noise(400, 7);
        const auto reference = referenceLogMel(samples);
        double mean = 0;
        for (const float s : samples)
            mean += s * 32768.0 / 400;
        std::vector<double> y(400);
        for (std::size_t n = 0; n < 400; ++n) {
            const double here = samples[n] * 32768.0 - mean;
            const double before = samples[n == 0 ? 0 : n - 1] * 32768.0 - mean;
            const double hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / 399);
            y[n] = (here - 0.97 * before) * std::pow(hann, 0.85);
        }
        for (const std::size_t bin : {std::size_t(0), std::size_t(10), std::size_t(40), std::size_t(79)}) {
            const auto mel = [](double f) { return 1127 * std::log1p(f / 700); };
            const double step = (mel(8000) - mel(20)) / 81;
            double energy = 0;
            for (int k = 0; k < 256; ++k) {
                std::complex<double> x = 0;
                for (std::size_t n = 0; n < 400; ++n)
                    x += y[n] * std::polar(1.0, -2 * std::numbers::pi * k * static_cast<double>(n) / 512);
                const double distance =
                    std::abs(mel(k * 31.25) - mel(20) - static_cast<double>(bin + 1) * step);
                energy += std::norm(x) * std::max(0.0, 1 - distance / step);
            }
            QVERIFY(std::abs(std::log(energy) - reference(0, bin)) < 1e-9);
        }
    }

    void bothKernelsAgreeWithTheReference() {
        const auto samples = noise(7 * lanes::kHop + 400, 3);
        const auto exact = referenceLogMel(samples);
        for (const auto* kernels : {&lanes::portableKernels(), &lanes::bestKernels()}) {
            const auto fast = throughKernels(*kernels, samples);
            for (std::size_t f = 0; f < fast.rows(); ++f)
                for (std::size_t b = 0; b < fast.columns(); ++b)
                    QVERIFY(std::abs(fast(f, b) - exact(f, b)) < 1e-4);
        }
    }

    void aFrameDoesNotDependOnItsNeighbours() {
        // Blocks of eight: every count modulo eight, and every frame alone, give the same numbers.
        const auto samples = noise(400 + 160 * 20, 5);
        LogMelFilterbank filterbank;
        const auto whole = filterbank.compute(samples);
        for (std::size_t frame = 0; frame < whole.rows(); ++frame) {
            const auto alone = filterbank.compute(std::span(samples).subspan(frame * 160, 400));
            QVERIFY(std::ranges::equal(alone.row(0), whole.row(frame)));
            const auto upToHere = filterbank.compute(std::span(samples).first(frame * 160 + 400));
            QCOMPARE(upToHere.rows(), frame + 1);
            QVERIFY(std::ranges::equal(upToHere.row(frame), whole.row(frame)));
        }
    }

    void silenceIsTheFloorAndStaysFinite() {
        auto features = LogMelFilterbank().compute(std::vector<float>(16000, 0.0F));
        for (const float value : features.values())
            QVERIFY(std::abs(value - std::log(1.1920929e-7)) < 1e-5);
        applyUtteranceCmvn(features);
        for (const float value : features.values())
            QCOMPARE(value, 0.0F);
        // A constant is silence too: its mean is removed.
        const auto constant = LogMelFilterbank().compute(std::vector<float>(1600, 0.25F));
        for (const float value : constant.values())
            QVERIFY(value < -5);
    }

    void anOffsetDoesNotDrownAQuietRecording() {
        auto samples = noise(1600, 9);
        for (float& sample : samples) // a few units of 16 bits on a large offset
            sample = 0.4F + std::round(sample * 30) / 32768.0F;
        const auto exact = referenceLogMel(samples);
        for (const auto* kernels : {&lanes::portableKernels(), &lanes::bestKernels()}) {
            const auto fast = throughKernels(*kernels, samples);
            for (std::size_t f = 0; f < fast.rows(); ++f)
                for (std::size_t b = 0; b < fast.columns(); ++b)
                    QVERIFY(std::abs(fast(f, b) - exact(f, b)) < 3e-4);
        }
    }

    void oneFrameNormalisesToZero() {
        auto features = LogMelFilterbank().compute(noise(400));
        applyUtteranceCmvn(features);
        for (const float value : features.values())
            QCOMPARE(value, 0.0F);
        Matrix<float> nothing;
        applyUtteranceCmvn(nothing);
        QVERIFY(nothing.empty());
    }

    void cmvnHasMeanZeroAndVarianceOne() {
        auto features = LogMelFilterbank().compute(noise(32000));
        applyUtteranceCmvn(features);
        for (std::size_t b = 0; b < features.columns(); ++b) {
            double sum = 0;
            double squares = 0;
            for (std::size_t f = 0; f < features.rows(); ++f) {
                sum += features(f, b);
                squares += static_cast<double>(features(f, b)) * features(f, b);
            }
            QVERIFY(std::abs(sum / static_cast<double>(features.rows())) < 1e-6);
            QVERIFY(std::abs(squares / static_cast<double>(features.rows()) - 1) < 1e-5);
        }
    }

    void samplesThatAreNoNumbersDoNotBecomeNumbers() {
        auto samples = noise(400);
        samples[200] = std::numeric_limits<float>::quiet_NaN();
        const auto features = LogMelFilterbank().compute(samples);
        for (const float value : features.values())
            QVERIFY(std::isnan(value));
    }

    void aFullScaleSineIsZeroDecibels() {
        const auto spectrogram = linearSpectrogram(tone(1000, 1.0, 16000));
        QCOMPARE(spectrogram.rows(), std::size_t(98));
        QCOMPARE(spectrogram.columns(), std::size_t(257));
        for (std::size_t f = 0; f < spectrogram.rows(); ++f) {
            QVERIFY(std::abs(spectrogram(f, 32)) < 0.01); // 1000 Hz = bin 32
            QVERIFY(spectrogram(f, 128) < -80);
        }
        const auto half = linearSpectrogram(tone(1000, 0.5, 16000));
        QVERIFY(std::abs(half(40, 32) + 6.0206) < 0.01);
        const auto constant = linearSpectrogram(std::vector<float>(400, 1.0F));
        QVERIFY(std::abs(constant(0, 0)) < 0.01);
    }

    void theSpectrogramOfAlmostNothingHasOneFrame() {
        for (const std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(399)}) {
            const auto spectrogram = linearSpectrogram(std::vector<float>(size, 0.0F));
            QCOMPARE(spectrogram.rows(), std::size_t(1));
            for (const float value : spectrogram.values())
                QVERIFY(std::abs(value + 120) < 1e-3);
        }
    }

    void eachThreadHasItsOwn() {
        const auto samples = noise(48000);
        const auto expected = LogMelFilterbank().compute(samples).values();
        std::vector<int> same(4, 0);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < same.size(); ++t)
            threads.emplace_back([&, t] {
                LogMelFilterbank filterbank;
                for (int i = 0; i < 10; ++i)
                    same[t] += filterbank.compute(samples).values() == expected;
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(same, std::vector<int>(4, 10));
    }
};

HEADROOM_TEST(FeaturesTest)

} // namespace headroom::testing::features_test

#include "features_test.moc"
