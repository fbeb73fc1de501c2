// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/train_actions.h"

#include "app/parts/actions.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

TrainActions::TrainActions(QObject* parent) : QObject(parent) {
    newRun = add(tr("New run"), "plus", "Ctrl+T", tr("Set up a run that starts from random weights: architecture, recipe, data, seeds."));
    pause = add(tr("Pause"), "pause", "",
                tr("Wait after the next update, with everything in memory. Resume continues at once."));
    stop = add(tr("Stop"), "stop", "", tr("Save a checkpoint and stop. Resume continues from there."));
    resume = add(tr("Resume"), "refresh", "Ctrl+Shift+R", resumeTip(false)); // Ctrl+R records
    resume->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    stopOthers = add(tr("Stop other runs"), "stop", "", tr("Save a checkpoint and stop. Resume continues from there."));
    resumeOthers = add(tr("Resume other runs"), "refresh", "", resumeTip(false));
    for (QAction* others : {stopOthers, resumeOthers})
        others->setVisible(false);
    evaluate = add(tr("Evaluate now"), "check", "",
                   tr("Validate after the next update. The best checkpoint and early stopping do not count it."));
    branch = add(tr("Branch from a checkpoint…"), "branch", "",
                 tr("Prepare a new run that starts with the weights of a checkpoint of this one, with its architecture, recipe, corpus and seed."));
    evaluateModel = add(tr("Evaluate…"), "check", "",
                        tr("Decode a split of a corpus with a trained model and score it, as a job in the queue."));
    compare = add(tr("Compare"), "compare", "", tr("Show this experiment's curves beside the others."));
    compare->setCheckable(true);
    reference = add(tr("Reference of Δ and p"), "pin", "",
                    tr("Compare the scores of the other experiments with those of this one. It stays the reference until you choose another one."));
    reference->setCheckable(true);
    openResult = add(tr("Open in Analyse"), "matrix", "Ctrl+Shift+Enter", // without Shift it starts the run of the form
                     tr("Open the trained model beside the open ones, with its matrices and D(w)."));
    exportCurves = add(tr("Export curves…"), "export", "", tr("Save the training curves as a figure (PDF, SVG, PNG), or the logged values behind them as a table (CSV)."));
    rename = add(tr("Rename…"), "text", "F2",
                 tr("Give this experiment another name, here and in the curves. The folders keep theirs."));
    rename->setShortcutContext(Qt::WidgetShortcut); // of the tables only
    runFolder =
        add(tr("Run folder"), "folder", "", tr("Show the folder of the run."));
    copyCommand = add(tr("Copy the run's command"), "terminal", "",
                      tr("Copy the command line that resumes this run."));
    remove = add(tr("Move to the wastebasket"), "close", "Del",
                 tr("Move the folder of the run to the wastebasket."));
    remove->setShortcutContext(Qt::WidgetShortcut); // of the table of runs only
    places = add(tr("Places…"), "server", "",
                 tr("Add, test and change hosts reached by ssh, and Slurm clusters."));
    watchThere = add(tr("Watch a run at a place…"), "eye", "",
                     tr("Choose a run at one of your places, whoever started it, and follow it here."));
    data = add(tr("Data"), "audio", "Ctrl+Shift+D",
               tr("Show what the corpora hold, what a recipe leaves out, and their defects."));
    data->setCheckable(true);
    experiments = add(tr("Experiments…"), "grid", "",
                      tr("Reproduce a table of a paper: train, decode, measure, with the printed numbers beside ours."));
    startQueue =
        add(tr("Start the queue"), "play", "",
            tr("Jobs are waiting and the queue is not running. Start it."));
    setSearchWords(newRun, tr("train learn fine-tune finetune start create the"));
    setSearchWords(pause, tr("wait hold"));
    setSearchWords(stop, tr("cancel abort end kill interrupt"));
    setSearchWords(resume, tr("continue restart again"));
    setSearchWords(stopOthers, tr("cancel abort end kill interrupt"));
    setSearchWords(resumeOthers, tr("continue restart again"));
    setSearchWords(branch, tr("fork start from checkpoint fine-tune continue copy"));
    setSearchWords(evaluate, tr("validate score test"));
    setSearchWords(evaluateModel, tr("test score WER BLEU decode transcribe"));
    setSearchWords(reference, tr("baseline delta difference significance compare"));
    setSearchWords(openResult, tr("show model load"));
    setSearchWords(exportCurves, tr("save download figure picture plot training loss table CSV PDF SVG PNG"));
    setSearchWords(rename, tr("name title label"));
    setSearchWords(runFolder, tr("directory files show open"));
    setSearchWords(copyCommand, tr("terminal shell command line clipboard"));
    setSearchWords(remove, tr("delete remove bin trash recycle"));
    setSearchWords(places, tr("server remote ssh cluster Slurm cloud GPU host machine"));
    setSearchWords(watchThere, tr("follow attach remote existing run server"));
    setSearchWords(data, tr("corpus dataset statistics download"));
    setSearchWords(experiments, tr("paper table reproduce benchmark"));
    setSearchWords(startQueue, tr("run jobs begin"));
}

QString TrainActions::resumeTip(bool isPaused) {
    return isPaused ? tr("Continue at once from the update at which the run was paused.")
                    : tr("Continue from the last checkpoint. On the CPU the result is identical, bit for bit.");
}

QAction* TrainActions::add(const QString& text, const char* iconName, const char* key,
                           const QString& toolTip) {
    auto* action = new QAction(widgets::icon(QLatin1String(iconName)), text, this);
    if (const QString keys = QLatin1String(key); keys.endsWith(QLatin1String("Enter"))) // the other one is called so, too
        action->setShortcuts({QKeySequence(keys), QKeySequence(QString(keys).replace(QLatin1String("Enter"), QLatin1String("Return")))});
    else if (!keys.isEmpty())
        action->setShortcut(QKeySequence(keys));
    setToolTipWithKey(action, toolTip);
    return action;
}

QList<QAction*> TrainActions::menu() const {
    return {newRun,  data,      experiments, nullptr, pause,  stop,      resume,      stopOthers, resumeOthers, branch,  evaluate, evaluateModel, startQueue, nullptr,
            compare, reference, openResult,  exportCurves, nullptr, rename, runFolder, copyCommand, remove, nullptr,  places,        watchThere};
}

QList<QAction*> TrainActions::all() const {
    QList<QAction*> actions = menu();
    actions.removeAll(nullptr);
    return actions;
}

} // namespace headroom::app
