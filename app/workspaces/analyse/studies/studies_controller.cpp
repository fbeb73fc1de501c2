// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/studies_controller.h"

#include "app/documents/items/beyond_session.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/parts/tab_overflow.h"
#include "app/parts/view_values.h"
#include "app/studies/shown_studies.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_names.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/common/dock_tools.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/studies/latency_panel.h"
#include "app/workspaces/analyse/studies/mixing_panel.h"
#include "app/workspaces/analyse/studies/place_opener.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "app/workspaces/analyse/studies/probe_panel.h"
#include "app/workspaces/analyse/studies/similarity_panel.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/analyse/studies/study_plot_tab.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QTabWidget>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

constexpr const char *kStudiesKey = "studies", *kProbeLayerKey = "probeLayer", *kProbeTableKey = "probeTable",
                     *kProbeFilterKey = "probeFilter", *kChosenKey = "chosen"; ///< of the view
constexpr double kPlacesHeight = 24; ///< units

/// The object name of the tab that shows studies of this kind.
const char* tabName(StudyKind kind) {
    switch (kind) {
    case StudyKind::Windows:
    case StudyKind::Diagonality:
        return "windowsTab";
    case StudyKind::Heads:
        return "cadTab";
    case StudyKind::Phones:
        return "parTab";
    case StudyKind::Probe:
        return "probeTab";
    case StudyKind::Latency:
        return "latencyTab";
    case StudyKind::Mixing:
        return "mixingTab";
    case StudyKind::Similarity:
        return "similarityTab";
    }
    return "";
}

/// core/studies/README.md, the sets of places.npz.
bool hasPlaces(StudyKind kind) {
    return kind == StudyKind::Windows || kind == StudyKind::Heads || kind == StudyKind::Phones || kind == StudyKind::Probe;
}

} // namespace

StudiesController::StudiesController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts)
    , m_shown(new ShownStudies({parts.session, parts.store, parts.evidence}, this))
    , m_studies(new StudyPanel({parts.session, parts.store, parts.settings, parts.places, parts.devices, parts.alignments}, parts.actions->newStudy))
    , m_places(new PlacesPanel)
    , m_probe(new ProbePanel(parts.evidence))
    , m_latency(new LatencyPanel(parts.evidence))
    , m_mixing(new MixingPanel(parts.evidence))
    , m_similarity(new SimilarityPanel(parts.evidence))
    , m_opener(new PlaceOpener(parts.session, parts.axis, parts.transport, this)) {
    makeDocks();
    makeTabs();
    makeActions();
    connectStore();
    connectPlaces();
    connect(parts.session, &Session::currentModelChanged, this, &StudiesController::followModel);
    for (auto signal : {&Session::modelAdded, &Session::modelChanged, &Session::modelRemoved})
        connect(parts.session, signal, this, &StudiesController::followModel);
    followModel();
}

void StudiesController::makeDocks() {
    const Actions& a = *m_parts.actions;
    m_docks.studies = new Dock(QStringLiteral("studies"), tr("Studies"), m_studies, m_parts.window);
    m_docks.studies->header()->addButton(a.newStudy);
    m_docks.studies->addHideButton(tr("Hide the studies"));
    const auto count = [this] { m_docks.studies->header()->setDetail(m_studies->countText()); };
    connect(m_studies, &StudyPanel::countChanged, this, count);
    count();
    connect(m_studies, &StudyPanel::formShown, this, &StudiesController::tellOfForm);
    connect(m_docks.studies, &QDockWidget::visibilityChanged, this, &StudiesController::tellOfForm);
    connect(m_studies, &StudyPanel::showInFolderRequested, this, &StudiesController::showInFolderRequested);
    connect(m_studies, &StudyPanel::problem, this,
            [this](const QString& sentence) { say(Severity::Error, sentence); });
    connect(a.newStudy, &QAction::triggered, this, [this] { showForm(std::nullopt); });
    connect(a.showStudies, &QAction::triggered, this, [this] {
        showStudies();
        m_studies->showList();
    });

    m_docks.places = new Dock(QStringLiteral("places"), tr("Study places"), m_places, m_parts.window);
    m_docks.places->addHideButton(tr("Hide the places"));
    m_places->listedName = [this](const OpenStudy& study) { return listedName(study); };
    connect(m_places, &PlacesPanel::headlineChanged, this,
            [this] { m_docks.places->header()->setDetail(m_places->headline()); });
}

void StudiesController::makeTabs() {
    QTabWidget* tabs = m_parts.tabs;
    tabs->setTabToolTip(tabs->addTab(m_probe, tr("Probe")),
                        tr("How well phones can be predicted from each layer. Shim et al. 2022."));
    tabs->setTabToolTip(tabs->addTab(m_latency, tr("Latency")),
                        tr("Time spent on attention and on the rest, by length. Shim et al. 2022, Table 3."));
    tabs->setTabToolTip(tabs->addTab(m_mixing, tr("Measures")),
                        tr("How well the measures of mixing agree in each layer, over a corpus."));
    tabs->setTabToolTip(tabs->addTab(m_similarity, tr("Similarity")),
                        tr("CKA and PWCCA of every pair of layers, over a corpus."));
    m_parts.corner->addButton(m_parts.actions->newStudy);
    for (EvidenceField* field : tabs->findChildren<EvidenceField*>())
        connect(field, &EvidenceField::studyWanted, this, [this](StudyKind kind) { showForm(kind); });
    followLayer(m_probe);
    followLayer(m_mixing);
}

