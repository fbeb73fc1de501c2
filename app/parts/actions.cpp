// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"

#include "widgets/look/icons.h"

#include <QAction>
#include <QActionGroup>
#include <QUndoStack>

namespace headroom::app {

void setToolTipWithKey(QAction* action, const QString& sentence) {
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? sentence : sentence + QLatin1Char(' ') + key);
    action->setStatusTip(sentence);
}

Actions::Actions(QUndoStack* undoStack, QObject* parent) : QObject(parent) {
    undo = undoStack->createUndoAction(this, tr("Undo"));
    redo = undoStack->createRedoAction(this, tr("Redo"));
    addFiles();
    addSound();
    addView();
    addAnalysis();
}

QAction* Actions::add(const QString& section, const QString& text, const QString& iconName,
                      const QKeySequence& key, const QString& toolTip) {
    auto* action = new QAction(text, this);
    if (!iconName.isEmpty())
        action->setIcon(widgets::icon(iconName));
    if (!key.isEmpty())
        action->setShortcut(key);
    setToolTipWithKey(action, toolTip);
    m_all.append({action, section});
    return action;
}

void Actions::addFiles() {
    const QString file = tr("File"), session = tr("Session"), edit = tr("Edit");
    openAudio =
        add(file, tr("Open audio…"), "open", QKeySequence::Open,
            tr("Open recordings: wav, flac, ogg, aiff, mp3. A TextGrid of the same name comes along."));
    openFolder = add(file, tr("Open a folder of recordings…"), "folder", {},
                     tr("Open every recording that lies directly in a folder."));
    openModel =
        add(file, tr("Open a model…"), "model", QKeySequence(Qt::CTRL | Qt::Key_M),
            tr("Open a model folder: ours, or Hugging Face Speech2Text. Nothing in a file is executed."));
    openStudy = add(file, tr("Open a study…"), "queue", {},
                    tr("Open the folder of a finished study; its numbers stand in the analysis tabs."));
    openDemoModel = add(file, tr("Open the demo's model"), "model", {},
                        tr("The small trained recogniser that comes with the program."));
    exportFigure = add(file, tr("Export figure…"), "export", QKeySequence(Qt::CTRL | Qt::Key_E),
                       tr("Save what the middle shows as SVG, PDF or PNG."));
    exportData = add(file, tr("Export data…"), "export", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                     tr("Save the matrix shown as CSV, or everything known about the layer as NPZ."));
    figureInWindowColours = add(file, tr("Figures in the window's colours"), "", {},
                                tr("Figures are light, as paper is. On: as the window is."));
    figureInWindowColours->setCheckable(true);
    quit =
        add(file, tr("Quit"), "", QKeySequence::Quit, tr("Close the window. What is open is found again."));

    newSession =
        add(session, tr("New session"), "", QKeySequence::New, tr("Close what is open and start empty."));
    openSession = add(session, tr("Open session…"), "", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                      tr("Open a .headroom folder."));
    openDemo = add(session, tr("Open the demo session"), "", {},
                   tr("An utterance, a small trained model, its matrices. Opened as a copy."));
    saveSession = add(session, tr("Save session"), "", QKeySequence::Save,
                      tr("Save what is open as a .headroom folder."));
    saveSessionAs = add(session, tr("Save session as…"), "", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                        tr("Save what is open under another name."));

    undo->setIcon(widgets::icon("undo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setIcon(widgets::icon("redo"));
    redo->setShortcut(QKeySequence::Redo);
    m_all.append({undo, edit});
    m_all.append({redo, edit});
    copyReadOut = add(edit, tr("Copy the read-out"), "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                      tr("Copy times, tokens and values under cursor and pointer, in full precision."));
}

void Actions::addSound() {
    const QString sound = tr("Sound");
    record = add(sound, tr("Record"), "mic", QKeySequence(Qt::CTRL | Qt::Key_R),
                 tr("Record from the microphone; once more stops. It is then analysed like a file."));
    record->setCheckable(true);
    play = add(sound, tr("Play"), "play", QKeySequence(Qt::Key_Space),
               tr("Play the selection, or from the cursor."));
    toStart = add(sound, tr("Go to the start"), "start", {}, tr("Put the cursor at the start."));
    loop = add(sound, tr("Loop"), "loop", QKeySequence(Qt::Key_L),
               tr("Play the selection, or all of it, again and again."));
    loop->setCheckable(true);
    previousToken = add(sound, tr("Previous token"), "", QKeySequence(Qt::Key_Left),
                        tr("Move the cursor one token back."));
    nextToken =
        add(sound, tr("Next token"), "", QKeySequence(Qt::Key_Right), tr("Move the cursor one token on."));
    previousWord = add(sound, tr("Previous word"), "", QKeySequence(Qt::CTRL | Qt::Key_Left),
                       tr("Move the cursor to the start of the word before."));
    nextWord = add(sound, tr("Next word"), "", QKeySequence(Qt::CTRL | Qt::Key_Right),
                   tr("Move the cursor to the start of the next word."));
    firstToken = add(sound, tr("First token"), "", QKeySequence(Qt::Key_Home),
                     tr("Move the cursor to the first token."));
    lastToken =
        add(sound, tr("Last token"), "", QKeySequence(Qt::Key_End), tr("Move the cursor to the last token."));
}

void Actions::addView() {
    const QString view = tr("View"), window = tr("Window");
    zoomIn =
        add(view, tr("Zoom in"), "zoom-in", QKeySequence::ZoomIn, tr("Show less time, around the cursor."));
    zoomOut = add(view, tr("Zoom out"), "zoom-out", QKeySequence::ZoomOut, tr("Show more time."));
    fit = add(view, tr("Fit"), "fit", QKeySequence(Qt::Key_F), tr("Show all of the recording."));
    fitSelection = add(view, tr("Fit the selection"), "", QKeySequence(Qt::SHIFT | Qt::Key_F),
                       tr("Show what is selected."));
    linkAxes =
        add(view, tr("Link axes"), "link", {},
            tr("Queries and keys show the same span of time; off, the matrix scrolls downwards on its own."));
    linkAxes->setCheckable(true);
    linkAxes->setChecked(true);
    equalAxes = add(view, tr("Equal axes"), "", QKeySequence(Qt::Key_E),
                    tr("As many pixels per second downwards as to the right."));
    equalAxes->setCheckable(true);
    hideDiagonal =
        add(view, tr("Hide diagonal"), "", QKeySequence(Qt::Key_D),
            tr("Leave out what a token takes from itself: it holds 40–70 % of a row and flattens the rest."));
    hideDiagonal->setCheckable(true);
    hideDiagonal->setChecked(true);
    showWindow = add(view, tr("Window"), "", {}, tr("Show the window of the layer as a band on the matrix."));
    showWindow->setCheckable(true);
    showWindow->setChecked(true);
    themeSystem = add(view, tr("Theme: as the desktop"), "", {}, tr("Light or dark as the desktop is."));
    themeLight = add(view, tr("Theme: light"), "", {}, tr("Light ground."));
    themeDark = add(view, tr("Theme: dark"), "", {}, tr("Dark ground."));
    themes = new QActionGroup(this);
    for (QAction* theme : {themeSystem, themeLight, themeDark}) {
        theme->setCheckable(true);
        themes->addAction(theme);
    }
    resetLayout = add(window, tr("Reset layout"), "", {}, tr("Put every panel back where it was at first."));
    analyseWorkspace = add(window, tr("Analyse"), "", QKeySequence(Qt::CTRL | Qt::Key_1),
                           tr("Listen, and see where each layer looks."));
    analyseWorkspace->setCheckable(true);
    analyseWorkspace->setChecked(true);
    analyseWorkspace->setData("matrix");
    designWorkspace = add(window, tr("Design"), "", QKeySequence(Qt::CTRL | Qt::Key_2),
                          tr("Draw how far every head may look, and what that costs."));
    designWorkspace->setCheckable(true);
    designWorkspace->setData("grid");
    trainWorkspace = add(window, tr("Train"), "", QKeySequence(Qt::CTRL | Qt::Key_3),
                         tr("Train what was drawn, watch it, open the result."));
    trainWorkspace->setCheckable(true);
    trainWorkspace->setData("curve");
    workspaces = new QActionGroup(this);
    workspaces->addAction(analyseWorkspace);
    workspaces->addAction(designWorkspace);
    workspaces->addAction(trainWorkspace);
    findAction = add(window, tr("Find action"), "search", QKeySequence(Qt::CTRL | Qt::Key_K),
                     tr("Find anything the window can do by its words."));
    guide = add(tr("Help"), tr("Guide"), "info", QKeySequence::HelpContents,
                tr("What stands on the screen, and how to work with it."));
    about = add(tr("Help"), tr("About Headroom"), "info", {}, tr("Version and licence."));
}

void Actions::addAnalysis() {
    const QString analysis = tr("Analysis");
    previousLayer =
        add(analysis, tr("Previous layer"), "", QKeySequence(Qt::Key_PageUp), tr("Show the layer below."));
    nextLayer =
        add(analysis, tr("Next layer"), "", QKeySequence(Qt::Key_PageDown), tr("Show the layer above."));
    focusWindow =
        add(analysis, tr("Edit the window with the keyboard"), "", QKeySequence(Qt::Key_W),
            tr("Put the focus on the band: arrows change it by 2, with Shift by 10; Home 1, End full."));
    suggestedWindow =
        add(analysis, tr("Suggested window for this layer"), "wand", {},
            tr("Set the window that Algorithm 1 finds on this utterance. Alastruey et al. 2022."));
    suggestedWindows =
        add(analysis, tr("Suggested windows for all layers"), "wand", {},
            tr("Set every layer's window to what Algorithm 1 finds on this utterance, as one step to undo. "
               "Alastruey et al. 2022."));
    fullWindow = add(analysis, tr("Full attention in this layer"), "", {},
                     tr("Remove the window of this layer from the draft."));
    compare =
        add(analysis, tr("Compare"), "compare", QKeySequence(Qt::Key_C),
            tr("Show another model, or another layer, beside the current map, on one colour scale. Shift + "
               "click on a small map compares with that layer."));
    compare->setCheckable(true);
    difference = add(analysis, tr("Difference of the two maps"), "", QKeySequence(Qt::SHIFT | Qt::Key_C),
                     tr("The difference A − B of the two maps in place of B, about 0."));
    difference->setIconText(tr("A − B"));
    difference->setCheckable(true);
    difference->setEnabled(false);
    blink = add(analysis, tr("Blink: the second map in place of the first"), "eye", QKeySequence(Qt::Key_B),
                tr("B in place of A, by hand: once, or while the key is held."));
    blink->setIconText(tr("Blink"));
    blink->setCheckable(true);
    blink->setAutoRepeat(false);
    blink->setEnabled(false);
    keepCurve =
        add(analysis, tr("Keep this D(w) curve"), "pin", QKeySequence(Qt::Key_K),
            tr("Keep the curve of this layer, head and recording in the plot of D(w) beside others; once "
               "more lets it go."));
    newStudy = add(analysis, tr("Study…"), "queue", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U),
                   tr("Measure the ticked models on many utterances, in the background: windows, heads, "
                      "phones, probe."));
    showStudies =
        add(analysis, tr("Studies"), "queue", {}, tr("Every study with its state: open, cancel, resume."));
    trainThis = add(tr("Runs"), tr("Train this…"), "curve", {},
                    tr("Train the architecture that is drawn now: it stands in the launch form."));
    alignments = add(analysis, tr("Alignments and phone map"), "text", {},
                     tr("What was found in the alignments, with the place, and which label counts as what."));
    analyseSelection =
        add(analysis, tr("Analyse only the selection"), "", {},
            tr("The model reads the selected part alone; the rest stays to be heard and seen."));
    analyseWhole =
        add(analysis, tr("Analyse the whole recording"), "", {}, tr("Forget the part that was chosen."));
    analyseAgain = add(analysis, tr("Analyse again"), "refresh", QKeySequence::Refresh,
                       tr("Ask the model about this utterance once more."));
    cancel = add(analysis, tr("Cancel"), "close", QKeySequence(Qt::Key_Escape),
                 tr("Stop what is being computed; what is ready stays."));
    restartWorker = add(analysis, tr("Start the worker again"), "refresh", {},
                        tr("End the worker and start a fresh one; what is open stays."));
}

} // namespace headroom::app
