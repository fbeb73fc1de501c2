// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/analyse_workspace.h"

#include "app/alignments/alignment_store.h"
#include "app/parts/actions.h"
#include "app/parts/panel_header.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/compare/compare_presenter.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/heads/head_tabs.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/opened/model_panel.h"
#include "app/workspaces/analyse/opened/utterance_panel.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/sound/token_walk.h"
#include "app/workspaces/analyse/start/start_page.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QCursor>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr double kZoomStep = 1.5;
}

AnalyseWorkspace::AnalyseWorkspace(const Parts& parts, QWidget* parent)
    : Workspace(QStringLiteral("analyse"), parts.actions->analyseWorkspace, parent)
    , m_parts(parts) {
    makeCentre();
    makeDocks();
    m_headTabs = new HeadTabs(
        {parts.session, parts.analysis, parts.evidence, &m_axis, m_tabs, m_alignments}, this);
    m_comparison = new Comparison(parts.session, this);
    m_presenter = new MapPresenter(parts.session, parts.analysis, m_comparison, &m_axis,
                                   {m_matrix, m_layers, m_windows, m_checks, m_readOut}, this);
    m_comparePresenter = new ComparePresenter(
        parts.session, parts.analysis, m_comparison,
        {m_matrix, m_layers, m_column, &m_axis, parts.actions->difference, parts.actions->blink}, this);
    connectSession();
    connectActions();
    connectComparison();
    connectWorker();
    connectSound();
    connectStudies();
    connectAvailability();
    showUtterance();
    m_presenter->refresh();
}

AnalyseWorkspace::~AnalyseWorkspace() = default;

void AnalyseWorkspace::makeCentre() {
    const Actions& actions = *m_parts.actions;
    m_pages = new QStackedWidget(this);
    m_start =
        new StartPage({actions.openAudio, actions.record, actions.openDemo, actions.openModel}, m_pages);
    m_splitter = new QSplitter(Qt::Vertical, m_pages);
    m_column = new TimeColumn(&m_axis, actions, m_splitter);
    m_matrix = new MatrixPanel(&m_axis, actions, m_splitter);
    m_splitter->addWidget(m_column);
    m_splitter->addWidget(m_matrix);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 2);
    auto* startPage = new QWidget(m_pages);
    auto* startLayout = new QVBoxLayout(startPage);
    startLayout->setContentsMargins(0, 0, 0, 0);
    startLayout->setSpacing(0);
    startLayout->addWidget(new PanelHeader(tr("Start"), startPage));
    startLayout->addWidget(m_start);
    m_pages->addWidget(startPage);
    m_pages->addWidget(m_splitter);
    m_recordingBar = new RecordingBar(actions, this);
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_recordingBar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);
    m_start->setFocus();
}

QWidget* AnalyseWorkspace::centre() const {
    return m_splitter;
}

void AnalyseWorkspace::connectSession() {
    Session* session = m_parts.session;
    connect(session, &Session::currentUtteranceChanged, this, &AnalyseWorkspace::showUtterance);
    connect(session, &Session::utteranceAdded, this, &AnalyseWorkspace::showUtterance);
    connect(session, &Session::utteranceRemoved, this, &AnalyseWorkspace::showUtterance);
    connect(session, &Session::utteranceChanged, this, [this](UtteranceId id) {
        if (id == m_parts.session->currentUtteranceId())
            showUtterance();
    });
    connect(session, &Session::currentModelChanged, this,
            [this] { m_models->setCurrent(m_parts.session->currentModelId()); });
    connect(session, &Session::modelAdded, this,
            [this] { m_models->setCurrent(m_parts.session->currentModelId()); });
    connect(m_utterances, &UtterancePanel::chosen, session, &Session::setCurrentUtterance);
    connect(m_utterances, &UtterancePanel::removeRequested, session, &Session::closeUtterance);
    connect(m_utterances, &UtterancePanel::showInFolderRequested, this,
            &AnalyseWorkspace::showInFolderRequested);
    connect(m_utterances, &UtterancePanel::alignRequested, this, &AnalyseWorkspace::alignRequested);
    m_headTabs->setAlignAction(m_utterances->findChild<QAction*>(QStringLiteral("align")));
    connect(m_models, &ModelPanel::chosen, session, &Session::setCurrentModel);
    connect(m_models, &ModelPanel::removeRequested, session, &Session::closeModel);
    connect(m_models, &ModelPanel::showInFolderRequested, this, &AnalyseWorkspace::showInFolderRequested);
    connect(m_column, &TimeColumn::linearWanted, session, &Session::requireLinearSpectrogram);
    connect(m_presenter, &MapPresenter::refreshed, this, [this] {
        showCounts();
        showResultBanner();
        Q_EMIT shownChanged();
    });
    connect(&m_axis, &widgets::TimeAxis::selectionChanged, this, &AnalyseWorkspace::showResultBanner);
    connect(m_parts.analysis, &AnalysisService::progressChanged, this,
            [this] { m_layers->showProgress(m_parts.analysis->progress()); });
    connect(m_parts.analysis, &AnalysisService::busyChanged, this,
            [this] { m_layers->showProgress(m_parts.analysis->progress()); });
}

