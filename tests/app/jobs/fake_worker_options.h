// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_process.h"

namespace headroom::testing {

/// The fake worker (tests/support/fake_worker.cpp), which a test does not wait for long.
inline app::WorkerProcess::Options fakeWorker(const QStringList& arguments = {}) {
    app::WorkerProcess::Options options;
    options.program = QStringLiteral(HEADROOM_FAKE_WORKER);
    options.arguments = arguments;
    options.graceMilliseconds = 100;
    return options;
}

} // namespace headroom::testing
