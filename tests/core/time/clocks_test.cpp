// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/clocks.h"
#include "tests/core/time/units_do_not_mix.h"
#include "tests/support/runner.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <QTest>

namespace headroom::testing::clocks_test {

namespace {

static_assert(kModelSampleRate.duration(Samples(8000)) == Seconds(0.5));
static_assert(kModelSampleRate.nearest(Seconds(0.025)) == Samples(400));
static_assert(SampleRate(44100).nearest(Seconds(1.0)) == Samples(44100));
static_assert(SampleRate(10).nearest(Seconds(-0.05)) == Samples(-1), "halves away from zero");
static_assert(FrameClock().centre(Frames(0)) == Seconds(0.0125));
static_assert(Seconds(1) + Seconds(2) == Seconds(3) && -Frames(2) == Frames(0) - Frames(2) &&
              Tokens(3) * 2 == Tokens(6));

/// One strided convolution with a kernel of ones: what reaches an output is what its taps stand on.
std::vector<double> convolved(const std::vector<double>& input, const Subsampling& c) {
    std::vector<double> output;
    const auto length = static_cast<std::int64_t>(input.size());
    for (std::int64_t start = -c.padding; start + c.kernel <= length + c.padding; start += c.stride) {
        double sum = 0;
        for (std::int64_t n = start; n < start + c.kernel; ++n)
            sum += n >= 0 && n < length ? input[static_cast<std::size_t>(n)] : 0.0;
        output.push_back(sum);
    }
    return output;
}

std::vector<double> throughFrontEnd(std::vector<double> frames, const std::vector<Subsampling>& frontEnd) {
    for (const Subsampling& c : frontEnd)
        frames = convolved(frames, c);
    return frames;
}

/// First and last frame whose impulse reaches the token.
std::pair<std::int64_t, std::int64_t> support(std::int64_t token, std::int64_t frames,
                                              const std::vector<Subsampling>& frontEnd) {
    std::int64_t first = -1;
    std::int64_t last = -1;
    for (std::int64_t f = 0; f < frames; ++f) {
        std::vector<double> impulse(static_cast<std::size_t>(frames), 0.0);
        impulse[static_cast<std::size_t>(f)] = 1.0;
        if (throughFrontEnd(impulse, frontEnd)[static_cast<std::size_t>(token)] != 0.0) {
            first = first < 0 ? f : first;
            last = f;
        }
    }
    return {first, last};
}

/// 12 patches, one above the other, every 10 frames.
TokenClock patches() {
    return TokenClock(FrameClock(), {{16, 10, 0}}, 12);
}

const std::vector<Subsampling> kSpeechToText{{5, 2, 2}, {5, 2, 2}};

} // namespace

class ClocksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tokensStandWhereImpulsesSayTheyDo() {
        const TokenClock clock = TokenClock::speechToText();
        // Away from the edges, so that nothing is clipped.
        for (std::int64_t t = 2; t < 22; ++t) {
            const auto [first, last] = support(t, 98, kSpeechToText);
            const double middleFrame = (static_cast<double>(first) + static_cast<double>(last)) / 2;
            const double expected = middleFrame * 0.010 + 0.0125;
            QVERIFY(std::abs(clock.centre(Tokens(t)).value() - expected) < 1e-12);
            QVERIFY(std::abs(0.0125 + 0.04 * static_cast<double>(t) - expected) < 1e-12);
            QCOMPARE(clock.receptiveField(Tokens(t)).first.value(), first);
            QCOMPARE(clock.receptiveField(Tokens(t)).last.value(), last);
        }
        QCOMPARE(clock.receptiveField(Tokens(0)).first, Frames(-6));
        QCOMPARE(clock.receptiveField(Tokens(0)).last, Frames(6));
    }

