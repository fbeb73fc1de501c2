// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every state of the map widgets with a trained model's maps, light and dark, and leaves the pictures
// under pictures/ in the build folder to be looked at.
#include "core/analysis/diagonality.h"
#include "core/analysis/windows.h"
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QDir>
#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::matrix_pictures_test {

using namespace headroom::widgets;

namespace {

std::vector<Interval> someWords() {
    return {{Seconds(0), Seconds(0.44), ""},       {Seconds(0.44), Seconds(0.66), "let"},
            {Seconds(0.66), Seconds(0.75), "me"},  {Seconds(0.75), Seconds(1.24), "see"},
            {Seconds(1.24), Seconds(1.72), ""},    {Seconds(1.72), Seconds(1.9), "how"},
            {Seconds(1.9), Seconds(2.11), "can"},  {Seconds(2.11), Seconds(2.18), "i"},
            {Seconds(2.18), Seconds(2.6), "begin"}};
}

void save(QWidget& widget, const QString& name) {
    const QDir folder(QStringLiteral(HEADROOM_BINARY_DIR "/pictures"));
    folder.mkpath(QStringLiteral("."));
    const QImage picture = widget.grab().toImage();
    QVERIFY(!picture.isNull());
    QVERIFY(picture.save(
        folder.filePath(name + QLatin1Char('-') + Theme::current().name + QStringLiteral(".png"))));
}

} // namespace

class MatrixPicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStateCanBeDrawn_data() {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }

    void everyStateCanBeDrawn() {
        QFETCH(QString, theme);
        Theme::apply(theme);
        auto maps = testing::realMaps();
        const auto clock = TokenClock::speechToText();
        const auto tokens = static_cast<double>(maps[0].rows());
        TimeAxis axis;
        axis.setExtent(clock.cellStart(Tokens(static_cast<std::int64_t>(tokens))) + clock.step() / 4);
        axis.setCursor(Seconds(1.4));

        const DiagonalProfile profile(maps[5].view());
        const auto map = testing::pyramidOf(maps[5]);
        QWidget column;
        QVBoxLayout layout(&column);
        layout.setContentsMargins(0, 0, 0, 0);
        layout.setSpacing(0);
        auto* row = new RowProfile;
        auto* view = new LayerMatrixView;
        layout.addWidget(row);
        layout.addWidget(view, 1);
        row->setAxis(&axis);
        row->setMatrix(map, clock);
        row->setWindow({BandShape::Kind::Centred, 9});
        view->setAxis(&axis);
        view->setMatrix(map, clock);
        view->setWords(someWords());
        view->setTitle(QStringLiteral("Layer 6"));
        view->band()->setProfile(profile);
        view->band()->setBlockLoss(BlockLoss(map->level(0).view()));
        view->band()->setWindow(9);
        view->band()->setSuggestedWindow(
            windowFromStatistic(static_cast<double>(windowStatistic(profile)), 0));
        column.resize(835, 560);
        column.show();
        QVERIFY(QTest::qWaitForWindowExposed(&column));
        save(column, QStringLiteral("matrix-rest"));

        QTest::mouseMove(view, QPoint(300, 400));
        QCoreApplication::processEvents();
        save(column, QStringLiteral("matrix-pointer"));
        const QPoint grip = view->band()->grips().first.toPoint();
        QTest::mouseMove(view->band(), grip);
        QCoreApplication::processEvents();
        save(column, QStringLiteral("band-hover"));
        QTest::mousePress(view->band(), Qt::LeftButton, {}, grip);
        QTest::mouseMove(view->band(), grip + QPoint(36, -20));
        save(column, QStringLiteral("band-drag"));
        QTest::keyClick(view->band(), Qt::Key_Escape);
        QTest::mouseRelease(view->band(), Qt::LeftButton, {}, grip + QPoint(36, -20));
        view->band()->setFocus(Qt::TabFocusReason);
        QTest::mouseMove(view, QPoint(10, 10));
        QCoreApplication::processEvents();
        save(column, QStringLiteral("band-focus"));
        view->setFocus();
        view->band()->setWindow(0);
        save(column, QStringLiteral("band-full"));
        view->band()->setKind(BandShape::Kind::Block);
        view->band()->setWindow(21);
        save(column, QStringLiteral("band-block"));
        LayerMatrixView empty;
        empty.resize(500, 300);
        save(empty, QStringLiteral("matrix-empty"));

        LayerThumbnails layers;
        std::vector<ThumbnailState> states;
        for (auto& each : maps) {
            ThumbnailState state;
            state.status = ThumbnailState::Status::Ready;
            state.profile = DiagonalProfile(each.view());
            state.shape.window =
                static_cast<int>(windowFromStatistic(static_cast<double>(windowStatistic(state.profile)), 0));
            state.map = testing::pyramidOf(std::move(each));
            states.push_back(std::move(state));
        }
        states[0].shape.window = 0;
        states.push_back(
            {ThumbnailState::Status::Reading, nullptr, {}, {}, 0.55, QStringLiteral("being read"), {}});
        states.push_back(
            {ThumbnailState::Status::Failed, nullptr, {}, {}, 0, QStringLiteral("not read"), {}});
        states.push_back({});
        layers.setLayers(std::move(states));
        layers.setCurrent(5);
        layers.setCompared(6);
        layers.resize(545, layers.heightForWidth(545));
        save(layers, QStringLiteral("thumbnails"));
    }
};

HEADROOM_TEST(MatrixPicturesTest)

} // namespace headroom::testing::matrix_pictures_test

#include "matrix_pictures_test.moc"
