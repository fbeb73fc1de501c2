// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/train_actions.h"

#include "app/parts/actions.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

TrainActions::TrainActions(QObject* parent) : QObject(parent) {
    newRun = add(tr("New run"), "plus", "Ctrl+T", tr("Set up a run: architecture, recipe, data, seeds."));
    stop = add(tr("Stop"), "stop", "", tr("Save a checkpoint and stop. Resume continues from there."));
    resume =
        add(tr("Resume"), "refresh", "", tr("Continue from the last checkpoint. On the CPU the result is "
                                            "identical, bit for bit."));
    compare = add(tr("Compare"), "compare", "", tr("Show this experiment's curves beside the others."));
    compare->setCheckable(true);
    openResult = add(tr("Open in Analyse"), "matrix", "Ctrl+Return",
                     tr("Open the trained model beside the open ones, with its matrices and D(w)."));
    runFolder =
        add(tr("Run folder"), "folder", "", tr("Show the folder of the run."));
    copyCommand = add(tr("Copy the run's command"), "terminal", "",
                      tr("Copy the command line that resumes this run."));
    remove = add(tr("Move to the wastebasket"), "close", "",
                 tr("Move the folder of the run to the wastebasket."));
    places = add(tr("Places…"), "server", "",
                 tr("Add, test and change hosts reached by ssh, and Slurm clusters."));
    startQueue =
        add(tr("Start the queue"), "play", "",
            tr("Jobs are waiting and the queue is not running. Start it."));
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
            openResult, nullptr, runFolder, copyCommand, remove, nullptr, places};
}

QList<QAction*> TrainActions::all() const {
    QList<QAction*> actions = menu();
    actions.removeAll(nullptr);
    return actions;
}

} // namespace headroom::app
