// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/features/features.h"
#include "core/tensors/npy.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <mutex>
#include <thread>

#include <QTest>

namespace headroom::testing::log_mel_parity_test {

namespace {

double largestDifference(const Matrix<float>& ours, const Tensor& golden) {
    const auto expected = toFloats(golden.view());
    if (golden.shape != std::vector<std::int64_t>{static_cast<std::int64_t>(ours.rows()),
                                                  static_cast<std::int64_t>(ours.columns())})
        return INFINITY;
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::abs(static_cast<double>(ours.values()[i]) - expected[i]);
        largest = difference <= largest ? largest : difference; // a NaN comes through
    }
    return largest;
}

/// The largest share of the allowed distance that is used: 1 is the bound.
double boundUsed(const Matrix<float>& fast, const Matrix<double>& exact) {
    double used = 0;
    for (std::size_t f = 0; f < exact.rows(); ++f) {
        const double loudest = *std::ranges::max_element(exact.row(f));
        for (std::size_t b = 0; b < exact.columns(); ++b) {
            const double allowed = 3e-4 + 3e-7 * std::exp((loudest - exact(f, b)) / 2);
            const double share = std::abs(fast(f, b) - exact(f, b)) / allowed;
            used = share <= used ? used : share;
        }
    }
    return used;
}

} // namespace

class LogMelParityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goldenFilterbanksAreMatched_data() {
        QTest::addColumn<QString>("goldens");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("audio");
        for (const auto& [source, folder] : testing::goldenFolders()) {
            std::ifstream file(folder / "parity" / "fbank" / "utterances.json");
            for (const auto& utterance : nlohmann::json::parse(file)) {
                const auto name = QString::fromStdString(utterance.at("name"));
                QTest::addRow("%s, %s", qPrintable(name), source)
                    << QString::fromStdString(folder.string()) << name
                    << QString::fromStdString(utterance.at("audio"));
            }
        }
    }

    void goldenFilterbanksAreMatched() {
        QFETCH(QString, name);
        QFETCH(QString, audio);
        const auto folder = testing::goldens() / "parity";
        const auto golden = [&](const char* kind) {
            return readNpy(folder / "fbank" / (name.toStdString() + kind));
        };
        const auto recording = loadRecording(folder / audio.toStdString());
        auto features = LogMelFilterbank().compute(recording.samples);
        const double raw = largestDifference(features, golden(".fbank.npy"));
        applyUtteranceCmvn(features);
        const double normalised = largestDifference(features, golden(".cmvn.npy"));
        qInfo("log-mel %.1e, after CMVN %.1e", raw, normalised);
        QVERIFY(raw <= 1e-3);
        QVERIFY(normalised <= 1e-3);
    }

    void everyRecordingStaysWithinTheBoundOfItsDepth_data() { testing::addGoldenFolders(); }
    void everyRecordingStaysWithinTheBoundOfItsDepth() {
        const bool ours = testing::goldens() == testing::repositoryGoldens();
        const int due = ours ? 50 : 1800;
        std::vector<std::filesystem::path> files;
        if (ours)
            files.push_back(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources" / "demo" / "demo.wav");
        for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::goldens())) {
            const auto extension = entry.path().extension().string();
            static const std::vector<std::string> kSound{".wav",  ".WAV", ".flac", ".ogg", ".opus", ".mp3",
                                                         ".aiff", ".au",  ".w64",  ".caf", ".sph"};
            if (entry.is_regular_file() && std::ranges::find(kSound, extension) != kSound.end())
                files.push_back(entry.path());
        }
        QVERIFY(files.size() > static_cast<std::size_t>(due));

        std::atomic<std::size_t> next{0};
        std::atomic<std::int64_t> frames{0};
        std::atomic<int> compared{0};
        std::mutex mutex;
        double worst = 0;
        std::string worstFile;
        std::vector<std::thread> threads;
        for (int t = 0; t < 2; ++t)
            threads.emplace_back([&] {
                LogMelFilterbank filterbank;
                for (std::size_t i = next++; i < files.size(); i = next++) {
                    Recording recording;
                    try {
                        recording = loadRecording(files[i]);
                    } catch (const Error&) {
                        continue; // the torture set's refusals
                    }
                    if (recording.samples.size() < 400)
                        continue;
                    const auto fast = filterbank.compute(recording.samples);
                    const double used = boundUsed(fast, referenceLogMel(recording.samples));
                    frames += static_cast<std::int64_t>(fast.rows());
                    ++compared;
                    const std::lock_guard lock(mutex);
                    if (!(used <= worst)) {
                        worst = used;
                        worstFile = files[i].string();
                    }
                }
            });
        for (auto& thread : threads)
            thread.join();
        qInfo("%d recordings, %lld frames; worst uses %.0f %% of its bound: %s", compared.load(),
              static_cast<long long>(frames.load()), 100 * worst, worstFile.c_str());
        QVERIFY(compared > due);
        QVERIFY(worst <= 1);
    }
};

HEADROOM_TEST(LogMelParityTest)

} // namespace headroom::testing::log_mel_parity_test

#include "log_mel_parity_test.moc"
