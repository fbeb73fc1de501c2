// SPDX-License-Identifier: GPL-3.0-or-later
// Filling the tabs CAD, Heads and Statistics; the tab PAR: head_tabs_phones.cpp.
#include "app/workspaces/analyse/heads/head_tabs.h"

#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/tabs/evidence_field.h"
#include "app/workspaces/analyse/tabs/metrics_note.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "app/workspaces/analyse/heads/statistics_panel.h"

#include <QAction>
#include <QFutureWatcher>
#include <QTabWidget>
#include <QtConcurrent>

namespace headroom::app {

using widgets::HeadId;

namespace {

/// The workspace listens to these fields for “New study…”.
EvidenceField* evidenceField(StudyEvidence* evidence, StudyKind kind) {
    return new EvidenceField(evidence, kind, EvidenceField::Live::Offered);
}

} // namespace

HeadTabs::HeadTabs(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_live(parts.session, parts.analysis, parts.alignments)
    , m_cad(new CadPanel(evidenceField(parts.evidence, StudyKind::Heads), parts.tabs))
    , m_phones(new PhonesPanel(evidenceField(parts.evidence, StudyKind::Phones), parts.tabs))
    , m_heads(new HeadsPanel(evidenceField(parts.evidence, StudyKind::Heads), parts.tabs))
    , m_statistics(new StatisticsPanel(evidenceField(parts.evidence, StudyKind::Heads), parts.tabs)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &HeadTabs::refresh);
    addTabs();
    connectPanels();
    Session* session = parts.session;
    for (auto signal : {&Session::currentUtteranceChanged, &Session::currentModelChanged,
                        &Session::currentLayerChanged, &Session::mapSourceChanged})
        connect(session, signal, this, &HeadTabs::refreshSoon);
    connect(session, &Session::utteranceChanged, this, &HeadTabs::refreshSoon);
    connect(session, &Session::utteranceRemoved, this, &HeadTabs::refreshSoon);
    connect(session, &Session::modelChanged, this, &HeadTabs::refreshSoon);
    connect(session, &Session::modelRemoved, this, &HeadTabs::refreshSoon);
    connect(parts.analysis, &AnalysisService::resultChanged, this, &HeadTabs::refreshSoon);
    connect(parts.analysis, &AnalysisService::layerReady, this, &HeadTabs::refreshSoon);
    connect(&m_live, &LiveMetrics::changed, this, &HeadTabs::refreshSoon);
    connect(parts.evidence, &StudyEvidence::shownChanged, this, &HeadTabs::refreshSoon);
    connect(parts.tabs, &QTabWidget::currentChanged, this, &HeadTabs::refreshSoon);
    refreshSoon();
}

void HeadTabs::addTabs() {
    const auto add = [this](QWidget* panel, const char* name, const QString& title, const QString& toolTip) {
        panel->setObjectName(QLatin1String(name));
        m_parts.tabs->setTabToolTip(m_parts.tabs->addTab(panel, title), toolTip);
    };
    add(m_cad, "cadTab", tr("CAD"),
        tr("How close to the diagonal each head attends, and which side of the split it is on."));
    add(m_phones, "parTab", tr("PAR 37 × 37"), tr("Which phones attend to which."));
    add(m_heads, "headsTab", tr("Heads"), tr("How much each head takes part in what its layer puts out."));
    add(m_statistics, "statisticsTab", tr("Statistics"),
        tr("Entropy, distance, largest weight and share on silence of every head."));
}

void HeadTabs::connectPanels() {
    for (auto* panel : {m_cad->note(), m_phones->note(), m_statistics->note()})
        connect(panel, &MetricsNote::wanted, &m_live, &LiveMetrics::requireAll);
    connect(m_cad, &CadPanel::headActivated, this, &HeadTabs::showHead);
    connect(m_heads, &HeadsPanel::headActivated, this, &HeadTabs::showHead);
    connect(m_statistics, &StatisticsPanel::headActivated, this, &HeadTabs::showHead);
    const auto remember = [this](HeadId head) { m_lastHead = head; };
    connect(m_cad, &CadPanel::headSelected, this, remember);
    connect(m_heads, &HeadsPanel::headSelected, this, remember);
    connect(m_statistics, &StatisticsPanel::headSelected, this, remember);
    for (auto signal : {&Session::mapSourceChanged, &Session::currentLayerChanged})
        connect(m_parts.session, signal, this, &HeadTabs::followSource);
    connect(m_phones, &PhonesPanel::cellActivated, this, &HeadTabs::showCell);
    connect(m_phones, &PhonesPanel::choiceChanged, this, [this](const PhoneChoice& choice) {
        m_phones->hidePlaces();
        if (choice.layers.kind == LayerRange::Kind::One && !m_phoneContent.isStudy())
            m_parts.session->setCurrentLayer(choice.layers.layer);
        refreshPhones(); // at once: the next head is one frame away
    });
    connect(m_phones, &PhonesPanel::placeChosen, this, [this](Seconds query, Seconds key) {
        m_parts.axis->setCursor(query);
        m_parts.axis->setPointer(key);
        m_parts.axis->reveal(query);
    });
    connect(m_parts.session, &Session::currentUtteranceChanged, m_phones, &PhonesPanel::hidePlaces);
    connect(m_parts.session, &Session::currentModelChanged, m_phones, &PhonesPanel::hidePlaces);
    // The choosers follow what is looked at, until a half or all layers are chosen.
    connect(m_parts.session, &Session::currentLayerChanged, this, [this] {
        PhoneChoice choice = m_phones->choice();
        if (choice.layers.kind != LayerRange::Kind::One ||
            choice.layers.layer == m_parts.session->currentLayer())
            return;
        choice.layers.layer = m_parts.session->currentLayer();
        m_phones->hidePlaces();
        m_phones->setChoice(choice);
    });
    connect(m_parts.session, &Session::mapSourceChanged, this, [this] {
        const MapSource source = m_parts.session->mapSource();
        if (source.kind != MapSource::Kind::Head)
            return;
        PhoneChoice choice = m_phones->choice();
        choice.head = source.head;
        m_phones->setChoice(choice);
    });
}

void HeadTabs::setAlignAction(QAction* action) {
    m_align = action;
    refreshSoon();
}

bool HeadTabs::isInFront(const QWidget* panel) const {
    return m_parts.tabs->currentWidget() == panel;
}

void HeadTabs::refreshSoon() {
    if (!m_soon.isActive())
        m_soon.start();
}

void HeadTabs::refresh() {
    m_soon.stop();
    if (isInFront(m_phones))
        refreshPhones();
    else if (isInFront(m_cad) || isInFront(m_heads) || isInFront(m_statistics))
        refreshHeads();
}

QString HeadTabs::whyNothing(const QString& what) const {
    const Session* session = m_parts.session;
    const OpenModel* model = session->currentModel();
    const Utterance* utterance = session->currentUtterance();
    if (!model || !utterance)
        return tr("%1 needs a model and an utterance.").arg(what);
    if (model->state == OpenState::Failed)
        return tr("%1 could not be opened; the reason stands in Models.").arg(model->name);
    if (utterance->state == OpenState::Failed)
        return tr("%1 could not be read; the reason stands in Utterances.").arg(utterance->name);
    const AnalysisResult* result = m_parts.analysis->current();
    if (result && result->state == AnalysisResult::State::Failed)
        return result->sentence;
    if (result && result->state == AnalysisResult::State::Cancelled && result->readyLayers() == 0)
        return tr("Cancelled before a layer was read.");
    if (!model->info || !result || result->readyLayers() == 0)
        return tr("The model reads this utterance.");
    return {};
}

std::shared_ptr<const HeadContent> HeadTabs::liveHeads() const {
    const OpenModel* model = m_parts.session->currentModel();
    const AnalysisResult* result = m_parts.analysis->current();
    std::vector<std::shared_ptr<const LayerMetrics>> metrics;
    for (int number = 1; number <= model->layerCount(); ++number)
        metrics.push_back(m_live.layer(number));
    HeadContent content = liveHeadContent(model->name, headKinds(model->info->architecture.encoder),
                                          result->layers, metrics, !m_live.phones().empty());
    content.weights = weightsText(model->info->hash);
    if (const QString origin = alignmentText(m_parts.session->currentUtterance()); !origin.isEmpty())
        for (QString* note : {&content.cadNote, &content.statisticsNote})
            *note += QLatin1Char(' ') + origin;
    return std::make_shared<const HeadContent>(std::move(content));
}

void HeadTabs::refreshHeads() {
    const OpenStudyPtr study = m_parts.evidence->shown(StudyKind::Heads);
    if (study) {
        const int model = m_parts.evidence->model(*study);
        if (study != m_study || model != m_studyModel)
            readStudy(study, model);
    } else {
        m_study = nullptr;
        m_readingStudy = false;
        m_headContent = nullptr;
        const QString why = whyNothing(tr("This tab"));
        m_cad->setEmptySentence(why);
        m_heads->setEmptySentence(why);
        m_statistics->setEmptySentence(why);
        if (why.isEmpty()) {
            if (isInFront(m_statistics))
                m_live.require(m_parts.session->currentLayer());
            m_headContent = liveHeads();
        }
    }
    std::vector<int> missing;
    for (int number = 1; !study && number <= m_live.layerCount(); ++number)
        if (!m_live.layer(number))
            missing.push_back(number);
    if (isInFront(m_cad)) {
        m_cad->showContent(m_headContent);
        m_cad->setSelected(m_lastHead);
        showNote(m_cad->note(), m_live.phones().empty() ? std::vector<int>() : missing);
    } else if (isInFront(m_heads)) {
        m_heads->showContent(m_headContent);
        m_heads->setSelected(m_lastHead);
    } else {
        m_statistics->showContent(m_headContent);
        m_statistics->setSelected(m_lastHead);
        showNote(m_statistics->note(), missing);
    }
}

void HeadTabs::showNote(MetricsNote* note, const std::vector<int>& missing) const {
    const bool reading = m_live.isReadingAll();
    note->setProgress(m_live.knownLayers(), reading && !missing.empty() ? m_live.layerCount() : 0);
    note->setOffer(missing.empty() ? QString() : tr("Read all layers"));
}

/// The bootstrap of every head takes longer than a frame.
void HeadTabs::readStudy(const OpenStudyPtr& study, int model) {
    m_study = study;
    m_studyModel = model;
    m_headContent = nullptr;
    m_readingStudy = true;
    const QString working = tr("Means and intervals of %1 are computed.").arg(study->name());
    m_cad->setEmptySentence(working);
    m_heads->setEmptySentence(working);
    m_statistics->setEmptySentence(working);
    const auto kinds = isCurrentModel(study->document.models[std::size_t(model - 1)])
                           ? headKinds(m_parts.session->currentModel()->info->architecture.encoder)
                           : std::vector<std::vector<HeadKind>>();
    auto* watcher = new QFutureWatcher<std::shared_ptr<const HeadContent>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, study, model] {
        watcher->deleteLater();
        if (study != m_study || model != m_studyModel)
            return;
        m_readingStudy = false;
        m_headContent = watcher->result();
        if (m_headContent->isEmpty()) {
            const QString nothing = tr("%1 holds no numbers of heads.").arg(study->name());
            m_cad->setEmptySentence(nothing);
            m_heads->setEmptySentence(nothing);
            m_statistics->setEmptySentence(nothing);
        }
        refreshSoon();
    });
    watcher->setFuture(QtConcurrent::run([study, model, kinds] {
        return std::make_shared<const HeadContent>(studyHeadContent(*study, model, kinds));
    }));
}

/// The head that the large map shows is the chosen one, until another is.
void HeadTabs::followSource() {
    const MapSource source = m_parts.session->mapSource();
    if (source.kind == MapSource::Kind::Head)
        m_lastHead = HeadId{m_parts.session->currentLayer() - 1, source.head - 1};
}

bool HeadTabs::isCurrentModel(const StudyModel& model) const {
    const OpenModel* open = m_parts.session->currentModel();
    return open && open->info && !model.weightsHash.empty() &&
           open->info->hash.toStdString() == model.weightsHash;
}

/// It becomes the map's source; of a study, the places behind it are listed too.
void HeadTabs::showHead(HeadId head) {
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
    if (!m_study)
        return;
    PlacesQuery query;
    query.study = m_study;
    query.model = m_studyModel;
    query.set = "head";
    query.index = {head.layer, head.head};
    query.title = tr("Layer %1, head %2").arg(head.layer + 1).arg(head.head + 1);
    query.valueTitle = tr("1 − CAD");
    query.layer = head.layer + 1;
    query.head = head.head + 1;
    m_parts.evidence->requestPlaces(query);
}

} // namespace headroom::app
