// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/heads_controller.h"

#include "app/parts/view_values.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/heads/live_state.h"
#include "app/workspaces/analyse/heads/statistics_panel.h"

#include <QFutureWatcher>
#include <QLineEdit>
#include <QTabWidget>
#include <QtConcurrent>

namespace headroom::app {

using widgets::HeadId;

namespace {

constexpr const char* kHeadsKey = "heads"; ///< of the view

EvidenceField* headsField(StudyEvidence* evidence) {
    return new EvidenceField(evidence, StudyKind::Heads, EvidenceField::Live::Offered);
}

/// Two whole numbers in a session's view; nothing where it has something else.
std::optional<std::pair<int, int>> wholePair(const nlohmann::json& value) {
    if (!value.is_array() || value.size() != 2 || !value[0].is_number_integer() || !value[1].is_number_integer())
        return std::nullopt;
    return std::pair(value[0].get<int>(), value[1].get<int>());
}

} // namespace

HeadsController::HeadsController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_live(parts.session, parts.analysis, parts.alignments)
    , m_cad(new CadPanel(headsField(parts.evidence), parts.tabs))
    , m_heads(new HeadsPanel(headsField(parts.evidence), parts.tabs))
    , m_statistics(new StatisticsPanel(headsField(parts.evidence), parts.tabs)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &HeadsController::refresh);
    addTabs();
    connectPanels();
    Session* session = parts.session;
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged,
                        &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &HeadsController::refreshSoon);
    connect(session, &Session::utteranceChanged, this, &HeadsController::refreshSoon);
    connect(session, &Session::utteranceRemoved, this, &HeadsController::refreshSoon);
    connect(session, &Session::modelChanged, this, &HeadsController::refreshSoon);
    connect(session, &Session::modelRemoved, this, &HeadsController::refreshSoon);
    connect(parts.analysis, &AnalysisService::resultChanged, this, &HeadsController::refreshSoon);
    connect(parts.analysis, &AnalysisService::layerReady, this, &HeadsController::refreshSoon);
    connect(&m_live, &LiveMetrics::changed, this, &HeadsController::refreshSoon);
    connect(parts.evidence, &StudyEvidence::shownChanged, this, &HeadsController::refreshSoon);
    connect(parts.tabs, &QTabWidget::currentChanged, this, &HeadsController::refreshSoon);
    refreshSoon();
}

void HeadsController::addTabs() {
    const auto add = [this](QWidget* panel, const char* name, const QString& title, const QString& toolTip) {
        panel->setObjectName(QLatin1String(name));
        m_parts.tabs->setTabToolTip(m_parts.tabs->addTab(panel, title), toolTip);
    };
    add(m_cad, "cadTab", tr("CAD"),
        tr("How close to the diagonal each head attends, and whether it is phonetic or linguistic."));
    add(m_heads, "headsTab", tr("Heads"), tr("How much each head contributes to the output of its layer."));
    add(m_statistics, "statisticsTab", tr("Statistics"),
        tr("Entropy, distance, largest weight and share on silence of every head."));
}

void HeadsController::connectPanels() {
    for (auto* note : {m_cad->note(), m_statistics->note()})
        connect(note, &MetricsNote::wanted, &m_live, &LiveMetrics::requireAll);
    for (HeadTab* tab : tabs()) {
        connect(tab, &HeadTab::headActivated, this, &HeadsController::showHead);
        connect(tab, &HeadTab::headSelected, this, [this](HeadId head) {
            m_lastHead = head;
            if (m_study) // a list of another head would be taken for this one's
                m_parts.evidence->followPlaces(placesOf(head));
        });
    }
    for (auto signal : {&Session::mapSourceChanged, &Session::currentLayerChanged})
        connect(m_parts.session, signal, this, &HeadsController::followSource);
}

void HeadsController::saveView(nlohmann::json& view) const {
    nlohmann::json kept = m_cad->look();
    if (m_lastHead)
        kept["chosen"] = {m_lastHead->layer + 1, m_lastHead->head + 1};
    if (const QString filter = m_statistics->filterField()->text(); !filter.isEmpty())
        kept["filter"] = filter.toStdString();
    // By their rows: CAD with silence is another number than without.
    const Session* session = m_parts.session;
    for (const auto& [utterance, model] : m_live.complete())
        kept["complete"].push_back({session->utterances()->rowOf(utterance), session->models()->rowOf(model)});
    view[kHeadsKey] = std::move(kept);
}

