// SPDX-License-Identifier: GPL-3.0-or-later
// How the views look, compared with tests/data/pictures. Theme::apply() fixes fonts and style.
#include "core/architecture/architecture.h"
#include "tests/support/pictures.h"
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/heads/cad_plot.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/phone_matrix/phone_matrix_view.h"
#include "widgets/probe/confusion_map.h"

#include <QCursor>
#include <QGuiApplication>
#include <QPainter>
#include <QScreen>
#include <QTest>

namespace headroom::testing::pictures_test {

using namespace headroom::widgets;

namespace {

constexpr auto kClasses = std::size_t(kPhoneClassCount);

QImage pictureOf(QWidget& widget, QSize size) {
    // What is under the pointer looks different, and another test may have left it here.
    QCursor::setPos(QGuiApplication::primaryScreen()->geometry().bottomRight());
    widget.resize(size);
    widget.show();
    (void)QTest::qWaitForWindowExposed(&widget);
    widget.clearFocus();
    return widget.grab().toImage();
}

/// Four layers of six heads between 0.05 and 0.6; one is not known.
Matrix<double> relevance() {
    Matrix<double> values(4, 6);
    for (std::size_t layer = 0; layer < 4; ++layer)
        for (std::size_t head = 0; head < 6; ++head)
            values(layer, head) = 0.05 + 0.55 * double((7 * layer + 5 * head) % 24) / 23;
    values(2, 3) = NAN;
    return values;
}

} // namespace

class PicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void relevanceOfHeads() {
        Theme::apply(QStringLiteral("light"));
        RelevanceMap map;
        map.setValues(relevance(), std::vector(4, std::vector(6, HeadKind::Local)));
        map.setSelected(HeadId{1, 2});
        HEADROOM_COMPARE_PICTURE(pictureOf(map, {480, 160}), "relevance-map");
    }

    void attentionBetweenPhones() {
        Theme::apply(QStringLiteral("dark"));
        PhoneRelation relation;
        relation.par = Matrix<double>(kClasses, kClasses);
        relation.counts = Matrix<std::int32_t>(kClasses, kClasses, 9);
        for (std::size_t row = 0; row < kClasses; ++row)
            for (std::size_t column = 0; column < kClasses; ++column)
                relation.par(row, column) = std::exp2(2 * std::sin(0.31 * double(row) - 0.17 * double(column)));
        relation.par(5, 5) = NAN;
        relation.counts(4, 20) = 1;
        relation.coverage = 0.731;
        relation.reference = QStringLiteral("reference");
        PhoneMatrixView view;
        view.setMap(relation);
        view.setSelected(PhonePair{3, 8});
        HEADROOM_COMPARE_PICTURE(pictureOf(view, {500, 400}), "phone-matrix");
    }

    void confusionsOfPhones() {
        Theme::apply(QStringLiteral("light"));
        Matrix<double> counts(kClasses + 1, kClasses + 1, 0.0);
        for (std::size_t row = 0; row <= kClasses; ++row)
            for (std::size_t column = 0; column <= kClasses; ++column)
                counts(row, column) = row == 7 ? 0 : row == column ? 40 : double((row * 5 + column * 3) % 4);
        ConfusionMap map;
        map.setCounts(counts);
        map.setSelected(ConfusionMap::Cell{2, 2});
        HEADROOM_COMPARE_PICTURE(pictureOf(map, {460, 380}), "confusion-map");
    }

    void aLayersMapWithItsWindow() {
        Theme::apply(QStringLiteral("light"));
        const auto clock = TokenClock::speechToText();
        const auto map = ridge(60, 3);
        TimeAxis axis;
        axis.setExtent(clock.cellStart(Tokens(60)) + clock.step() / 4);
        axis.setCursor(Seconds(1.4));
        LayerMatrixView view;
        view.setAxis(&axis);
        view.setMatrix(pyramidOf(map), clock);
        view.setTitle(QStringLiteral("Layer 6"));
        view.band()->setProfile(DiagonalProfile(map.view()));
        view.band()->setWindow(9);
        HEADROOM_COMPARE_PICTURE(pictureOf(view, {560, 380}), "matrix-view");
    }

