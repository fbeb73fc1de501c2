// SPDX-License-Identifier: GPL-3.0-or-later
// The window of a layer, by mouse and by keyboard: every number on the screen is that of core/analysis.
#include "app/documents/drafts.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/window/find_action.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "app/workspaces/analyse/sound/time_field.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "core/analysis/diagonality.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/spectrogram/spectrogram_lane.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QSet>
#include <QSignalSpy>
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

    /// Where the focus is can be seen at every stop of Tab.
    void everyTabStopShowsTheFocus() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const QString bad = story.path(QStringLiteral("bad.wav"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no sound") > 0);
        file.close();
        story.open({bad});
        story.quiet();
        story.session().setCurrentUtterance(story.session().utterances()->at(1).id);
        QVERIFY(story.quiet());
        QVERIFY(QTest::qWaitForWindowActive(&story.window()));
        QStringList unseen;
        QSet<QWidget*> seen;
        for (int stop = 0; stop < 150; ++stop) {
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &story.window(), Qt::Key_Tab);
            QWidget* at = QApplication::focusWidget();
            if (!at || seen.contains(at))
                break;
            seen << at;
            const QImage with = story.window().grab().toImage();
            at->clearFocus();
            const QImage without = story.window().grab().toImage();
            at->setFocus(Qt::TabFocusReason);
            if (with == without)
                unseen << QString::fromLatin1(at->metaObject()->className()) + u' ' + at->objectName() + u' ' + at->accessibleName();
        }
        QVERIFY2(seen.size() > 15, qPrintable(QString::number(seen.size())));
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(u'\n')));
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

    void aPartOfTheSoundIsSelectedWithTheKeyboard() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        story.part<MatrixPanel>()->matrix()->setFocus();
        axis->setCursor(Seconds(0.5));
        story.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier); // words begin every half second
        QVERIFY(axis->selection());
        QCOMPARE(axis->selection()->start.value(), 0.5);
        QCOMPARE(axis->selection()->end.value(), 1.0);
        QCOMPARE(axis->cursor()->value(), 1.0);
        QVERIFY(story.window().actions().fitSelection->isEnabled());
        QVERIFY(story.window().actions().analyseSelection->isEnabled());
        story.key(Qt::Key_Right, Qt::ShiftModifier);
        const double token = axis->selection()->end.value();
        QVERIFY(token > 1.0 && token < 1.1);
        QCOMPARE(axis->selection()->start.value(), 0.5);
        story.key(Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(axis->selection()->end.value() < token);
        story.key(Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(axis->selection()->start.value(), 0.5);
        QCOMPARE(axis->selection()->end.value(), axis->extent().value());
        story.key(Qt::Key_Home, Qt::ShiftModifier); // across where it began
        QCOMPARE(axis->selection()->start.value(), 0.0);
        QCOMPARE(axis->selection()->end.value(), 0.5);
        // One that the mouse made goes on from the end at which the cursor stands.
        axis->setSelection(widgets::TimeSpan{Seconds(1), Seconds(2)});
        axis->setCursor(Seconds(1));
        story.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(axis->selection()->start.value(), 0.5);
        QCOMPARE(axis->selection()->end.value(), 2.0);
        // Back to where it began there is nothing selected.
        axis->setSelection(std::nullopt);
        axis->setCursor(Seconds(0.5));
        story.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        story.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!axis->selection());
    }

    void aTimeIsTypedWithoutTheMouse() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        QWidget* matrix = story.part<MatrixPanel>()->matrix();
        matrix->setFocus();
        story.key(Qt::Key_G, Qt::ControlModifier);
        auto* field = qobject_cast<TimeField*>(QApplication::focusWidget());
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("1.25"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(axis->cursor()->value(), 1.25);
        QCOMPARE(QApplication::focusWidget(), matrix); // and goes on there
        story.key(Qt::Key_G, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(axis->cursor()->value(), 1.25);
        QCOMPARE(QApplication::focusWidget(), matrix);
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

    /// The keys of the workspace are not taken from a list that is open, and Return chooses in it.
    void returnChoosesInAnOpenList() {
        Story story;
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
            QComboBox field;
            field.addItems({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
            QSignalSpy chosen(&field, &QComboBox::activated);
            field.show();
            QVERIFY(QTest::qWaitForWindowExposed(&field));
            field.showPopup();
            QTRY_COMPARE_WITH_TIMEOUT(QApplication::activePopupWidget(), field.view()->window(), 60000);
            QTest::keyClick(field.view(), Qt::Key_End);
            QCOMPARE(field.view()->currentIndex().row(), 2);
            QTest::keyClick(field.view(), key, key == Qt::Key_Enter ? Qt::KeypadModifier : Qt::NoModifier);
            QCOMPARE(chosen.size(), 1);
            QCOMPARE(field.currentIndex(), 2);
            QVERIFY(!QApplication::activePopupWidget());
        }
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

    void everythingWithoutAMouse() {
        Story story;
        // Ctrl+O, with what the dialogue would answer.
        story.answers().audio = {story.utterance("one")};
        story.answers().folder = Story::model();
        story.key(Qt::Key_O, Qt::ControlModifier);
        story.key(Qt::Key_M, Qt::ControlModifier);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.answers().asked, 2);
        QVERIFY(story.result());
        AnalyseWorkspace* analyse = story.window().analyse();
        story.part<MatrixPanel>()->matrix()->setFocus();
        story.key(Qt::Key_PageDown);
        story.key(Qt::Key_PageDown);
        QCOMPARE(story.session().currentLayer(), 3);
        story.key(Qt::Key_PageUp);
        QCOMPARE(story.session().currentLayer(), 2);
        story.key(Qt::Key_Home);
        const Seconds first = *analyse->axis()->cursor();
        story.key(Qt::Key_Right);
        QVERIFY(std::abs((*analyse->axis()->cursor() - first).value() - 0.04) < 1e-9);
        story.key(Qt::Key_Right, Qt::ControlModifier);
        // The next word starts at 0.5 s; a map's cursor stands on a token's centre, at most half a step away.
        QVERIFY(std::abs(analyse->axis()->cursor()->value() - 0.5) <= 0.0201);
        story.key(Qt::Key_End);
        QVERIFY(analyse->axis()->cursor()->value() > 2.9);
        const bool hidden = story.part<MatrixPanel>()->matrix()->hideDiagonal();
        story.key(Qt::Key_D);
        QCOMPARE(story.part<MatrixPanel>()->matrix()->hideDiagonal(), !hidden);
        analyse->axis()->zoom(4, Seconds(1));
        story.key(Qt::Key_F);
        QCOMPARE(analyse->axis()->visible().length(), analyse->axis()->extent());
        // W, then the band's own keys.
        story.key(Qt::Key_W);
        QVERIFY(story.part<MatrixPanel>()->matrix()->band()->hasFocus());
        story.key(Qt::Key_Home);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 2), std::optional<int>(1));
        story.key(Qt::Key_Up);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 2), std::optional<int>(3));
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(story.session().drafts()->window({story.session().currentModelId()}, 2) != std::optional<int>(3));
        // Ctrl+K finds what no key leads to.
        story.key(Qt::Key_K, Qt::ControlModifier);
        FindAction* find = story.window().toolBar()->findField();
        QVERIFY(find->hasFocus());
        QTest::keyClicks(find, QStringLiteral("theme dark"));
        QCOMPARE(find->matchCount(), 1);
        // What matches nothing is said; an empty list looks broken.
        find->selectAll();
        QTest::keyClicks(find, QStringLiteral("qqq"));
        QCOMPARE(find->matchCount(), 0);
        QVERIFY(find->isListOpen());
        find->selectAll();
        QTest::keyClicks(find, QStringLiteral("theme dark"));
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(widgets::Theme::current().isDark);
    }

    /// A panel that is closed, behind another one, or in another workspace is found by its name.
    void panelsAreFoundByTheirNames() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        FindAction* find = story.window().toolBar()->findField();
        const auto choose = [find](const QString& words) {
            find->setFocus(Qt::ShortcutFocusReason);
            find->selectAll();
            QTest::keyClicks(find, words);
            QTest::keyClick(find, Qt::Key_Return);
        };
        auto* checks = story.part<QDockWidget>("checks");
        for (const bool closed : {true, false, false}) { // shown twice: it is not a switch
            checks->setHidden(closed);
            choose(QStringLiteral("window checks"));
            QTRY_VERIFY(checks->isVisible() && !checks->visibleRegion().isEmpty());
        }
        auto* messages = story.part<QDockWidget>("messages");
        auto* places = story.part<QDockWidget>("places");
        places->show();
        messages->show();
        places->raise();
        choose(QStringLiteral("window messages"));
        QTRY_VERIFY(!messages->widget()->visibleRegion().isEmpty());
        find->setFocus(Qt::ShortcutFocusReason);
        QTest::keyClicks(find,
                         QStringLiteral("window messages")); // each workspace has this panel: one is enough
        QCOMPARE(find->matchCount(), 1);
        find->selectAll();
        QTest::keyClicks(find, QStringLiteral("window queue"));
        QCOMPARE(find->matchCount(), 1);
        const auto* queue = story.window().findChild<QDockWidget*>(QStringLiteral("queue"));
        QVERIFY(queue && !queue->isVisible());
        QTest::keyClick(find, Qt::Key_Return);
        QTRY_VERIFY(queue->isVisible() && !queue->visibleRegion().isEmpty());
        QCOMPARE(story.window().current()->objectName(), QStringLiteral("train"));
    }
};

HEADROOM_TEST(WindowStory)

} // namespace headroom::testing::window_test

#include "window_test.moc"
