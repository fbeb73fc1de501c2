// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of the changes that an ended program left, as RecoveryOffer asks, and of its session without a name.
#include "app/documents/files/session_file.h"
#include "app/documents/items/beyond_session.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/session.h"
#include "app/settings/app_settings.h"
#include "app/window/session_actions.h"

namespace headroom::app {

/// What was kept and is not opened now becomes a session of its own: autosaving the next one would overwrite it.
void SessionActions::setAside(bool restores, const QString& name) {
    std::vector<std::filesystem::path> moved;
    guarded([&] {
        moved = m_parts.autosave->setOthersAside(tr("Untitled"));
        if (!restores && m_parts.autosave->exists())
            moved.push_back(m_parts.autosave->setAside(name));
    });
    for (const std::filesystem::path& folder : moved) {
        m_parts.settings->addRecentSession(toQString(folder));
        m_parts.session->messages()->post(
            Severity::Info, tr("The unsaved session is now “%1”, under Recent sessions.").arg(toQString(folder.stem())),
            tr("Open"), [this, folder] { openSession(toQString(folder)); }, {toQString(normalised(folder)), kBeyondSession});
    }
}

void SessionActions::restoreChanges(const std::filesystem::path& file) {
    if (!mayReplace())
        return;
    const bool done = replacing([&] {
        const std::string ofSession = readRecovery(file).ofSession;
        m_parts.autosave->restoreChanges(file);
        m_ownHash = m_knownHash = ofSession; // a version that was saved later is not overwritten without a question
        Q_EMIT fileRemembered();
    });
    Q_EMIT recoveryDecided(done);
}

void SessionActions::discardLeftChanges(const std::filesystem::path& file) {
    Recovery::discard(file);
    Q_EMIT recoveryDecided(true);
}

} // namespace headroom::app
