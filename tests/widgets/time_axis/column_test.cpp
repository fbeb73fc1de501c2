// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes stacked, with the demo's recording; how they look is compared with tests/data/pictures.
#include "core/alignment/text_grid.h"
#include "core/audio/audio_file.h"
#include "core/features/features.h"
#include "tests/support/pictures.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/spectrogram/spectrogram_lane.h"
#include "widgets/tiers/tier_lane.h"
#include "widgets/time_axis/ruler.h"
#include "widgets/time_axis/snapping.h"
#include "widgets/waveform/waveform_lane.h"

#include <array>
#include <cmath>

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::column_test {

using namespace headroom::widgets;

namespace {

const std::filesystem::path kDemo = HEADROOM_SOURCE_DIR "/resources/demo";

/// A whole time column without a matrix.
struct Column {
    TimeAxis axis;
    QWidget frame;
    Ruler ruler;
    WaveformLane waveform;
    SpectrogramLane spectrogram;
    TierLane words{TierLane::Kind::Words};
    TierLane phones{TierLane::Kind::Phones};

    std::array<TimeLane*, 5> lanes() { return {&ruler, &waveform, &spectrogram, &words, &phones}; }

    explicit Column(int width, bool isLinear = false) {
        const Recording recording = loadRecording(kDemo / "demo.wav");
        const TextGrid grid = readTextGrid(kDemo / "demo.TextGrid");
        const Alignment alignment = alignmentFrom(grid, recording.duration(), "demo");
        axis.setExtent(recording.duration());
        axis.setSnapBounds(snapBounds(alignment));
        waveform.setSound(
            std::make_shared<PeakPyramid>(std::make_shared<const std::vector<float>>(recording.samples)),
            kModelSampleRate, QStringLiteral("16 kHz\nmono"));
        spectrogram.setSpectrum(
            isLinear
                ? std::make_shared<Spectrum>(linearSpectrogram(recording.samples), FrequencyScale::Linear)
                : std::make_shared<Spectrum>(LogMelFilterbank().compute(recording.samples),
                                             FrequencyScale::LogMel));
        words.setIntervals(alignment.words);
        phones.setIntervals(alignment.phones);
        auto* layout = new QVBoxLayout(&frame);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        for (TimeLane* lane : lanes()) {
            lane->setAxis(&axis);
            layout->addWidget(lane);
        }
        waveform.setFixedHeight(waveform.sizeHint().height());
        spectrogram.setFixedHeight(spectrogram.sizeHint().height());
        frame.setFixedWidth(width);
        frame.adjustSize();
        frame.grab(); // never shown: only this lays the lanes out
    }
    ~Column() {
        for (TimeLane* lane : lanes())
            lane->setParent(nullptr); // members, not children
    }
};

QImage pictureOf(QWidget& widget, double ratio) {
    QImage image((QSizeF(widget.size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    widget.render(&image);
    return image;
}

} // namespace

class ColumnTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cursorAndPointerCrossAllLanesOnOneColumn_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<double>("ratio");
        for (const auto* theme : {"light", "dark"})
            for (const double ratio : {1.0, 2.0})
                QTest::addRow("%s-%g", theme, ratio) << QString::fromLatin1(theme) << ratio;
    }
    void cursorAndPointerCrossAllLanesOnOneColumn() {
        QFETCH(QString, theme);
        QFETCH(double, ratio);
        Theme::apply(theme);
        Column column(832);
        column.axis.setCursor(Seconds(2.42));
        column.axis.setPointer(Seconds(2.54));
        const QImage image = pictureOf(column.frame, ratio);
        const int x = int(column.ruler.xOf(Seconds(2.42)) * ratio);
        for (TimeLane* lane : column.lanes()) {
            const int y = int((lane->geometry().bottom() - 6) * ratio);
            QCOMPARE(QColor(image.pixel(x, y)), Theme::current().accent);
        }
    }

    void everyViewHasItsPicture() {
        Theme::apply(QStringLiteral("light"));
        Column words(640);
        words.axis.setCursor(Seconds(1.4));
        words.axis.setPointer(Seconds(1.6));
        HEADROOM_COMPARE_PICTURE(pictureOf(words.frame, 1), "column");
        Column linear(640, true);
        linear.axis.setVisible({Seconds(0.6), Seconds(1.5)});
        linear.axis.setSelection(TimeSpan{Seconds(0.76), Seconds(1.24)});
        HEADROOM_COMPARE_PICTURE(pictureOf(linear.frame, 1), "column-linear-selection");
        linear.axis.setVisible({Seconds(1.0), Seconds(1.03)});
        HEADROOM_COMPARE_PICTURE(pictureOf(linear.frame, 1), "column-samples");
    }

    void theWholeColumnIsExportedAsTextAndLines() {
        Theme::apply(QStringLiteral("dark"));
        Column column(832);
        column.axis.setCursor(Seconds(2.42));
        const Theme light = Theme::read(QStringLiteral(":/headroom/themes/light.json"));
        const PaintedWith paper(light);
        QBuffer buffer;
        QVERIFY(buffer.open(QIODevice::WriteOnly));
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(column.frame.size());
        QPainter painter(&svg);
        for (TimeLane* lane : column.lanes())
            lane->renderTo(painter, lane->geometry());
        painter.end();
        for (const char* text :
             {">forest</text>", ">2.420</text>", ">0 dB</text>", ">8\u202fkHz</text>"})
            QVERIFY2(buffer.data().contains(text), text);
        QVERIFY(buffer.data().contains("<image")); // the spectrogram's pixels
    }
};

HEADROOM_TEST(ColumnTest)

} // namespace headroom::testing::column_test

#include "column_test.moc"
