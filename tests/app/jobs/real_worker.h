// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::testing {

/// The headroom-worker that was built with the tests, or that HEADROOM_WORKER names; empty: there is none.
inline QString realWorker() {
#ifdef HEADROOM_REAL_WORKER
    return QStringLiteral(HEADROOM_REAL_WORKER);
#else
    return qEnvironmentVariable("HEADROOM_WORKER");
#endif
}

} // namespace headroom::testing