    void otherFrontEndsStandWhereImpulsesSayTheyDo() {
        const std::vector<std::vector<Subsampling>> frontEnds{{{3, 2, 1}, {3, 2, 1}},
                                                              {{3, 2, 0}},
                                                              {{4, 3, 1}, {5, 2, 2}},
                                                              {{5, 2, 2}, {3, 1, 1}, {7, 2, 0}},
                                                              {}};
        for (const auto& frontEnd : frontEnds) {
            const TokenClock clock(FrameClock(), frontEnd);
            const std::int64_t t = 5;
            const auto [first, last] = support(t, 80, frontEnd);
            const double middle =
                (static_cast<double>(first) + static_cast<double>(last)) / 2 * 0.010 + 0.0125;
            QVERIFY(std::abs(clock.centre(Tokens(t)).value() - middle) < 1e-12);
        }
    }

    void tokenCountsAreThoseOfTheConvolutions() {
        const TokenClock clock = TokenClock::speechToText();
        QCOMPARE(clock.tokenCount(Frames(98)), Tokens(25));
        for (std::int64_t frames = 1; frames < 200; ++frames) {
            const auto made =
                throughFrontEnd(std::vector<double>(static_cast<std::size_t>(frames)), kSpeechToText).size();
            QCOMPARE(clock.tokenCount(Frames(frames)).value(), static_cast<std::int64_t>(made));
            QCOMPARE(clock.tokenCount(Frames(frames)).value(), ((frames + 1) / 2 + 1) / 2);
        }
        QCOMPARE(clock.tokenCount(Frames(0)), Tokens(0));
        QCOMPARE(TokenClock(FrameClock(), {{5, 2, 0}}).tokenCount(Frames(4)), Tokens(0));
        QCOMPARE(TokenClock().tokenCount(Frames(7)), Tokens(7));
    }

    void framesAreCountedAsKaldiSnipsEdges() {
        const FrameClock clock;
        const std::vector<std::pair<int, int>> cases{{0, 0},   {399, 0}, {400, 1},    {559, 1},
                                                     {560, 2}, {561, 2}, {16000, 98}, {33600, 208}};
        for (const auto& [samples, frames] : cases)
            QCOMPARE(clock.frameCount(Samples(samples), kModelSampleRate), Frames(frames));
        QCOMPARE(clock.frameCount(Samples(8000), SampleRate(8000)), Frames(98));
    }

    void framesMayStartBeforeTheRecording() {
        // 400 samples around sample 160 f, then three convolutions of kernel 3, stride 2, padding 1 (Parakeet).
        const FrameClock frames(Seconds(0.010), Seconds(0.025), Seconds(-0.0125));
        QCOMPARE(frames.centre(Frames(0)), Seconds(0));
        QCOMPARE(frames.centre(Frames(3)), Seconds(0.03));
        QCOMPARE(frames.frameAt(Seconds(0.014), Frames(10)), Frames(1));
        const Subsampling half{.kernel = 3, .stride = 2, .padding = 1};
        const TokenClock tokens(frames, {half, half, half});
        QCOMPARE(tokens.offset(), Seconds(0));
        QCOMPARE(tokens.centre(Tokens(5)), Seconds(0.4));
    }

    void theNearestTokenOwnsATime() {
        const TokenClock clock = TokenClock::speechToText();
        for (std::int64_t t = 0; t < 25; ++t) {
            QCOMPARE(clock.tokenAt(clock.centre(Tokens(t)), Tokens(25)), Tokens(t));
            QCOMPARE(clock.tokenAt(clock.cellStart(Tokens(t)) + Seconds(1e-6), Tokens(25)), Tokens(t));
            QCOMPARE(clock.tokenAt(clock.cellStart(Tokens(t)) + clock.step() - Seconds(1e-6), Tokens(25)),
                     Tokens(t));
        }
    }

    void timesOutsideAreClamped() {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
        const TokenClock tokens = TokenClock::speechToText();
        const FrameClock frames;
        QCOMPARE(tokens.tokenAt(Seconds(-5), Tokens(25)), Tokens(0));
        QCOMPARE(tokens.tokenAt(Seconds(1e9), Tokens(25)), Tokens(24));
        QCOMPARE(tokens.tokenAt(Seconds(kInfinity), Tokens(25)), Tokens(24));
        QCOMPARE(tokens.tokenAt(Seconds(-kInfinity), Tokens(25)), Tokens(0));
        QCOMPARE(tokens.tokenAt(Seconds(kNaN), Tokens(25)), Tokens(0));
        QCOMPARE(tokens.tokenAt(Seconds(1), Tokens(1)), Tokens(0));
        QCOMPARE(frames.frameAt(Seconds(0), Frames(98)), Frames(0));
        QCOMPARE(frames.frameAt(Seconds(0.5125), Frames(98)), Frames(50));
        QCOMPARE(frames.frameAt(Seconds(2), Frames(98)), Frames(97));
    }

