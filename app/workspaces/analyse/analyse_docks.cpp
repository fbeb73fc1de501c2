// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of the ANALYSE workspace and their first layout.
#include "app/parts/actions.h"
#include "app/parts/checks_panel.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/opened/model_panel.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "widgets/look/icons.h"
#include "widgets/look/metrics.h"

#include <QAction>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>

namespace headroom::app {

using widgets::Metrics;

void AnalyseWorkspace::makeDocks() {
    const Actions& actions = *m_parts.actions;
    m_utterances = new UtterancePanel(m_parts.session->utterances(), actions.openAudio);
    m_models = new ModelPanel(m_parts.session->models(), actions.openModel, actions.openDemoModel);
    m_readOut = new ReadOutPanel;
    m_checks = new ChecksPanel;
    m_layers = new LayersPanel(actions);
    m_windows = new WindowsPanel(actions, m_parts.evidence);
    m_windows->setObjectName(QStringLiteral("windowsTab"));

    m_utterancesDock = addDock(QStringLiteral("utterances"), tr("Utterances"), m_utterances);
    auto* addUtterance = new QAction(widgets::icon(QStringLiteral("plus")), tr("Open audio…"), this);
    addUtterance->setToolTip(actions.openAudio->toolTip());
    connect(addUtterance, &QAction::triggered, actions.openAudio, &QAction::trigger);
    m_utterancesDock->header()->addButton(addUtterance);
    connect(m_utterances, &UtterancePanel::countChanged, this,
            [this] { m_utterancesDock->header()->setDetail(m_utterances->countText()); });

    m_modelsDock = addDock(QStringLiteral("models"), tr("Models"), m_models);
    auto* addModel = new QAction(widgets::icon(QStringLiteral("plus")), tr("Open a model…"), this);
    addModel->setToolTip(actions.openModel->toolTip());
    connect(addModel, &QAction::triggered, actions.openModel, &QAction::trigger);
    m_modelsDock->header()->addButton(addModel);

    m_readOutDock = addDock(QStringLiteral("readout"), tr("Read-out"), m_readOut);
    m_readOutDock->header()->addButton(actions.copyReadOut);
    connect(actions.copyReadOut, &QAction::triggered, m_readOut, &ReadOutPanel::copy);

    m_checksDock = addDock(QStringLiteral("checks"), tr("Checks"), m_checks);
    m_layersDock = addDock(QStringLiteral("layers"), tr("Layers"), m_layers);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_windows, tr("Windows"));
    m_tabs->setTabToolTip(
        0, tr("How much a window would keep (D), and what it would cut off (CL), layer by layer."));
    m_analysisDock = addDock(QStringLiteral("analysis"), tr("Analysis"), m_tabs);
    // The tabs are its header.
    m_analysisDock->setTitleBarWidget(new QWidget(m_analysisDock));

    const auto showDetails = [this] {
        const OpenModel* model = m_parts.session->currentModel();
        // Also where the large map shows a head: CL is that of the contributions.
        const bool other = m_parts.session->mapSource().needsAttention();
        const AnalysisResult* result = m_parts.analysis->current();
        const LayerResult* layer = result ? result->layer(m_parts.session->currentLayer()) : nullptr;
        const bool attentionOnly = layer && layer->mean && !layer->contributions;
        const QString measured = attentionOnly ? tr("attention") : tr("contributions");
        m_tabs->setTabText(0, other ? tr("Windows (%1)").arg(measured) : tr("Windows"));
        m_layersDock->header()->setDetail(
            !model        ? tr("appear when a model has read an utterance")
            : model->info ? (other ? tr("%1, %2").arg(measured, model->name) : model->name)
            : model->state == OpenState::Failed ? tr("%1 could not be opened").arg(model->name)
                                                : tr("%1, opening").arg(model->name));
        m_checksDock->header()->setDetail(
            model && model->info ? tr("layer %1").arg(m_parts.session->currentLayer()) : QString());
    };
    for (auto signal :
         {&Session::currentModelChanged, &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(m_parts.session, signal, this, showDetails);
    connect(m_parts.session, &Session::modelChanged, this, showDetails);
    connect(m_parts.analysis, &AnalysisService::resultChanged, this, showDetails);
    showDetails();

    makeStudyDocks();
    addMessagesDock(m_parts.session->messages(), 18);
    makeAlignments();
    placeDocks();
}

void AnalyseWorkspace::placeDocks() {
    const QList<Dock*> left{m_utterancesDock, m_modelsDock, m_readOutDock, m_checksDock};
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (Dock* dock : left) {
        dock->setFloating(false);
        addDockWidget(Qt::LeftDockWidgetArea, dock);
        dock->show();
    }
    for (qsizetype i = 1; i < left.size(); ++i)
        splitDockWidget(left[i - 1], left[i], Qt::Vertical);
    for (Dock* dock : {m_layersDock, m_analysisDock}) {
        dock->setFloating(false);
        addDockWidget(Qt::RightDockWidgetArea, dock);
        dock->show();
    }
    splitDockWidget(m_layersDock, m_analysisDock, Qt::Vertical);
    // Behind the layers, in their place: one looks at the one or makes the other.
    m_studiesDock->setFloating(false);
    tabifyDockWidget(m_layersDock, m_studiesDock);
    m_layersDock->raise();
    m_studiesDock->hide();
    for (Dock* dock : {m_placesDock, messagesDock()}) {
        dock->setFloating(false);
        addDockWidget(Qt::BottomDockWidgetArea, dock);
    }
    m_placesDock->hide();
    messagesDock()->hide();
    placeAlignments();
    sizeDocks();
}

void AnalyseWorkspace::sizeDocks() {
    const int unit = qRound(Metrics::unit());
    resizeDocks({m_utterancesDock, m_layersDock}, {unit * 28, unit * 68}, Qt::Horizontal);
    resizeDocks({m_utterancesDock, m_modelsDock, m_readOutDock, m_checksDock},
                {unit * 40, unit * 20, unit * 34, unit * 17}, Qt::Vertical);
    resizeDocks({m_layersDock, m_analysisDock}, {unit * 46, unit * 66}, Qt::Vertical);
    m_splitter->setSizes({unit * 37, unit * 75});
}

/// Two maps need more of the middle than one: the docks at the right lend it while they are shown.
void AnalyseWorkspace::makeRoomBeside(bool shown) {
    const int unit = qRound(Metrics::unit());
    const int wanted = unit * 124, least = unit * 50;
    const int right = m_layersDock->width();
    if (shown && m_widthBefore == 0 && !m_layersDock->isFloating() && m_splitter->width() < wanted &&
        right > least) {
        m_widthBefore = right;
        resizeDocks({m_layersDock}, {std::max(least, right - (wanted - m_splitter->width()))},
                    Qt::Horizontal);
    } else if (!shown && m_widthBefore > 0) {
        resizeDocks({m_layersDock}, {m_widthBefore}, Qt::Horizontal);
        m_widthBefore = 0;
    }
}

} // namespace headroom::app