/// Its layer is that of the map, whichever of the two it is chosen in.
template <class Tab> void StudiesController::followLayer(Tab* tab) {
    const auto follow = [session = m_parts.session, tab] { tab->setLayer(session->currentLayer()); };
    connect(m_parts.session, &Session::currentLayerChanged, tab, follow);
    connect(tab, &Tab::layerChosen, m_parts.session, &Session::setCurrentLayer);
    follow();
}

void StudiesController::makeActions() {
    for (const StudyKind kind : kStudyKinds) {
        auto* action = new QAction(tr("Study: %1…").arg(kindTitle(kind)), this);
        action->setToolTip(kindSentence(kind));
        setSearchWords(action, tr("new measure corpus batch many utterances") + QLatin1Char(' ') + kindSentence(kind));
        connect(action, &QAction::triggered, this, [this, kind] { showForm(kind); });
        m_newStudies << action;
    }
}

void StudiesController::connectStore() {
    StudyStore* store = m_parts.store;
    connect(store, &StudyStore::ended, this, &StudiesController::sayEnded);
    connect(store, &StudyStore::openFailed, this,
            [this](const std::filesystem::path& folder, const QString& sentence) {
                showStudies();
                m_studies->showList();
                m_studies->setCurrent(folder);
                say(Severity::Error, sentence);
            });
    connect(store, &StudyStore::opened, this, [this](const OpenStudyPtr& study) {
        m_studies->setCurrent(study->folder); // what stands below the list is for the study that is shown
        showTab(study);
    });
    connect(store, &StudyStore::changed, this, &StudiesController::offerFinished);
    connect(m_parts.evidence, &StudyEvidence::shownChanged, this, &StudiesController::offerFinished);
    offerFinished();
}

void StudiesController::connectPlaces() {
    connect(m_parts.evidence, &StudyEvidence::placesRequested, this, [this](const PlacesQuery& query) {
        if (!query.set.empty())
            showDock(m_parts.window, m_docks.places, kPlacesHeight);
        else if (!m_places->study())
            return;
        m_places->show(withOpened(query));
    });
    connect(m_parts.evidence, &StudyEvidence::placesFollowed, this, [this](const PlacesQuery& query) {
        if (!m_docks.places->isHidden())
            m_places->follow(withOpened(query));
    });
    connect(m_parts.session, &Session::utteranceChanged, this, [this](UtteranceId id) {
        const OpenUtterance* utterance = m_parts.session->utterances()->find(id);
        if (utterance && utterance->state == OpenState::Ready && m_places->lacks(studyHash(*utterance)))
            m_places->show(withOpened(m_places->query())); // it was located
    });
    const auto followOpen = [this] {
        const OpenStudyPtr listed = m_places->study();
        const auto& open = m_parts.evidence->open();
        if (listed && std::none_of(open.begin(), open.end(), [&](const auto& study) { return study->folder == listed->folder; }))
            m_places->clear();
        m_places->setStudyIsOpen(std::any_of(open.begin(), open.end(), [](const auto& study) { return hasPlaces(study->document.kind); }));
    };
    connect(m_parts.evidence, &StudyEvidence::choicesChanged, this, followOpen);
    followOpen();
    connect(m_places, &PlacesPanel::chosen, m_opener, &PlaceOpener::open);
    connect(m_opener, &PlaceOpener::failed, m_places, &PlacesPanel::say);
}

PlacesQuery StudiesController::withOpened(PlacesQuery query) const {
    query.opened.clear();
    const UtteranceList& open = *std::as_const(*m_parts.session).utterances();
    for (int row = 0; row < open.count(); ++row)
        if (const OpenUtterance& one = open.at(row); one.state == OpenState::Ready && !one.isText)
            if (const std::string hash = studyHash(one); !hash.empty())
                query.opened[hash] = {one.file, one.alignmentFile};
    return query;
}

void StudiesController::followModel() {
    const OpenModel* model = m_parts.session->currentModel();
    m_parts.evidence->setCurrentModel(model ? model->folder : std::filesystem::path(),
                                      model && model->info ? model->info->hash.toStdString()
                                                           : std::string());
    m_parts.evidence->setModelColours(modelColours(*m_parts.session->models()));
}

void StudiesController::say(Severity severity, const QString& sentence) {
    m_parts.session->messages()->post(severity, sentence, {}, {}, {kBeyondSession});
    if (severity == Severity::Error)
        Q_EMIT messagesRequested(); // a button that does nothing must not look as if it were broken
}

