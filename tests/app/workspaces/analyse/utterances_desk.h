// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "tests/support/app_fixtures.h"

#include <QAction>

namespace headroom::testing {

/// The list of utterances of a session that has nothing open yet.
struct UtterancesDesk {
    Workshop workshop;
    app::Session session;
    QAction open{QStringLiteral("Open audio…")};
    app::UtterancePanel panel{session.utterances(), &open};
};

} // namespace headroom::testing
