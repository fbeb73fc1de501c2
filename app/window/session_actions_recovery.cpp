// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of changes that an ended program left, as RecoveryOffer asks.
#include "app/documents/files/session_file.h"
#include "app/documents/saving/autosave.h"
#include "app/window/session_actions.h"

namespace headroom::app {

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
