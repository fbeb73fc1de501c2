// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/devices/audio_devices.h"
#include "core/devices/playback.h"
#include "core/devices/sample_ring.h"
#include "tests/support/runner.h"

#include <chrono>
#include <numeric>
#include <thread>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::file_devices_test {

namespace {

/// 0, 1, 2 … so that every sample tells where it came from.
Sound counting(std::size_t size, SampleRate rate) {
    auto samples = std::make_shared<std::vector<float>>(size);
    std::iota(samples->begin(), samples->end(), 0.0F);
    return {samples, rate};
}

std::vector<float> rendered(Playback& playback, std::size_t size, std::int64_t delay = 0) {
    std::vector<float> block(size, -1.0F);
    playback.render(block, delay);
    return block;
}

} // namespace

class FileDevicesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void playbackHandsOutTheSoundAndThenSilence() {
        Playback playback;
        playback.load(counting(10, SampleRate(10)), Seconds(0.5), {});
        QCOMPARE(playback.position(), Seconds(0.5));
        QCOMPARE(rendered(playback, 3), (std::vector<float>{5, 6, 7}));
        QCOMPARE(rendered(playback, 3), (std::vector<float>{8, 9, 0}));
        QCOMPARE(playback.position(), Seconds(1.0));
    }

    void playbackLoopsItsSelection() {
        Playback playback;
        playback.load(counting(10, SampleRate(10)), Seconds(0), TimeRange{Seconds(0.2), Seconds(0.5)});
        QCOMPARE(playback.position(), Seconds(0.2));
        QCOMPARE(rendered(playback, 7), (std::vector<float>{2, 3, 4, 2, 3, 4, 2}));
        playback.setLoop(TimeRange{Seconds(0.7), Seconds(0.9)});
        QCOMPARE(rendered(playback, 8), (std::vector<float>{3, 4, 5, 6, 7, 8, 7, 8}));
        playback.setLoop({});
        QCOMPARE(rendered(playback, 3), (std::vector<float>{9, 0, 0}));
        playback.load(counting(10, SampleRate(10)), Seconds(0), TimeRange{Seconds(0.5), Seconds(0.5)});
        QCOMPARE(rendered(playback, 2), (std::vector<float>{0, 1})); // an empty selection is none
    }

    void whatIsHeardIsBehindWhatIsHandedOut() {
        Playback playback;
        playback.load(counting(100, SampleRate(10)), Seconds(2), {});
        rendered(playback, 10, 5);
        QCOMPARE(playback.position(), Seconds(2.0)); // nothing heard yet
        rendered(playback, 10, 5);
        QCOMPARE(playback.position(), Seconds(2.5));
    }

    void nothingToPlayIsOverAtOnce() {
        Playback playback;
        playback.load({}, Seconds(0), {});
        QVERIFY(!playback.render({}, 0));
        playback.load(counting(10, SampleRate(10)), Seconds(5), {});
        QVERIFY(!playback.render({}, 0));
        QCOMPARE(playback.position(), Seconds(1.0));
    }

    void aRingKeepsOrderAndCountsWhatItLoses() {
        SampleRing ring(8);
        std::vector<float> taken;
        ring.push(std::vector<float>{1, 2, -3});
        QCOMPARE(ring.level(), 3.0F);
        QCOMPARE(ring.level(), 0.0F);
        ring.take(taken);
        ring.push(std::vector<float>{4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
        ring.take(taken);
        QCOMPARE(taken, (std::vector<float>{1, 2, -3, 4, 5, 6, 7, 8, 9, 10, 11}));
        QCOMPARE(ring.dropped(), std::int64_t(2));
    }

    void aRingLosesNothingBetweenTwoThreads() {
        SampleRing ring(1024);
        constexpr int kBlocks = 20000;
        std::thread writer([&] {
            for (int b = 0; b < kBlocks;) {
                const float first = static_cast<float>(b * 16);
                std::vector<float> block(16);
                std::iota(block.begin(), block.end(), first);
                const auto before = ring.dropped();
                ring.push(block);
                if (ring.dropped() != before)
                    break; // the reader sees a gap
                ++b;
                while (m_taken.load() + 512 < b * 16)
                    std::this_thread::yield();
            }
        });
        std::vector<float> taken;
        while (taken.size() < kBlocks * 16 && ring.dropped() == 0) {
            ring.take(taken);
            m_taken = static_cast<int>(taken.size());
        }
        writer.join();
        QCOMPARE(taken.size(), std::size_t(kBlocks * 16));
        for (std::size_t i = 0; i < taken.size(); ++i)
            QCOMPARE(taken[i], static_cast<float>(i));
    }

    void theFileRecorderDeliversTheFile() {
        std::vector<float> samples(8000);
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<float>(i % 1000) / 2048.0F;
        const auto file = std::filesystem::path(m_directory.path().toStdString()) / "input.wav";
        saveWav(file, samples, kModelSampleRate);
        const auto devices = openFileDevices({file, 20});
        QCOMPARE(devices->list().size(), std::size_t(1));
        const auto recorder = devices->makeRecorder();
        recorder->start();
        QVERIFY(recorder->recording());
        std::vector<float> taken;
        QTRY_VERIFY_WITH_TIMEOUT((recorder->take(taken), taken.size() >= 8160), 60000);
        QVERIFY(recorder->level() >= 0);
        recorder->stop();
        QVERIFY(!recorder->recording());
        QCOMPARE(std::vector<float>(taken.begin(), taken.begin() + 8000), samples);
        QCOMPARE(taken[8000], 0.0F); // a microphone does not end
        QCOMPARE(recorder->dropped(), std::int64_t(0));
        recorder->start(); // begins anew
        taken.clear();
        QTRY_VERIFY_WITH_TIMEOUT((recorder->take(taken), taken.size() >= 160), 60000);
        QCOMPARE(taken[1], samples[1]);
    }

    void theFilePlayerIsNeverFasterThanItsClock() {
        const auto player = openAudioDevices("file:")->makePlayer();
        const auto begin = std::chrono::steady_clock::now();
        player->play(counting(4000, kModelSampleRate), Seconds(0));
        QVERIFY(player->playing());
        double last = 0;
        while (player->playing()) {
            const double position = player->position().value();
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
            QVERIFY(position >= last);
            QVERIFY(position <= passed.count() + 1e-6);
            last = position;
        }
        QCOMPARE(player->position(), Seconds(0.25));
    }

    void stoppingKeepsThePosition() {
        const auto player = openFileDevices({})->makePlayer();
        player->play(counting(160000, kModelSampleRate), Seconds(1), TimeRange{Seconds(1), Seconds(1.05)});
        QTRY_VERIFY_WITH_TIMEOUT(player->position() > Seconds(1), 60000);
        double last = 0;
        int rounds = 0;
        QVERIFY(QTest::qWaitFor([&] {
            const double position = player->position().value();
            rounds += position < last;
            last = position;
            return rounds >= 2;
        }, 60000));
        player->stop();
        QVERIFY(!player->playing());
        const auto position = player->position();
        QVERIFY(position >= Seconds(1) && position <= Seconds(1.05));
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 30)
            QCOMPARE(player->position(), position);
        player->play({}, Seconds(0));
        QVERIFY(!player->playing());
    }

    void anUnknownChoiceIsRefused() {
        QVERIFY_EXCEPTION_THROWN(openAudioDevices("tape"), Error);
        QVERIFY_EXCEPTION_THROWN(openAudioDevices("file:/no/such/recording.wav"), Error);
    }

private:
    QTemporaryDir m_directory;
    std::atomic<int> m_taken{0};
};

HEADROOM_TEST(FileDevicesTest)

} // namespace headroom::testing::file_devices_test

#include "file_devices_test.moc"
