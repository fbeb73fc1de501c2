// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/design_actions.h"

#include "app/parts/actions.h"
#include "core/architecture/choices.h"
#include "widgets/look/icons.h"

#include <QAction>
#include <QActionGroup>

namespace headroom::app {

DesignActions::DesignActions(QObject* parent) : QObject(parent) {
    openArchitecture =
        add(tr("Open an architecture…"), "open", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
            tr("Open an architecture file for editing."));
    saveArchitecture = add(tr("Save architecture"), "export", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
                           tr("Save the architecture to its own file, or ask for a file if it has none."));
    saveArchitectureAs =
        add(tr("Save architecture as…"), "export", QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_S),
            tr("Save the architecture as a file in canonical text, one line per layer."));
    copyAsText = add(tr("Copy as JSON"), "text", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C),
                     tr("Copy the whole architecture as JSON, as in its file."));
    startFromPreset = add(tr("Start from the preset"), "plus", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
                          tr("Start a new architecture from the selected preset."));
    closeDocument = add(tr("Close the architecture"), "close", QKeySequence(Qt::CTRL | Qt::Key_W),
                        tr("Close this architecture. Its file stays as last saved; Undo brings edits back."));
    useSuggested = add(tr("Use suggested windows"), "wand", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_W),
                       tr("Apply the windows that Algorithm 1 finds over the open utterances to all "
                          "layers, as one undo step. Layers that would lose too much stay full. Alastruey "
                          "et al. 2022."));
    setFull = add(tr("Full attention in the selected heads"), "head-full", {},
                  tr("Every token sees every token. Type full, or press Delete."));
    setLocal = add(tr("Local attention in the selected heads"), "head-local", {},
                   tr("A token sees itself and its neighbours. Type local 17, or 17. In a language model it "
                      "sees itself and earlier tokens of the window: masked 17."));
    setBlock =
        add(tr("Block attention in the selected heads"), "head-block", {},
            tr("Blocks of ⌊w/3⌋ tokens; a query sees its own block and both neighbours. Type local 64 "
               "block. Sant et al. 2022."));
    setConv = add(tr("ConvAttention in the selected heads"), "head-conv", {},
                  tr("Keys and values shortened by a convolution. Type conv 5/2. Sant et al. 2022."));
    setMasked = add(tr("Masked attention in the selected heads"), "head-masked", {},
                    tr("A token sees itself and earlier tokens. Type masked, or masked 17 for the earlier "
                       "half of a window."));
    setReuse = add(tr("Reuse the map of an earlier layer"), "reuse", {},
                   tr("The whole layer reuses the maps of the nearest earlier layer that has its own. Type "
                      "reuse 4. Shim et al. 2022."));
    setRelaxed = add(tr("Relaxed attention in the selected heads"), "wand", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R),
                     tr("Mix the weights with uniform ones in training: (1 − γ) A + γ / N. Type full relaxed 0.01. "
                        "Where all selected heads are relaxed, removes the relaxation; the field beside the button changes "
                        "their γ. Select the row Decoder for its cross-attention. Lohrenz et al. 2022."));
    narrower = add(tr("Narrower windows"), "minus", {},
                   tr("Make the windows of selected heads two tokens narrower. [ (Shift: ten)"));
    wider = add(tr("Wider windows"), "plus", {},
                tr("Make the windows of selected heads two tokens wider. ] (Shift: ten)"));
    resetDraft = add(tr("Revert to the original"), "undo", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Z),
                     tr("Restore the heads of the original model, preset or file in all layers, as one "
                        "undo step."));
    nextMistake = add(tr("Next mistake"), "error", QKeySequence(Qt::Key_F8),
                      tr("Go to the next head with a mistake."));
    showGrid = add(tr("Grid"), "grid", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_G), tr("Show the heads as a grid."));
    showText = add(tr("Text"), "text", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_E), tr("Show the heads as text, one line per layer, to type or paste."));
    setSearchWords(openArchitecture, tr("load import config JSON"));
    setSearchWords(saveArchitecture, tr("write store file JSON"));
    setSearchWords(saveArchitectureAs, tr("export download config JSON"));
    setSearchWords(copyAsText, tr("clipboard export text"));
    setSearchWords(startFromPreset, tr("template example new create"));
    setSearchWords(closeDocument, tr("delete remove"));
    setSearchWords(useSuggested, tr("automatic recommend optimal best"));
    setSearchWords(setFull, tr("global delete reset"));
    setSearchWords(setLocal, tr("window sliding banded"));
    setSearchWords(setBlock, tr("chunk"));
    setSearchWords(setConv, tr("convolution compress stride"));
    setSearchWords(setMasked, tr("causal streaming"));
    setSearchWords(setReuse, tr("share copy"));
    setSearchWords(setRelaxed, tr("smoothing regularise uniform gamma"));
    setSearchWords(narrower, tr("smaller decrease less"));
    setSearchWords(wider, tr("larger increase more bigger"));
    setSearchWords(resetDraft, tr("undo all reset delete changes"));
    setSearchWords(nextMistake, tr("error problem wrong"));
    setSearchWords(showText, tr("edit type code"));
    auto* shown = new QActionGroup(this);
    for (QAction* action : {showGrid, showText}) {
        action->setCheckable(true);
        shown->addAction(action);
    }
    showGrid->setChecked(true);
    addPositions();
}

void DesignActions::addPositions() {
    positions = new QActionGroup(this);
    const auto choice = [this](Positions one, const QString& text, const QString& toolTip) {
        QAction* action = add(text, QStringLiteral("grid"), {}, toolTip);
        action->setCheckable(true);
        action->setData(int(one));
        action->setProperty("menu", tr("Positions")); // outside of its menu the text alone says too little
        setSearchWords(action, tr("position encoding embedding absolute relative rotary RoPE"));
        positions->addAction(action);
    };
    choice(Positions::Sinusoidal, tr("Sinusoidal"), tr("Absolute: sines and cosines are added to the input of layer 1. Vaswani et al. 2017."));
    choice(Positions::Interleaved, tr("Sinusoidal, interleaved"),
           tr("Absolute: sines are added to the even channels of the input of layer 1, cosines to the odd ones, as in ESPnet."));
    choice(Positions::Relative, tr("Relative"),
           tr("Scores depend on the distance between query and key, with weights of each layer. Dai et al. 2019."));
    choice(Positions::RelativeLegacy, tr("Relative, older ESPnet"), tr("Relative positions as ESPnet computed them before 2021."));
    choice(Positions::Rotary, tr("Rotary"), tr("Queries and keys are rotated by their position. Su et al. 2021."));
    choice(Positions::RelativeKey, tr("Relative keys"),
           tr("Learnt vectors of the distance, up to 64 tokens before and 8 after, are added to the keys. Shaw et al. 2018."));
    choice(Positions::Convolutional, tr("Convolutional"),
           tr("A convolution over 128 tokens of the input of layer 1 is added to it. Baevski et al. 2020."));
    choice(Positions::Stored, tr("Stored"), tr("A table that came with the model is added to the input of layer 1 and never trained."));
    choice(Positions::Learnt, tr("Learnt"), tr("A learnt table is added to the input of layer 1."));
    choice(Positions::None, tr("None"), tr("Full attention does not know the order of the tokens."));
}

QAction* DesignActions::add(const QString& text, const QString& icon, const QKeySequence& key,
                            const QString& toolTip) {
    auto* action = new QAction(widgets::icon(icon), text, this);
    if (!key.isEmpty())
        action->setShortcut(key);
    setToolTipWithKey(action, toolTip);
    m_all << action;
    return action;
}

} // namespace headroom::app
