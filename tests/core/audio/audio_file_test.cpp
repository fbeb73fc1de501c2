// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

#include <QTemporaryDir>
#include <QTest>
#include <sndfile.h>

namespace headroom::testing::audio_file_test {

namespace {

constexpr double kPi = 3.14159265358979323846;

/// Writes a file of any rate and channels; sample(frame, channel).
void writeSound(const std::filesystem::path& file, int rate, int channels, long frames, int format,
                const std::function<float(long, int)>& sample) {
    SF_INFO info{};
    info.samplerate = rate;
    info.channels = channels;
    info.format = format;
    SNDFILE* sound = sf_open(file.c_str(), SFM_WRITE, &info);
    QVERIFY2(sound, sf_strerror(nullptr));
    constexpr long kBlock = 8192;
    std::vector<float> block(static_cast<std::size_t>(kBlock * channels));
    for (long done = 0; done < frames; done += kBlock) {
        const long count = std::min(kBlock, frames - done);
        for (long i = 0; i < count; ++i)
            for (int c = 0; c < channels; ++c)
                block[static_cast<std::size_t>(i * channels + c)] = sample(done + i, c);
        QCOMPARE(sf_writef_float(sound, block.data(), count), sf_count_t(count));
    }
    sf_close(sound);
}

/// Amplitude of one frequency in the middle half of the samples (so that edges do not count).
double amplitude(const std::vector<float>& samples, double hertz) {
    double re = 0;
    double im = 0;
    double weights = 0;
    const std::size_t first = samples.size() / 4;
    const std::size_t last = samples.size() * 3 / 4;
    for (std::size_t i = first; i < last; ++i) {
        const double place = static_cast<double>(i - first) / static_cast<double>(last - first);
        const double window = 0.5 - 0.5 * std::cos(2 * kPi * place);
        re += window * samples[i] * std::cos(2 * kPi * hertz * static_cast<double>(i) / 16000);
        im += window * samples[i] * std::sin(2 * kPi * hertz * static_cast<double>(i) / 16000);
        weights += window;
    }
    return 2 * std::hypot(re, im) / weights;
}

constexpr int kWav16 = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
constexpr int kWavFloat = SF_FORMAT_WAV | SF_FORMAT_FLOAT;

} // namespace

class AudioFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_directory.isValid()); }

    void anHourOf8KilohertzTakesTheMemoryOfItsResult() {
        const auto file = path("hour.wav");
        std::vector<float> period(80); // 100 Hz, so that writing it is quick
        for (std::size_t i = 0; i < period.size(); ++i)
            period[i] = 0.5F * static_cast<float>(std::sin(2 * kPi * static_cast<double>(i) / 80));
        writeSound(file, 8000, 1, 3600L * 8000, kWav16,
                   [&](long i, int) { return period[static_cast<std::size_t>(i % 80)]; });
        rusage before{};
        getrusage(RUSAGE_SELF, &before);
        const auto recording = loadRecording(file);
        rusage after{};
        getrusage(RUSAGE_SELF, &after);
        QCOMPARE(recording.samples.size(), std::size_t(3600L * 16000));
        QVERIFY(recording.warnings.empty());
        QVERIFY(std::abs(recording.samples[3000L * 16000 + 40] - 0.5) < 1e-3);
        const double result = static_cast<double>(recording.samples.size() * sizeof(float));
        QVERIFY(static_cast<double>(after.ru_maxrss - before.ru_maxrss) * 1024 < 1.2 * result);
        std::filesystem::remove(file);
    }

    void badFilesAreNamed() {
        std::ofstream(path("empty.wav"));
        std::ofstream(path("words.wav")) << "this is not a recording, whatever its name says\n";
        writeSound(path("nothing.wav"), 16000, 1, 0, kWav16, [](long, int) { return 0.F; });
        const auto load = [this](const char* name) { return codeOf([&] { loadRecording(path(name)); }); };
        QCOMPARE(load("empty.wav"), std::string("audio.empty"));
        QCOMPARE(load("words.wav"), std::string("audio.notAudio"));
        QCOMPARE(load("nothing.wav"), std::string("audio.noSamples"));
        QCOMPARE(load("absent.wav"), std::string("audio.missing"));
        QCOMPARE(load("."), std::string("audio.notAudio"));
        QCOMPARE(::mkfifo(path("pipe.wav").c_str(), 0600), 0);
        QCOMPARE(load("pipe.wav"), std::string("audio.unreadable"));
        writeSound(path("slow.wav"), 50, 1, 100, kWav16, [](long, int) { return 0.1F; });
        QCOMPARE(load("slow.wav"), std::string("audio.badRate"));
    }

    void aHeaderOfSevenHoursIsRefusedBeforeReading() {
        // Sparse: seven hours at 1 kHz, one byte a sample, none of it on the disk.
        const auto file = path("long.wav");
        writeSound(file, 1000, 1, 1, SF_FORMAT_WAV | SF_FORMAT_PCM_U8, [](long, int) { return 0.F; });
        const std::uint32_t bytes = 7 * 3600 * 1000;
        std::filesystem::resize_file(file, 44 + bytes);
        std::fstream patch(file, std::ios::in | std::ios::out | std::ios::binary);
        const std::uint32_t riff = bytes + 36;
        patch.seekp(4).write(reinterpret_cast<const char*>(&riff), 4);
        patch.seekp(40).write(reinterpret_cast<const char*>(&bytes), 4);
        patch.close();
        QCOMPARE(codeOf([&] { loadRecording(file); }), std::string("audio.tooLong"));
    }

    void samplesThatAreNoNumbersAreCounted() {
        writeSound(path("nan.wav"), 16000, 2, 1000, kWavFloat, [](long i, int c) {
            if (i == 10)
                return std::numeric_limits<float>::quiet_NaN();
            return i == 20 && c == 1 ? std::numeric_limits<float>::infinity() : 0.25F;
        });
        const auto recording = loadRecording(path("nan.wav"));
        QCOMPARE(recording.samples.size(), std::size_t(1000));
        QCOMPARE(recording.samples[10], 0.F);
        QCOMPARE(recording.samples[20], 0.125F);
        QCOMPARE(recording.samples[30], 0.25F);
        QCOMPARE(recording.warnings.size(), std::size_t(1));
        QCOMPARE(recording.warnings[0].code, std::string("audio.notFinite"));
        QVERIFY(recording.warnings[0].sentence.find("has 3 samples") != std::string::npos);
    }

    void silenceAndOneSampleAreRecordings() {
        writeSound(path("silence.wav"), 44100, 2, 44100, kWav16, [](long, int) { return 0.F; });
        const auto silence = loadRecording(path("silence.wav"));
        QCOMPARE(silence.samples.size(), std::size_t(16000));
        QVERIFY(silence.warnings.empty());
        QVERIFY(std::ranges::all_of(silence.samples, [](float s) { return s == 0; }));
        writeSound(path("one.wav"), 16000, 1, 1, kWav16, [](long, int) { return 0.5F; });
        QCOMPARE(loadRecording(path("one.wav")).samples, std::vector<float>{0.5F});
        writeSound(path("one192.wav"), 192000, 1, 1, kWav16, [](long, int) { return 0.5F; });
        QCOMPARE(codeOf([&] { loadRecording(path("one192.wav")); }), std::string("audio.noSamples"));
    }

    void everyRateKeepsTheToneAndTheLength_data() {
        QTest::addColumn<int>("rate");
        QTest::addColumn<int>("channels");
        for (const auto& [rate, channels] :
             {std::pair{8000, 1}, {11025, 2}, {16000, 32}, {22050, 1}, {44100, 2}, {192000, 1}})
            QTest::addRow("%d Hz, %d channels", rate, channels) << rate << channels;
    }

    void everyRateKeepsTheToneAndTheLength() {
        QFETCH(int, rate);
        QFETCH(int, channels);
        // 1 kHz in every channel with weights of mean 1, and 12 kHz, which must not fold back to 4 kHz.
        writeSound(path("tone.wav"), rate, channels, rate, kWavFloat, [&](long i, int c) {
            const double weight = channels == 1 ? 1.0 : 2.0 * c / (channels - 1);
            const double high =
                rate > 24000 ? 0.3 * std::sin(2 * kPi * 12000 * static_cast<double>(i) / rate) : 0.0;
            return static_cast<float>(
                weight * (0.4 * std::sin(2 * kPi * 1000 * static_cast<double>(i) / rate) + high));
        });
        const auto recording = loadRecording(path("tone.wav"));
        QCOMPARE(recording.samples.size(), std::size_t(16000));
        QCOMPARE(recording.originalRate.hertz(), rate);
        QCOMPARE(recording.originalChannels, channels);
        QVERIFY(std::abs(amplitude(recording.samples, 1000) - 0.4) < 1e-4);
        QVERIFY(amplitude(recording.samples, 4000) < 1e-5);
        QCOMPARE(recording.originalFormat, std::string("WAV, 32-bit float"));
    }

    void channelsThatCancelFallBackToOne() {
        const auto tone = [](long i) { return 0.3F * std::sin(static_cast<float>(i) * 0.1F); };
        writeSound(path("anti.wav"), 16000, 2, 4000, kWavFloat,
                   [&](long i, int c) { return c == 0 ? tone(i) : -tone(i); });
        const auto anti = loadRecording(path("anti.wav"));
        QCOMPARE(anti.warnings.at(0).code, std::string("audio.antiphase"));
        QCOMPARE(anti.samples[100], tone(100));
        writeSound(path("left.wav"), 16000, 2, 4000, kWavFloat,
                   [&](long i, int c) { return c == 0 ? tone(i) : 0.F; });
        const auto left = loadRecording(path("left.wav"));
        QVERIFY(left.warnings.empty());
        QCOMPARE(left.samples[100], tone(100) / 2);
    }

    void sixteenBitsSurviveARoundTrip() {
        std::vector<float> samples;
        for (int value = -32768; value <= 32767; ++value)
            samples.push_back(static_cast<float>(value) / 32768.0F);
        const auto file = path("Prénom 录音 (2).wav");
        saveWav(file, samples, kModelSampleRate);
        const auto back = loadRecording(file);
        QCOMPARE(back.samples, samples);
        QCOMPARE(back.originalFormat, std::string("WAV, 16-bit PCM"));
        QCOMPARE(back.file, file);
    }

    void savingClipsAndLeavesNothingBehind() {
        const auto folder = path("saving");
        std::filesystem::create_directory(folder);
        saveWav(folder / "loud.wav", std::vector<float>{2.F, -2.F, std::numeric_limits<float>::quiet_NaN()},
                SampleRate(8000));
        saveWav(folder / "loud.wav", std::vector<float>{3.F, -3.F, 0.F}, kModelSampleRate); // replaces
        const auto back = loadRecording(folder / "loud.wav");
        QCOMPARE(back.samples, (std::vector<float>{32767.F / 32768.F, -1.F, 0.F}));
        QCOMPARE(
            codeOf([&] { saveWav(folder / "no such folder" / "x.wav", back.samples, kModelSampleRate); }),
            std::string("audio.unwritable"));
        QCOMPARE(codeOf([&] { saveWav(folder, back.samples, kModelSampleRate); }),
                 std::string("audio.unwritable"));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder), {}), std::ptrdiff_t(1));
    }

    void resamplingHasTheLengthItPromises() {
        for (const auto& [from, to] :
             {std::pair{8000, 16000}, {44100, 16000}, {16000, 48000}, {192000, 16000}, {16000, 16000}})
            for (const std::size_t size :
                 {std::size_t(0), std::size_t(1), std::size_t(7), std::size_t(160), std::size_t(44101)})
                QCOMPARE(resample(std::vector<float>(size, 0.1F), SampleRate(from), SampleRate(to)).size(),
                         static_cast<std::size_t>(std::llround(static_cast<double>(size) * to / from)));
        QVERIFY_EXCEPTION_THROWN(resample({}, SampleRate(0), SampleRate(1)), std::invalid_argument);
    }

    void severalThreadsLoadAtOnce() {
        writeSound(path("shared.wav"), 22050, 2, 22050, kWav16,
                   [](long i, int) { return 0.2F * std::sin(static_cast<float>(i)); });
        const auto expected = loadRecording(path("shared.wav")).samples;
        std::vector<int> good(4, 0);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < good.size(); ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 20; ++i) {
                    good[t] += loadRecording(path("shared.wav")).samples == expected;
                    good[t] += codeOf([&] { loadRecording(path("words.wav")); }) == "audio.notAudio";
                }
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(good, std::vector<int>(4, 40));
    }

private:
    std::filesystem::path path(const char* name) const {
        return std::filesystem::path(m_directory.path().toStdString()) / std::filesystem::u8path(name);
    }
    QTemporaryDir m_directory;
};

HEADROOM_TEST(AudioFileTest)

} // namespace headroom::testing::audio_file_test

#include "audio_file_test.moc"
