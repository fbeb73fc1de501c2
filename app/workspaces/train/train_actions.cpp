// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/train_actions.h"

#include "app/parts/actions.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

TrainActions::TrainActions(QObject* parent) : QObject(parent) {
    newRun = add(tr("New run"), "plus", "Ctrl+T", tr("Describe a run: architecture, recipe, data, seeds."));
    stop = add(tr("Stop"), "stop", "", tr("Save, then end. Resume goes on from there."));
    resume =
        add(tr("Resume"), "refresh", "", tr("Go on where the run was saved last; on the CPU bit for bit."));
    compare = add(tr("Compare"), "compare", "", tr("Draw this experiment's curves beside the others."));
    compare->setCheckable(true);
    openResult = add(tr("Open in Analyse"), "matrix", "Ctrl+Return",
                     tr("Open the trained model beside those that are open: its matrices, its D(w)."));
    runFolder =
        add(tr("Run folder"), "folder", "", tr("Show the run's folder: everything of a run lies there."));
    copyCommand = add(tr("Copy the run's command"), "terminal", "",
                      tr("Copy the command line that goes on with this run."));
    remove = add(tr("Move to the wastebasket"), "close", "",
                 tr("Take the run's folder away; the wastebasket gives it back."));
    startQueue =
        add(tr("Start the queue"), "play", "", tr("Jobs wait and no process serves them: start it."));
}

QAction* TrainActions::add(const QString& text, const char* iconName, const char* key,
                           const QString& toolTip) {
    auto* action = new QAction(widgets::icon(QLatin1String(iconName)), text, this);
    if (*key)
        action->setShortcut(QKeySequence(QLatin1String(key)));
    setToolTipWithKey(action, toolTip);
    return action;
}

QList<QAction*> TrainActions::menu() const {
    return {newRun,     nullptr, stop,      resume,      startQueue, nullptr, compare,
            openResult, nullptr, runFolder, copyCommand, remove};
}

QList<QAction*> TrainActions::all() const {
    QList<QAction*> actions = menu();
    actions.removeAll(nullptr);
    return actions;
}

} // namespace headroom::app
