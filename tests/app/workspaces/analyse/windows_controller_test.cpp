// SPDX-License-Identifier: GPL-3.0-or-later
// Suggested windows in ANALYSE: the table, the band on the map and the two actions say the same. The fake
// worker's layers look at their neighbours.
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/windows/windows_controller.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/window_band.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMainWindow>
#include <QTabWidget>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::windows_controller_test {

using namespace headroom::app;

namespace {

struct Desk {
    Workshop workshop;
    Session session;
    WorkerProcess worker{options()};
    AnalysisService analysis{&session, &worker};
    StudyEvidence evidence;
    widgets::TimeAxis axis;
    QObject owner;
    Actions actions{session.undoStack(), &owner};
    QMainWindow window;
    QTabWidget tabs;
    Comparison comparison{&session};
    MapController map{MapController::Parts{&session, &analysis, &worker, &actions, &axis, &window}};
    WindowsController windows{
        WindowsController::Parts{&session, &analysis, &actions, &evidence, &map, &comparison, &tabs}};

    static WorkerProcess::Options options() {
        WorkerProcess::Options made;
        made.program = QStringLiteral(HEADROOM_FAKE_WORKER);
        made.graceMilliseconds = 100;
        return made;
    }
    Desk() {
        window.setCentralWidget(map.panel());
        session.open({workshop.wav("a.wav", 3), workshop.model("m")});
        axis.setExtent(Seconds(3));
    }
    bool settle() {
        return QTest::qWaitFor(
            [&] {
                return !session.isReading() && !analysis.isBusy() && analysis.current() &&
                       analysis.current()->state == AnalysisResult::State::Ready && !map.isPending();
            },
            60000);
    }
    DraftKey draft() const { return {session.currentModelId(), 0}; }
    std::optional<int> windowOfLayer(int layer) { return session.drafts()->window(draft(), layer); }
    int steps() { return session.undoStack()->count(); }
    WindowsPanel* panel() { return tabs.findChild<WindowsPanel*>(); }
    widgets::WindowBand* band() { return map.panel()->findChild<widgets::WindowBand*>(); }
};

} // namespace

class WindowsControllerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theBandAndTheActionSayWhatTheTableSays() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        QVERIFY(desk.settle());
        QCOMPARE(desk.windows.suggestions().at(3), std::optional(3));
        QCOMPARE(desk.band()->suggestedWindow(), 3);
        desk.actions.suggestedWindow->trigger();
        QCOMPARE(desk.windowOfLayer(4), std::optional(3));
        QCOMPARE(desk.steps(), 1);
        desk.session.undoStack()->undo();
        desk.actions.suggestedWindows->trigger();
        QCOMPARE(desk.windowOfLayer(4), std::optional(3));
        QCOMPARE(desk.steps(), 1);
    }

    void aLayerThatTakesNoWindowHasNoSuggestion() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{4, 1, 4, QStringLiteral("conv 5/2")}},
                                             EditStep::New));
        QVERIFY(desk.settle());
        QVERIFY(!desk.windows.suggestions().at(3));
        QCOMPARE(desk.band()->suggestedWindow(), 0);
        const auto* table = desk.panel()->table()->windows();
        QCOMPARE(table->index(3, widgets::WindowsModel::Suggested).data().toString(), QStringLiteral("–"));
        desk.actions.suggestedWindow->trigger();
        QCOMPARE(desk.steps(), 1);
        desk.actions.suggestedWindows->trigger();
        QVERIFY(!desk.windowOfLayer(4));
        QCOMPARE(desk.windowOfLayer(5), std::optional(3));
    }

    void theSuggestionDoesNotDependOnWhatWasLookedAt() {
        Desk desk;
        QVERIFY(desk.settle());
        const UtteranceId first = desk.session.currentUtteranceId();
        desk.session.open({desk.workshop.wav("b.wav", 5), desk.workshop.wav("fragment.wav", 0.5)});
        QVERIFY(desk.settle());
        // Every open utterance but the fragment is read, without being clicked.
        const auto chosen = desk.analysis.utterancesForWindows(desk.session.currentModelId());
        QCOMPARE(chosen.size(), std::size_t(2));
        for (const UtteranceId id : chosen)
            QVERIFY(desk.analysis.profiles(id, desk.session.currentModelId()));
        const auto row = [&] { return desk.panel()->table()->windows()->rows().at(3); };
        const widgets::WindowsRow before = row();
        QCOMPARE(before.utterances.size(), std::size_t(2));
        QVERIFY(desk.panel()->findChild<QLabel*>(QStringLiteral("suggestedFrom"))->text() ==
                QStringLiteral("Over 2 open utterances of at least 1 s."));
        desk.session.setCurrentUtterance(first);
        QVERIFY(desk.settle());
        QCOMPARE(row().mean, before.mean);
        QCOMPARE(row().suggested, before.suggested);
        desk.analysis.setMemoryBound(0); // the maps go, the numbers stay
        QCOMPARE(row().suggested, before.suggested);
    }

    void nothingLongEnoughSuggestsNothingAndSaysSo() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.open({desk.workshop.wav("fragment.wav", 0.5)});
        QVERIFY(desk.settle());
        desk.session.closeUtterance(desk.session.utterances()->at(0).id);
        QVERIFY(desk.settle());
        QVERIFY(desk.windows.suggestions().empty());
        QCOMPARE(desk.band()->suggestedWindow(), 0);
        QVERIFY(desk.panel()->findChild<QLabel*>(QStringLiteral("suggestedFrom"))
                    ->text()
                    .contains(QStringLiteral("lasts 1 s or longer")));
        desk.actions.suggestedWindows->trigger();
        QCOMPARE(desk.steps(), 0);
    }

    void theLimitIsOneNumber() {
        Desk desk;
        desk.session.setCurrentLayer(1);
        QVERIFY(desk.settle());
        QDoubleSpinBox* field = desk.panel()->fullAboveField();
        QCOMPARE(field->value(), desk.session.fullAbove());
        // What layer 1 gives its neighbours is too little for Algorithm 1, and is lost.
        const widgets::WindowsRow row = desk.panel()->table()->windows()->rows().front();
        QVERIFY(row.suggested > 0);
        QVERIFY(row.suggestedLoss() > 0);
        QCOMPARE(desk.band()->suggestedWindow(), row.suggested);
        field->setValue(0);
        QCOMPARE(desk.session.fullAbove(), 0.0);
        QCOMPARE(desk.windows.suggestions().front(), std::optional(0));
        QCOMPARE(desk.band()->suggestedWindow(), 0);
        QCOMPARE(desk.band()->tag().lines.front().text, QStringLiteral("full, as suggested"));
        desk.session.setFullAbove(0.25); // DESIGN
        QCOMPARE(field->value(), 0.25);
        QCOMPARE(desk.band()->suggestedWindow(), row.suggested);
    }
};

HEADROOM_TEST(WindowsControllerTest)

} // namespace headroom::testing::windows_controller_test

#include "windows_controller_test.moc"
