// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/waveform/waveform_lane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <QTest>

namespace headroom::testing::waveform_test {

using namespace headroom::widgets;

namespace {

std::shared_ptr<const std::vector<float>> noise(std::size_t count) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    auto samples = std::make_shared<std::vector<float>>(count);
    for (float& sample : *samples)
        sample = uniform(generator);
    return samples;
}

} // namespace

class WaveformTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pyramidAnswersAsTheSamplesDo() {
        const auto samples = noise(20'011);
        const PeakPyramid pyramid(samples);
        std::mt19937 generator(3);
        std::uniform_int_distribution<std::int64_t> place(0, 20'011);
        for (int round = 0; round < 500; ++round) {
            auto begin = place(generator), end = place(generator);
            if (begin > end)
                std::swap(begin, end);
            if (begin == end)
                continue;
            const auto got = pyramid.over(Samples(begin), Samples(end));
            const auto [low, high] = std::minmax_element(samples->begin() + begin, samples->begin() + end);
            double squares = 0;
            for (auto index = begin; index < end; ++index)
                squares += double((*samples)[std::size_t(index)]) * (*samples)[std::size_t(index)];
            QCOMPARE(got.low, *low);
            QCOMPARE(got.high, *high);
            QVERIFY(std::abs(got.meanSquare - squares / double(end - begin)) < 1e-12);
        }
    }

    void pyramidClipsItsRangeAndKnowsEmptiness() {
        const PeakPyramid pyramid(noise(100));
        QCOMPARE(pyramid.over(Samples(-50), Samples(500)).high, pyramid.over(Samples(0), Samples(100)).high);
        QCOMPARE(pyramid.over(Samples(100), Samples(200)).high, 0.0f);
        QCOMPARE(PeakPyramid(nullptr).over(Samples(0), Samples(5)).meanSquare, 0.0);
        auto bad = std::make_shared<std::vector<float>>(200, std::numeric_limits<float>::quiet_NaN());
        (*bad)[150] = 0.5f;
        QCOMPARE(PeakPyramid(bad).over(Samples(0), Samples(200)).high, 0.5f);
        QCOMPARE(PeakPyramid(bad).over(Samples(0), Samples(200)).low, 0.0f);
    }

    void oneClickStandsOnItsPixelAtEveryZoom_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("whole") << 0.0 << 4.0;
        QTest::newRow("part") << 1.1 << 2.3;
        QTest::newRow("close") << 1.49 << 1.52;
    }
    void oneClickStandsOnItsPixelAtEveryZoom() {
        QFETCH(double, from);
        QFETCH(double, to);
        Theme::apply(QStringLiteral("light"));
        auto samples = std::make_shared<std::vector<float>>(64'000);
        (*samples)[24'000] = 0.8f; // 1.5 s
        TimeAxis axis;
        axis.setExtent(Seconds(4));
        axis.setVisible({Seconds(from), Seconds(to)});
        axis.setCursor(std::nullopt);
        WaveformLane lane;
        lane.setAxis(&axis);
        lane.resize(828, 64);
        lane.setSound(std::make_shared<PeakPyramid>(samples));
        QVERIFY(std::abs(lane.amplitude() - 0.8) < 1e-6);
        const QImage image = lane.grab().toImage();
        // The darkest column of the upper half is that of the click.
        int best = -1, darkest = std::numeric_limits<int>::max();
        for (int x = int(lane.plotRect().left()) + 2; x < int(lane.plotRect().right()) - 2; ++x) {
            int sum = 0;
            for (int y = 10; y < 28; ++y)
                sum += qGray(image.pixel(x, y));
            if (sum < darkest) {
                darkest = sum;
                best = x;
            }
        }
        QVERIFY2(std::abs(best + 0.5 - lane.xOf(Seconds(1.5))) <= 1.0, qPrintable(QString::number(best)));
    }

    /// Loudness over 20 ms was drawn below the line where every sample near it was above.
    void loudnessStaysWithinTheSamples() {
        Theme::apply(QStringLiteral("light"));
        constexpr int kHalf = 160; // samples of a square wave's half
        auto samples = std::make_shared<std::vector<float>>(16'000);
        for (std::size_t i = 0; i < samples->size(); ++i)
            (*samples)[i] = i / kHalf % 2 == 0 ? 0.8f : -0.8f;
        TimeAxis axis;
        axis.setExtent(Seconds(1));
        axis.setCursor(std::nullopt);
        WaveformLane lane;
        lane.setAxis(&axis);
        lane.resize(828, 84);
        lane.setSound(std::make_shared<PeakPyramid>(samples));
        axis.setVisible({Seconds(0.3), Seconds(0.3 + 2.5 * lane.plotRect().width() / 16'000)});
        const QImage image = lane.grab().toImage();
        const int zero = int(lane.plotRect().center().y());
        int within = 0, beyond = 0;
        for (int x = int(lane.plotRect().left()) + 2; x < int(lane.plotRect().right()) - 2; ++x) {
            const auto sample = std::int64_t(lane.timeAt(x + 0.5).value() * 16'000);
            if (sample % kHalf < 20 || sample % kHalf > kHalf - 20) // beside a flank
                continue;
            const bool isAbove = sample / kHalf % 2 == 0;
            for (int y = int(lane.plotRect().top()) + 2; y < int(lane.plotRect().bottom()) - 2; ++y)
                if (std::abs(y - zero) > 2 && image.pixelColor(x, y) == Theme::current().waveformRms)
                    ++((y < zero) == isAbove ? within : beyond);
        }
        QVERIFY(within > 1000);
        QCOMPARE(beyond, 0);
    }

    void anEmptyLaneSaysWhatToDo() {
        WaveformLane lane;
        lane.resize(828, 64);
        QVERIFY(!lane.accessibleName().isEmpty());
        QVERIFY(lane.accessibleDescription().contains(QStringLiteral("No recording")));
        QVERIFY(!lane.grab().isNull());
        lane.setSound(std::make_shared<PeakPyramid>(std::make_shared<std::vector<float>>(16'000)));
        QCOMPARE(lane.amplitude(), 1.0); // silence has a scale too
        QVERIFY(lane.accessibleDescription().startsWith(QStringLiteral("1.000 s")));
    }
};

HEADROOM_TEST(WaveformTest)

} // namespace headroom::testing::waveform_test

#include "waveform_test.moc"
