// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <filesystem>

namespace headroom::app {

class Autosave;
class Banner;
class Session;
class SessionActions;

/// Says over the workspaces that Headroom ended unexpectedly while the session that is open here had unsaved changes, and offers
/// to restore or to discard them. Shown only then. Window's thread.
class RecoveryOffer : public QWidget {
    Q_OBJECT

public:
    /// All borrowed.
    RecoveryOffer(Session* session, SessionActions* actions, const Autosave* autosave, QWidget* parent);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void look();
    void offer(const std::filesystem::path& file);

    Session* m_session;
    SessionActions* m_actions;
    const Autosave* m_autosave;
    Banner* m_banner;
};

} // namespace headroom::app
