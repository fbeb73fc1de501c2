// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_watch.h"

#include "app/documents/paths.h"
#include "app/documents/session.h"
#include "app/parts/banner.h"
#include "app/window/session_actions.h"
#include "widgets/look/sizes.h"

#include <QEvent>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::app {

namespace {
constexpr int kSettles = 200; ///< ms: a save writes several files
const QString kCause = QStringLiteral("session saved elsewhere");
} // namespace

SessionWatch::SessionWatch(Session* session, SessionActions* actions, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_actions(actions)
    , m_banner(new Banner(this)) {
    const int unit = qRound(widgets::Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(unit, unit, unit, unit);
    layout->addWidget(m_banner);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
    m_banner->installEventFilter(this);
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
    const QString what = tr("Another window saved the session “%1”.").arg(m_session->name());
    const QString more = m_session->isModified()
                             ? tr("This window still has your own changes. Reload discards them; Keep mine overwrites the other window's "
                                  "version.")
                             : tr("This window still shows the earlier version.");
    m_banner->say(Banner::Kind::Warning, what, more);
    connect(m_banner->addButton(tr("Reload"), QStringLiteral("refresh")), &QPushButton::clicked, m_actions, &SessionActions::reload);
    connect(m_banner->addButton(tr("Keep mine")), &QPushButton::clicked, m_actions, &SessionActions::keepMine);
    m_session->messages()->post(Severity::Warning, what + QLatin1Char(' ') + more, tr("Reload"),
                                [actions = m_actions] { actions->reload(); }, {kCause});
    show();
}

/// Some file systems do not tell of changes: whoever comes back to the window is told. A banner that is dismissed takes
/// its place with it.
bool SessionWatch::eventFilter(QObject* object, QEvent* event) {
    if (object == m_banner && event->type() == QEvent::HideToParent)
        hide();
    else if (object == parent() && event->type() == QEvent::WindowActivate)
        m_soon.start();
    return QWidget::eventFilter(object, event);
}

} // namespace headroom::app
