// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/errors/error.h"
#include "core/features/recording_length.h"
#include "core/features/whisper_log_mel.h"
#include "core/tensors/npy.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include <QTest>

namespace headroom::testing::whisper_log_mel_test {

namespace {

std::vector<float> noise(std::size_t count) {
    std::mt19937 generator(7);
    std::vector<float> samples(count);
    for (float& sample : samples)
        sample = static_cast<float>(generator() % 2001) / 1000.0F - 1.0F;
    return samples;
}

/// log10 of one bin of one frame before the floor of the whole picture, sum by sum from the definition: the
/// triangle between the edges of the bin, the transform without a fast algorithm.
double definedLogMel(const std::vector<float>& samples, int frame, int bin, int bins) {
    const auto hertz = [](double mel) {
        return mel < 15 ? mel * 200 / 3 : 1000 * std::pow(6.4, (mel - 15) / 27);
    };
    const double highest = 15 + 27 * std::log(8.0) / std::log(6.4);
    const auto edge = [&](int i) { return hertz(highest * i / (bins + 1)); };
    const double left = edge(bin), centre = edge(bin + 1), right = edge(bin + 2);
    double energy = 0;
    for (int k = 0; k <= 200; ++k) {
        const double f = 40.0 * k;
        const double weight = std::min((f - left) / (centre - left), (right - f) / (right - centre));
        if (weight <= 0)
            continue;
        double re = 0, im = 0;
        for (int n = 0; n < 400; ++n) {
            int at = std::abs(160 * frame + n - 200);
            at = at < 480'000 ? at : 2 * 479'999 - at;
            const double sample = at < static_cast<int>(samples.size())
                                      ? static_cast<double>(samples[static_cast<std::size_t>(at)])
                                      : 0.0;
            const double windowed = sample * (0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / 400));
            re += windowed * std::cos(2 * std::numbers::pi * k * n / 400);
            im -= windowed * std::sin(2 * std::numbers::pi * k * n / 400);
        }
        energy += weight * 2 / (right - left) * (re * re + im * im);
    }
    return std::log10(std::max(energy, 1e-10));
}

} // namespace

class WhisperLogMelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesOfARecordingAreThoseInItsFeatures() {
        const std::vector<float> sound(16000, 0.1F);
        for (const int stacked : {1, 2, 3, 4})
            for (const int samples : {3120, 3600, 3760, 3920, 4080}) { // 18 frames and 21 to 24
                ModelInput input;
                input.kind = InputKind::StackedKaldiLogMel;
                input.stacked = stacked;
                input.features = 80 * stacked;
                const RecordingFrames found = recordingFrames(input, Samples(samples));
                QCOMPARE(found.count.value(), 1 + (samples - 400) / 160);
                const auto features = modelFeatures(std::span(sound).first(static_cast<std::size_t>(samples)), input);
                QCOMPARE(framesIn(input, features), found.count);
                QCOMPARE(static_cast<std::int64_t>(features.rows()), (found.count.value() + stacked - 1) / stacked);
                QCOMPARE(found.clock.step(), Seconds(0.010));
                QCOMPARE(framesInRow(input), std::int64_t(stacked));
            }
        ModelInput whisper;
        whisper.kind = InputKind::WhisperLogMel;
        QCOMPARE(framesIn(whisper, modelFeatures(sound, whisper)), recordingFrames(whisper, Samples(16000)).count);
    }

    void theLongestRecordingIsWhatFits() {
        for (const InputKind kind :
             {InputKind::KaldiLogMel, InputKind::Waveform, InputKind::StackedKaldiLogMel,
              InputKind::NemoLogMel, InputKind::WhisperLogMel, InputKind::EspnetLogMel}) {
            ModelInput input;
            input.kind = kind;
            for (const std::int64_t rows : {1, 2, 598, 3000}) {
                const Samples longest = longestRecording(input, rows);
                QVERIFY(ownRows(input, longest) <= rows);
                QVERIFY(ownRows(input, longest + Samples(1)) > rows);
            }
            QCOMPARE(longestRecording(input, 0).value(), 0);
        }
        ModelInput whisper;
        whisper.kind = InputKind::WhisperLogMel;
        QCOMPARE(longestRecording(whisper, kWhisperFrames).value(),
                 kWhisperSamples); // no more, though a frame reads 25 ms
    }
    void theDefinitionIsMatched_data() {
        QTest::addColumn<int>("bins");
        QTest::newRow("80") << 80;
        QTest::newRow("128") << 128;
    }
    void theDefinitionIsMatched() {
        QFETCH(int, bins);
        const auto samples = noise(2000);
        const Matrix<float> features = whisperLogMel(samples, bins);
        QCOMPARE(features.rows(), std::size_t(3000));
        QCOMPARE(features.columns(), std::size_t(bins));
        double loudest = -10;
        const int sounding = 14; // ⌊(2000 + 198) / 160⌋ + 1
        std::vector<std::vector<double>> expected;
        for (int frame = 0; frame < sounding + 2; ++frame) {
            expected.emplace_back();
            for (int bin = 0; bin < bins; ++bin) {
                expected.back().push_back(definedLogMel(samples, frame, bin, bins));
                loudest = std::max(loudest, expected.back().back());
            }
        }
        for (std::size_t frame = 0; frame < expected.size(); ++frame)
            for (std::size_t bin = 0; bin < features.columns(); ++bin) {
                const double value = (std::max(expected[frame][bin], loudest - 8) + 4) / 4;
                QVERIFY(std::abs(value - features(frame, bin)) < 1e-6);
            }
        for (std::size_t frame = sounding; frame < features.rows(); ++frame)
            QCOMPARE(features(frame, 0), features(2999, 0));
    }

    void silenceIsTheFloor() {
        const Matrix<float> features = whisperLogMel(std::vector<float>(16000));
        QVERIFY(std::ranges::all_of(features.values(), [](float value) { return value == -1.5F; }));
    }

    void theEndOfAFullWindowIsReflected() {
        const auto samples = noise(480'000);
        const Matrix<float> features = whisperLogMel(samples);
        for (const int bin : {3, 40, 79}) // noise is never near the floor
            QVERIFY(std::abs((definedLogMel(samples, 2999, bin, 80) + 4) / 4 -
                             features(2999, static_cast<std::size_t>(bin))) < 1e-6);
    }

    void lengthsAreChecked() {
        try {
            whisperLogMel(std::vector<float>(160'000 * 60));
            QFAIL("ten minutes were accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("features.tooLong"));
            QCOMPARE(std::string(error.what()),
                     std::string("This model reads a window of 30 s, and the recording has 600.00 s. Select a "
                                 "part of it."));
        }
        QVERIFY_EXCEPTION_THROWN(whisperLogMel({}), Error);
        QCOMPARE(whisperFrames(24079), 151);
        QCOMPARE(whisperFrames(160), 1);
    }

    void publishedFeaturesAreMatched_data() {
        addEncoderFolders({"whisper-small", "whisper-80", "whisper-128"});
    }
    void publishedFeaturesAreMatched() {
        QFETCH(QString, folder);
        const std::filesystem::path golden = std::filesystem::path(folder.toStdString()) / "expected";
        std::ifstream stream(golden / "expected.json");
        const auto facts = nlohmann::json::parse(stream);
        const auto samples = loadRecording(golden / facts["audio"].get<std::string>()).samples;
        const Tensor stored = readNpy(golden / "input_features.npy"); // [bins, frames]
        const auto expected = toFloats(stored.view());
        const auto frames = static_cast<std::size_t>(stored.shape[1]);
        const Matrix<float> features = whisperLogMel(samples, static_cast<int>(stored.shape[0]));
        double largest = 0;
        for (std::size_t bin = 0; bin < features.columns(); ++bin)
            for (std::size_t frame = 0; frame < features.rows(); ++frame) {
                const double value = frame < frames ? static_cast<double>(expected[bin * frames + frame])
                                                    : facts["input_features_tail"].get<double>();
                largest = std::max(largest, std::abs(value - features(frame, bin)));
            }
        QVERIFY2(largest < 5e-5, qPrintable(QString::number(largest)));
    }
};

HEADROOM_TEST(WhisperLogMelTest)

} // namespace headroom::testing::whisper_log_mel_test

#include "whisper_log_mel_test.moc"
