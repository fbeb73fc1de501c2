// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/status_bar.h"

#include "app/documents/items/messages.h"
#include "app/parts/actions.h"
#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QStyleOption>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr qint64 kSilentMilliseconds = 100;
constexpr qint64 kBarMilliseconds = 1000;
constexpr int kNoticeMilliseconds = 12000; ///< long enough to read and to click
} // namespace

StatusBar::StatusBar(const Actions& actions, Messages* messages, QWidget* parent)
    : QStatusBar(parent)
    , m_actions(actions)
    , m_messages(messages)
    , m_text(new QLabel(this))
    , m_progressText(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_cancel(new QToolButton(this))
    , m_messagesButton(new QToolButton(this))
    , m_offer(new QToolButton(this)) {
    setFixedHeight(Sizes::statusBarHeight());
    setSizeGripEnabled(false);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // elided: a label that can be selected would be cut
    addWidget(m_text, 1);
    // Qt hides it for the status tip of an action only where it is visible: not while the window is being shown.
    connect(this, &QStatusBar::messageChanged, m_text, [this](const QString& tip) {
        m_text->setVisible(tip.isEmpty());
        m_offer->setVisible(tip.isEmpty() && m_noticed.isActive()); // it belongs to the text
    });
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(qRound(Sizes::unit() * 10));
    m_bar->setAccessibleName(tr("Progress"));
    addPermanentWidget(m_progressText);
    addPermanentWidget(m_bar);
    m_offer->setObjectName(QStringLiteral("offer"));
    m_noticed.setSingleShot(true);
    m_noticed.setInterval(kNoticeMilliseconds);
    for (QToolButton* button : {m_offer, m_cancel, m_messagesButton}) {
        button->setAutoRaise(true);
        button->setProperty("status", true);
        widgets::withTextSize(button, [button] {
            button->setFont(Sizes::caption());
            button->setFixedHeight(Sizes::statusBarHeight() - 3);
            button->setIconSize(widgets::iconBesideWords());
            // Lower than elsewhere: the bar is 24 high in all.
            button->setStyleSheet(
                QStringLiteral("min-height: 0px; padding: 0px %1px;").arg(qRound(Sizes::unit() / 2)));
        });
        addPermanentWidget(button);
    }
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(actions.cancel->toolTip());
    connect(m_cancel, &QToolButton::clicked, actions.cancel, &QAction::trigger);
    m_messagesButton->setToolTip(tr("Show all messages."));
    connect(m_messagesButton, &QToolButton::clicked, this, &StatusBar::messagesRequested);
    connect(messages, &Messages::summaryChanged, this, &StatusBar::updateMessages);
    connect(messages, &Messages::posted, this, &StatusBar::notice);
    connect(messages, &Messages::rowsAboutToBeRemoved, this, [this, messages](const QModelIndex&, int first, int last) {
        for (int row = first; row <= last; ++row) // what it offers is no longer to be had
            if (m_noticed.isActive() && messages->at(row).sentence == m_offer->toolTip())
                endNotice();
    });
    connect(messages, &QAbstractItemModel::modelReset, this, [this] { // cleared: what was offered is gone too
        m_offered = nullptr;
        endNotice();
    });
    connect(&m_noticed, &QTimer::timeout, this, &StatusBar::endNotice);
    connect(m_offer, &QToolButton::clicked, this, [this] {
        endNotice();
        if (m_offered)
            std::exchange(m_offered, nullptr)();
    });
    m_offer->hide();
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &StatusBar::updateProgress);
    updateMessages();
    updateProgress();
}

void StatusBar::say(const QString& whatIsShown) {
    m_said = whatIsShown;
    if (m_noticed.isActive())
        return; // said when the notice ends
    m_text->setText(whatIsShown);
    m_text->setToolTip(whatIsShown);
}

/// Errors and warnings open Messages by themselves; what went well only says so here.
void StatusBar::notice(const Message& message) {
    if (message.severity == Severity::Error || message.severity == Severity::Warning || !message.action)
        return;
    offer(message.sentence, message.actionText, message.action);
}

void StatusBar::offer(const QString& sentence, const QString& actionText, std::function<void()> action) {
    m_offered = std::move(action);
    m_offer->setText(actionText);
    m_offer->setAccessibleName(actionText);
    m_offer->setToolTip(sentence);
    m_offer->setVisible(currentMessage().isEmpty());
    m_text->setText(sentence);
    m_text->setToolTip(sentence);
    m_noticed.start();
}

