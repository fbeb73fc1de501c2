// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QTest>

namespace headroom::testing {

/// Until every recording that was opened is read.
inline bool waitUntilRead(const app::Session& session) {
    return QTest::qWaitFor([&] { return !session.isReading(); }, 60000);
}

} // namespace headroom::testing
