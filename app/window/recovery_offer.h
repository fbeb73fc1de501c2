// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/session_file.h"
#include "app/window/banner_strip.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace headroom::app {

class Autosave;
class Session;
class SessionActions;

/// Says over the workspaces that Headroom ended unexpectedly while the session that is open here had unsaved changes, what they are,
/// and offers to restore or to discard them. Several windows may have ended that way: their versions are offered one after another, newest first.
/// Shown only then. Window's thread.
class RecoveryOffer : public BannerStrip {
    Q_OBJECT

public:
    /// All borrowed.
    RecoveryOffer(Session* session, SessionActions* actions, const Autosave* autosave, QWidget* parent);

protected:
    void dismissed() override;

private:
    struct Offered {
        std::filesystem::path file;
        SessionDocument saved;
        KeptChanges left;
        bool savedSince = false;
        bool isAnother = false; ///< after one that was just restored or discarded
        QString problem;        ///< why it cannot be restored
    };
    void look(bool decided); ///< `decided`: about a version before this one
    void read();
    std::function<void()> restoring() const; ///< null: it cannot be restored
    QString reason() const; ///< after the first sentence
    void say();

    Session* m_session;
    SessionActions* m_actions;
    const Autosave* m_autosave;
    std::optional<Offered> m_offered;
};

} // namespace headroom::app
