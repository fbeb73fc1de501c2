// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_watch.h"

#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/banner.h"
#include "app/window/session_actions.h"

#include <QEvent>
#include <QPushButton>

namespace headroom::app {

namespace {
constexpr int kSettles = 200; ///< ms: a save writes several files
const QString kCause = QStringLiteral("session saved elsewhere");
} // namespace

SessionWatch::SessionWatch(Session* session, SessionActions* actions, QWidget* parent)
    : BannerStrip(parent)
    , m_session(session)
    , m_actions(actions) {
    parent->installEventFilter(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettles);
    connect(&m_soon, &QTimer::timeout, this, &SessionWatch::look);
    connect(&m_files, &QFileSystemWatcher::directoryChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(session, &Session::nameChanged, this, &SessionWatch::follow);
    connect(actions, &SessionActions::fileRemembered, this, &SessionWatch::follow);
    follow();
}

/// A save replaces session.json, so its folder is watched: a watched file that is replaced is not watched any more.
void SessionWatch::follow() {
    hide();
    m_said = false;
    m_session->messages()->settle(kCause);
    if (const QStringList watched = m_files.directories(); !watched.isEmpty())
        m_files.removePaths(watched);
    if (const std::filesystem::path folder = m_session->folder(); !folder.empty())
        m_files.addPath(toQString(folder));
}

void SessionWatch::look() {
    if (!m_actions->changedOnDisk()) {
        hide();
        m_session->messages()->settle(kCause);
        m_said = false;
        return;
    }
    if (m_said)
        return;
    m_said = true;
    const bool here = m_actions->changedHere();
    m_what = (here ? tr("This window saved the session “%1” after the restored changes were made.") : tr("Another window saved the session “%1”."))
                 .arg(m_session->name());
    const QString more = here ? tr("Reload discards them. After Keep mine, your next save replaces what was saved.")
                         : m_session->isModified()
                             ? tr("This window still has your own changes. Reload discards them. After Keep mine, your next save replaces the "
                                  "other window's version.")
                             : tr("This window still shows the earlier version. After Keep mine, your next save replaces the other window's version.");
    banner()->say(Banner::Kind::Warning, m_what, more);
    connect(banner()->addButton(tr("Reload"), QStringLiteral("refresh")), &QPushButton::clicked, m_actions, &SessionActions::reload);
    connect(banner()->addButton(tr("Keep mine")), &QPushButton::clicked, m_actions, &SessionActions::keepMine);
    show();
}

void SessionWatch::dismissed() {
    m_session->messages()->post(Severity::Warning, m_what + QLatin1Char(' ') + tr("Headroom asks before your next save replaces that version."), tr("Reload"),
                                [actions = m_actions] { actions->reload(); }, {kCause}); // Keep mine is not offered there
}

/// Some file systems do not tell of changes: whoever comes back to the window is told.
bool SessionWatch::eventFilter(QObject* object, QEvent* event) {
    if (object == window() && event->type() == QEvent::WindowActivate)
        m_soon.start();
    return BannerStrip::eventFilter(object, event);
}

} // namespace headroom::app
