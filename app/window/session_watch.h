// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QTimer>
#include <QWidget>

namespace headroom::app {

class Banner;
class Session;
class SessionActions;

/// Says over the workspaces that another window saved the session that is open here, as soon as that happens, and
/// offers to reload it or to keep this one. Shown only then. Window's thread.
class SessionWatch : public QWidget {
    Q_OBJECT

public:
    /// Both borrowed.
    SessionWatch(Session* session, SessionActions* actions, QWidget* parent);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void follow();
    void look();

    Session* m_session;
    SessionActions* m_actions;
    Banner* m_banner;
    QFileSystemWatcher m_files;
    QTimer m_soon;
    bool m_said = false; ///< of this change
};

} // namespace headroom::app
