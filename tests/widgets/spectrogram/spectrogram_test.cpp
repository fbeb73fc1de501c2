// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/spectrogram/spectrogram_lane.h"
#include "widgets/spectrogram/spectrum_raster.h"

#include <cmath>
#include <limits>

#include <QPainter>
#include <QTest>

namespace headroom::testing::spectrogram_test {

using namespace headroom::widgets;

namespace {

constexpr std::size_t kFrames = 300;

Matrix<float> impulse(std::size_t frame, std::size_t bins) {
    Matrix<float> values(kFrames, bins, 0.0f);
    for (float& value : values.row(frame))
        value = 10;
    return values;
}

/// The centre of gravity of darkness along row y, in device pixels from the left of the image.
double darkCentre(const QImage& image, int left, int right, int y) {
    double sum = 0, moment = 0;
    for (int x = left; x < right; ++x) {
        const double dark = 255 - qGray(image.pixel(x, y));
        sum += dark;
        moment += dark * (x + 0.5);
    }
    return sum > 0 ? moment / sum : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class SpectrogramTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digitalSilenceDoesNotStretchTheRange() {
        // [GIVEN] a ramp of 20 nats, and the same followed by as many frames of digital silence
        Matrix<float> ramp(100, 80), withSilence(200, 80, std::log(1.1920929e-7f));
        for (std::size_t frame = 0; frame < 100; ++frame)
            for (std::size_t bin = 0; bin < 80; ++bin)
                ramp(frame, bin) = withSilence(frame, bin) = static_cast<float>(frame) / 5;
        const Spectrum alone(ramp, FrequencyScale::LogMel), padded(withSilence, FrequencyScale::LogMel);
        QCOMPARE(padded.quiet(), alone.quiet());
        QCOMPARE(padded.loud(), alone.loud());
        QVERIFY(alone.quiet() > 0.5f && alone.loud() > 19.0f);
    }

    void aFrameStandsOnItsClocksCentreAtEveryZoomAndRatio_data() {
        QTest::addColumn<int>("frame");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<double>("ratio");
        for (const double ratio : {1.0, 1.5, 2.0})
            for (const int frame : {1, 100, 298}) {
                const double centre = 0.0125 + 0.01 * frame;
                QTest::addRow("whole, frame %d, ratio %g", frame, ratio) << frame << 0.0 << 3.015 << ratio;
                QTest::addRow("half, frame %d, ratio %g", frame, ratio)
                    << frame << std::max(0.0, centre - 0.9) << std::min(3.015, centre + 0.5) << ratio;
                QTest::addRow("close, frame %d, ratio %g", frame, ratio)
                    << frame << std::max(0.0, centre - 0.037) << std::min(3.015, centre + 0.051) << ratio;
            }
    }
    void aFrameStandsOnItsClocksCentreAtEveryZoomAndRatio() {
        QFETCH(int, frame);
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(double, ratio);
        Theme::apply(QStringLiteral("light"));
        TimeAxis axis;
        axis.setExtent(Seconds(3.015));
        axis.setVisible({Seconds(from), Seconds(to)});
        axis.setCursor(std::nullopt);
        SpectrogramLane lane;
        lane.setAxis(&axis);
        lane.resize(831, 128); // an odd width, so that pixels and frames never coincide by luck
        lane.setSpectrum(std::make_shared<Spectrum>(impulse(std::size_t(frame), 80), FrequencyScale::LogMel));
        QImage image((QSizeF(lane.size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::white);
        lane.render(&image);
        const QRectF plot = lane.plotRect();
        const double wanted = lane.xOf(FrameClock().centre(Frames(frame))) * ratio;
        const double got = darkCentre(image, int(std::ceil(plot.left() * ratio)) + 1,
                                      int(plot.right() * ratio) - 1, int(60 * ratio));
        QVERIFY2(std::abs(got - wanted) <= 1.0,
                 qPrintable(QStringLiteral("%1, wanted %2").arg(got).arg(wanted)));
    }

    void anHourStillShowsItsImpulseInPlace() {
        Matrix<float> values(20'000, 8, 0.0f);
        for (std::size_t frame = 12'000; frame < 12'100; ++frame)
            for (float& value : values.row(frame))
                value = 10;
        const Spectrum spectrum(std::move(values), FrequencyScale::Linear);
        QVERIFY(spectrum.levelCount() > 4);
        const QImage image = rasterise(spectrum, {Seconds(0), Seconds(200)}, {500, 10},
                                       ColourMap::named(ColourMap::Name::Grey));
        const double wanted = (0.0125 + 0.01 * 12'049.5) / 200 * 500;
        QVERIFY(std::abs(darkCentre(image, 1, 499, 5) - wanted) <= 1.0);
    }

    void nothingIsDrawnBeforeTheFirstAndAfterTheLastFrame() {
        const Spectrum spectrum(Matrix<float>(100, 80, 1.0f), FrequencyScale::LogMel);
        const QImage image = rasterise(spectrum, {Seconds(0), Seconds(1.015)}, {1015, 4},
                                       ColourMap::named(ColourMap::Name::Grey));
        // Frame 0 occupies 7.5 … 17.5 ms, frame 99 ends at 1007.5 ms.
        QCOMPARE(qAlpha(image.pixel(6, 2)), 0);
        QCOMPARE(qAlpha(image.pixel(8, 2)), 255);
        QCOMPARE(qAlpha(image.pixel(1006, 2)), 255);
        QCOMPARE(qAlpha(image.pixel(1008, 2)), 0);
    }

    void frequenciesStandWhereTheBinsAre() {
        const Spectrum mel(Matrix<float>(4, 80, 0.0f), FrequencyScale::LogMel);
        QCOMPARE(mel.heightOf(20), 0.0);
        QCOMPARE(mel.heightOf(8000), 1.0);
        // Bin b of B is centred on corner b + 1 of B + 2, evenly spaced in mel.
        QVERIFY(std::abs(mel.binAt(1.0 / 81) - 0) < 1e-9);
        QVERIFY(std::abs(mel.binAt(80.0 / 81) - 79) < 1e-9);
        const Spectrum linear(Matrix<float>(4, 257, 0.0f), FrequencyScale::Linear);
        QVERIFY(std::abs(linear.binAt(linear.heightOf(1000)) - 32) < 1e-9); // 31.25 Hz a bin
    }

    void aToneLiesAtItsHeight() {
        Matrix<float> values(100, 257, 0.0f);
        for (std::size_t frame = 0; frame < 100; ++frame)
            values(frame, 64) = 10; // 2000 Hz: a quarter of the height
        const Spectrum spectrum(std::move(values), FrequencyScale::Linear);
        const QImage image = rasterise(spectrum, {Seconds(0.1), Seconds(0.9)}, {20, 400},
                                       ColourMap::named(ColourMap::Name::Grey));
        double sum = 0, moment = 0;
        for (int y = 0; y < 400; ++y) {
            const double dark = 255 - qGray(image.pixel(10, y));
            sum += dark;
            moment += dark * (y + 0.5);
        }
        QVERIFY(std::abs(moment / sum - 300) <= 1.0);
    }

    void quietAndLoudArePercentilesOfTheWhole() {
        Matrix<float> values(100, 100);
        for (std::size_t index = 0; index < values.values().size(); ++index)
            values.values()[index] = float(index);
        values(0, 0) = std::numeric_limits<float>::quiet_NaN();
        const Spectrum spectrum(std::move(values), FrequencyScale::Linear);
        QVERIFY(std::abs(spectrum.quiet() - 500) <= 2);
        QVERIFY(std::abs(spectrum.loud() - 9950) <= 2);
        const Spectrum flat(Matrix<float>(3, 3, 5.0f), FrequencyScale::Linear);
        QVERIFY(flat.loud() > flat.quiet());
    }

    void logMelRangeIsToldInDecibels() {
        Matrix<float> values(100, 80, 0.0f);
        for (std::size_t frame = 50; frame < 100; ++frame)
            for (float& value : values.row(frame))
                value = float(std::log(10.0)); // ten times the energy: 10 dB
        QVERIFY(std::abs(Spectrum(std::move(values), FrequencyScale::LogMel).rangeDecibels() - 10) < 1e-4);
    }

    void darkIsLoudOnPaperAndBrightInTheDark_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("light") << QStringLiteral("light");
        QTest::newRow("dark") << QStringLiteral("dark");
    }
    void darkIsLoudOnPaperAndBrightInTheDark() {
        QFETCH(QString, name);
        Theme::apply(name);
        TimeAxis axis;
        axis.setExtent(Seconds(3.015));
        axis.setCursor(std::nullopt);
        SpectrogramLane lane;
        lane.setAxis(&axis);
        lane.resize(828, 128);
        Matrix<float> values(kFrames, 80, 0.0f);
        for (std::size_t frame = 150; frame < kFrames; ++frame)
            for (float& value : values.row(frame))
                value = 10;
        lane.setSpectrum(std::make_shared<Spectrum>(std::move(values), FrequencyScale::LogMel));
        const QImage image = lane.grab().toImage();
        const int quiet = qGray(image.pixel(200, 60)), loud = qGray(image.pixel(600, 60));
        QCOMPARE(loud < quiet, name == QStringLiteral("light"));
    }

    void anEmptyLaneSaysWhy() {
        SpectrogramLane lane;
        lane.setSpectrum(nullptr, QStringLiteral("The recording is shorter than 25 ms."));
        QCOMPARE(lane.accessibleDescription(), QStringLiteral("The recording is shorter than 25 ms."));
        QVERIFY(!lane.grab().isNull());
        QVERIFY(Spectrum(Matrix<float>(), FrequencyScale::LogMel).empty());
    }
};

HEADROOM_TEST(SpectrogramTest)

} // namespace headroom::testing::spectrogram_test

#include "spectrogram_test.moc"
