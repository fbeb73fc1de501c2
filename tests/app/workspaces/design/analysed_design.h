// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/design/design_workspace.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/support/app_fixtures.h"

#include <QTest>

namespace headroom::testing {

/// The workspace with a session, an utterance and a fake worker whose layers all look at their neighbours.
class AnalysedDesign {
protected:
    void begin() {
        m_workshop = std::make_unique<Workshop>();
        m_session = std::make_unique<app::Session>();
        m_worker = std::make_unique<app::WorkerProcess>(fakeWorker());
        m_analysis = std::make_unique<app::AnalysisService>(m_session.get(), m_worker.get());
        m_actions = std::make_unique<app::Actions>(m_session->undoStack(), nullptr);
        m_design = std::make_unique<app::DesignWorkspace>(
            app::DesignWorkspace::Parts{m_session.get(), m_analysis.get(), &m_evidence, m_session->drafts(), m_actions.get(), {}, {}});
        m_design->resize(1600, 900);
        m_design->show();
    }
    void closeAll() {
        m_design.reset();
        m_actions.reset();
        m_analysis.reset();
        m_worker.reset();
        m_session.reset();
    }
    void openBoth() {
        m_session->open({m_workshop->wav("a.wav", 3), m_workshop->model("m")});
        QVERIFY(QTest::qWaitFor(
            [&] {
                return !m_session->isReading() && !m_analysis->isBusy() && m_analysis->current() &&
                       m_analysis->current()->state == app::AnalysisResult::State::Ready && !m_design->isPending();
            },
            60000));
        QCoreApplication::processEvents();
    }
    void showPreset(const char* file) {
        const auto architecture = readArchitecture(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/architectures" / file);
        m_design->drafts()->setCurrent(m_design->drafts()->newDocument(architecture, QString::fromLatin1(file)));
    }
    QString heads(int layer) const {
        return QString::fromStdString(
            toText(m_design->drafts()->grid(m_design->drafts()->current()).layer(layer).heads));
    }

    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<app::Session> m_session;
    std::unique_ptr<app::WorkerProcess> m_worker;
    std::unique_ptr<app::AnalysisService> m_analysis;
    app::StudyEvidence m_evidence;
    std::unique_ptr<app::Actions> m_actions;
    std::unique_ptr<app::DesignWorkspace> m_design;
};

} // namespace headroom::testing
