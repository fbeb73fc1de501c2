// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"

#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
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
    // A step may have the name of a file in its text. What is said of it elsewhere is its own text.
    const auto name = [undoStack](QAction* action, void (QUndoStack::*changed)(const QString&), const QString& word) {
        connect(undoStack, changed, action, [action, word](const QString& step) {
            action->setText((word + u' ' + asActionText(step)).trimmed());
        });
    };
    name(undo, &QUndoStack::undoTextChanged, tr("Undo"));
    name(redo, &QUndoStack::redoTextChanged, tr("Redo"));
    setReason(undo, tr("There is nothing to undo."));
    setReason(redo, tr("There is nothing to redo."));
    addFiles();
    addSound();
    addView();
    addAnalysis();
    addSearchWords();
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
            tr("Open recordings: WAV, FLAC, Ogg, Opus, AIFF, MP3. A TextGrid of the same name is loaded too."));
    openFolder = add(file, tr("Open a folder of recordings…"), "folder", {},
                     tr("Open all recordings in a folder, without subfolders."));
    newText = add(file, tr("New text"), "text", {},
                  tr("Add a text to type in, for models that read text. A dropped text file adds a text for each line."));
    openModel = add(file, tr("Open a model…"), "model", QKeySequence(Qt::CTRL | Qt::Key_M),
                    tr("Open a model folder: Headroom's own, or a Hugging Face speech model. Files are never "
                       "executed."));
    openMaps = add(file, tr("Open imported maps…"), "matrix", {},
                   tr("Open attention maps that another toolkit computed for a recording of the same name: an NPZ file."));
    openStudy = add(file, tr("Open a study…"), "queue", {},
                    tr("Open the folder of a finished study and show its results in the analysis tabs."));
    openDemoModel = add(file, tr("Open the demo model"), "model", {},
                        tr("Open the small trained recogniser that ships with Headroom."));
    exportFigure = add(file, tr("Export figure…"), "export", QKeySequence(Qt::CTRL | Qt::Key_E),
                       tr("Save the central view as SVG, PDF or PNG."));
    exportData = add(file, tr("Export data…"), "export", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                     tr("Save the matrix as CSV, or all data of the layer as NPZ."));
    exportTab = add(file, tr("Export tab…"), "export", {},
                    tr("Save the front tab: its figure as PDF, SVG or PNG, or its table as CSV."));
    figureInWindowColours = add(file, tr("Use the window's colours in figures"), "", {},
                                tr("Exported figures use light colours by default. If checked, they use "
                                   "the theme of the window."));
    figureInWindowColours->setCheckable(true);
    quit =
        add(file, tr("Quit"), "", QKeySequence::Quit, tr("Close the window. The session is saved and can "
                                                         "be restored."));

    newSession =
        add(session, tr("New session"), "", QKeySequence::New, tr("Close everything but studies and start an empty "
                                                                  "session."));
    openSession = add(session, tr("Open session…"), "", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                      tr("Open a .headroom folder."));
    openDemo = add(session, tr("Open the demo session"), "", {},
                   tr("Open a copy of the demo session: an utterance, a small trained model, and its "
                      "matrices."));
    saveSession = add(session, tr("Save session"), "", QKeySequence::Save,
                      tr("Save the session as a .headroom folder."));
    saveSessionAs = add(session, tr("Save session as…"), "", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                        tr("Save the session under another name."));

    undo->setIcon(widgets::icon("undo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setIcon(widgets::icon("redo"));
    // Ctrl+Shift+Z is the platform's; hands that come from elsewhere press Ctrl+Y.
    redo->setShortcuts({QKeySequence(QKeySequence::Redo), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    m_all.append({undo, edit});
    m_all.append({redo, edit});
    copyReadOut = add(edit, tr("Copy the read-out"), "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                      tr("Copy times, tokens and values at the cursor and pointer, in full precision."));
}

void Actions::addSound() {
    const QString sound = tr("Sound");
    record = add(sound, tr("Record"), "mic", QKeySequence(Qt::CTRL | Qt::Key_R),
                 tr("Record from the microphone; press again to stop. The recording is then analysed like "
                    "a file."));
    record->setCheckable(true);
    play = add(sound, tr("Play"), "play", QKeySequence(Qt::Key_Space),
               tr("Play the selection, or play from the cursor."));
    toStart = add(sound, tr("Go to the start"), "start", {}, tr("Move the cursor to the start."));
    loop = add(sound, tr("Loop"), "loop", QKeySequence(Qt::Key_L),
               tr("Repeat the selection, or the whole recording."));
    loop->setCheckable(true);
    previousToken = add(sound, tr("Previous token"), "", QKeySequence(Qt::Key_Left),
                        tr("Move the cursor one token back."));
    nextToken =
        add(sound, tr("Next token"), "", QKeySequence(Qt::Key_Right), tr("Move the cursor one token "
                                                                         "forward."));
    previousWord = add(sound, tr("Previous word"), "", QKeySequence(Qt::CTRL | Qt::Key_Left),
                       tr("Move the cursor to the start of the previous word."));
    nextWord = add(sound, tr("Next word"), "", QKeySequence(Qt::CTRL | Qt::Key_Right),
                   tr("Move the cursor to the start of the next word."));
    firstToken = add(sound, tr("First token"), "", QKeySequence(Qt::Key_Home),
                     tr("Move the cursor to the first token."));
    lastToken =
        add(sound, tr("Last token"), "", QKeySequence(Qt::Key_End), tr("Move the cursor to the last token."));
    const auto extend = [&](const QString& text, const QKeySequence& key, const QString& toolTip) {
        return add(sound, text, "", key, toolTip);
    };
    selectPreviousToken = extend(tr("Extend the selection back by a token"), Qt::SHIFT | Qt::Key_Left,
                                 tr("Select from the cursor to the previous token, or extend the selection to it."));
    selectNextToken = extend(tr("Extend the selection by a token"), Qt::SHIFT | Qt::Key_Right,
                             tr("Select from the cursor to the next token, or extend the selection to it."));
    selectPreviousWord = extend(tr("Extend the selection back by a word"), Qt::CTRL | Qt::SHIFT | Qt::Key_Left,
                                tr("Select from the cursor to the start of the previous word, or extend the selection to it."));
    selectNextWord = extend(tr("Extend the selection by a word"), Qt::CTRL | Qt::SHIFT | Qt::Key_Right,
                            tr("Select from the cursor to the start of the next word, or extend the selection to it."));
    selectToStart = extend(tr("Select to the start"), Qt::SHIFT | Qt::Key_Home, tr("Select from the cursor to the start of the recording."));
    selectToEnd = extend(tr("Select to the end"), Qt::SHIFT | Qt::Key_End, tr("Select from the cursor to the end of the recording."));
    goToTime = add(sound, tr("Go to a time"), "", QKeySequence(Qt::CTRL | Qt::Key_G),
                   tr("Type a time in seconds, or the number of a token of a text, into the field of the tool bar; Enter moves the cursor there."));
}

void Actions::addView() {
    const QString view = tr("View"), window = tr("Window");
    zoomIn =
        add(view, tr("Zoom in"), "zoom-in", QKeySequence::ZoomIn, tr("Show a shorter time range around the "
                                                                     "cursor."));
    zoomOut = add(view, tr("Zoom out"), "zoom-out", QKeySequence::ZoomOut, tr("Show a longer time range."));
    fit = add(view, tr("Fit"), "fit", QKeySequence(Qt::Key_F), tr("Show the whole recording."));
    fitSelection = add(view, tr("Fit the selection"), "", QKeySequence(Qt::SHIFT | Qt::Key_F),
                       tr("Show the selection."));
    linkAxes =
        add(view, tr("Link axes"), "link", {},
            tr("Show the same time range for queries and keys. If unchecked, the query axis scrolls "
               "independently."));
    linkAxes->setCheckable(true);
    linkAxes->setChecked(true);
    equalAxes = add(view, tr("Equal axes"), "", QKeySequence(Qt::Key_E),
                    tr("Use the same scale for both time axes. Where a map is too low for all queries, it shows those "
                        "around the cursor."));
    equalAxes->setCheckable(true);
    hideDiagonal =
        add(view, tr("Hide diagonal"), "", QKeySequence(Qt::Key_D),
            tr("Hide the main diagonal. In contributions it holds 40–70\u202f% of a row and flattens the rest."));
    hideDiagonal->setCheckable(true);
    hideDiagonal->setChecked(true);
    showWindow = add(view, tr("Window"), "", {}, tr("Show the layer's window as a band on the matrix."));
    showWindow->setCheckable(true);
    showWindow->setChecked(true);
    themeSystem = add(view, tr("System"), "", {}, tr("Follow the desktop theme."));
    themeLight = add(view, tr("Light"), "", {}, tr("Use light colours."));
    themeDark = add(view, tr("Dark"), "", {}, tr("Use dark colours."));
    themes = new QActionGroup(this);
    for (QAction* theme : {themeSystem, themeLight, themeDark}) {
        theme->setCheckable(true);
        theme->setProperty("menu", tr("Theme")); // outside of its menu the text alone says too little
        themes->addAction(theme);
    }
    textSizes = new QActionGroup(this);
    for (const int percent : {90, 100, 110, 125, 150}) {
        QAction* size = add(view, tr("%1\u202f%").arg(percent), "", {},
                            percent == 100 ? tr("Show text in its usual size.")
                                           : tr("Show text and controls at %1\u202f% of the usual size.").arg(percent));
        size->setCheckable(true);
        size->setProperty("menu", tr("Text size"));
        size->setData(percent);
        textSizes->addAction(size);
    }
    fullScreen = add(view, tr("Full screen"), "", QKeySequence(Qt::Key_F11), tr("Show the window on the whole screen, and back."));
    fullScreen->setCheckable(true);
    resetLayout = add(window, tr("Reset layout"), "", {}, tr("Restore the default position of all panels."));
    analyseWorkspace = add(window, tr("Analyse"), "", QKeySequence(Qt::CTRL | Qt::Key_1),
                           tr("Listen, and see what each layer attends to."));
    analyseWorkspace->setCheckable(true);
    analyseWorkspace->setChecked(true);
    analyseWorkspace->setData("matrix");
    designWorkspace = add(window, tr("Design"), "", QKeySequence(Qt::CTRL | Qt::Key_2),
                          tr("Edit the attention of every head, and see what it costs."));
    designWorkspace->setCheckable(true);
    designWorkspace->setData("grid");
    trainWorkspace = add(window, tr("Train"), "", QKeySequence(Qt::CTRL | Qt::Key_3),
                         tr("Train the draft, watch the run, and open the trained model."));
    trainWorkspace->setCheckable(true);
    trainWorkspace->setData("curve");
    workspaces = new QActionGroup(this);
    workspaces->addAction(analyseWorkspace);
    workspaces->addAction(designWorkspace);
    workspaces->addAction(trainWorkspace);
    findAction = add(tr("Help"), tr("Find action"), "search", QKeySequence(Qt::CTRL | Qt::Key_K),
                     tr("Search all actions."));
    guide = add(tr("Help"), tr("Guide"), "info", QKeySequence::HelpContents,
                tr("Open the user's guide."));
    keys = add(tr("Help"), tr("Keyboard shortcuts"), "info", {}, tr("Open the list of keys in the guide."));
    about = add(tr("Help"), tr("About Headroom"), "info", {}, tr("Show version and licence."));
}

void Actions::addAnalysis() {
    const QString analysis = tr("Analysis"), view = tr("View");
    previousLayer =
        add(analysis, tr("Previous layer"), "", QKeySequence(Qt::Key_PageUp), tr("Show the layer below."));
    nextLayer =
        add(analysis, tr("Next layer"), "", QKeySequence(Qt::Key_PageDown), tr("Show the layer above."));
    focusWindow =
        add(analysis, tr("Edit the window with the keyboard"), "", QKeySequence(Qt::Key_W),
            tr("Move the focus to the band. Arrow keys change the window by 2 (Shift: 10), Home sets 1, "
               "End sets full."));
    suggestedWindow =
        add(analysis, tr("Suggested window for this layer"), "wand", {},
            tr("Set the window that Algorithm 1 finds for the open utterances or for the study shown in Windows. "
               "The layer stays full if the CL is above the limit. Alastruey et al. 2022."));
    suggestedWindows =
        add(analysis, tr("Suggested windows for all layers"), "wand", {},
            tr("Set the suggested windows of all layers in one undo step. Alastruey et al. 2022."));
    fullWindow = add(analysis, tr("Full attention in this layer"), "", {},
                     tr("Remove the window of this layer from the draft."));
    compare =
        add(analysis, tr("Compare"), "compare", QKeySequence(Qt::Key_C),
            tr("Show another model or layer beside the current map, on the same colour scale. Shift+click "
               "a small map to compare with that layer."));
    compare->setCheckable(true);
    difference = add(analysis, tr("Difference of the two maps"), "", QKeySequence(Qt::SHIFT | Qt::Key_C),
                     tr("Show the difference A − B in place of B, centred on 0."));
    difference->setIconText(tr("A − B"));
    difference->setCheckable(true);
    setAvailable(difference, tr("Show two maps side by side first: Compare."));
    blink = add(analysis, tr("Blink between the two maps"), "eye", QKeySequence(Qt::Key_B),
                tr("Switch between A and B: press once, or hold the key."));
    blink->setIconText(tr("Blink"));
    blink->setCheckable(true);
    blink->setAutoRepeat(false);
    setAvailable(blink, tr("Show two maps side by side first: Compare."));
    keepCurve =
        add(analysis, tr("Keep this D(w) curve"), "pin", QKeySequence(Qt::Key_K),
            tr("Keep the curve of this layer, head and recording in the D(w) plot. Press again to remove "
               "it."));
    encoderView =
        add(view, tr("Encoder"), "matrix", {}, tr("Show the maps of the encoder's layers under the sound."));
    encoderView->setCheckable(true);
    encoderView->setChecked(true);
    words = add(view, tr("Words"), "text", QKeySequence(Qt::Key_T),
                tr("Find the text in the sound: cross-attention of the decoder, and the times of the words."));
    words->setCheckable(true);
    words->setAutoRepeat(false);
    decoderView = add(
        view, tr("Decoder"), "head-masked", QKeySequence(Qt::SHIFT | Qt::Key_T),
        tr("Show the decoder's self-attention: which earlier pieces of the text it reads for each piece."));
    decoderView->setCheckable(true);
    decoderView->setAutoRepeat(false);
    encoderView->setData(QStringLiteral("matrix")); // what a switch shows where there is no room for words
    words->setData(QStringLiteral("text"));
    decoderView->setData(QStringLiteral("head-masked"));
    newStudy = add(analysis, tr("Study…"), "queue", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U),
                   tr("Measure the ticked models on many utterances, in the background: windows, diagonality, "
                      "heads, phones, probe, latency, mixing, similarity."));
    showStudies =
        add(analysis, tr("Studies"), "queue", {}, tr("Show all studies and their state: open, cancel, "
                                                     "resume."));
    trainThis = add(tr("Runs"), tr("Train this…"), "curve", {},
                    tr("Copy the current draft to the launch form."));
    alignments = add(analysis, tr("Alignments and phone map"), "text", {},
                     tr("Show problems in the alignments and where they occur, and edit the phone map."));
    analyseSelection =
        add(analysis, tr("Analyse only the selection"), "", {},
            tr("Analyse only the selected part. The rest can still be played and viewed."));
    analyseWhole =
        add(analysis, tr("Analyse the whole recording"), "", {}, tr("Analyse the whole recording instead "
                                                                    "of the selected part."));
    analyseAgain = add(analysis, tr("Analyse again"), "refresh", QKeySequence::Refresh,
                       tr("Analyse this utterance again. Files that could not be read are looked for again."));
    cancel = add(analysis, tr("Cancel"), "close", QKeySequence(Qt::Key_Escape),
                 tr("Stop the computation and keep finished results."));
    restartWorker = add(analysis, tr("Restart the worker"), "refresh", {},
                        tr("Stop the worker and start a new one. The session stays open."));
}

} // namespace headroom::app
