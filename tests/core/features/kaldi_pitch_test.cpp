// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/features/kaldi_pitch.h"
#include "core/features/model_input.h"
#include "core/tensors/npy.h"
#include "tests/support/golden_folders.h"
#include "tests/support/runner.h"

#include <cmath>
#include <numbers>
#include <QtTest>

namespace headroom::testing::kaldi_pitch_test {

namespace {

std::vector<float> samplesOf(const char* name) {
    const auto parity = repositoryGoldens() / "parity";
    if (QString(name) != "all")
        return loadRecording(parity / (QString(name) == "click" ? "pitch" : "fbank") /
                             (std::string(name) + ".wav"))
            .samples;
    std::vector<float> all;
    for (const char* part : {"medium", "short", "cut", "clipped", "silence"}) {
        const std::vector<float> more = samplesOf(part);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

} // namespace

class KaldiPitchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersAreKaldis_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"medium", "cut", "clipped", "silence", "frame400", "all", "click"})
            QTest::newRow(name) << name;
    }

    void numbersAreKaldis() {
        QFETCH(QString, name);
        const Tensor golden =
            readNpy(repositoryGoldens() / "parity" / "pitch" / (name.toStdString() + ".npy"));
        const auto expected = toDoubles(golden.view());
        const auto tracked = trackPitch(samplesOf(qPrintable(name)));
        const Matrix<float> features = pitchFeatures(tracked);
        constexpr std::size_t kColumns = 2 + kPitchFeatures;
        QCOMPARE(golden.shape,
                 (std::vector<std::int64_t>{static_cast<std::int64_t>(tracked.size()), kColumns}));
        double correlation = 0, height = 0, processed = 0;
        for (std::size_t frame = 0; frame < tracked.size(); ++frame) {
            const double* row = expected.data() + frame * kColumns;
            correlation =
                std::max(correlation, std::abs(static_cast<double>(tracked[frame].correlation) - row[0]));
            height = std::max(height, std::abs(std::log(static_cast<double>(tracked[frame].hertz) / row[1])));
            for (std::size_t column = 0; column < kPitchFeatures; ++column)
                processed = std::max(
                    processed, std::abs(static_cast<double>(features(frame, column)) - row[2 + column]));
        }
        qInfo("correlation %.1e, log pitch %.1e, features %.1e", correlation, height, processed);
        QVERIFY(correlation < 1e-5);
        QVERIFY(height < 1e-6); // a neighbouring lag would be 5e-3 away
        QVERIFY(processed < 2e-4);
    }

    void theLoudnessDoesNotMatter() {
        std::vector<float> samples = samplesOf("cut");
        const auto loud = trackPitch(samples);
        for (float& sample : samples)
            sample /= 64;
        const auto quiet = trackPitch(samples);
        for (std::size_t frame = 0; frame < loud.size(); ++frame) {
            QCOMPARE(quiet[frame].hertz, loud[frame].hertz);
            QVERIFY(std::abs(quiet[frame].correlation - loud[frame].correlation) < 1e-5F);
        }
    }

    void aToneHasItsPitch() {
        std::vector<float> samples(16000);
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<float>(
                0.3 * std::sin(2 * std::numbers::pi * 150 * static_cast<double>(i) / 16000));
        auto tracked = trackPitch(samples);
        tracked.resize(tracked.size() - 3); // their longest lag lies behind the end
        for (const TrackedPitch& frame : tracked)
            QVERIFY2(std::abs(frame.hertz - 150) < 1.5F && frame.correlation > 0.98F,
                     qPrintable(QStringLiteral("%1 %2").arg(frame.hertz).arg(frame.correlation)));
    }

    void silenceAndShortSoundsHaveFiniteFeatures() {
        QVERIFY(trackPitch({}).empty());
        QVERIFY(trackPitch(std::vector<float>(396, 0.1F)).empty());
        QCOMPARE(trackPitch(std::vector<float>(397, 0.1F)).size(), std::size_t(1));
        const Matrix<float> silent = pitchFeatures(trackPitch(std::vector<float>(5000)));
        QCOMPARE(silent.rows(), std::size_t(29));
        for (const float value : silent.values())
            QVERIFY(std::isfinite(value));
    }

    void aModelOf83FeaturesReadsPitchBehindTheMelBins() {
        const std::vector<float> samples = samplesOf("medium");
        LogMelFilterbank filterbank;
        const Matrix<float> mel = filterbank.compute(samples);
        const Matrix<float> pitch = pitchFeatures(trackPitch(samples));
        const Matrix<float> both = kaldiFeatures(filterbank, samples, 83);
        QCOMPARE(both.rows(), mel.rows());
        QCOMPARE(both.columns(), std::size_t(83));
        for (std::size_t row = 0; row < both.rows(); ++row) {
            QVERIFY(std::ranges::equal(both.row(row).first(80), mel.row(row)));
            QVERIFY(std::ranges::equal(both.row(row).last(3), pitch.row(row)));
        }
        ModelInput input;
        input.features = 83;
        const Matrix<float> read = modelFeatures(samples, input);
        input.features = 80;
        const Matrix<float> bins = modelFeatures(samples, input);
        for (std::size_t row = 0; row < read.rows(); ++row)
            QVERIFY(std::ranges::equal(read.row(row).first(80), bins.row(row)));
        double sum = 0;
        for (std::size_t row = 0; row < read.rows(); ++row)
            sum += static_cast<double>(read(row, 81));
        QVERIFY(std::abs(sum) < 1e-2); // normalised, too
        // Three samples more are one frame of pitch more, and no frame of mel bins.
        const std::span<const float> odd = std::span(samples).first(557);
        QCOMPARE(trackPitch(odd).size(), std::size_t(2));
        QCOMPARE(kaldiFeatures(filterbank, odd, 83).rows(), std::size_t(1));
    }

    void otherColumnsAreRefused() {
        ModelInput input;
        input.features = 40;
        try {
            modelFeatures(samplesOf("medium"), input);
            QFAIL("40 features of nothing");
        } catch (const Error& error) {
            QCOMPARE(error.code(), "features.columns");
            QVERIFY(QString(error.what()).contains("reads 40 features"));
        }
    }
};

HEADROOM_TEST(KaldiPitchTest)

} // namespace headroom::testing::kaldi_pitch_test

#include "kaldi_pitch_test.moc"
