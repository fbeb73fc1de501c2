// SPDX-License-Identifier: GPL-3.0-or-later
// What counts as speech without phones.
#include "core/alignment/validator.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headroom::testing::unlabelled_sound_test {

namespace {

constexpr double kPause = 2.1, kPauseEnd = 2.9, kEnd = 5;

/// Vowels of 0.1 s in turn, except in the pause.
Alignment vowels() {
    Alignment alignment;
    for (int i = 0; i < 50; ++i)
        if (const Seconds start(0.1 * i), end(0.1 * (i + 1)); end.value() < kPause + 0.01 || start.value() > kPauseEnd - 0.01)
            alignment.phones.push_back({start, end, i % 2 == 0 ? "AA1" : "IY1"});
    alignment.fileEnd = alignment.spokenEnd = Seconds(kEnd);
    return alignment;
}

void add(std::vector<float>& samples, double start, double length, float loudness) {
    const auto first = static_cast<std::size_t>(std::lround(start * 16000));
    for (std::size_t i = first; i < first + static_cast<std::size_t>(std::lround(length * 16000)); ++i)
        samples[i] = i % 2 == 0 ? loudness : -loudness;
}

/// Speech with a quiet pause.
std::vector<float> speech() {
    std::vector<float> samples(static_cast<std::size_t>(kEnd * 16000));
    add(samples, 0, kPause, 0.2F);
    add(samples, kPause, kPauseEnd - kPause, 0.0003F);
    add(samples, kPauseEnd, kEnd - kPauseEnd, 0.2F);
    return samples;
}

bool isReported(const std::vector<float>& samples) {
    const auto report = checkAlignment(vowels(), Seconds(kEnd), PhoneMap(), samples);
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [](const AlignmentFinding& finding) { return finding.code == "alignment.speechWithoutPhones"; });
}

} // namespace

class UnlabelledSoundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aQuietPauseIsNoSpeech() { QVERIFY(!isReported(speech())); }

    void soundAsLoudAsSpeechIs() {
        auto samples = speech();
        add(samples, 2.15, 0.35, 0.2F);
        QVERIFY(isReported(samples));
        samples = speech();
        add(samples, 2.15, 0.35, 0.2F * 0.32F); // 10 dB quieter
        QVERIFY(isReported(samples));
    }

    /// What is between two loud frames counts as the closure of a stop, and did so many times in a row.
    void aClickAmongSpecksOfNoiseIsNot() {
        auto samples = speech();
        for (int speck = 0; speck < 6; ++speck)
            add(samples, 2.12 + 0.08 * speck, 0.005, 0.06F);
        add(samples, 2.2, 0.05, 0.2F);
        QVERIFY(!isReported(samples));
    }

    /// Above the least level of speech, which soft phones have too, but not as loud as speech.
    void aBreathIsNot() {
        auto samples = speech();
        add(samples, 2.15, 0.35, 0.2F * 0.2F); // 14 dB quieter
        QVERIFY(!isReported(samples));
    }
};

HEADROOM_TEST(UnlabelledSoundTest)

} // namespace headroom::testing::unlabelled_sound_test

#include "unlabelled_sound_test.moc"