void AnalyseWorkspace::connectActions() {
    const Actions& a = *m_parts.actions;
    const auto at = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    const auto around = [this] {
        const auto visible = m_axis.visible();
        const auto cursor = m_axis.cursor();
        const bool isVisible = cursor && *cursor >= visible.start && *cursor <= visible.end;
        return isVisible ? *cursor : visible.start + visible.length() / 2;
    };
    at(a.zoomIn, [this, around] { m_axis.zoom(kZoomStep, around()); });
    at(a.zoomOut, [this, around] { m_axis.zoom(1 / kZoomStep, around()); });
    at(a.fit, [this] { m_axis.fit(); });
    at(a.fitSelection, [this] {
        if (m_axis.selection())
            m_axis.setVisible(*m_axis.selection());
    });
    at(a.toStart, [this] { moveCursor(Seconds(0)); });
    at(a.previousToken, [this] { step(-1); });
    at(a.nextToken, [this] { step(1); });
    at(a.previousWord, [this] { stepWord(-1); });
    at(a.nextWord, [this] { stepWord(1); });
    at(a.firstToken, [this] { step(-1000000); });
    at(a.lastToken, [this] { step(1000000); });
    at(a.previousLayer, [this] { m_parts.session->setCurrentLayer(m_parts.session->currentLayer() - 1); });
    at(a.nextLayer, [this] { m_parts.session->setCurrentLayer(m_parts.session->currentLayer() + 1); });
    at(a.focusWindow, [this] { m_matrix->matrix()->band()->setFocus(Qt::ShortcutFocusReason); });
    at(a.suggestedWindow, [this] { m_presenter->applySuggested(); });
    at(a.suggestedWindows, [this] {
        if (const QString why = m_windows->whyNotUsed(); !why.isEmpty())
            m_parts.session->messages()->post(Severity::Warning, why);
        else
            m_presenter->applyWindows(m_windows->suggestions());
    });
    at(a.keepCurve, [this] { m_presenter->keepCurve(); });
    at(a.fullWindow, [this] { m_presenter->applyFull(); });
    at(a.analyseAgain, [this] { m_parts.analysis->analyseAgain(); });
    at(a.restartWorker, [this] { m_parts.analysis->restartWorker(); });
    at(a.analyseSelection, [this] {
        if (m_axis.selection())
            analysePart(*m_axis.selection());
    });
    at(a.analyseWhole,
       [this] { m_parts.session->setPart(m_parts.session->currentUtteranceId(), std::nullopt); });
    connect(m_matrix->matrix()->band(), &widgets::WindowBand::applyToLayersRequested, this,
            &AnalyseWorkspace::askForLayers);
    connect(a.hideDiagonal, &QAction::toggled, this, [this](bool hide) {
        m_matrix->matrix()->setHideDiagonal(hide);
        m_matrix->rowProfile()->setHideDiagonal(hide);
        m_layers->thumbnails()->setHideDiagonal(hide);
    });
    connect(a.equalAxes, &QAction::toggled, m_matrix->matrix(), &widgets::LayerMatrixView::setEqualScale);
    connect(a.linkAxes, &QAction::toggled, m_matrix->matrix(), &widgets::LayerMatrixView::setLinkedAxes);
    connect(a.showWindow, &QAction::toggled, m_matrix->matrix()->band(),
            &widgets::WindowBand::setBandVisible);
    // Keys without a modifier belong to this workspace only, and give way to any field that is being typed
    // into.
    for (QAction* action :
         {a.fit, a.fitSelection, a.equalAxes, a.hideDiagonal, a.previousLayer, a.nextLayer, a.focusWindow,
          a.compare, a.difference, a.blink, a.keepCurve, a.play, a.loop, a.cancel}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
    // Arrows, Home and End mean something else in a list or a table: only the middle takes them.
    for (QAction* action :
         {a.previousToken, a.nextToken, a.previousWord, a.nextWord, a.firstToken, a.lastToken}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_splitter->addAction(action);
    }
}

void AnalyseWorkspace::connectComparison() {
    const Actions& a = *m_parts.actions;
    connect(m_presenter, &MapPresenter::refreshed, m_comparePresenter, &ComparePresenter::refresh);
    connect(m_comparison, &Comparison::changed, this, [this, &a] {
        a.compare->setChecked(m_comparison->isOn());
        m_presenter->refreshSoon();
    });
    connect(a.compare, &QAction::toggled, m_comparison, &Comparison::setOn);
    connect(m_matrix, &MatrixPanel::besideShown, m_column, &TimeColumn::setTwinVisible);
    connect(m_matrix, &MatrixPanel::besideShown, this, &AnalyseWorkspace::makeRoomBeside);
    ComparedMap* beside = m_matrix->beside();
    connect(a.hideDiagonal, &QAction::toggled, beside->matrix(), &widgets::LayerMatrixView::setHideDiagonal);
    connect(a.hideDiagonal, &QAction::toggled, beside->rowProfile(), &widgets::RowProfile::setHideDiagonal);
    connect(a.equalAxes, &QAction::toggled, beside->matrix(), &widgets::LayerMatrixView::setEqualScale);
    connect(a.linkAxes, &QAction::toggled, beside->matrix(), &widgets::LayerMatrixView::setLinkedAxes);
    connect(a.showWindow, &QAction::toggled, beside->matrix()->band(), &widgets::WindowBand::setBandVisible);
}

void AnalyseWorkspace::askForLayers(int window) {
    const OpenModel* model = m_parts.session->currentModel();
    if (!model || !model->info)
        return;
    const int here = m_parts.session->currentLayer(), last = model->layerCount();
    QMenu menu(this);
    const auto offer = [&](const QString& text, int from, int to) {
        connect(menu.addAction(text), &QAction::triggered, this,
                [this, window, from, to] { m_presenter->applyToLayers(window, from, to); });
    };
    offer(tr("To all %1 layers").arg(last), 1, last);
    if (here < last)
        offer(tr("To layers %1 to %2").arg(here).arg(last), here, last);
    if (here > 1)
        offer(tr("To layers 1 to %1").arg(here), 1, here);
    menu.exec(QCursor::pos());
}

void AnalyseWorkspace::showUtterance() {
    const Session* session = m_parts.session;
    const Utterance* utterance = session->currentUtterance();
    const int page = session->utterances()->count() == 0 ? 0 : 1;
    if (page != m_pages->currentIndex()) {
        // First away from the page that goes, or the focus would run on to the next field, and back.
        setFocus();
        m_pages->setCurrentIndex(page);
        // The keys mean what the hints say from the first moment on.
        page == 0 ? m_start->setFocus() : m_matrix->matrix()->setFocus();
    }
    m_utterances->setCurrent(session->currentUtteranceId());
    const Seconds extent = utterance ? utterance->duration() : Seconds(0);
    const bool another = session->currentUtteranceId() != m_shownUtterance || extent != m_shownExtent;
    if (another) {
        m_shownUtterance = session->currentUtteranceId();
        m_shownExtent = extent;
        m_axis.setExtent(extent);
    }
    m_transport->setRecording(utterance ? utterance->recording : nullptr);
    m_column->setUtterance(utterance);
    applyWantedView();
    showCounts();
    Q_EMIT shownChanged();
}

void AnalyseWorkspace::showCounts() {
    const AnalysisResult* result = m_parts.analysis->current();
    const Utterance* utterance = m_parts.session->currentUtterance();
    std::optional<std::int64_t> tokens, frames;
    if (result && result->tokens.value() > 0)
        tokens = result->tokens.value();
    if (utterance && utterance->logMel)
        frames = std::int64_t(utterance->logMel->rows());
    m_column->setCounts(tokens, frames);
}

void AnalyseWorkspace::moveCursor(Seconds time) {
    m_axis.setCursor(time);
    m_axis.reveal(time);
}

void AnalyseWorkspace::step(int tokens) {
    if (m_axis.extent().value() <= 0)
        return;
    const AnalysisResult* result = m_parts.analysis->current();
    moveCursor(steppedByToken(m_axis.cursor().value_or(Seconds(0)), tokens,
                              result ? result->clock : TokenClock(), result ? result->tokens : Tokens(0),
                              m_axis.extent()));
}

void AnalyseWorkspace::stepWord(int direction) {
    const Utterance* utterance = m_parts.session->currentUtterance();
    if (!utterance || !utterance->recording)
        return;
    static const std::vector<Interval> kNone;
    moveCursor(steppedByWord(m_axis.cursor().value_or(Seconds(0)), direction,
                             utterance->alignment ? utterance->alignment->words : kNone, m_axis.extent()));
}

void AnalyseWorkspace::analysePart(widgets::TimeSpan span) {
    m_parts.session->setPart(m_parts.session->currentUtteranceId(), Part{span.start, span.end});
}

bool AnalyseWorkspace::isPending() const {
    if (m_headTabs->isPending())
        return true;
    return m_alignments->isPending() || m_column->isPending() || m_presenter->isPending() || m_places->isPending() ||
           m_parts.studies->isPending();
}

} // namespace headroom::app
