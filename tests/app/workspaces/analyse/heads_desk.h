// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alignments/alignment_store.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/heads/heads_controller.h"
#include "app/workspaces/analyse/phones/phones_controller.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/app/jobs/why_busy.h"
#include "tests/support/app_fixtures.h"

#include <QTabWidget>
#include <QTest>

namespace headroom::testing {

/// The tabs of heads and phones, and the fake worker behind them.
struct HeadsDesk {
    Workshop workshop;
    app::Session session;
    app::WorkerProcess worker{fakeWorker()};
    app::AnalysisService analysis{&session, &worker};
    app::StudyEvidence evidence;
    app::AlignmentStore alignments{&session};
    widgets::TimeAxis axis;
    QTabWidget tabs;
    app::HeadsController heads{{&session, &analysis, &evidence, &tabs, &alignments}};
    app::PhonesController phones{{&session, &analysis, &evidence, &axis, heads.live(), &tabs, &alignments}};

    HeadsDesk() {
        tabs.resize(540, 480);
        tabs.show();
    }
    /// A recording of 0.5 s and a model.
    void open() {
        session.open({workshop.wav("one.wav", 0.5), workshop.model("small")});
        axis.setExtent(Seconds(0.5));
    }
    bool isIdle() { return !session.isReading() && !analysis.isBusy() && !heads.isPending() && !phones.isPending(); }
    bool settle() {
        const bool isSettled = QTest::qWaitFor([&] { return isIdle(); }, 60000);
        if (!isSettled)
            sayWhyBusy(session, analysis, worker);
        return isSettled;
    }
    template <typename Panel>
    Panel* part() {
        return tabs.findChild<Panel*>();
    }
    void front(QWidget* panel) { tabs.setCurrentWidget(panel); }
};

} // namespace headroom::testing
