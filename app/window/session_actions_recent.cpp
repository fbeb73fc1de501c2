// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/session_file.h"
#include "app/documents/items/paths.h"
#include "app/parts/access_keys.h"
#include "app/settings/app_settings.h"
#include "app/window/session_actions.h"

#include <QDateTime>
#include <QFileInfo>
#include <QMenu>

namespace headroom::app {

namespace {

/// "1 utterance, 2 models", counted from the session's own file; empty where it cannot be read.
QString summaryOf(const QString& folder) {
    try {
        const SessionDocument document = readSession(toPath(folder));
        const auto utterances = document.utterances.size(), models = document.models.size();
        return SessionActions::tr("%1, %2").arg(
            utterances == 1 ? SessionActions::tr("1 utterance") : SessionActions::tr("%1 utterances").arg(utterances),
            models == 1 ? SessionActions::tr("1 model") : SessionActions::tr("%1 models").arg(models));
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace

std::vector<RecentSession> SessionActions::recent() const {
    std::vector<RecentSession> sessions;
    for (const QString& folder : m_parts.settings->recentSessions())
        sessions.push_back({folder, QFileInfo(folder).fileName(), summaryOf(folder),
                            QFileInfo(folder + QLatin1Char('/') + QLatin1String(kSessionFileName)).lastModified()});
    return sessions;
}

void SessionActions::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& folder : m_parts.settings->recentSessions()) {
        QAction* action = menu->addAction(asActionText(QFileInfo(folder).fileName()));
        action->setToolTip(folder);
        connect(action, &QAction::triggered, this, [this, folder] { openSession(folder); });
    }
    if (menu->isEmpty())
        menu->addAction(tr("None"))->setEnabled(false);
    else {
        menu->addSeparator();
        connect(menu->addAction(tr("Clear the list")), &QAction::triggered, m_parts.settings, &AppSettings::clearRecentSessions);
    }
}

} // namespace headroom::app
