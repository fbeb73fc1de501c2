// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/workspace.h"

#include "app/parts/messages/messages_dock.h"
#include "app/workspaces/dock_sizes.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QAction>
#include <QChildEvent>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>

#include <utility>

namespace headroom::app {

namespace {

/// Layouts of other versions are not restored. 2: before it, Messages stood beside Places in columns too narrow to read.
constexpr int kLayoutVersion = 2;
constexpr int kSettling = 700; ///< ms after the first show

/// An action that only Find action shows. It lives as long as its owner.
QAction* makeFound(const QString& title, const QString& words, QObject* owner, std::function<void()> show) {
    auto* action = new QAction(title, owner);
    setSearchWords(action, words);
    QObject::connect(action, &QAction::triggered, owner, std::move(show));
    return action;
}

/// On a small screen with large text the page scrolls, and its lower panels are out of sight.
void bringIntoSight(QWidget* panel) {
    auto* whileItIsLaidOut = new QObject(panel);
    QTimer::singleShot(kSettling, whileItIsLaidOut, &QObject::deleteLater);
    for (QWidget* above = panel->parentWidget(); above; above = above->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(above)) {
            const auto scroll = [area, panel] { area->ensureWidgetVisible(panel, 0, 0); };
            QTimer::singleShot(0, whileItIsLaidOut, scroll);
            QObject::connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, whileItIsLaidOut, scroll, Qt::QueuedConnection);
        }
}

} // namespace

Workspace::Workspace(const QString& name, QAction* switchAction, QWidget* parent)
    : QMainWindow(parent)
    , m_switch(switchAction)
    , m_sizes(new DockSizes(this)) {
    setObjectName(name);
    setWindowFlags(Qt::Widget); // inside the window, not one of its own
    setDockNestingEnabled(true);
    setAnimated(false);
    connect(m_sizes, &DockSizes::textFitted, this, [this] { roomForText(); });
    widgets::withTextSize(this, [this] {
        if (m_wasShown) // before, no dock has a size that another text could have changed
            m_sizes->textResized();
    });
}

/// When one panel of a group is left, Qt moves the tab bar out of the window but keeps it visible: Tab would stop there.
void Workspace::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    if (event->polished() && qobject_cast<QTabBar*>(event->child()))
        event->child()->installEventFilter(this);
}

bool Workspace::eventFilter(QObject* object, QEvent* event) {
    auto* bar = qobject_cast<QTabBar*>(object);
    if (bar && (event->type() == QEvent::Move || event->type() == QEvent::Show))
        bar->setFocusPolicy(rect().intersects(bar->geometry()) ? Qt::TabFocus : Qt::NoFocus);
    return QMainWindow::eventFilter(object, event);
}

Dock* Workspace::addDock(const QString& name, const QString& title, QWidget* content) {
    addDock(new Dock(name, title, content, this));
    return m_docks.last();
}

void Workspace::addDock(Dock* dock) {
    m_docks << dock;
    m_sizes->add(dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible && m_isSettled)
            QTimer::singleShot(0, this, &Workspace::rememberNewDocks); // once it has been laid out
    });
    m_showPanels << makeFound(dock->windowTitle(), panelSearchWords(dock->objectName()), dock, [this, dock] { showPanel(dock); });
    connect(dock, &QDockWidget::windowTitleChanged, m_showPanels.last(), &QAction::setText);
}

void Workspace::offerView(const QString& title, const QString& words, std::function<void()> show) {
    m_showPanels << makeFound(title, words, this, std::move(show));
}

void Workspace::offerTabs(QTabWidget* tabs, Dock* dock) {
    for (int tab = 0; tab < tabs->count(); ++tab) {
        QWidget* page = tabs->widget(tab); // its place changes: other tabs come and go
        m_showTabs << makeFound(tabs->tabText(tab), panelSearchWords(page->objectName()), page, [this, tabs, dock, page] {
            showPanel(dock);
            tabs->setCurrentWidget(page);
        });
        m_showTabs.last()->setToolTip(tabs->tabToolTip(tab));
    }
}

void Workspace::showPanel(Dock* dock) {
    if (dock == m_messages)
        return showMessages();
    if (dock->isHidden())
        dock->toggleViewAction()->trigger(); // what the Window menu starts with it starts here too
    dock->raise();
}

Dock* Workspace::addMessagesDock(Messages* messages, double units) {
    m_messages = new MessagesDock(messages, this);
    m_messagesUnits = units;
    addDock(m_messages);
    return m_messages;
}

QList<QAction*> Workspace::panelActions() const {
    QList<QAction*> actions;
    for (const Dock* dock : m_docks)
        actions << dock->toggleViewAction();
    return actions;
}

int Workspace::wantedHeight(Dock* dock) const {
    return m_sizes->wantedHeight(dock);
}

QByteArray Workspace::savedLayout() const {
    if (!m_wasShown)
        return m_waitingLayout;
    QByteArray saved;
    withGivenSizes([&] { saved = m_sizes->pack(saveState(kLayoutVersion)); });
    return saved;
}

void Workspace::resetLayout() {
    placeDocks();
    QTimer::singleShot(0, this, [this] { withGivenSizes([this] { m_sizes->remember(); }); }); // once they have been laid out
}

void Workspace::restoreLayout(const QByteArray& layout) {
    if (m_isSettled) {
        restoreDocks(layout);
        QTimer::singleShot(0, this, &Workspace::settle);
    } else {
        m_waitingLayout = layout;
    }
    if (m_wasShown && !m_isSettled)
        layOut();
}

void Workspace::rememberNewDocks() {
    if (m_sizes->hasNew())
        withGivenSizes([this] { m_sizes->rememberNew(); });
}

void Workspace::showMessages() {
    if (!m_messages->isVisible()) {
        m_messages->show();
        if (m_messagesUnits > 0)
            resizeDocks({m_messages}, {qRound(widgets::Sizes::unit() * m_messagesUnits)}, Qt::Vertical);
    }
    m_messages->raise();
    bringIntoSight(m_messages);
}

void Workspace::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (m_isSettled)
        m_sizes->windowResized(); // the window may have changed its size while another workspace was shown
    if (m_wasShown)
        return;
    m_wasShown = true;
    // A page of a stack is shown before it gets its size: panels would be squeezed into a smaller one, and stay so.
    if (const QWidget* pages = parentWidget(); pages && !isWindow())
        resize(pages->contentsRect().size());
    layOut();
    QTimer::singleShot(kSettling, this, &Workspace::endSettling);
}

/// What the user drags between panels stays, even soon after the first show.
bool Workspace::event(QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress && m_wasShown && !childAt(static_cast<QMouseEvent*>(event)->pos()))
        endSettling();
    return QMainWindow::event(event);
}

void Workspace::endSettling() {
    if (std::exchange(m_isSettled, true))
        return;
    m_waitingLayout.clear();
    settle();
}

void Workspace::settle() {
    if (m_sizes->isRestored())
        m_sizes->settle();
    else
        withGivenSizes([this] { m_sizes->remember(); });
}

/// A window manager may give the window another size right after the first show, as when it was maximized.
void Workspace::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_wasShown && !m_isSettled)
        layOut();
    else if (m_wasShown)
        m_sizes->windowResized();
}

bool Workspace::restoreDocks(const QByteArray& layout) {
    const bool done = restoreState(m_sizes->take(layout), kLayoutVersion);
    layoutRestored();
    return done;
}

void Workspace::layOut() {
    if (m_waitingLayout.isEmpty() || !restoreDocks(m_waitingLayout))
        sizeDocks();
}

} // namespace headroom::app
