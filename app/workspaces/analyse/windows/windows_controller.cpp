// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/windows/windows_controller.h"

#include "app/documents/items/map_names.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/shown_number.h"
#include "app/parts/view_values.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/heads/live_state.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/windows/study_windows.h"
#include "app/workspaces/analyse/windows/windows_caption.h"
#include "core/architecture/edits.h"
#include "widgets/look/number_text.h"
#include "widgets/look/ranges_text.h"
#include "widgets/matrix/window_band.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPointer>
#include <QTabWidget>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr const char *kKeptKey = "keptCurves", *kFilterKey = "windowsFilter"; ///< of the view

/// The row of a layer (from 1) that may have a suggestion; null: none has.
const widgets::WindowsRow* suggestingRow(const WindowSuggestions& from, int layer) {
    const auto index = static_cast<std::size_t>(layer) - 1; // 0 wraps: outside too
    return from.why.isEmpty() && index < from.rows.size() ? &from.rows[index] : nullptr;
}

} // namespace

WindowsController::WindowsController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_panel(new WindowsPanel(*parts.actions, parts.evidence)) {
    m_panel->setObjectName(QStringLiteral("windowsTab"));
    parts.tabs->setTabToolTip(
        parts.tabs->addTab(m_panel, tr("Windows")),
        tr("What a window would keep (D) and cut off (CL), by layer."));
    connectPanel();
    Session* session = parts.session;
    connect(parts.actions->suggestedWindow, &QAction::triggered, this, &WindowsController::applySuggestion);
    connect(parts.actions->suggestedWindows, &QAction::triggered, this, &WindowsController::applySuggestions);
    connect(parts.actions->keepCurve, &QAction::triggered, this, &WindowsController::keepCurve);
    connect(parts.map, &MapController::refreshed, this, &WindowsController::refresh);
    // The panel has taken up the other study, or the other limit, by now.
    connect(parts.evidence, &StudyEvidence::shownChanged, this, &WindowsController::showSuggestion);
    connect(session, &Session::fullAboveChanged, this, &WindowsController::showSuggestion);
    connect(parts.analysis, &AnalysisService::busyChanged, this, &WindowsController::showSuggestion); // read, or cancelled
    connect(session, &Session::currentLayerChanged, this,
            [this] { m_panel->setLayer(m_parts.session->currentLayer()); });
    for (auto signal :
         {&Session::currentModelChanged, &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &WindowsController::showTitle);
    connect(session, &Session::modelChanged, this, &WindowsController::showTitle);
    connect(parts.analysis, &AnalysisService::resultChanged, this, &WindowsController::showTitle);
    showTitle();
    updateActions();
}

void WindowsController::connectPanel() {
    MapController* map = m_parts.map;
    connect(map, &MapController::windowDragged, m_panel, &WindowsPanel::showDragged);
    connect(m_panel, &WindowsPanel::windowDragged, map, &MapController::drag);
    connect(m_panel, &WindowsPanel::windowEdited, map, [map](int, int now) { map->edit(now); });
    connect(m_panel, &WindowsPanel::layerChosen, m_parts.session, &Session::setCurrentLayer);
    connect(m_panel->diagonality(), &widgets::DiagonalityPlot::comparedChosen, this,
            &WindowsController::chooseCurve);
    QDoubleSpinBox* fullAbove = m_panel->fullAboveField();
    fullAbove->setValue(m_parts.session->fullAbove());
    connect(fullAbove, &QDoubleSpinBox::valueChanged, m_parts.session, &Session::setFullAbove);
    connect(m_parts.session, &Session::fullAboveChanged, fullAbove, [fullAbove](double loss) { showNumber(fullAbove, loss); });
}

/// CL is that of the contributions also where the large map shows a head; then the title says so.
void WindowsController::showTitle() {
    m_parts.tabs->setTabText(m_parts.tabs->indexOf(m_panel),
                             m_parts.session->mapSource() != MapSource{}
                                 ? tr("Windows (%1)").arg(m_parts.map->measuredText())
                                 : tr("Windows"));
}

void WindowsController::refresh() {
    measureKept();
    showKept();
    WindowsPanel::Content content;
    const OpenModel* model = m_parts.session->currentModel();
    const AnalysisResult* result = m_parts.analysis->current();
    content.layer = m_parts.session->currentLayer();
    if (m_parts.session->mapSource() != MapSource{})
        content.measured = m_parts.map->measuredText();
    const std::vector<HeadGroup> heads = m_parts.session->drafts()->heads(draft(), content.layer);
    content.window = windowOf(heads).value_or(0);
    content.kinds = otherKinds(heads);
    if (model && model->info && result && result->readyLayers() > 0) {
        content.millisecondsPerToken = millisecondsPerToken(*model, result);
        // The table is that of the open utterances; a study has its own.
        WindowSuggestions live =
            windowSuggestions(*m_parts.session, *m_parts.analysis, nullptr, model->id, draft());
        content.rows = std::move(live.rows);
        content.utterances = live.utterances;
        content.of = live.of;
        content.selections = selectionsText(live.utterances, live.selections);
    }
    addCompared(content);
    content.caption = windowsCaption(*m_parts.session, *m_parts.analysis, content, m_parts.map->measuredText(), m_curves);
    const QString why = whyNothingLive(*m_parts.session, *m_parts.analysis, tr("Windows"));
    if (!why.isEmpty())
        m_panel->setEmptySentence(why);
    m_panel->showContent(content);
    showSuggestion();
}

DraftKey WindowsController::draft() const {
    return {m_parts.session->currentModelId(), 0};
}

std::vector<std::optional<int>> WindowsController::suggestions() const {
    std::vector<std::optional<int>> windows;
    if (m_suggestions.why.isEmpty())
        for (const widgets::WindowsRow& row : m_suggestions.rows)
            windows.push_back(row.suggestion(m_parts.session->fullAbove()));
    return windows;
}

std::optional<int> WindowsController::suggestionHere() const {
    const widgets::WindowsRow* row = suggestingRow(m_suggestions, m_parts.session->currentLayer());
    return row ? row->suggestion(m_parts.session->fullAbove()) : std::nullopt;
}

void WindowsController::showSuggestion() {
    m_suggestions = windowSuggestions(*m_parts.session, *m_parts.analysis, m_parts.evidence,
                                      m_parts.session->currentModelId(), draft());
    m_panel->setSuggestedFrom(suggestedFrom(), m_suggestions.why);
    suggestBeside(); // before the map, in whose place B may stand
    suggestOn(m_parts.map->band(), m_suggestions, m_parts.session->currentModelId(), m_parts.session->currentLayer(),
              m_parts.session->currentUtteranceId());
    updateActions();
}

/// The map beside has the suggestion of its own model and layer.
void WindowsController::suggestBeside() {
    const auto side = m_parts.comparison->side();
    if (!m_parts.beside || !side)
        return;
    const bool isCurrent = side->model == m_parts.session->currentModelId();
    const WindowSuggestions beside =
        isCurrent ? m_suggestions : windowSuggestions(*m_parts.session, *m_parts.analysis, m_parts.evidence, side->model, {side->model, 0});
    const QString basis = basisOf(beside);
    m_parts.beside->setOtherBasis(basis == basisOf(m_suggestions) ? QString() : basis);
    suggestOn(m_parts.beside, beside, side->model, side->layer,
              side->utterance == UtteranceId::None ? m_parts.session->currentUtteranceId() : side->utterance);
}

void WindowsController::suggestOn(widgets::WindowBand* band, const WindowSuggestions& from, ModelId model, int layer, UtteranceId shown) {
    const widgets::WindowsRow* row = suggestingRow(from, layer);
    const std::optional<int> suggested = row ? row->suggestion(m_parts.session->fullAbove()) : std::nullopt;
    if (!suggested)
        return band->setSuggestedWindow(0, false, 0, false);
    band->setSuggestedOver(suggestedOver(*m_parts.analysis, from, model, shown));
    band->setSuggestedWindow(row->suggested, *suggested == 0, row->suggestedLoss(), row->deviation.has_value());
}

QString WindowsController::suggestedFrom() const {
    const OpenUtterance* here = m_parts.session->currentUtterance();
    const auto chosen = m_parts.analysis->utterancesForWindows(m_parts.session->currentModelId());
    const QString of = m_suggestions.of + onlyItselfText();
    if (m_panel->showsStudy() || !here || (chosen.size() == 1 && chosen.front() == here->id))
        return of;
    return tr("%1 Plots, small maps, CL here and CCD: %2 alone.").arg(of, here->shownName());
}

/// What w = 1 means, where it would be used.
QString WindowsController::onlyItselfText() const {
    std::vector<int> layers;
    for (std::size_t i = 0; i < m_suggestions.rows.size(); ++i)
        if (m_suggestions.rows[i].suggestion(m_parts.session->fullAbove()) == 1)
            layers.push_back(static_cast<int>(i) + 1);
    return layers.empty() ? QString() : tr(" %1: with w = 1 a token sees only itself.").arg(layersText(layers));
}

QString WindowsController::layersText(const std::vector<int>& layers) {
    return (layers.size() == 1 ? tr("Layer %1") : tr("Layers %1")).arg(widgets::rangesText(layers));
}

/// A plot of several measures has them in the names of its curves instead of its title.
void WindowsController::addCompared(WindowsPanel::Content& content) {
    ComparedCurves compared =
        comparedCurves(*m_parts.session, *m_parts.analysis, m_parts.comparison->side(), m_kept);
    content.own = std::move(compared.own);
    content.compared = std::move(compared.curves);
    m_curves = std::move(compared.of);
    if (compared.severalMeasures && !content.compared.empty())
        content.measured.clear();
    for (int row = 0; row < m_parts.session->models()->count(); ++row) {
        const OpenModel& ticked = m_parts.session->models()->at(row);
        const AnalysisResult* read = m_parts.analysis->result(m_parts.session->currentUtteranceId(), ticked.id);
        if (!read || (!ticked.enabled && ticked.id != m_parts.session->currentModelId()))
            continue;
        const QString measures = drawnMeasures(*read);
        if (measures.isEmpty())
            continue; // no layer was read: there is no curve to name
        widgets::CcdPlot::Model line{ticked.shownName(), {}, ticked.colour};
        if (compared.severalMeasures)
            line.name += QStringLiteral(", ") + measures;
        for (const LayerResult& layer : read->layers)
            line.ccd.push_back(layer.ccd);
        content.ccd.push_back(std::move(line));
    }
}

void WindowsController::applySuggestion() {
    if (!m_suggestions.why.isEmpty())
        m_parts.session->messages()->post(Severity::Warning, m_suggestions.why);
    else if (const auto window = suggestionHere())
        m_parts.map->applyWindow(*window);
}

void WindowsController::applySuggestions() {
    if (!m_suggestions.why.isEmpty())
        m_parts.session->messages()->post(Severity::Warning, m_suggestions.why);
    else
        writeSuggestions();
}

/// The map may not be on the screen, and nothing else there shows the draft.
void WindowsController::writeSuggestions() {
    const auto windows = suggestions();
    const auto now = [&] {
        std::vector<std::vector<HeadGroup>> layers;
        for (std::size_t layer = 1; layer <= windows.size(); ++layer)
            layers.push_back(m_parts.session->drafts()->heads(draft(), static_cast<int>(layer)));
        return layers;
    };
    const auto before = now();
    m_parts.map->applyWindows(windows);
    const auto after = now();
    int changed = 0;
    for (std::size_t i = 0; i < windows.size(); ++i)
        changed += before[i] != after[i];
    const QString name = m_parts.session->drafts()->shownName(draft());
    m_parts.session->messages()->post(
        Severity::Info, changed == 0 ? tr("The draft of “%1” already has the suggested windows.").arg(name)
                                     : tr("The suggested windows changed %1 of %2 in the draft of “%3”.")
                                           .arg(QString::number(changed), widgets::counted(std::ssize(windows), tr("1 layer"), tr("%1 layers")), name));
}

/// What a study suggests needs no analysed utterance.
void WindowsController::updateActions() {
    const Actions& actions = *m_parts.actions;
    const auto all = suggestions();
    const bool any = std::ranges::any_of(all, [](const auto& window) { return window.has_value(); });
    const QString none = !m_suggestions.why.isEmpty()         ? m_suggestions.why
                         : any                                ? QString()
                         : !m_parts.session->currentModel()   ? tr("Open a model first.")
                         : m_suggestions.utterances > 0 || m_suggestions.of.isEmpty() ? tr("No layer has been analysed yet.")
                                                              : m_suggestions.of;
    setAvailable(actions.suggestedWindows, none);
    setAvailable(actions.suggestedWindow, !none.isEmpty() || suggestionHere() ? none : tr("There is no suggestion for this layer."));
}

CurveOf WindowsController::curveHere() const {
    const Session* session = m_parts.session;
    return curveOf(*session, *m_parts.analysis, session->currentModelId(), session->currentLayer(), session->mapSource(),
                   session->currentUtteranceId());
}

void WindowsController::showKept() {
    const bool isKept = std::ranges::find(m_kept, curveHere(), &KeptCurve::of) != m_kept.end();
    m_parts.actions->keepCurve->setText(isKept ? tr("Remove this kept D(w) curve") : Actions::tr("Keep this D(w) curve"));
}

/// Keeps the D(w) curve of the current map (layer, head, recording or its selection) in the plot; a kept one is let go.
void WindowsController::keepCurve() {
    const CurveOf of = curveHere();
    if (of.model == ModelId::None || of.utterance == UtteranceId::None)
        return;
    const auto known = std::ranges::find(m_kept, of, &KeptCurve::of);
    const bool isNew = known == m_kept.end();
    const KeptCurve curve = isNew ? curveNow(*m_parts.session, *m_parts.analysis, of) : *known;
    setKept(curve, isNew);
    sayKept(curve, isNew);
}

/// The curve of the current layer is in the plot anyway, so nothing there shows that it stays.
void WindowsController::sayKept(const KeptCurve& curve, bool kept) {
    QStringList of{tr("layer %1").arg(curve.of.layer), m_parts.session->currentModel()->shownName()};
    if (!curve.of.source.isContributions())
        of.insert(1, mapNoun(curve.of.source));
    if (const OpenUtterance* utterance = m_parts.session->currentUtterance())
        of << utterance->shownName() + partText(curve.of.part);
    const QString name = of.join(QStringLiteral(", ")), cause = QStringLiteral("kept curve ") + name;
    m_parts.session->messages()->settle(cause); // what was offered before is over
    m_parts.session->messages()->post(
        Severity::Info, (kept ? tr("The D(w) curve (%1) stays in the plot of Windows. Press K here again to remove it.")
                              : tr("The D(w) curve (%1) was removed from the plot of Windows."))
                            .arg(name),
        tr("Undo"),
        [here = QPointer(this), cause, curve, kept] {
            if (!here)
                return;
            here->m_parts.session->messages()->settle(cause);
            here->setKept(curve, !kept);
        },
        {cause});
}

/// Nothing where it is so already, or the curve is of something that is no longer open.
void WindowsController::setKept(const KeptCurve& curve, bool kept) {
    const auto found = std::ranges::find(m_kept, curve.of, &KeptCurve::of);
    if (!kept && found != m_kept.end())
        m_kept.erase(found);
    else if (kept && found == m_kept.end() && m_parts.session->models()->find(curve.of.model))
        m_kept.push_back(curve);
    else
        return;
    m_parts.session->setModified();
    showKept();
    m_parts.map->refreshSoon();
}

/// A curve that was kept before its layer was read gets its numbers with the layer.
void WindowsController::measureKept() {
    for (KeptCurve& curve : m_kept)
        if (curve.profile.empty())
            curve = curveNow(*m_parts.session, *m_parts.analysis, curve.of);
}

void WindowsController::saveView(nlohmann::json& view) const {
    if (nlohmann::json kept = keptView(m_kept, *m_parts.session); !kept.empty())
        view[kKeptKey] = std::move(kept);
    if (const QString filter = m_panel->filterField()->text(); !filter.isEmpty())
        view[kFilterKey] = filter.toStdString();
}

void WindowsController::restoreView(const nlohmann::json& view) {
    m_kept = keptIn(view.value(kKeptKey, nlohmann::json()), *m_parts.session);
    m_panel->filterField()->setText(QString::fromStdString(stringIn(view, kFilterKey).value_or("")));
    showKept();
    m_parts.map->refreshSoon();
}

void WindowsController::chooseCurve(int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= m_curves.size())
        return;
    const CurveOf curve = m_curves[static_cast<std::size_t>(index)]; // the list changes below
    Session* session = m_parts.session;
    if (const OpenModel* model = session->models()->find(curve.model); model && !model->maps)
        session->setPart(curve.utterance, curve.part);
    session->setCurrentUtterance(curve.utterance);
    session->setCurrentModel(curve.model);
    session->setCurrentLayer(curve.layer);
    session->setMapSource(curve.source);
}

} // namespace headroom::app
