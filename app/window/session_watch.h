// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/banner_strip.h"

#include <QFileSystemWatcher>
#include <QTimer>

namespace headroom::app {

class Session;
class SessionActions;

/// Says over the workspaces that the session on the disk is not the one that is open here: another window saved it, as soon as that
/// happens, or this one did after the changes that it restored. Offers to reload it or to keep this one. Shown only then. Window's thread.
class SessionWatch : public BannerStrip {
    Q_OBJECT

public:
    /// Both borrowed.
    SessionWatch(Session* session, SessionActions* actions, QWidget* parent);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void dismissed() override;

private:
    void follow();
    void look();

    Session* m_session;
    SessionActions* m_actions;
    QFileSystemWatcher m_files;
    QTimer m_soon;
    bool m_said = false; ///< of this change
    QString m_what;      ///< was said, without the buttons
};

} // namespace headroom::app
