// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus.h"

#include "app/parts/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

namespace headroom::app {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Menus", text);
}

/// nullptr stands for a separator.
QMenu* addMenu(QMenuBar* bar, const QString& title, const QList<QAction*>& actions) {
    QMenu* menu = bar->addMenu(title);
    menu->setToolTipsVisible(true);
    for (QAction* action : actions)
        action ? menu->addAction(action) : static_cast<void>(menu->addSeparator());
    return menu;
}

} // namespace

Menus fillMenuBar(QMenuBar* bar, const Actions& a, const QList<QAction*>& panels) {
    Menus menus;
    QMenu* file = addMenu(bar, tr("&File"),
                          {a.openAudio, a.openFolder, a.openModel, a.openDemoModel, a.openStudy, nullptr,
                           a.exportFigure, a.exportData, nullptr, a.quit});
    menus.figures = new QMenu(tr("Figures"), file);
    file->insertMenu(file->actions().at(file->actions().indexOf(a.exportData) + 1), menus.figures);
    addMenu(bar, tr("&Edit"), {a.undo, a.redo, nullptr, a.copyReadOut});
    QMenu* view = addMenu(bar, tr("&View"),
                          {a.zoomIn, a.zoomOut, a.fit, a.fitSelection, nullptr, a.linkAxes, a.equalAxes,
                           a.hideDiagonal, a.showWindow, nullptr});
    QMenu* theme = view->addMenu(tr("Theme"));
    theme->addActions(a.themes->actions());
    QMenu* session = addMenu(bar, tr("&Session"), {a.newSession, a.openSession});
    menus.recent = session->addMenu(tr("Recent sessions"));
    session->addAction(a.openDemo);
    session->addSeparator();
    session->addAction(a.saveSession);
    session->addAction(a.saveSessionAs);
    addMenu(bar, tr("S&ound"),
            {a.play, a.loop, a.toStart, a.record, nullptr, a.previousToken, a.nextToken, a.previousWord,
             a.nextWord, a.firstToken, a.lastToken});
    addMenu(bar, tr("&Analysis"),
            {a.previousLayer,
             a.nextLayer,
             a.compare,
             a.difference,
             a.blink,
             a.keepCurve,
             nullptr,
             a.focusWindow,
             a.suggestedWindow,
             a.suggestedWindows,
             a.fullWindow,
             nullptr,
             a.newStudy,
             a.showStudies,
             nullptr,
             a.alignments,
             a.analyseSelection,
             a.analyseWhole,
             a.analyseAgain,
             a.cancel,
             nullptr,
             a.restartWorker});
    QMenu* window = menus.window = addMenu(bar, tr("&Window"), a.workspaces->actions());
    window->addSeparator();
    window->addActions(panels);
    window->addSeparator();
    window->addAction(a.resetLayout);
    addMenu(bar, tr("&Help"), {a.guide, a.findAction, nullptr, a.about});
    return menus;
}

} // namespace headroom::app