    void anAffineClockKnowsTimesButNoCounts() {
        const TokenClock clock = TokenClock::affine(Seconds(0.1), Seconds(0.02));
        QCOMPARE(clock.centre(Tokens(5)), Seconds(0.1 + 0.02 * 5));
        QCOMPARE(clock.tokenAt(Seconds(0.141), Tokens(10)), Tokens(2));
        QVERIFY_EXCEPTION_THROWN(clock.tokenCount(Frames(10)), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(clock.receptiveField(Tokens(1)), std::logic_error);
    }

    void patchesOfAColumnShareItsTime() {
        const TokenClock clock = patches();
        QCOMPARE(clock.bands(), 12);
        QCOMPARE(clock.tokenCount(Frames(98)), Tokens(12 * 9)); // frames 0 … 15, 10 … 25, …, 80 … 95
        QCOMPARE(clock.tokenCount(Frames(15)), Tokens(0));
        for (std::int64_t t = 0; t < 36; ++t) {
            QVERIFY(std::abs(clock.centre(Tokens(t)).value() - (0.0125 + 0.01 * (7.5 + 10 * double(t / 12)))) < 1e-12);
            QCOMPARE(clock.band(Tokens(t)), t % 12);
            QCOMPARE(clock.receptiveField(Tokens(t)).first, Frames(t / 12 * 10));
            QCOMPARE(clock.receptiveField(Tokens(t)).last, Frames(t / 12 * 10 + 15));
        }
    }

    void cellsOfAColumnStandSideBySide() {
        const TokenClock clock = patches();
        QVERIFY(std::abs(clock.cellStep().value() - 0.1 / 12) < 1e-12);
        QVERIFY(std::abs((clock.cellStart(Tokens(0)) - clock.centre(Tokens(0))).value() + 0.05) < 1e-12);
        for (std::int64_t t = 0; t < 36; ++t) {
            QVERIFY(std::abs((clock.cellStart(Tokens(t + 1)) - clock.cellStart(Tokens(t))).value() - 0.1 / 12) < 1e-12);
            QVERIFY(std::abs((clock.cellCentre(Tokens(t)) - clock.cellStart(Tokens(t))).value() - 0.1 / 24) < 1e-12);
            QCOMPARE(clock.tokenAt(clock.cellCentre(Tokens(t)), Tokens(108)), Tokens(t));
            QCOMPARE(clock.tokenAt(clock.cellStart(Tokens(t)) + Seconds(1e-6), Tokens(108)), Tokens(t));
        }
        const TokenClock later = clock.startingAt(Seconds(2));
        QCOMPARE(later.bands(), 12);
        QVERIFY(std::abs((later.cellStart(Tokens(17)) - clock.cellStart(Tokens(17))).value() - 2) < 1e-12);
    }

    void aCellOfOneBandIsAsItWas() { // bit for bit
        const TokenClock clock = TokenClock::speechToText();
        for (std::int64_t t = 0; t < 100; ++t) {
            QCOMPARE(clock.cellCentre(Tokens(t)), clock.centre(Tokens(t)));
            QCOMPARE(clock.cellStart(Tokens(t)), clock.centre(Tokens(t)) - clock.step() / 2);
        }
        QCOMPARE(clock.cellStep(), clock.step());
    }

    void impossibleConvolutionsAreRefused() {
        QVERIFY_EXCEPTION_THROWN(TokenClock(FrameClock(), {{5, 2, 2}}, 0), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(TokenClock(FrameClock(), {{0, 2, 2}}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(TokenClock(FrameClock(), {{5, 0, 2}}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(TokenClock(FrameClock(), {{5, 2, -1}}), std::invalid_argument);
    }
};

HEADROOM_TEST(ClocksTest)

} // namespace headroom::testing::clocks_test

#include "clocks_test.moc"