    void layersAsSmallMaps() {
        Theme::apply(QStringLiteral("dark"));
        std::vector<ThumbnailState> states;
        for (int layer = 0; layer < 4; ++layer) {
            ThumbnailState state;
            state.status = ThumbnailState::Status::Ready;
            auto map = ridge(40, 1 + layer);
            state.profile = DiagonalProfile(map.view());
            state.shape.window = 5 + 6 * layer;
            state.map = pyramidOf(std::move(map));
            states.push_back(std::move(state));
        }
        states.push_back({ThumbnailState::Status::Reading, nullptr, {}, {}, 0.55, QStringLiteral("loading"), {}});
        states.push_back({ThumbnailState::Status::Failed, nullptr, {}, {}, 0, QStringLiteral("not read"), {}});
        LayerThumbnails layers;
        layers.setLayers(std::move(states));
        layers.setCurrent(1);
        layers.setCompared(2);
        HEADROOM_COMPARE_PICTURE(pictureOf(layers, {460, layers.heightForWidth(460)}), "layer-thumbnails");
    }

    void diagonalityOverWindows() {
        Theme::apply(QStringLiteral("light"));
        DiagonalityPlot plot;
        plot.setCurrent(2, DiagonalProfile(ridge(60, 3).view()));
        plot.setOthers({DiagonalProfile(ridge(60, 1).view()), DiagonalProfile(ridge(60, 8).view())});
        plot.setWindow(17);
        HEADROOM_COMPARE_PICTURE(pictureOf(plot, {480, 280}), "diagonality-plot");
    }

    void diagonalityOfHeads() {
        Theme::apply(QStringLiteral("dark"));
        std::vector<HeadCad> heads;
        for (int layer = 0; layer < 6; ++layer)
            for (int head = 0; head < 4; ++head)
                heads.push_back({{layer, head}, 0.5 + 0.45 * double((5 * layer + 7 * head) % 24) / 23});
        CadPlot plot;
        plot.setHeads(heads);
        plot.setSelected(HeadId{2, 1});
        HEADROOM_COMPARE_PICTURE(pictureOf(plot, {480, 280}), "cad-plot");
    }

    void headsOfAnArchitecture() {
        Theme::apply(QStringLiteral("light"));
        const Architecture architecture =
            readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/multiformer-v1.json");
        LayerEditor editor;
        editor.setGrid(HeadGrid(architecture.encoder.layers));
        editor.selectHeads(2, 2, 3);
        HEADROOM_COMPARE_PICTURE(pictureOf(editor, {600, 280}), "layer-editor");
    }

    /// What the comparison can see, so that it is known to fail: another colour, a line moved by two pixels, a word less;
    /// and what it must not see: every edge blurred by half a pixel.
    void theComparisonSeesChanges() {
        Theme::apply(QStringLiteral("light"));
        const auto draw = [](const QString& title, int window, double blur) {
            DiagonalityPlot plot;
            plot.setCurrent(2, DiagonalProfile(ridge(60, 3).view()));
            plot.setWindow(window);
            QImage image = pictureOf(plot, {480, 280});
            QPainter painter(&image);
            painter.drawText(200, 60, title);
            painter.end();
            if (blur > 0)
                image = image.scaled(image.size() * 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                            .scaled(image.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
            return image.convertToFormat(QImage::Format_RGB888);
        };
        const PictureTolerance allowed;
        const auto differs = [&](const QImage& one, const QImage& other) {
            const auto found = differenceOf(one, other, allowed);
            return found.mean > allowed.mean || found.farShare > allowed.farShare;
        };
        const QImage picture = draw(QStringLiteral("a whole sentence stands here"), 17, 0);
        QVERIFY(!differs(picture, picture));
        QVERIFY(!differs(picture, draw(QStringLiteral("a whole sentence stands here"), 17, 1)));
        QVERIFY(differs(picture, draw(QString(), 17, 0)));
        QVERIFY(differs(picture, draw(QStringLiteral("a whole sentence stands here"), 27, 0)));
        QImage tinted = picture;
        tinted.invertPixels();
        QVERIFY(differs(picture, tinted));
    }
};

HEADROOM_TEST(PicturesTest)

} // namespace headroom::testing::pictures_test

#include "pictures_test.moc"
