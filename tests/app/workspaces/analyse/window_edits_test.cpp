// SPDX-License-Identifier: GPL-3.0-or-later
// Windows that are drawn, typed or suggested in ANALYSE, on their way into the draft. No worker reads the
// model: an edit needs its architecture only.
#include "app/parts/actions.h"
#include "app/parts/checks_panel.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QSignalSpy>
#include <QProgressBar>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::window_edits_test {

using namespace headroom::app;

namespace {

struct Desk {
    Workshop workshop;
    Session session;
    WorkerProcess worker{options()};
    AnalysisService analysis{&session, &worker};
    widgets::TimeAxis axis;
    QObject owner;
    Actions actions{session.undoStack(), &owner};
    MatrixPanel matrix{&axis, actions};
    LayersPanel layers{actions};
    ChecksPanel checks;
    ReadOutPanel readOut;
    MapPresenter presenter{&session, &analysis, &axis,
                           MapPresenter::Views{&matrix, &layers, &checks, &readOut}};

    static WorkerProcess::Options options() {
        WorkerProcess::Options made;
        made.program = QStringLiteral("/nonexistent/headroom-worker");
        return made;
    }
    Desk() {
        const ModelId id = session.openModel(workshop.model("m"));
        session.setModelOpened(id, Workshop::info(12));
        session.setCurrentModel(id);
        presenter.refresh();
    }
    int steps() { return session.undoStack()->count(); }
};

} // namespace

class WindowEditsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void anEditThatChangesNothingLeavesNoStep() {
        Desk desk;
        desk.presenter.applyToLayers(0, 1, 12); // all are full
        QCOMPARE(desk.steps(), 0);
        desk.presenter.applyWindows(std::vector<std::optional<int>>(12, std::nullopt));
        QCOMPARE(desk.steps(), 0);
        desk.presenter.applyToLayers(17, 1, 12);
        QCOMPARE(desk.steps(), 1);
        desk.presenter.applyToLayers(17, 3, 5);
        QCOMPARE(desk.steps(), 1);
        QVERIFY(desk.session.undoStack()->undoText().contains(QStringLiteral("17")));
    }

    /// The window grew beyond the screen while an utterance with a long name was analysed.
    void aLongSentenceOfProgressDoesNotWidenTheWindow() {
        Desk desk;
        desk.layers.show();
        AnalysisService::Progress progress;
        progress.text = QStringLiteral("Analysing 1688-142285-0003-with-a-long-name for the suggested windows");
        progress.done = 1;
        progress.total = 8;
        desk.layers.showProgress(progress);
        const auto* bar = desk.layers.findChild<QProgressBar*>();
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
        QVERIFY2(desk.layers.minimumSizeHint().width() < 370, // as narrow as the tabs below it may be
                 qPrintable(QString::number(desk.layers.minimumSizeHint().width())));
    }

    void allLayersAreRefreshedOnce() {
        Desk desk;
        QSignalSpy refreshed(&desk.presenter, &MapPresenter::refreshed);
        desk.presenter.applyToLayers(17, 1, 12);
        QCOMPARE(refreshed.count(), 1);
        desk.session.undoStack()->undo();
        QCOMPARE(refreshed.count(), 2);
        desk.session.undoStack()->redo();
        QCOMPARE(refreshed.count(), 3);
    }

    void oneLayerIsRefreshedOnce() {
        Desk desk;
        QSignalSpy refreshed(&desk.presenter, &MapPresenter::refreshed);
        desk.presenter.applyToLayers(17, 4, 4);
        QCOMPARE(refreshed.count(), 1);
        desk.presenter.applyFull(); // layer 1 is full: the fields are put right all the same
        QCOMPARE(refreshed.count(), 2);
        QCOMPARE(desk.steps(), 1);
    }
};

HEADROOM_TEST(WindowEditsTest)

} // namespace headroom::testing::window_edits_test

#include "window_edits_test.moc"
