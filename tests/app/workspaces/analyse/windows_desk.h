// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/windows/windows_controller.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/app/jobs/why_busy.h"
#include "tests/support/app_fixtures.h"

#include <QMainWindow>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing {

/// The tab Windows beside its map, with a recording of 3 s and a model of the fake worker.
struct WindowsDesk {
    Workshop workshop;
    app::Session session;
    app::WorkerProcess worker{fakeWorker()};
    app::AnalysisService analysis{&session, &worker};
    app::StudyEvidence evidence;
    widgets::TimeAxis axis;
    QObject owner;
    app::Actions actions{session.undoStack(), &owner};
    QMainWindow window;
    QTabWidget tabs;
    app::Comparison comparison{&session};
    app::MapController map{app::MapController::Parts{&session, &analysis, &worker, &actions, &axis, &window}};
    app::WindowsController windows{
        app::WindowsController::Parts{&session, &analysis, &actions, &evidence, &map, &comparison, &tabs}};

    WindowsDesk() {
        window.setCentralWidget(map.panel());
        session.open({workshop.wav("a.wav", 3), workshop.model("m")});
        axis.setExtent(Seconds(3));
    }
    bool settle() {
        const auto isReady = [&] { return analysis.current() && analysis.current()->state == app::AnalysisResult::State::Ready; };
        const bool isSettled =
            QTest::qWaitFor([&] { return !session.isReading() && !analysis.isBusy() && isReady() && !map.isPending(); }, 60000);
        if (!isSettled)
            sayWhyBusy(session, analysis, worker);
        return isSettled;
    }
    app::DraftKey draft() const { return {session.currentModelId(), 0}; }
    app::WindowsPanel* panel() { return tabs.findChild<app::WindowsPanel*>(); }
};

} // namespace headroom::testing
