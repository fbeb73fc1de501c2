// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_summary.h"
#include "core/time/clocks.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

namespace headroom::testing::seconds_of_frames_test {

class SecondsOfFramesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Making a corpus of 1,500 short recordings said 9.1 minutes, and its summary 9.0.
    void manyLengthsComeToTheirSamples() {
        double counted = 0, sounding = 0;
        for (int samples = 400; samples < 400 + 160 * 100; ++samples) { // each remainder as often
            counted += secondsOfFrames(FrameClock().frameCount(Samples(samples), kModelSampleRate).value());
            sounding += kModelSampleRate.duration(Samples(samples)).value();
        }
        QVERIFY2(std::abs(counted / sounding - 1) < 1e-4, qPrintable(QString::number(counted / sounding, 'g', 8)));
        QCOMPARE(secondsOfFrames(0), 0.0);
    }

    /// Recordings are often of whole hundredths.
    void wholeHundredthsAreExact() {
        for (int hundredths = 3; hundredths < 3000; ++hundredths)
            QVERIFY(std::abs(secondsOfFrames(FrameClock().frameCount(Samples(160 * hundredths), kModelSampleRate).value()) - 0.01 * hundredths) < 1e-9);
    }
};

HEADROOM_TEST(SecondsOfFramesTest)

} // namespace headroom::testing::seconds_of_frames_test

#include "seconds_of_frames_test.moc"
