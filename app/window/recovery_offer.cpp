// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/recovery_offer.h"

#include "app/documents/autosave.h"
#include "app/documents/paths.h"
#include "app/documents/recovery.h"
#include "app/documents/session.h"
#include "app/parts/banner.h"
#include "app/window/session_actions.h"
#include "app/window/session_contents.h"
#include "widgets/look/sizes.h"

#include <QDateTime>
#include <QEvent>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

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

/// "2 utterances, 1 model, 1 edited draft".
QString keptText(const SessionDocument& document) {
    const auto drafts = std::ranges::count_if(document.models, [](const auto& model) { return model.draft.has_value(); });
    const QString contents = contentsText(document);
    return drafts == 0   ? contents
           : drafts == 1 ? RecoveryOffer::tr("%1, 1 edited draft").arg(contents)
                         : RecoveryOffer::tr("%1, %2 edited drafts").arg(contents).arg(drafts);
}

} // namespace

RecoveryOffer::RecoveryOffer(Session* session, SessionActions* actions, const Autosave* autosave, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_actions(actions)
    , m_autosave(autosave)
    , m_banner(new Banner(this)) {
    const int unit = qRound(widgets::Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(unit, unit, unit, unit);
    layout->addWidget(m_banner);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
    m_banner->installEventFilter(this);
    connect(session, &Session::nameChanged, this, &RecoveryOffer::look); // another session is open
    connect(actions, &SessionActions::recoveryDecided, this, &RecoveryOffer::look);
    look();
}

void RecoveryOffer::look() {
    hide();
    m_session->messages()->settle(kRecoveryCause);
    if (const auto left = m_autosave->leftChanges(); !left.empty())
        offer(left.front());
}

void RecoveryOffer::offer(const std::filesystem::path& file) {
    const QString what = tr("Headroom ended unexpectedly, and “%1” had unsaved changes.").arg(m_session->name());
    QString more;
    bool canRestore = true;
    try {
        const KeptChanges changes = readRecovery(file);
        more = tr("Restore brings back the session as it was %1: %2. This window shows what was saved: %3.")
                   .arg(whenText(QFileInfo(toQString(file)).lastModified()), keptText(changes.document),
                        keptText(readSession(m_session->folder())));
        if (changes.ofSession != hashOfFile(m_session->folder() / kSessionFileName))
            more += QLatin1Char(' ') + tr("It was saved again after that.");
    } catch (const std::exception& failure) {
        more = tr("They cannot be restored: %1").arg(QString::fromUtf8(failure.what()));
        canRestore = false;
    }
    const auto restore = [actions = m_actions, file] { actions->restoreChanges(file); };
    m_banner->say(Banner::Kind::Warning, what, more);
    if (canRestore)
        connect(m_banner->addButton(tr("Restore"), QStringLiteral("undo")), &QPushButton::clicked, m_actions, restore);
    connect(m_banner->addButton(tr("Discard")), &QPushButton::clicked, m_actions,
            [actions = m_actions, file] { actions->discardLeftChanges(file); });
    m_session->messages()->post(Severity::Warning, what + QLatin1Char(' ') + more, canRestore ? tr("Restore") : QString(),
                                canRestore ? std::function<void()>(restore) : std::function<void()>(), {kRecoveryCause});
    show();
}

/// A banner that is dismissed takes its place with it.
bool RecoveryOffer::eventFilter(QObject* object, QEvent* event) {
    if (object == m_banner && event->type() == QEvent::HideToParent)
        hide();
    return QWidget::eventFilter(object, event);
}

} // namespace headroom::app