void StatusBar::followUndo(QUndoStack* stack, std::function<QString(const QUndoCommand&)> whereUnseen) {
    struct Step {
        int index, count;
        int by = 0;          ///< −1: undone, 1: done again; another count: a new edit, or one of something that was closed
        bool isSaid = false; ///< the notice is of this step
    };
    const auto last = std::make_shared<Step>(Step{stack->index(), stack->count()});
    connect(stack, &QUndoStack::indexChanged, this, [this, stack, last] {
        const int index = stack->index(); // stale steps may have been taken away meanwhile
        const bool isSaid = last->isSaid;
        *last = {index, stack->count(), stack->count() == last->count ? index - last->index : 0};
        if (isSaid && m_noticed.isActive()) // the way back is another one now
            endNotice();
    });
    const auto say = [this, stack, last, where = std::move(whereUnseen)](int by, const QString& sentence, QAction* back) {
        const QUndoCommand* step = last->by == by ? stack->command(by < 0 ? stack->index() : stack->index() - 1) : nullptr;
        last->by = 0;
        const QString place = step ? where(*step) : QString();
        if (place.isEmpty()) {
            if (m_noticed.isActive()) // what it offers to take back is not what was undone now
                endNotice();
            return;
        }
        offer(sentence.arg(place, step->text()), by < 0 ? tr("Redo") : tr("Undo"), [back] { back->trigger(); });
        last->isSaid = true;
    };
    connect(m_actions.undo, &QAction::triggered, this,
            [say, this] { say(-1, tr("Undone in %1: %2."), m_actions.redo); });
    connect(m_actions.redo, &QAction::triggered, this,
            [say, this] { say(1, tr("Redone in %1: %2."), m_actions.undo); });
}

void StatusBar::endNotice() {
    m_noticed.stop();
    m_offer->hide();
    say(m_said);
}

void StatusBar::showProgress(const AnalysisService::Progress& progress, bool isBusy) {
    m_progress = progress;
    if (isBusy && !m_busy)
        m_since.start();
    m_busy = isBusy;
    updateProgress();
}

void StatusBar::updateProgress() {
    const qint64 elapsed = m_busy ? m_since.elapsed() : 0;
    const bool textShown = m_busy && elapsed >= kSilentMilliseconds && !m_progress.text.isEmpty();
    const bool barShown = textShown && elapsed >= kBarMilliseconds;
    m_progressText->setVisible(textShown);
    m_progressText->setText(m_progress.text);
    m_bar->setVisible(barShown);
    m_cancel->setVisible(barShown);
    m_bar->setRange(0, m_progress.total);
    m_bar->setValue(m_progress.done);
    if (m_busy && elapsed <= kBarMilliseconds)
        m_delay.start(
            int((elapsed < kSilentMilliseconds ? kSilentMilliseconds : kBarMilliseconds) - elapsed) + 1);
}

void StatusBar::changeEvent(QEvent* event) {
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateMessages(); // its icon has a colour of the theme
}

/// Qt cuts a status tip that is too long in the middle of a letter.
void StatusBar::paintEvent(QPaintEvent* event) {
    if (currentMessage().isEmpty())
        return QStatusBar::paintEvent(event);
    QPainter painter(this);
    QStyleOption panel;
    panel.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelStatusBar, &panel, &painter, this);
    const int edge = qRound(0.75 * Sizes::unit()); // as m_text has
    int right = width() - edge;
    for (const QWidget* beside : std::initializer_list<const QWidget*>{m_progressText, m_bar, m_offer, m_cancel, m_messagesButton})
        if (beside->isVisible())
            right = std::min(right, beside->x() - edge);
    style()->drawItemText(&painter, QRect(edge, 0, right - edge, height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          palette(), true, currentMessage(), QPalette::WindowText);
}

void StatusBar::updateMessages() {
    m_messagesButton->setText(m_messages->summary());
    m_messagesButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const Theme& theme = Theme::current();
    if (m_messages->count(Severity::Error) > 0)
        m_messagesButton->setIcon(widgets::icon(QStringLiteral("error"), theme.error));
    else if (m_messages->count(Severity::Warning) > 0)
        m_messagesButton->setIcon(widgets::icon(QStringLiteral("warning"), theme.warning));
    else
        m_messagesButton->setIcon(QIcon());
}

} // namespace headroom::app
