// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"

#include <QtDebug>

namespace headroom::testing {

/// Says what a service was doing that did not come to rest, and how its worker was.
inline void sayWhyBusy(const app::Session& session, const app::AnalysisService& analysis, const app::WorkerProcess& worker) {
    const app::AnalysisResult* current = analysis.current();
    qWarning() << "reading" << session.isReading() << "busy" << analysis.isBusy() << analysis.progress().text << "worker"
               << static_cast<int>(worker.state()) << worker.sentence() << worker.logTail() << "current"
               << (current ? static_cast<int>(current->state) : -1) << (current ? current->sentence : QString());
    for (int row = 0; row < session.models()->count(); ++row)
        qWarning() << "model" << static_cast<int>(session.models()->at(row).state) << session.models()->at(row).sentence;
}

} // namespace headroom::testing