void HeadsController::restoreView(const nlohmann::json& view) {
    const nlohmann::json kept = view.value(kHeadsKey, nlohmann::json());
    m_cad->setLook(kept);
    m_statistics->filterField()->setText(QString::fromStdString(stringIn(kept, "filter").value_or("")));
    m_lastHead.reset();
    followSource();
    const nlohmann::json* chosen = valueIn(kept, "chosen");
    if (const auto head = chosen ? wholePair(*chosen) : std::nullopt)
        m_lastHead = HeadId{head->first - 1, head->second - 1};
    restoreComplete(kept);
    refreshSoon();
}

void HeadsController::restoreComplete(const nlohmann::json& kept) {
    const Session* session = m_parts.session;
    std::set<LiveMetrics::Pair> pairs;
    if (const nlohmann::json* rows = valueIn(kept, "complete"); rows && rows->is_array())
        for (const nlohmann::json& row : *rows) {
            const auto [utterance, model] = wholePair(row).value_or(std::pair(-1, -1));
            if (utterance >= 0 && utterance < session->utterances()->count() && model >= 0 && model < session->models()->count())
                pairs.insert({session->utterances()->at(utterance).id, session->models()->at(model).id});
        }
    m_live.setComplete(std::move(pairs));
}

std::array<HeadTab*, 3> HeadsController::tabs() const {
    return {m_cad, m_heads, m_statistics};
}

bool HeadsController::isInFront(const QWidget* panel) const {
    return m_parts.tabs->currentWidget() == panel;
}

void HeadsController::refreshSoon() {
    if (!m_soon.isActive())
        m_soon.start();
}

std::shared_ptr<const HeadContent> HeadsController::liveContent() const {
    const OpenModel* model = m_parts.session->currentModel();
    const AnalysisResult* result = m_parts.analysis->current();
    std::vector<std::shared_ptr<const LayerMetrics>> metrics;
    for (int number = 1; number <= model->layerCount(); ++number)
        metrics.push_back(m_live.layer(number));
    HeadContent content = liveHeadContent(model->shownName(), headKinds(model->info->architecture.encoder),
                                          result->layers, metrics, !m_live.phones().empty());
    content.weights = weightsText(model->info->hash);
    const OpenUtterance* utterance = std::as_const(*m_parts.session).currentUtterance();
    content.of = tr("of %1%2").arg(utterance->shownName(), partText(result->covered()));
    if (const QString origin = alignmentText(utterance); !origin.isEmpty()) {
        content.statisticsNote += QLatin1Char(' ') + origin;
        if (content.withoutSilence) // whole maps need no alignment
            content.cadNote += QLatin1Char(' ') + origin;
    }
    return std::make_shared<const HeadContent>(std::move(content));
}

void HeadsController::refresh() {
    m_soon.stop();
    if (!isInFront(m_cad) && !isInFront(m_heads) && !isInFront(m_statistics))
        return;
    const OpenStudyPtr study = m_parts.evidence->shown(StudyKind::Heads);
    if (study) {
        const int model = m_parts.evidence->model(*study);
        if (study != m_study || model != m_studyModel)
            readStudy(study, model);
        showKinds(study->document.models[std::size_t(model - 1)]);
    } else {
        m_study = nullptr;
        m_readingStudy = false;
        m_content = nullptr;
        const QString why = whyNothingLive(*m_parts.session, *m_parts.analysis, tr("This tab"));
        setEmptySentence(why);
        if (why.isEmpty()) {
            if (isInFront(m_statistics))
                m_live.require(m_parts.session->currentLayer());
            m_content = liveContent();
        }
    }
    std::vector<int> missing;
    for (int number = 1; !study && number <= m_live.layerCount(); ++number)
        if (!m_live.layer(number))
            missing.push_back(number);
    for (HeadTab* tab : tabs())
        if (isInFront(tab)) {
            tab->showContent(m_content);
            tab->setSelected(selectedIn(tab, study != nullptr), isOfMap() ? m_parts.session->currentLayer() - 1 : -1);
        }
    if (isInFront(m_cad))
        showMissingLayers(m_cad->note(), m_live, m_live.phones().empty() ? std::vector<int>() : missing);
    else if (isInFront(m_statistics))
        showMissingLayers(m_statistics->note(), m_live, missing);
}

/// Statistics are loaded layer by layer, the current one first: its rows are the ones in sight. The last head may be one
/// that this model does not have.
std::optional<HeadId> HeadsController::selectedIn(const HeadTab* tab, bool showsStudy) const {
    const int layer = m_parts.session->currentLayer() - 1;
    const bool isHere = m_lastHead && m_content && rowOfHead(*m_content, *m_lastHead) >= 0;
    return isHere && (tab != m_statistics || showsStudy || m_lastHead->layer == layer) ? m_lastHead : std::nullopt;
}

