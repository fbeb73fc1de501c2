// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/recovery_offer.h"

#include "app/documents/items/paths.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/saving/recovery.h"
#include "app/documents/session.h"
#include "app/parts/banner.h"
#include "app/window/session_actions.h"
#include "app/window/session_changes.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPushButton>

namespace headroom::app {

namespace {

const QString kRecoveryCause = QStringLiteral("changes of an ended program");

/// "at 06:20", "on 2026-11-29 at 06:20".
QString whenText(const QDateTime& time) {
    const QString clock = time.toString(QStringLiteral("HH:mm"));
    return time.date() == QDate::currentDate()
               ? RecoveryOffer::tr("at %1").arg(clock)
               : RecoveryOffer::tr("on %1 at %2").arg(time.toString(QStringLiteral("yyyy-MM-dd")), clock);
}

} // namespace

RecoveryOffer::RecoveryOffer(Session* session, SessionActions* actions, const Autosave* autosave, QWidget* parent)
    : BannerStrip(parent)
    , m_session(session)
    , m_actions(actions)
    , m_autosave(autosave) {
    connect(session, &Session::nameChanged, this, [this] { look(false); }); // another session is open
    connect(actions, &SessionActions::recoveryDecided, this, &RecoveryOffer::look);
    connect(actions, &SessionActions::fileRemembered, this, [this] { // saved meanwhile
        if (m_offered && !isHidden()) {
            read();
            say();
        }
    });
    connect(session, &Session::modelChanged, this, [this](ModelId id) { // its own heads are known now
        const OpenModel* model = m_session->models()->find(id);
        if (m_offered && !isHidden() && model && model->state == OpenState::Ready && !banner()->text().endsWith(reason()))
            say();
    });
    look(false);
}

void RecoveryOffer::look(bool decided) {
    hide();
    m_offered.reset();
    m_session->messages()->settle(kRecoveryCause);
    const auto left = m_autosave->leftChanges();
    if (left.empty())
        return;
    m_offered.emplace();
    m_offered->file = left.front();
    m_offered->isAnother = decided;
    read();
    say();
    show();
}

void RecoveryOffer::dismissed() {
    const auto restore = restoring();
    m_session->messages()->post(Severity::Warning, banner()->text(), restore ? tr("Restore") : QString(), restore, {kRecoveryCause});
}

void RecoveryOffer::read() {
    m_offered->problem.clear();
    try {
        m_offered->left = readRecovery(m_offered->file);
        m_offered->saved = readSession(m_session->folder());
        m_offered->savedSince = m_offered->left.ofSession != hashOfFile(m_session->folder() / kSessionFileName);
    } catch (const std::exception& failure) {
        m_offered->problem = QString::fromUtf8(failure.what());
    }
}

std::function<void()> RecoveryOffer::restoring() const {
    if (!m_offered->problem.isEmpty())
        return {};
    return [actions = m_actions, file = m_offered->file] { actions->restoreChanges(file); };
}

QString RecoveryOffer::reason() const {
    if (!m_offered->problem.isEmpty())
        return tr("They cannot be restored: %1").arg(m_offered->problem);
    const QString when = whenText(QFileInfo(toQString(m_offered->file)).lastModified());
    QStringList said{m_offered->isAnother ? tr("Restore replaces what this window shows with what that one showed %1.").arg(when)
                                          : tr("Restore brings back the session as it was %1.").arg(when)};
    const QString changes = changesText(m_offered->saved, m_offered->left.document, [this](const std::filesystem::path& folder) {
        const OpenModel* model = m_session->models()->of(folder);
        return model && model->info ? std::optional(model->info->architecture) : std::nullopt;
    });
    if (!changes.isEmpty())
        said << tr("Compared with what is saved: %1.").arg(changes);
    if (m_offered->savedSince)
        said << tr("It was saved again after that.");
    return said.join(QLatin1Char(' '));
}

void RecoveryOffer::say() {
    const QString what = m_offered->isAnother ? tr("Another window also left unsaved changes to “%1”.")
                                              : tr("Headroom ended unexpectedly, and “%1” had unsaved changes.");
    banner()->say(Banner::Kind::Warning, what.arg(m_session->name()), reason());
    if (const auto restore = restoring())
        connect(banner()->addButton(tr("Restore"), QStringLiteral("undo")), &QPushButton::clicked, m_actions, restore);
    connect(banner()->addButton(tr("Discard")), &QPushButton::clicked, m_actions,
            [actions = m_actions, file = m_offered->file] { actions->discardLeftChanges(file); });
}

} // namespace headroom::app
