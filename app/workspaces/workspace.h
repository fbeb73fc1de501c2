// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/actions.h"
#include "app/parts/tool_bar_item.h"

#include <QMainWindow>

#include <nlohmann/json.hpp>

#include <functional>

class QMenu;
class QTabWidget;

namespace headroom::app {

class Dock;
class DockSizes;
class Messages;

/// One workspace of the window: a central view with docks around it. An inner main window, so that every
/// workspace has a layout of its own.
///
/// The window holds a list of workspaces and asks each for what it shows: menus, tool bar items, panels, the
/// status text, the view that a session keeps, the layout that the settings keep, and whether work is pending.
/// It knows no workspace by its type for any of these. Everything runs on the window's thread.
class Workspace : public QMainWindow {
    Q_OBJECT

public:
    /// The action that shows this workspace; checked while it is shown. Borrowed.
    QAction* switchAction() const { return m_switch; }

    /// The menus of this workspace, from the left. The caller takes them over.
    virtual QList<QMenu*> makeMenus(QWidget* parent) const = 0;
    /// What the tool bar shows while this workspace is shown, from the left.
    virtual QList<ToolBarItem> toolBarItems() = 0;
    /// Actions that exist only in this workspace, for Find action. Those of `Actions` are found anyway.
    virtual QList<Actions::Listed> listedActions() const { return {}; }
    /// Actions that show and hide each panel, in the order of the Window menu.
    QList<QAction*> panelActions() const;
    /// For Find action, in the same order: each shows its panel and brings it to the front.
    QList<QAction*> showPanelActions() const { return m_showPanels; }
    /// The same of the tabs of a panel: each shows the panel and its tab.
    QList<QAction*> showTabActions() const { return m_showTabs; }

    /// The page of resources/guide that explains this workspace, "loop.md".
    virtual QString guidePage() const = 0;
    virtual QString statusText() const = 0;
    /// True while something is read, computed or prepared that would change the picture.
    virtual bool isPending() const = 0;
    /// Whether the panels keep their sizes: until soon after the first show, another size of the window lays them out anew.
    bool isSettled() const { return m_isSettled; }

    /// The key of viewState() in the view of a session. Empty: the values stand at the top level.
    virtual QString viewKey() const { return objectName(); }
    /// What a session keeps of this view, and back. A view that is not an object leaves defaults.
    virtual nlohmann::json viewState() const = 0;
    virtual void restoreView(const nlohmann::json& view) = 0;

    /// Puts every panel back where it was at first.
    void resetLayout();
    /// The layout for the settings, and back. A layout that is restored before the workspace has been shown
    /// waits for the first show, because widths mean nothing before. An unreadable one is ignored. Empty if the
    /// workspace was neither shown nor restored.
    virtual QByteArray savedLayout() const;
    void restoreLayout(const QByteArray& layout);
    /// Brings the Messages panel to the front.
    void showMessages();

Q_SIGNALS:
    void shownChanged(); ///< statusText() may have changed
    void showInFolderRequested(const QString& path);

protected:
    /// `name`: object name, key of the saved layout, and key of viewState(). `switchAction`: may be null in
    /// tests.
    Workspace(const QString& name, QAction* switchAction, QWidget* parent);

    /// A panel of this workspace. Window menu and saved layout list panels in the order of these calls.
    Dock* addDock(const QString& name, const QString& title, QWidget* content);
    /// The same, of a panel that has its dock already; it must be a child of this window.
    void addDock(Dock* dock);
    /// Find action finds a part of the central view, which has no dock, by its title; `show` brings it to the front.
    void offerView(const QString& title, const QString& words, std::function<void()> show);
    /// Find action finds the tabs that `dock` has now by their titles.
    void offerTabs(QTabWidget* tabs, Dock* dock);
    /// The panel that showMessages() shows. `units`, in Sizes::unit(): its height when it appears; 0: what
    /// the layout gives it.
    Dock* addMessagesDock(Messages* messages, double units = 0);
    Dock* messagesDock() const { return m_messages; }

    /// Places all panels as at the first start and gives them their sizes.
    virtual void placeDocks() = 0;
    /// Sizes count only once the workspace has one itself: called at the first show, unless a layout was
    /// restored.
    virtual void sizeDocks() = 0;
    /// Called after the text has changed its size, when no panel is larger than the user wants it. Enlarges panels that would show
    /// too little of larger text.
    virtual void roomForText() {}
    /// The height that the user wants a panel to have; 0: it was never visible.
    int wantedHeight(Dock* dock) const;
    /// After each layout that was restored: hides what the present view does not have.
    virtual void layoutRestored() {}
    /// Calls `look` while the panels have the sizes that are theirs, not those that they lend to something for a time.
    virtual void withGivenSizes(const std::function<void()>& look) const { look(); }
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void childEvent(QChildEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void layOut();
    void settle();
    void endSettling();
    bool restoreDocks(const QByteArray& layout);
    void rememberNewDocks();
    void showPanel(Dock* dock);
    QAction* m_switch;
    QList<Dock*> m_docks;
    QList<QAction*> m_showPanels, m_showTabs;
    DockSizes* m_sizes;
    Dock* m_messages = nullptr;
    double m_messagesUnits = 0;
    bool m_wasShown = false;
    bool m_isSettled = false;   ///< the size is the one that the window keeps
    QByteArray m_waitingLayout; ///< for the first show
};

} // namespace headroom::app
