// SPDX-License-Identifier: GPL-3.0-or-later
// The window of a layer, by mouse and by keyboard: every number on the screen is that of core/analysis.
#include "app/documents/drafts/drafts.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "core/analysis/diagonality.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/sizes.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/spectrogram/spectrogram_lane.h"

#include <QAction>
#include <QDockWidget>
#include <QTabWidget>
#include <QTest>
#include <QWindow>

#include <cmath>

namespace headroom::testing::window_test {

using namespace headroom::app;
using headroom::testing::Story;

namespace {

/// What every view says about a window must be one number: CL of the profile.
void compareEverywhere(Story& story, int layer, int window) {
    const double expected = contributionLoss(story.result()->layer(layer)->profile, window);
    QVERIFY(std::abs(story.part<LayersPanel>()->thumbnails()->lossOf(layer - 1) - expected) < 1e-12);
    QVERIFY(std::abs(story.part<WindowsPanel>()->table()->windows()->lossHere(layer - 1) - expected) < 1e-12);
    QVERIFY(std::abs(1 - story.part<WindowsPanel>()->diagonality()->diagonalityHere() - expected) < 1e-12);
    QVERIFY(std::abs(story.part<MatrixPanel>()->matrix()->band()->lossOf(window) - expected) < 1e-12);
    QCOMPARE(story.part<MatrixPanel>()->windowField()->window(), window);
}

} // namespace

class WindowStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void draggingTheBandReadsTheLossOfCoreEverywhere() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(5);
        const ModelId model = story.session().currentModelId();
        story.session().drafts()->setWindow({model}, {5, 17});
        QVERIFY(story.quiet());
        const int steps = story.session().undoStack()->count();
        widgets::LayerMatrixView* matrix = story.part<MatrixPanel>()->matrix();
        widgets::WindowBand* band = matrix->band();
        const QPointF grip = band->grips().first;
        QVERIFY(!grip.isNull());
        const double right = matrix->mapping().tokenWidth() * 3;
        QTest::mouseMove(band, grip.toPoint());
        QTest::mousePress(band, Qt::LeftButton, Qt::NoModifier, grip.toPoint());
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(band, (grip + QPointF(right * step / 4, 0)).toPoint());
        QVERIFY(band->isDragging());
        const int dragged = band->shownWindow();
        QVERIFY2(dragged > 17 && dragged % 2 == 1, qPrintable(QString::number(dragged)));
        // While the button is down: the views follow, the draft does not.
        compareEverywhere(story, 5, dragged);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 5), std::optional<int>(17));
        QTest::mouseRelease(band, Qt::LeftButton, Qt::NoModifier, (grip + QPointF(right, 0)).toPoint());
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 5), std::optional<int>(dragged));
        compareEverywhere(story, 5, dragged);
        QCOMPARE(story.session().undoStack()->count(), steps + 1);
        story.window().actions().undo->trigger();
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 5), std::optional<int>(17));
        compareEverywhere(story, 5, 17);
    }

    /// The sentence under the table of windows has the name of the current recording.
    void aLongNameWidensNothing() {
        Story story;
        const QString joined = QStringLiteral("2024-05-17_interview_participant_017_session_2_microphone_left_channel_normalised_16kHz");
        QVERIFY(story.openAndWait({story.utterance("one"), story.utterance(joined), story.utterance(QString(120, u'x')), Story::model()}));
        const UtteranceList* all = story.session().utterances();
        const auto widths = [&](int row) {
            story.session().setCurrentUtterance(all->at(row).id);
            story.quiet();
            return QList<int>{story.part<Dock>("layers")->width(), story.window().minimumSizeHint().width(), story.window().width(),
                              story.part<WindowsPanel>()->minimumSizeHint().width()};
        };
        const QList<int> before = widths(0);
        QCOMPARE(widths(1), before);
        QCOMPARE(widths(2), before);
    }

    void theRowStaysMarkedWhileCtrlIsHeld() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(5);
        story.session().drafts()->setWindow({story.session().currentModelId()}, {5, 17});
        QVERIFY(story.quiet());
        const widgets::WindowsTable* table = story.part<WindowsPanel>()->table();
        QVERIFY(table->selectionModel()->isRowSelected(4, {}));
        // Through the window system, so that the modifier is one of the whole program.
        QTest::keyClick(story.window().windowHandle(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 5), std::optional<int>());
        QVERIFY(table->selectionModel()->isRowSelected(4, {}));
    }

    void whoseNumbersTheySayWhereAHeadIsShown() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const auto* tabs = story.part<QTabWidget>("analysisTabs");
        QCOMPARE(tabs->tabText(0), QStringLiteral("Windows"));
        story.session().setMapSource({MapSource::Kind::Head, 1});
        QVERIFY(story.quiet());
        QCOMPARE(tabs->tabText(0), QStringLiteral("Windows (contributions)"));
        QVERIFY(story.part<Dock>("layers")->header()->detail().startsWith(QLatin1String("contributions")));
    }

    void aTypedEvenNumberIsNotTaken() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        WindowSpin* field = story.part<MatrixPanel>()->windowField();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("14"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(field->mistake(), QStringLiteral("14 is even: use 13 or 15."));
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 1), std::optional<int>());
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("15"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(field->mistake(), QString());
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 1), std::optional<int>(15));
        compareEverywhere(story, 1, 15);
    }

    /// Everything shares one time axis: in a small window too, each map lies under its lanes.
    void comparedMapsLieUnderTheirSpectrograms() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), story.utterance("two"), Story::model()}));
        story.window().resize(1280, 720);
        story.window().actions().compare->trigger();
        QVERIFY(story.quiet());
        QCoreApplication::processEvents();
        const auto placesOf = [&](const auto& views) {
            std::vector<int> places;
            for (const QWidget* view : views)
                if (view->isVisible()) {
                    places.push_back(view->mapTo(&story.window(), QPoint()).x());
                    places.push_back(view->width());
                }
            return places;
        };
        auto* analyse = story.window().analyse();
        const auto compareAll = [&] {
            const auto maps = placesOf(analyse->findChildren<widgets::LayerMatrixView*>());
            QCOMPARE(maps.size(), std::size_t(4));
            QCOMPARE(maps, placesOf(analyse->findChildren<widgets::SpectrogramLane*>()));
        };
        compareAll();
        // A wide column beside it leaves two lanes less than two maps would like to have.
        const auto* middle = story.part<MatrixPanel>();
        for (auto* dock : analyse->findChildren<QDockWidget*>())
            if (dock->isVisible() && analyse->dockWidgetArea(dock) == Qt::RightDockWidgetArea) {
                analyse->resizeDocks({dock}, {900}, Qt::Horizontal);
                break;
            }
        QTRY_VERIFY2(middle->width() < 560, qPrintable(QString::number(middle->width())));
        compareAll();
    }

    /// It ran on to the field of the spectrogram, where T and C are letters.
    void theMapThatStaysTakesTheFocusOfTheOneThatGoes() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        auto* analyse = story.window().analyse();
        const auto focusOn = [&](bool lane) { // B's spectrogram, or B
            story.window().actions().compare->trigger();
            QVERIFY(story.quiet());
            QWidget* b = lane ? static_cast<QWidget*>(story.part<TimeColumn>()->twinLanes().front()) : story.part<ComparedMap>()->matrix();
            b->setFocus();
            QVERIFY(b->isVisible() && story.window().focusWidget() == b);
            story.window().actions().compare->trigger();
            QVERIFY(story.quiet());
            QVERIFY(!b->isVisible());
        };
        for (const bool lane : {false, true}) {
            focusOn(lane);
            QCOMPARE(story.window().focusWidget(), static_cast<QWidget*>(story.part<MatrixPanel>()->matrix()));
        }
        auto* other = analyse->findChild<widgets::SpectrogramLane*>();
        QVERIFY(other && other->isVisible());
        other->setFocus(); // of A: it stays
        story.window().actions().compare->trigger();
        QVERIFY(story.quiet());
        story.window().actions().compare->trigger();
        QVERIFY(story.quiet());
        QCOMPARE(story.window().focusWidget(), static_cast<QWidget*>(other));
    }

    /// “demo is analysing…” stood there for ever.
    void aTextBesideAModelOfRecordingsSaysSo() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.window().actions().compare->trigger();
        QVERIFY(story.quiet());
        story.window().actions().newText->trigger();
        QVERIFY(story.quiet());
        QVERIFY(story.session().currentUtterance()->isText);
        for (const auto* view : story.window().analyse()->findChildren<widgets::LayerMatrixView*>())
            QVERIFY2(view->emptySentence().contains(QStringLiteral("reads recordings, not text")), qPrintable(view->emptySentence()));
    }

    /// In a low window the map had its least height: neither could be dragged larger.
    void messagesBesidePlacesCanBeMadeLarger() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        resizeTo(story, {1280, 720});
        Workspace* analyse = story.window().analyse();
        auto *places = analyse->findChild<Dock*>(QStringLiteral("places")), *messages = analyse->findChild<Dock*>(QStringLiteral("messages"));
        places->show();
        analyse->showMessages();
        QCoreApplication::processEvents();
        const int before = messages->height();
        analyse->resizeDocks({messages}, {1000}, Qt::Vertical); // as far as the mouse comes
        QCoreApplication::processEvents();
        QVERIFY2(messages->height() >= before + 5 * widgets::Sizes::unit(),
                 qPrintable(QStringLiteral("%1 → %2").arg(before).arg(messages->height())));
    }

    void suggestedWindowsAreOneStepToUndo() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.window().actions().suggestedWindows->trigger();
        int full = 0;
        for (int layer = 1; layer <= 8; ++layer) {
            const auto& profile = story.result()->layer(layer)->profile;
            const auto window = windowFromStatistic(double(windowStatistic(profile)), 0);
            const bool stays = contributionLoss(profile, window) > kFullAboveLoss;
            QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, layer),
                     stays ? std::nullopt : std::optional<int>(int(window)));
            full += stays;
        }
        QVERIFY(full > 0 && full < 8);
        story.window().actions().undo->trigger();
        for (int layer = 1; layer <= 8; ++layer)
            QVERIFY(!story.session().drafts()->window({story.session().currentModelId()}, layer).has_value());
    }
};

HEADROOM_TEST(WindowStory)

} // namespace headroom::testing::window_test

#include "window_test.moc"
