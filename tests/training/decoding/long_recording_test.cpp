// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/decoding/long_recording.h"

#include <QtTest>

namespace headroom::testing::long_recording_test {

using namespace headroom::training;

namespace {

constexpr SampleRate kRate(1000);

QString stitched(const std::vector<std::string>& texts, double share = 0.25) {
    return QString::fromStdString(stitchTexts(texts, share));
}

} // namespace

class LongRecordingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void windowsOverlapAndEndWithTheRecording() {
        const auto spans = windowSpans(Samples(25'000), kRate, {10, 2});
        QVERIFY((spans == std::vector<WindowSpan>{{0, 10'000}, {8'000, 10'000}, {16'000, 9'000}}));
        // Never a window that hears nothing new.
        QVERIFY((windowSpans(Samples(18'000), kRate, {10, 2}) ==
                 std::vector<WindowSpan>{{0, 10'000}, {8'000, 10'000}}));
        QVERIFY((windowSpans(Samples(18'001), kRate, {10, 2}).size()) == 3);
        for (const std::int64_t samples : {1, 9'999, 10'000})
            QVERIFY((windowSpans(Samples(samples), kRate, {10, 2}) == std::vector<WindowSpan>{{0, samples}}));
        QVERIFY((windowSpans(Samples(99'000), kRate, {}) == std::vector<WindowSpan>{{0, 99'000}}));
    }

    void commonWordsStandOnce() {
        QCOMPARE(stitched({"the dog sees a cat in the old", "cat in the old village today"}),
                 QString("the dog sees a cat in the old village today"));
        QCOMPARE(stitched({"one two three", "three four five", "five six"}),
                 QString("one two three four five six"));
    }

    void edgesOfWindowsAreNotTrusted() {
        // The first window cut "village" short, the second began inside "cat".
        QCOMPARE(stitched({"the dog sees a cat in the old vill", "at in the old village today"}),
                 QString("the dog sees a cat in the old village today"));
        QCOMPARE(stitched({"We saw it there.", "It there, and left."}),
                 QString("We saw it there, and left."));
    }

    void aRepeatedPhraseOutsideTheOverlapIsKept() {
        const std::string early =
            "no no no no he said and then we went on for a long while until at last the door was open";
        QCOMPARE(
            stitched({early, "door was open no no no no he said again and again until everybody had left"},
                     0.15),
            QString::fromStdString(early + " no no no no he said again and again until everybody had left"));
    }

    void withoutCommonWordsBothAreKept() {
        QCOMPARE(stitched({"a b", "c d"}), QString("a b c d"));
        QCOMPARE(stitched({"", "c d", ""}), QString("c d"));
        QCOMPARE(stitched({"a  b ."}), QString("a  b ."));      // one window: as it is
        QCOMPARE(stitched({". -", "- ."}), QString(". - - .")); // punctuation alone is no common word
    }
};

HEADROOM_TEST(LongRecordingTest)

} // namespace headroom::testing::long_recording_test

#include "long_recording_test.moc"
