// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus.h"

#include "app/parts/actions.h"
#include "app/parts/menu.h"
#include "app/workspaces/workspace.h"
#include "widgets/look/translate.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

namespace headroom::app {

namespace {

QMenu* addMenu(QMenuBar* bar, const QString& title, const QList<QAction*>& actions) {
    QMenu* menu = menuOf(title, actions, bar);
    bar->addMenu(menu);
    return menu;
}

} // namespace

Menus fillMenuBar(QMenuBar* bar, const Actions& a, const QList<Workspace*>& workspaces) {
    Menus menus;
    QMenu* file = addMenu(bar, tr("&File"),
                          {a.openAudio, a.openFolder, a.newText, a.openModel, a.openDemoModel, a.openMaps, a.openStudy, nullptr,
                           a.exportFigure, a.exportData, a.exportTab, nullptr, a.quit});
    menus.figures = new QMenu(tr("Figures"), file);
    file->insertMenu(file->actions().at(file->actions().indexOf(a.exportTab) + 1), menus.figures);
    addMenu(bar, tr("&Edit"), {a.undo, a.redo, nullptr, a.copyReadOut});
    QMenu* view = addMenu(bar, tr("&View"),
                          {a.zoomIn, a.zoomOut, a.fit, a.fitSelection, nullptr, a.linkAxes, a.equalAxes,
                           a.hideDiagonal, a.showWindow, nullptr, a.encoderView, a.words, a.decoderView, nullptr});
    QMenu* theme = view->addMenu(tr("Theme"));
    theme->addActions(a.themes->actions());
    QMenu* textSize = view->addMenu(tr("Text size"));
    textSize->setToolTipsVisible(true); // why a size is off
    textSize->addActions(a.textSizes->actions());
    view->addAction(a.fullScreen);
    QMenu* session = addMenu(bar, tr("&Session"), {a.newSession, a.openSession});
    menus.recent = session->addMenu(tr("Recent sessions"));
    session->addAction(a.openDemo);
    session->addSeparator();
    session->addAction(a.saveSession);
    session->addAction(a.saveSessionAs);
    for (const Workspace* workspace : workspaces)
        for (QMenu* menu : workspace->makeMenus(bar))
            bar->addMenu(menu);
    QMenu* window = addMenu(bar, tr("&Window"), a.workspaces->actions());
    window->addSeparator();
    for (const Workspace* workspace : workspaces)
        window->addActions(workspace->panelActions());
    window->addSeparator();
    window->addAction(a.resetLayout);
    addMenu(bar, tr("&Help"), {a.guide, a.keys, a.findAction, nullptr, a.about});
    return menus;
}

} // namespace headroom::app
