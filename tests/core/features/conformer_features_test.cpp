// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/errors/error.h"
#include "core/features/conformer_features.h"
#include "core/features/features.h"
#include "core/features/mel_filters.h"
#include "core/features/power_spectrum.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include <QTest>

namespace headroom::testing::conformer_features_test {

namespace {

std::vector<float> noise(std::size_t size) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.0F, 0.1F);
    std::vector<float> samples(size);
    for (float& sample : samples)
        sample = normal(random);
    return samples;
}

/// Mean and sample variance of column `column` over the first `rows` rows.
std::pair<double, double> moments(const std::vector<double>& values) {
    double mean = 0, variance = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    for (const double value : values)
        variance += (value - mean) * (value - mean) / static_cast<double>(values.size() - 1);
    return {mean, variance};
}

/// The mel energies of one NeMo frame from the definition: pre-emphasised samples around 160 f, Hann, all 257 bins by
/// the sum over samples, triangles on Slaney's scale.
std::vector<double> slaneyFrame(const std::vector<float>& samples, int frame, int bins) {
    std::vector<double> x(400);
    for (int n = 0; n < 400; ++n) {
        const int place = 160 * frame - 200 + n;
        if (place < 0 || place >= static_cast<int>(samples.size()))
            continue;
        const double before = place > 0 ? samples[static_cast<std::size_t>(place - 1)] : 0;
        x[static_cast<std::size_t>(n)] = (samples[static_cast<std::size_t>(place)] - 0.97 * before) *
                                         std::pow(std::sin(std::numbers::pi * n / 399), 2);
    }
    const auto hertz = [](double mel) {
        return mel < 15 ? mel * 200 / 3 : 1000 * std::pow(6.4, (mel - 15) / 27);
    };
    const double top = 15 + 27 * std::log(8.0) / std::log(6.4);
    std::vector<double> energies(static_cast<std::size_t>(bins));
    for (int k = 0; k <= 256; ++k) {
        std::complex<double> sum;
        for (int n = 0; n < 400; ++n)
            sum += x[static_cast<std::size_t>(n)] * std::polar(1.0, -2 * std::numbers::pi * k * n / 512);
        for (int b = 0; b < bins; ++b) {
            const double left = hertz(top * b / (bins + 1)), centre = hertz(top * (b + 1) / (bins + 1)),
                         right = hertz(top * (b + 2) / (bins + 1)), here = 31.25 * k;
            const double weight = std::min((here - left) / (centre - left), (right - here) / (right - centre));
            energies[static_cast<std::size_t>(b)] += std::max(weight, 0.0) * 2 / (right - left) * std::norm(sum);
        }
    }
    return energies;
}

} // namespace

class ConformerFeaturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void powerSpectraOfAnySizeAreThoseOfTheDefinition() {
        for (const int size : {1, 2, 30, 400, 512}) {
            const auto samples = noise(static_cast<std::size_t>(size));
            const std::vector<double> frame(samples.begin(), samples.end());
            PowerSpectrum spectrum(size);
            std::vector<double> power(static_cast<std::size_t>(spectrum.bins()));
            spectrum.compute(frame, power);
            for (int k = 0; k < spectrum.bins(); ++k) {
                std::complex<double> sum;
                for (int n = 0; n < size; ++n)
                    sum += frame[static_cast<std::size_t>(n)] *
                           std::polar(1.0, -2 * std::numbers::pi * (k * n % size) / size);
                QVERIFY(std::abs(power[static_cast<std::size_t>(k)] - std::norm(sum)) < 1e-12);
            }
        }
    }

    /// Normalisation is affine per bin, so the logarithms and the features have the same differences, scaled.
    void parakeetFramesAreNormalisedLogarithmsOfTheDefinition() {
        const auto samples = noise(3000);
        const MaskedFeatures features = parakeetFeatures(samples, {.bins = 24});
        QCOMPARE(features.valid, std::int64_t(18));
        QCOMPARE(features.values.rows(), std::size_t(19));
        QCOMPARE(features.values.columns(), std::size_t(24));
        std::vector<std::vector<double>> logarithms;
        for (int f = 0; f < 18; ++f)
            logarithms.push_back(slaneyFrame(samples, f, 24));
        for (std::size_t b = 0; b < 24; ++b) {
            std::vector<double> bin;
            for (const auto& frame : logarithms)
                bin.push_back(std::log(frame[b] + std::pow(2.0, -24)));
            const auto [mean, variance] = moments(bin);
            for (std::size_t f = 0; f < 18; ++f)
                QVERIFY(std::abs(static_cast<double>(features.values(f, b)) -
                                 (bin[f] - mean) / (std::sqrt(variance) + 1e-5)) < 1e-5);
            QCOMPARE(features.values(18, b), 0.0F); // the masked frame
        }
    }

    void stackedFramesAreKaldisNormalisedBySampleVariance() {
        const auto samples = noise(400 + 160 * 6); // 7 frames
        const MaskedFeatures features = stackedKaldiFeatures(samples);
        QCOMPARE(features.valid, std::int64_t(3));
        QCOMPARE(features.values.rows(), std::size_t(4));
        QCOMPARE(features.values.columns(), std::size_t(160));
        const Matrix<double> reference = referenceLogMel(samples);
        for (std::size_t b = 0; b < 80; ++b) {
            std::vector<double> bin;
            for (std::size_t f = 0; f < 7; ++f)
                bin.push_back(reference(f, b));
            const auto [mean, variance] = moments(bin);
            for (std::size_t f = 0; f < 7; ++f)
                QVERIFY(std::abs(static_cast<double>(features.values(f / 2, f % 2 * 80 + b)) -
                                 (bin[f] - mean) / std::sqrt(variance + 1e-7)) < 1e-5);
            QCOMPARE(features.values(3, 80 + b), 1.0F); // the frame that fills the last row
        }
        QCOMPARE(stackedKaldiFeatures(noise(400 + 160 * 5)).valid, std::int64_t(3));
        QCOMPARE(stackedKaldiFeatures(noise(400 + 160 * 5)).values.rows(), std::size_t(3));
    }

    void whatIsTooShortToNormaliseIsAnErrorWithBothNumbers() {
        const auto codeOf = [](const auto& compute) {
            try {
                compute();
            } catch (const Error& error) {
                return error.code() + " " + error.values()["needed"].dump();
            }
            return std::string();
        };
        QCOMPARE(codeOf([] { parakeetFeatures(noise(319)); }), std::string("features.tooShort 320"));
        QCOMPARE(codeOf([] { stackedKaldiFeatures(noise(559)); }), std::string("features.tooShort 560"));
        QCOMPARE(parakeetFeatures(noise(320)).valid, std::int64_t(2));
        QCOMPARE(stackedKaldiFeatures(noise(560)).valid, std::int64_t(1));
    }

    void goldenFeaturesAreMatched_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"wav2vec2-bert", "wav2vec2-bert-adapter", "parakeet-ctc"})
            QTest::newRow(model) << model;
    }
    void goldenFeaturesAreMatched() {
        if (sharedData().empty())
            QSKIP(kNoSharedData);
        QFETCH(QString, model);
        const auto folder = sharedData() / "parity" / "encoders";
        const auto expected = folder / model.toStdString() / "expected";
        const bool parakeet = model == "parakeet-ctc";
        const auto recording =
            loadRecording(folder / "audio" / (model == "wav2vec2-bert-adapter" ? "short.wav" : "wide.wav"));
        const MaskedFeatures features =
            parakeet ? parakeetFeatures(recording.samples) : stackedKaldiFeatures(recording.samples);
        const auto golden = toFloats(readNpy(expected / "input_features.npy").view());
        QCOMPARE(features.values.values().size(), golden.size());
        double largest = 0;
        for (std::size_t i = 0; i < golden.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(features.values.values()[i]) - golden[i]));
        qInfo("%.1e", largest);
        // The original's own Fourier transform is in float for Parakeet.
        QVERIFY(largest <= (parakeet ? 1e-3 : 1e-5));
        std::int64_t valid = 0;
        for (const float one : toFloats(readNpy(expected / "input_mask.npy").view()))
            valid += one != 0;
        QCOMPARE(features.valid, valid);
    }
};

HEADROOM_TEST(ConformerFeaturesTest)

} // namespace headroom::testing::conformer_features_test

#include "conformer_features_test.moc"
