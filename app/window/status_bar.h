// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_service.h"

#include <QElapsedTimer>
#include <QStatusBar>
#include <QTimer>

#include <functional>

class QAction;
class QLabel;
class QProgressBar;
class QToolButton;
class QUndoCommand;
class QUndoStack;

namespace headroom::app {

class Actions;
class Messages;
struct Message;

/// The line at the bottom: what is shown, how far the work is (nothing under 100 ms, a bar with Cancel above
/// a second), and how many messages there are. A message that offers something, "Saved …" or "Removed …", stands there for some
/// seconds with its button, so that nothing opens for it. Window's thread.
class StatusBar : public QStatusBar {
    Q_OBJECT

public:
    StatusBar(const Actions& actions, Messages* messages, QWidget* parent);
    void say(const QString& whatIsShown);
    QString said() const { return m_said; }
    void showProgress(const AnalysisService::Progress& progress, bool isBusy);
    /// Says of each Undo and Redo what it changed, with the way back. `whereUnseen`: what the step belongs to, "the draft of demo";
    /// empty where it is on the screen and nothing needs to be said.
    void followUndo(QUndoStack* stack, std::function<QString(const QUndoCommand&)> whereUnseen);

Q_SIGNALS:
    void messagesRequested();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void updateProgress();
    void updateMessages();
    void notice(const Message& message);
    void offer(const QString& sentence, const QString& actionText, std::function<void()> action);
    void endNotice();
    const Actions& m_actions;
    Messages* m_messages;
    QLabel* m_text;
    QLabel* m_progressText;
    QProgressBar* m_bar;
    QToolButton *m_cancel, *m_messagesButton, *m_offer;
    AnalysisService::Progress m_progress;
    bool m_busy = false;
    QElapsedTimer m_since;
    QTimer m_delay, m_noticed;
    QString m_said;
    std::function<void()> m_offered; ///< what the notice's button does
};

} // namespace headroom::app
