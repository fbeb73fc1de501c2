// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/audio/audio_name.h"
#include "core/audio/sound_facts.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>
#include <sndfile.h>

namespace headroom::testing::audio_part_test {

namespace {

namespace fs = std::filesystem;

/// Noise of two channels, the same for every caller.
std::vector<float> noise(std::int64_t frames) {
    std::vector<float> samples(static_cast<std::size_t>(2 * frames));
    std::uint32_t state = 7;
    for (float& sample : samples) {
        state = state * 1664525U + 1013904223U;
        sample = static_cast<float>(static_cast<std::int16_t>(state >> 16)) / 65536.0F;
    }
    return samples;
}

void writeStereo(const fs::path& file, int rate, int format, const float* samples, std::int64_t frames) {
    SF_INFO info{};
    info.samplerate = rate;
    info.channels = 2;
    info.format = format;
    SNDFILE* sound = sf_open(file.c_str(), SFM_WRITE, &info);
    QVERIFY2(sound, sf_strerror(nullptr));
    QCOMPARE(sf_writef_float(sound, samples, frames), sf_count_t(frames));
    sf_close(sound);
}

QString codeOf(const fs::path& named) {
    try {
        loadRecording(named);
    } catch (const Error& error) {
        return QString::fromStdString(error.code());
    }
    return {};
}

} // namespace

class AudioPartTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path at(const char* name) const { return m_folder.filePath(name).toStdString(); }

private Q_SLOTS:
    void aPartHasTheSamplesOfAFileThatWasCut_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("rate");
        QTest::newRow("WAV") << (SF_FORMAT_WAV | SF_FORMAT_PCM_16) << 44100;
        QTest::newRow("FLAC") << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16) << 44100;
        QTest::newRow("FLAC, 16 kHz") << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16) << 16000;
        QTest::newRow("AIFF, 8 kHz") << (SF_FORMAT_AIFF | SF_FORMAT_PCM_16) << 8000;
    }
    void aPartHasTheSamplesOfAFileThatWasCut() {
        QFETCH(int, format);
        QFETCH(int, rate);
        constexpr std::int64_t kFrames = 60000, kStart = 12345, kCount = 23456;
        const auto samples = noise(kFrames);
        writeStereo(at("long"), rate, format, samples.data(), kFrames);
        writeStereo(at("cut"), rate, format, samples.data() + 2 * kStart, kCount);
        const auto named = AudioName{at("long"), AudioPart{kStart, kCount}}.path();
        const auto part = loadRecording(named);
        QVERIFY(part.samples == loadRecording(at("cut")).samples);
        QCOMPARE(part.file, named);
        QVERIFY(part.warnings.empty());
        // A sample later it is another one.
        const auto later = loadRecording(AudioName{at("long"), AudioPart{kStart + 1, kCount}}.path());
        QVERIFY(part.samples != later.samples);
    }

    void aPartOfALossyFileIsThatOfTheWholeDecoded() {
        constexpr std::int64_t kFrames = 60000;
        const auto samples = noise(kFrames);
        writeStereo(at("lossy.ogg"), 16000, SF_FORMAT_OGG | SF_FORMAT_VORBIS, samples.data(), kFrames);
        const auto whole = loadRecording(at("lossy.ogg")).samples;
        const auto part = loadRecording(AudioName{at("lossy.ogg"), AudioPart{33333, 4000}}.path()).samples;
        QVERIFY(std::equal(part.begin(), part.end(), whole.begin() + 33333));
        QCOMPARE(part.size(), std::size_t(4000));
    }

    void aNameWithColonsMayBeAFile() {
        const auto samples = noise(1000);
        writeStereo(at("talk:1:2"), 16000, SF_FORMAT_WAV | SF_FORMAT_PCM_16, samples.data(), 1000);
        QVERIFY(!audioName(at("talk:1:2")).part);
        QCOMPARE(loadRecording(at("talk:1:2")).samples.size(), std::size_t(1000));
        const auto name = audioName("talk.wav:160:32");
        QCOMPARE(name.file, fs::path("talk.wav"));
        QVERIFY(name.part == (AudioPart{160, 32}));
        QCOMPARE(name.path(), fs::path("talk.wav:160:32"));
        for (const char* whole : {"talk.wav", "12:00.wav", "a:b:c", "a:1:-2", "a:1:", ":1:2", "a:1", "a:sp",
                                  "a:sp0.1", "a:sp1.x", ":sp0.9", "a:spx"})
            QVERIFY2(audioName(whole).isWhole(), whole);
        for (const char* named : {"a.wav:sp0.9", "a.wav:160:32:sp1.1", "a.wav:160:32"})
            QCOMPARE(audioName(named).path(), fs::path(named));
        QCOMPARE(audioName("a.wav:160:32:sp1.1").speed, 1.1);
    }

    void anotherSpeedIsAnotherRate() {
        const auto samples = noise(30000);
        writeStereo(at("speech.wav"), 16000, SF_FORMAT_WAV | SF_FORMAT_PCM_16, samples.data(), 30000);
        const auto part = loadRecording(AudioName{at("speech.wav"), AudioPart{1000, 18000}}.path()).samples;
        for (const auto& [speed, length] : {std::pair{0.9, 20000}, std::pair{1.1, 16364}}) {
            const auto named = AudioName{at("speech.wav"), AudioPart{1000, 18000}, speed};
            const auto changed = loadRecording(named.path()).samples;
            QCOMPARE(changed.size(), std::size_t(length));
            QVERIFY(changed == resample(part, SampleRate(rateAtSpeed(16000, speed)), kModelSampleRate));
        }
        QCOMPARE(loadRecording(at("speech.wav:sp2")).samples.size(), std::size_t(15000));
    }

    void partsOutsideTheFileAreRefused() {
        const auto samples = noise(1000);
        writeStereo(at("short.wav"), 16000, SF_FORMAT_WAV | SF_FORMAT_PCM_16, samples.data(), 1000);
        QCOMPARE(codeOf(at("short.wav:900:101")), QString("audio.part"));
        QCOMPARE(codeOf(at("short.wav:1001:1")), QString("audio.part"));
        QCOMPARE(codeOf(at("short.wav:0:0")), QString("audio.noSamples"));
        QCOMPARE(codeOf(at("short.wav:900:100")), QString());
        QCOMPARE(codeOf(at("gone.wav:0:100")), QString("audio.missing"));
    }

    void factsAreThoseOfTheWholeFile_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("WAV") << (SF_FORMAT_WAV | SF_FORMAT_PCM_16);
        QTest::newRow("FLAC") << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
        QTest::newRow("Ogg") << (SF_FORMAT_OGG | SF_FORMAT_VORBIS);
    }
    void factsAreThoseOfTheWholeFile() {
        QFETCH(int, format);
        constexpr std::int64_t kFrames = 100000;
        const auto samples = noise(kFrames);
        writeStereo(at("whole"), 22050, format, samples.data(), kFrames);
        const auto facts = readSoundFacts(at("whole"));
        QCOMPARE(facts.samples, kFrames);
        QCOMPARE(facts.rate.hertz(), 22050);
        QCOMPARE(facts.channels, 2);
        QVERIFY(!facts.truncated);
        // Half a download
        fs::resize_file(at("whole"), fs::file_size(at("whole")) / 2);
        const auto half = readSoundFacts(at("whole"));
        QVERIFY(half.truncated);
        QCOMPARE(QString::fromStdString(half.truncated->code), QString("audio.truncated"));
        QVERIFY2(half.samples > 0 && half.samples < kFrames, std::to_string(half.samples).c_str());
    }
};

HEADROOM_TEST(AudioPartTest)

} // namespace headroom::testing::audio_part_test

#include "audio_part_test.moc"
