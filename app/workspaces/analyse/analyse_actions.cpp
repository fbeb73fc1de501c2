// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/analyse_actions.h"

#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/menu.h"
#include "app/workspaces/analyse/sound/time_field.h"

#include <QAction>
#include <QMenu>

namespace headroom::app {

AnalyseActions::AnalyseActions(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts) {
    connect(parts.axis, &widgets::TimeAxis::selectionChanged, this, &AnalyseActions::update);
    connect(parts.analysis, &AnalysisService::busyChanged, this, &AnalyseActions::update);
    for (auto signal : {&Session::modelAdded, &Session::modelRemoved})
        connect(parts.session, signal, this, &AnalyseActions::update);
    connect(parts.session, &Session::modifiedChanged, this, &AnalyseActions::update);
    connect(parts.session, &Session::nameChanged, this, &AnalyseActions::update);
    connect(parts.session, &Session::currentUtteranceChanged, this, &AnalyseActions::update);
    connect(parts.session, &Session::utteranceChanged, this, &AnalyseActions::update);
    connect(parts.actions->analyseWorkspace, &QAction::toggled, this, &AnalyseActions::update);
}

QList<QMenu*> AnalyseActions::makeMenus(QWidget* parent) const {
    const Actions& a = *m_parts.actions;
    return {menuOf(tr("S&ound"),
                   {a.play, a.loop, a.toStart, a.record, nullptr, a.previousToken, a.nextToken,
                    a.previousWord, a.nextWord, a.firstToken, a.lastToken, a.goToTime, nullptr, a.selectPreviousToken,
                    a.selectNextToken, a.selectPreviousWord, a.selectNextWord, a.selectToStart, a.selectToEnd},
                   parent),
            menuOf(tr("&Analysis"),
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
                    a.restartWorker},
                   parent)};
}

QList<ToolBarItem> AnalyseActions::toolBarItems() const {
    using Item = ToolBarItem;
    const Actions& a = *m_parts.actions;
    const auto makeTimeField = [axis = m_parts.axis, goToTime = a.goToTime](QWidget* parent) -> QWidget* {
        auto* field = new TimeField(parent);
        field->follow(axis);
        connect(goToTime, &QAction::triggered, field, &TimeField::ask);
        return field;
    };
    return {Item::text(a.openAudio), Item::text(a.record),
            Item::gap(),             Item::icon(a.toStart),
            Item::icon(a.play),      Item::icon(a.loop),
            Item::field(makeTimeField),
            Item::gap(),             Item::icon(a.undo),
            Item::icon(a.redo),      Item::gap(),
            Item::text(a.linkAxes),
            Item::gap(),
            Item::switchOf(tr("Shown under the sound"), {a.encoderView, a.words, a.decoderView}),
            Item::gap(),
            Item::text(a.trainThis, a.trainThis->text())}; // “Train” alone is the workspace
}

void AnalyseActions::update() {
    const Actions& a = *m_parts.actions;
    const Session* session = m_parts.session;
    const OpenUtterance* utterance = session->currentUtterance();
    const bool isText = utterance && utterance->isText;
    const bool axis = m_parts.axis->extent().value() > 0; // that of a text is there once it was analysed
    const bool source = utterance && utterance->hasSource();
    const AnalysisResult* result = m_parts.analysis->current();
    const bool model = session->currentModel() && session->currentModel()->info;
    const bool layers = result && result->readyLayers() > 0;
    const QString noSource = source   ? QString()
                             : isText ? tr("Type a text first.")
                                      : tr("Open or make a recording first.");
    const QString noAxis = axis               ? QString()
                           : isText && source ? tr("This text has not been analysed yet.")
                                              : noSource;
    const QString noModel = model ? QString() : tr("Open a model first.");
    const QString noLayers = layers    ? QString()
                             : !model  ? noModel
                             : !source ? noSource
                                       : tr("No layer of this utterance has been analysed yet.");
    for (QAction* action :
         {a.toStart, a.play, a.loop, a.zoomIn, a.zoomOut, a.fit, a.previousToken, a.nextToken, a.previousWord,
          a.nextWord, a.firstToken, a.lastToken, a.selectPreviousToken, a.selectNextToken, a.selectPreviousWord,
          a.selectNextWord, a.selectToStart, a.selectToEnd, a.goToTime})
        setAvailable(action, noAxis);
    for (QAction* action : {a.play, a.loop})
        setAvailable(action, isText ? tr("A text cannot be played.") : noAxis);
    setAvailable(a.fitSelection,
                 m_parts.axis->selection() ? QString()
                 : isText                  ? tr("Select tokens first: drag over them, or press Shift+→.")
                                           : tr("Select a part of the recording first: drag over the waveform, or press Shift+→ in it."));
    for (QAction* action : {a.keepCurve, a.linkAxes, a.equalAxes, a.hideDiagonal, a.showWindow, a.focusWindow,
                            a.fullWindow}) // WindowsController knows what is suggested
        setAvailable(action, noLayers);
    // What is not on the screen is neither saved nor copied unseen.
    const bool isHere = a.analyseWorkspace->isChecked();
    const QString elsewhere = isHere ? QString() : tr("This saves what Analyse shows. Go there first: Ctrl+1.");
    setAvailable(a.copyReadOut, isHere ? noAxis : tr("This copies what Analyse reads out. Go there first: Ctrl+1."));
    setAvailable(a.exportFigure, elsewhere.isEmpty() ? noAxis : elsewhere);
    setAvailable(a.exportData, elsewhere.isEmpty() ? noLayers : elsewhere);
    setAvailable(a.exportTab, elsewhere.isEmpty() && m_parts.whyNoTab ? m_parts.whyNoTab() : elsewhere);
    setAvailable(a.previousLayer, noModel);
    setAvailable(a.nextLayer, noModel);
    setAvailable(a.compare, a.compare->isChecked() ? QString() : noModel);
    setAvailable(a.encoderView, a.encoderView->isChecked() ? QString() : noModel);
    setAvailable(a.words, a.words->isChecked() ? QString() : model ? noSource : noModel);
    const bool decoder = model && session->currentModel()->info->architecture.decoder.has_value();
    setAvailable(a.decoderView, a.decoderView->isChecked() ? QString()
                                : !model                   ? noModel
                                : !decoder                 ? tr("%1 has no decoder.").arg(session->currentModel()->shownName())
                                                           : noSource);
    const OpenModel* chosen = session->currentModel();
    const bool failed = (utterance && !utterance->sentence.isEmpty()) || (chosen && chosen->state == OpenState::Failed);
    setAvailable(a.analyseAgain, failed ? QString() : model ? noSource : noModel); // what failed may be readable now
}

} // namespace headroom::app
