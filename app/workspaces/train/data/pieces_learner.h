// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/pieces_options.h"

#include <nlohmann/json_fwd.hpp>
#include <QObject>
#include <QProcess>

namespace headroom::app {

/// Runs `headroom-worker corpus pieces` and reads its report. One at a time. Window's thread.
class PiecesLearner : public QObject {
    Q_OBJECT

public:
    explicit PiecesLearner(QObject* parent = nullptr);
    ~PiecesLearner() override; ///< ends it

    void start(const PiecesOptions& options);
    void cancel(); ///< says nothing more
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

Q_SIGNALS:
    void finished(const nlohmann::json& report); ///< as `corpus pieces --json` prints it
    void failed(const QString& sentence);

private:
    void end(int status, QProcess::ExitStatus how);

    QProcess m_process;
    bool m_cancelled = false;
};

} // namespace headroom::app
