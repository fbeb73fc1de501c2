// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"
#include "app/workspaces/design/design_workspace.h"

namespace headroom::testing {

/// The workspace on architectures alone: no worker, no utterance.
struct DesignDesk {
    app::Session session;
    app::WorkerProcess worker{{}};
    app::AnalysisService analysis{&session, &worker};
    app::StudyEvidence evidence;
    const app::Actions actions{session.undoStack(), nullptr};
    app::DesignWorkspace design{{&session, &analysis, &evidence, session.drafts(), &actions, {}, {}}};
};

} // namespace headroom::testing
