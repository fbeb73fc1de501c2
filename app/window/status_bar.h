// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"

#include <QElapsedTimer>
#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace headroom::app {

class Actions;
class Messages;

/// The line at the bottom: what is shown, how far the work is (nothing under 100 ms, a bar with Cancel above
/// a second), and how many messages there are. Window's thread.
class StatusBar : public QStatusBar {
    Q_OBJECT

public:
    StatusBar(const Actions& actions, Messages* messages, QWidget* parent);
    void say(const QString& whatIsShown);
    QString said() const { return m_said; }
    void showProgress(const AnalysisService::Progress& progress, bool isBusy);

Q_SIGNALS:
    void messagesRequested();

private:
    void updateProgress();
    void updateMessages();
    Messages* m_messages;
    QLabel* m_text;
    QLabel* m_progressText;
    QProgressBar* m_bar;
    QToolButton *m_cancel, *m_messagesButton;
    AnalysisService::Progress m_progress;
    bool m_busy = false;
    QElapsedTimer m_since;
    QTimer m_delay;
    QString m_said;
};

} // namespace headroom::app