void HeadsController::setEmptySentence(const QString& sentence) {
    for (HeadTab* tab : tabs())
        tab->setEmptySentence(sentence);
}

/// The arrays of many utterances take longer than a frame.
void HeadsController::readStudy(const OpenStudyPtr& study, int model) {
    m_study = study;
    m_studyModel = model;
    m_content = nullptr;
    m_readingStudy = true;
    setEmptySentence(tr("Loading the numbers of %1…").arg(study->name()));
    const auto kinds = kindsOf(study->document.models[std::size_t(model - 1)]);
    auto* watcher = new QFutureWatcher<std::shared_ptr<const HeadContent>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, study, model] {
        watcher->deleteLater();
        if (study != m_study || model != m_studyModel)
            return;
        m_readingStudy = false;
        m_content = watcher->result();
        if (m_content->isEmpty())
            setEmptySentence(tr("%1 has no results for heads.").arg(study->name()));
        refreshSoon();
    });
    watcher->setFuture(QtConcurrent::run([study, model, kinds] {
        return std::make_shared<const HeadContent>(studyHeadContent(*study, model, kinds));
    }));
}

/// The head that the large map shows is the chosen one, until another is. Once the map goes on to something else, no head is, except
/// in a study of a model that is not on the map.
void HeadsController::followSource() {
    const MapSource source = m_parts.session->mapSource();
    if (source.kind == MapSource::Kind::Head)
        m_lastHead = HeadId{m_parts.session->currentLayer() - 1, source.head - 1};
    else if (isOfMap())
        m_lastHead.reset();
}

/// Whether the tabs show numbers of the model whose map is shown.
bool HeadsController::isOfMap() const {
    const OpenStudyPtr study = m_parts.evidence->shown(StudyKind::Heads);
    return !study || isCurrentModel(study->document.models[std::size_t(m_parts.evidence->model(*study) - 1)]);
}

bool HeadsController::isCurrentModel(const StudyModel& model) const {
    const OpenModel* open = m_parts.session->currentModel();
    return open && open->info && !model.weightsHash.empty() &&
           open->info->hash.toStdString() == model.weightsHash;
}

/// Of an open model with these weights; empty without one.
std::vector<std::vector<HeadKind>> HeadsController::kindsOf(const StudyModel& studied) const {
    const ModelList* models = std::as_const(*m_parts.session).models();
    for (int row = 0; row < models->count() && !studied.weightsHash.empty(); ++row)
        if (const OpenModel& open = models->at(row);
            open.info && open.info->hash.toStdString() == studied.weightsHash)
            return headKinds(open.info->architecture.encoder);
    return {};
}

/// A study may have been read before its model was: with the last session, it is.
void HeadsController::showKinds(const StudyModel& studied) {
    auto kinds = kindsOf(studied);
    if (!m_content || m_content->isEmpty() || kinds.empty() || kinds == m_content->kinds)
        return;
    auto content = std::make_shared<HeadContent>(*m_content);
    content->kinds = std::move(kinds);
    m_content = std::move(content);
}

/// Shows this head in the map. If a study is shown, also lists the head's places.
void HeadsController::showHead(HeadId head) {
    m_lastHead = head;
    Session* session = m_parts.session;
    const OpenModel* model = session->currentModel();
    const bool studied = !m_study || isCurrentModel(m_study->document.models[std::size_t(m_studyModel - 1)]);
    const bool open =
        studied && model && model->info && head.layer < model->layerCount() &&
        head.head < model->info->architecture.encoder.layers[std::size_t(head.layer)].headCount();
    if (open) {
        session->setCurrentLayer(head.layer + 1);
        session->setMapSource({MapSource::Kind::Head, head.head + 1, false});
    }
    if (m_study)
        m_parts.evidence->requestPlaces(placesOf(head));
}

PlacesQuery HeadsController::placesOf(HeadId head) const {
    PlacesQuery query;
    query.study = m_study;
    query.model = m_studyModel;
    query.set = "head";
    query.index = {head.layer, head.head};
    query.title = tr("Layer %1, head %2, by 1 − CAD").arg(head.layer + 1).arg(head.head + 1);
    query.valueTitle = tr("1 − CAD");
    query.layer = head.layer + 1;
    query.head = head.head + 1;
    return query;
}

} // namespace headroom::app
