// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/design_actions.h"

#include "app/parts/actions.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

DesignActions::DesignActions(QObject* parent) : QObject(parent) {
    openArchitecture =
        add(tr("Open an architecture…"), "open", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
            tr("Open an architecture document; it is edited beside the drafts of the models."));
    saveArchitectureAs =
        add(tr("Save architecture as…"), "export", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
            tr("Write the architecture as a document: canonical text, one line per layer."));
    copyAsText = add(tr("Copy as text"), "text", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C),
                     tr("Copy the architecture document to the clipboard."));
    startFromPreset = add(tr("Start from the preset"), "plus", {},
                          tr("Begin a document of your own from the selected preset."));
    closeDocument = add(tr("Close the architecture document"), "close", {},
                        tr("Close the document that is shown; a file of it stays as it was saved."));
    useSuggested = add(tr("Use suggested windows"), "wand", {},
                       tr("Set every layer's window to what Algorithm 1 finds over the opened utterances, as "
                          "one step to undo; "
                          "layers that would lose too much stay full. Alastruey et al. 2022."));
    setFull = add(tr("Full attention in the selected heads"), "head-full", {},
                  tr("Every token sees every token. Type full, or press Delete."));
    setLocal = add(tr("Local attention in the selected heads"), "head-local", {},
                   tr("A token sees itself and its neighbours. Type local 17, or 17."));
    setBlock =
        add(tr("Block attention in the selected heads"), "head-block", {},
            tr("Blocks of ⌊w/3⌋ tokens; a query sees its own and both neighbours. Type local 64 block. "
               "Sant et al. 2022."));
    setConv = add(tr("ConvAttention in the selected heads"), "head-conv", {},
                  tr("Keys and values shortened by a convolution. Type conv 5/2. Sant et al. 2022."));
    setMasked = add(tr("Masked attention in the selected heads"), "head-masked", {},
                    tr("A token sees itself and what came before. Type masked."));
    setReuse = add(tr("Reuse the map of an earlier layer"), "reuse", {},
                   tr("The whole layer takes the maps of the nearest layer above that has some to give. Type "
                      "reuse 4. Shim et al. 2022."));
    narrower = add(tr("Narrower windows"), "minus", {},
                   tr("Two tokens less in the selected local heads. [ (with Shift: ten)"));
    wider = add(tr("Wider windows"), "plus", {},
                tr("Two tokens more in the selected local heads. ] (with Shift: ten)"));
    resetDraft = add(tr("Back to where it began"), "undo", {},
                     tr("Give every layer back the heads of the model, preset or file it began with, as one "
                        "step to undo."));
    nextMistake = add(tr("Next mistake"), "error", QKeySequence(Qt::Key_F8),
                      tr("Go to the next head that cannot be read."));
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
