// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/paths.h"
#include "app/studies/latency_measurements.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/design/design_workspace.h"
#include "tests/support/environment.h"

#include <QFile>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

namespace headroom::testing {

/// Design with measurements of latency, whose worker is a shell script that writes no result.
struct MeasuringDesk {
    explicit MeasuringDesk(const char* commands = "") : m_commands(commands) {}

private:
    QByteArray writtenScript() const {
        const QString script = folder.filePath(QStringLiteral("worker"));
        std::ofstream(script.toStdString()) << "#!/bin/sh\n" << m_commands;
        QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return script.toUtf8();
    }
    const char* m_commands;

public:
    const QTemporaryDir folder;
    const std::filesystem::path studies = app::toPath(folder.path()) / "studies";

private:
    const ChangedVariable m_worker{"HEADROOM_WORKER", writtenScript()};

public:
    app::Session session;
    app::WorkerProcess worker{{}};
    app::AnalysisService analysis{&session, &worker};
    app::StudyEvidence evidence;
    app::StudyStore store{studies, &evidence};
    app::LatencyMeasurements latency{&store};
    const app::Actions actions{session.undoStack(), nullptr};
    app::DesignWorkspace design{{&session, &analysis, &evidence, session.drafts(), &actions, {}, {}, &latency}};
};

} // namespace headroom::testing
