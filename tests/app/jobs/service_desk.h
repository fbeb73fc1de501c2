// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/worker_process.h"
#include "tests/support/app_fixtures.h"

#include <QTest>

namespace headroom::testing {

/// A session and its service, with a worker that is not there.
struct ServiceDesk {
    Workshop workshop;
    app::Session session;
    app::WorkerProcess worker{[] {
        app::WorkerProcess::Options options;
        options.program = QStringLiteral("/nowhere/headroom-worker");
        return options;
    }()};
    app::AnalysisService service{&session, &worker};
    bool settle() {
        return QTest::qWaitFor([this] { return !session.isReading() && !service.isBusy(); }, 60000);
    }
};

} // namespace headroom::testing