void StudiesController::sayEnded(const StudyItem& study) {
    if (study.state == StudyItem::State::Finished)
        m_parts.session->messages()->post(Severity::Info, finishedSentence(study),
                                          tr("Open"),
                                          [this, folder = study.folder] { m_parts.store->open(folder); },
                                          {StudyPanel::causeOf(study.folder), kBeyondSession});
    else if (study.state == StudyItem::State::Stopped)
        say(Severity::Info, tr("The study “%1” was stopped. Its measurements are kept.").arg(study.name()));
    else if (study.state == StudyItem::State::Interrupted)
        say(Severity::Warning,
            tr("The study “%1” stopped unexpectedly. Its measurements are kept.").arg(study.name()));
    else
        say(Severity::Error, tr("The study “%1” failed. %2").arg(study.name(), study.sentence));
}

/// The tab that shows a study of this kind comes to the front.
void StudiesController::showTab(const OpenStudyPtr& study) {
    const QString wanted = QLatin1String(tabName(study->document.kind));
    QTabWidget* tabs = m_parts.tabs;
    for (int tab = 0; tab < tabs->count(); ++tab)
        if (tabs->widget(tab)->objectName() == wanted)
            tabs->setCurrentIndex(tab);
    m_parts.session->messages()->post(
        Severity::Info, tr("The study “%1” is open: %2.").arg(listedName(*study), study->summary()));
}

/// The list's name tells a study from others of the same name.
QString StudiesController::listedName(const OpenStudy& study) const {
    const StudyItem* listed = m_parts.store->find(study.folder);
    return listed ? listed->name() : study.name();
}

void StudiesController::showStudies() {
    showDock(m_parts.window, m_docks.studies);
}

void StudiesController::showForm(std::optional<StudyKind> kind) {
    m_parts.actions->analyseWorkspace->trigger();
    showStudies();
    m_studies->showForm(kind);
}

/// The panel may be closed while it has the form, and be opened again with it.
void StudiesController::tellOfForm() {
    const bool isShown = m_studies->showsForm() && !m_docks.studies->isHidden();
    if (std::exchange(m_isFormShown, isShown) != isShown)
        Q_EMIT formShown(isShown);
}

/// A tab without a study offers the newest one of its kind that has finished.
void StudiesController::offerFinished() {
    for (auto* button : m_parts.tabs->findChildren<QPushButton*>(QStringLiteral("openFinished"))) {
        const auto kind = static_cast<StudyKind>(button->property(kFinishedKind).toInt());
        const auto& items = m_parts.store->items(); // newest first
        const auto found = std::find_if(items.begin(), items.end(), [kind](const StudyItem& item) {
            return item.kind == kind && item.state == StudyItem::State::Finished;
        });
        const bool offered = found != items.end() && !m_parts.evidence->shown(kind);
        button->setVisible(offered);
        disconnect(button, nullptr, this, nullptr);
        if (!offered)
            continue;
        button->setToolTip(tr("Show the study “%1”, which has finished.").arg(found->name()));
        connect(button, &QPushButton::clicked, this,
                [this, folder = found->folder] { m_parts.store->open(folder); });
    }
}

void StudiesController::saveView(nlohmann::json& view) const {
    nlohmann::json studies = m_shown->view();
    if (studies.is_null())
        return;
    if (m_probe->layer() != m_parts.session->currentLayer())
        studies[kProbeLayerKey] = m_probe->layer(); // the input of layer 1
    if (m_probe->showsTable())
        studies[kProbeTableKey] = true;
    if (const QString filter = m_probe->filterField()->text(); !filter.isEmpty())
        studies[kProbeFilterKey] = filter.toStdString();
    for (const StudyPlotTab* tab : plotTabs())
        if (const QString chosen = tab->chosen(); !chosen.isEmpty())
            studies[kChosenKey][toText(tab->kind())] = chosen.toStdString();
    view[kStudiesKey] = std::move(studies);
}

/// A view without studies is of a session in which none is open.
void StudiesController::restoreView(const nlohmann::json& view) {
    const nlohmann::json studies = view.value(kStudiesKey, nlohmann::json());
    m_shown->restore(studies);
    m_probe->setLayer(wholeIn(studies, kProbeLayerKey, m_parts.session->currentLayer())); // no study is open now: they are read in the background
    m_probe->setShowsTable(truthIn(studies, kProbeTableKey, false));
    m_probe->filterField()->setText(QString::fromStdString(stringIn(studies, kProbeFilterKey).value_or("")));
    const nlohmann::json* chosen = valueIn(studies, kChosenKey);
    for (StudyPlotTab* tab : plotTabs())
        tab->keepChosen(QString::fromStdString((chosen ? stringIn(*chosen, toText(tab->kind())) : std::nullopt).value_or("")));
}

std::array<StudyPlotTab*, 3> StudiesController::plotTabs() const {
    return {m_latency, m_mixing, m_similarity};
}

bool StudiesController::isPending() const {
    return m_places->isPending() || m_parts.store->isPending();
}

} // namespace headroom::app
