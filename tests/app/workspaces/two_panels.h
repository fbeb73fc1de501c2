// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/messages.h"
#include "app/parts/dock.h"
#include "app/workspaces/workspace.h"

#include <QAction>
#include <QCoreApplication>
#include <QLayout>
#include <QStackedWidget>

namespace headroom::testing {

constexpr int kFirstWidth = 200; ///< of the left panel

/// A workspace with two panels.
class TwoPanels : public app::Workspace {
public:
    TwoPanels(app::Messages* messages, QAction* switchAction, QWidget* parent)
        : app::Workspace(QStringLiteral("two"), switchAction, parent) {
        setCentralWidget(new QWidget);
        left = addDock(QStringLiteral("left"), QStringLiteral("Left"), new QWidget);
        below = addDock(QStringLiteral("below"), QStringLiteral("Below"), new QWidget);
        addMessagesDock(messages);
        placeDocks();
    }
    QList<QMenu*> makeMenus(QWidget*) const override { return {}; }
    QList<app::ToolBarItem> toolBarItems() override { return {}; }
    QString guidePage() const override { return {}; }
    QString statusText() const override { return {}; }
    bool isPending() const override { return false; }
    nlohmann::json viewState() const override { return {}; }
    void restoreView(const nlohmann::json&) override {}

    /// A second panel in the left column.
    app::Dock* addUnderLeft() {
        app::Dock* dock = addDock(QStringLiteral("under"), QStringLiteral("Under"), new QWidget);
        splitDockWidget(left, dock, Qt::Vertical);
        dock->show();
        return dock;
    }

    /// A second panel in the lower row.
    app::Dock* addBesideBelow() {
        app::Dock* dock = addDock(QStringLiteral("beside"), QStringLiteral("Beside"), new QWidget);
        splitDockWidget(below, dock, Qt::Horizontal);
        dock->show();
        return dock;
    }

    using app::Workspace::messagesDock;
    app::Dock *left, *below;
    int lent = 0; ///< width of the left panel, which lends the rest; 0: lends nothing

protected:
    void placeDocks() override {
        addDockWidget(Qt::LeftDockWidgetArea, left);
        addDockWidget(Qt::BottomDockWidgetArea, below);
        addDockWidget(Qt::BottomDockWidgetArea, messagesDock());
        left->show();
        below->show();
        messagesDock()->hide();
        sizeDocks();
    }
    void sizeDocks() override { resizeDocks({left}, {lent > 0 ? lent : kFirstWidth}, Qt::Horizontal); }
    void withGivenSizes(const std::function<void()>& look) const override {
        if (lent == 0)
            return look();
        auto* window = const_cast<TwoPanels*>(this);
        window->resizeDocks({left}, {kFirstWidth}, Qt::Horizontal);
        window->layout()->activate();
        look();
        window->resizeDocks({left}, {lent}, Qt::Horizontal);
    }
};

/// The workspace as the second page of a window that shows its first.
struct ShownWorkspace {
    app::Messages messages;
    QAction show;
    QStackedWidget window;
    TwoPanels* workspace = new TwoPanels(&messages, &show, &window);
    ShownWorkspace() {
        window.resize(1000, 700);
        window.addWidget(new QWidget);
        window.addWidget(workspace);
        window.show();
    }
    void resize(int width, int height) {
        window.resize(width, height);
        QCoreApplication::processEvents();
    }
    void turnTo() {
        window.setCurrentWidget(workspace);
        QCoreApplication::processEvents();
    }
};

} // namespace headroom::testing
