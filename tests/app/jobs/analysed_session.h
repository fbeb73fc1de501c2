// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/app/jobs/why_busy.h"
#include "tests/support/app_fixtures.h"

#include <QFile>
#include <QTest>

namespace headroom::testing {

/// A session, a fake worker and the service between them.
class AnalysedSession {
protected:
    using AnalysisResult = app::AnalysisResult;
    void begin(QStringList arguments = {}) {
        m_workshop = std::make_unique<Workshop>();
        m_log = m_workshop->path() / "log";
        arguments << QStringLiteral("--log") << app::toQString(m_log) << QStringLiteral("--once")
                  << app::toQString(m_workshop->path() / "once");
        if (arguments.contains(QStringLiteral("always"))) {
            arguments.removeAll(QStringLiteral("always"));
            arguments.removeLast();
            arguments.removeLast();
        }
        m_session = std::make_unique<app::Session>();
        m_worker = std::make_unique<app::WorkerProcess>(fakeWorker(arguments));
        m_service = std::make_unique<app::AnalysisService>(m_session.get(), m_worker.get());
    }
    void open(const std::vector<std::filesystem::path>& paths) { m_session->open(paths); }
    bool settle() {
        const bool isSettled = QTest::qWaitFor([&] { return !m_session->isReading() && !m_service->isBusy(); }, 60000);
        if (!isSettled)
            sayWhyBusy(*m_session, *m_service, *m_worker);
        return isSettled;
    }
    AnalysisResult::State state() const {
        return m_service->current() ? m_service->current()->state : AnalysisResult::State::Waiting;
    }
    QStringList log() const {
        QFile file(app::toQString(m_log));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))
                                              : QStringList();
    }
    int asked(const QString& what) const { return static_cast<int>(log().filter(what).size()); }

    void closeAll() {
        m_service.reset();
        m_worker.reset();
        m_session.reset();
        m_workshop.reset();
    }

    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<app::Session> m_session;
    std::unique_ptr<app::WorkerProcess> m_worker;
    std::unique_ptr<app::AnalysisService> m_service;
    std::filesystem::path m_log;
};

} // namespace headroom::testing
