// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/analyse_workspace.h"

#include "app/alignments/alignment_store.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/moved_files.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/last_folder.h"
#include "app/parts/tab_overflow.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/analyse_actions.h"
#include "app/workspaces/analyse/analyse_centre.h"
#include "app/workspaces/analyse/analyse_layout.h"
#include "app/workspaces/analyse/compare/compare_controller.h"
#include "app/workspaces/analyse/export/export_controller.h"
#include "app/workspaces/analyse/heads/heads_controller.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/opened/locate_recordings.h"
#include "app/workspaces/analyse/opened/opened_controller.h"
#include "app/workspaces/analyse/phones/phones_controller.h"
#include "app/workspaces/analyse/sound/sound_controller.h"
#include "app/workspaces/analyse/start/start_page.h"
#include "app/workspaces/analyse/studies/studies_controller.h"
#include "app/workspaces/analyse/windows/windows_controller.h"
#include "app/workspaces/analyse/words/words_controller.h"
#include "core/audio/audio_name.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QTabWidget>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr const char* kTabKey = "tab"; ///< of the view: the object name of the tab in front

} // namespace

AnalyseWorkspace::AnalyseWorkspace(const Parts& parts, QWidget* parent)
    : Workspace(QStringLiteral("analyse"), parts.actions->analyseWorkspace, parent)
    , m_parts(parts)
    , m_tabs(new QTabWidget) {
    m_tabs->setObjectName(QStringLiteral("analysisTabs"));
    m_tabs->setDocumentMode(true);
    makeControllers();
    makeCentre();
    makeLayout();
    connectControllers();
    m_actions->update();
    m_tabs->setCurrentIndex(0);
    m_sound->showUtterance();
    m_map->refresh();
}

AnalyseWorkspace::~AnalyseWorkspace() = default;

/// Each after those whose parts it shows something on. The tabs stand in the order of the papers: windows of
/// layers, heads, phones, then what needs a study.
void AnalyseWorkspace::makeControllers() {
    const auto [session, analysis, worker, actions, evidence, studies, settings, dialogs, places, devices] = m_parts;
    m_actions = new AnalyseActions(
        {session, analysis, actions, &m_axis, [this] { return m_export ? m_export->whyNoTab() : QString(); }}, this);
    m_sound = new SoundController({session, analysis, actions, &m_axis}, this);
    m_opened = new OpenedController({session, analysis, actions, this}, this);
    m_map = new MapController({session, analysis, worker, actions, &m_axis, this}, this);
    m_compare = new CompareController({session, analysis, actions, &m_axis, m_map, m_sound}, this);
    m_windows = new WindowsController(
        {session, analysis, actions, evidence, m_map, m_compare->comparison(), m_tabs, m_compare->band()}, this);
    m_heads = new HeadsController({session, analysis, evidence, m_tabs, m_opened->alignments()}, this);
    m_phones = new PhonesController(
        {session, analysis, evidence, &m_axis, m_heads->live(), m_tabs, m_opened->alignments()}, this);
    m_phones->setAlignAction(m_opened->alignAction());
    m_words = new WordsController({session, analysis, actions, &m_axis, m_map, m_sound->transport(), m_tabs, this}, this);
    auto* corner = new TabOverflow(m_tabs);
    m_studies = new StudiesController(
        {session, studies, evidence, settings, places, devices, actions, m_sound->transport(), &m_axis, m_tabs, corner, this, m_opened->alignments()}, this);
    m_export = new ExportController(
        {session, analysis, settings, actions, dialogs, m_sound, m_map, m_compare, m_words, this, m_tabs, corner}, this);
    // A view is restored in this order: what is compared lies beside the map, and the span of time waits for its recording.
    m_controllers = {m_map,     m_compare, m_words,  m_opened,  m_sound,
                     m_windows, m_heads,   m_phones, m_studies, m_export};
}

void AnalyseWorkspace::makeCentre() {
    m_centre = new AnalyseCentre(
        {m_parts.actions, m_sound->recordingBar(), m_sound->column(), m_map->panel(), m_words->panel()}, this);
    m_centre->bindKeys(*m_parts.actions, this);
    setCentralWidget(m_centre);
    startPage()->setFocus();
}

void AnalyseWorkspace::makeLayout() {
    const OpenedController::Docks& opened = m_opened->docks();
    const MapController::Docks& map = m_map->docks();
    const StudiesController::Docks& studies = m_studies->docks();
    for (Dock* dock : {opened.utterances, opened.models, map.readOut, map.checks, map.layers, m_words->headsDock()})
        addDock(dock);
    Dock* analysis = addDock(QStringLiteral("analysis"), tr("Analysis"), m_tabs);
    analysis->setTitleBarWidget(new QWidget(analysis)); // the tabs are its header
    offerTabs(m_tabs, analysis);
    addDock(studies.studies);
    addDock(studies.places);
    Dock* messages = addMessagesDock(m_parts.session->messages(), AnalyseLayout::kMessagesHeight);
    addDock(opened.alignments);
    m_layout = std::make_unique<AnalyseLayout>(
        this, m_centre->middle(),
        AnalyseLayout::Docks{.utterances = opened.utterances,
                             .models = opened.models,
                             .readOut = map.readOut,
                             .checks = map.checks,
                             .layers = map.layers,
                             .analysis = analysis,
                             .heads = m_words->headsDock(),
                             .studies = studies.studies,
                             .places = studies.places,
                             .messages = messages,
                             .alignments = opened.alignments});
    m_layout->place();
}

void AnalyseWorkspace::connectControllers() {
    connect(m_sound, &SoundController::shown, this, &AnalyseWorkspace::showPage);
    connect(m_sound, &SoundController::shown, this, &AnalyseWorkspace::shownChanged);
    connect(m_sound, &SoundController::recorded, this, &AnalyseWorkspace::recordingAdded);
    connect(m_map, &MapController::refreshed, m_sound, &SoundController::showCounts);
    connect(m_map, &MapController::refreshed, this, &AnalyseWorkspace::shownChanged);
    connect(this, &AnalyseWorkspace::shownChanged, m_actions, &AnalyseActions::update);
    connect(m_export, &ExportController::whyNoTabChanged, m_actions, &AnalyseActions::update);
    connect(m_map, &MapController::besideShown, this, [this](bool shown) { m_layout->makeRoomBeside(shown); });
    connect(m_studies, &StudiesController::formShown, this, [this](bool shown) { m_layout->makeRoomForForm(shown); });
    connect(m_words, &WordsController::refreshed, this, &AnalyseWorkspace::shownChanged);
    connect(m_words, &WordsController::shownChanged, m_centre, &AnalyseCentre::showWords);
    connect(m_words, &WordsController::shownChanged, m_compare->comparison(), &Comparison::setAside);
    connect(m_map, &MapController::alignmentsRequested, m_opened, &OpenedController::showCurrentAlignment);
    const AlignmentStore* alignments = m_opened->alignments();
    connect(alignments, &AlignmentStore::placeRequested, m_sound, &SoundController::showPlace);
    connect(m_parts.session, &Session::locateRequested, this, &AnalyseWorkspace::locate);
    connect(m_parts.session, &Session::locateModelRequested, this, &AnalyseWorkspace::locateModel);
    for (const Controller* controller : m_controllers) {
        connect(controller, &Controller::messagesRequested, this, &AnalyseWorkspace::showMessages);
        connect(controller, &Controller::showInFolderRequested, this, &AnalyseWorkspace::showInFolderRequested);
        connect(controller, &Controller::alignRequested, this, &AnalyseWorkspace::alignRequested);
    }
}

/// Asks where a missing recording is now.
void AnalyseWorkspace::locate(UtteranceId id) {
    const OpenUtterance* missing = m_parts.session->utterances()->find(id);
    if (!missing)
        return;
    const QString place = askBeside(*m_parts.settings, AppSettings::FolderOf::Sounds, [&](const QString& beside) {
        const QString file = toQString(audioName(missing->file).file.filename());
        const QString chosen = (*m_parts.dialogs)->openSoundOrFolder(this, tr("Choose %1, or the folder that it is in now").arg(file), beside);
        return QFileInfo(chosen).isDir() ? chosen + QLatin1Char('/') : chosen; // a folder itself is where the next one begins
    });
    if (place.isEmpty())
        return;
    locateRecordings(m_parts.session, id, toPath(place), this, [this, id] {
        if (const OpenUtterance* still = m_parts.session->utterances()->find(id); still && still->lacksFile() && isVisible())
            showMessages(); // they say where it is not
    });
}

/// The same for a model: a list of messages may stand in any workspace.
void AnalyseWorkspace::locateModel(ModelId id) {
    const OpenModel* missing = m_parts.session->models()->find(id);
    if (!missing)
        return;
    const QString folder = askBeside(*m_parts.settings, AppSettings::FolderOf::Models, [&](const QString& beside) {
        return (*m_parts.dialogs)->openFolder(this, tr("Choose the folder of %1, or the one that it is in now").arg(missing->shownName()), beside);
    });
    if (folder.isEmpty())
        return;
    locateMissingModel(m_parts.session, id, toPath(folder));
    if (missing = m_parts.session->models()->find(id); missing && missing->isMissing && isVisible())
        showMessages();
}

/// The start page while nothing is open. The keys mean what the hints say from the first moment on.
void AnalyseWorkspace::showPage() {
    const bool any = m_parts.session->utterances()->count() > 0;
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    m_centre->makeShort(utterance && utterance->isText);
    if (!m_centre->showMiddle(any))
        return;
    if (!any)
        startPage()->setFocus();
    else if (m_words->isShown())
        m_words->focusMap();
    else
        m_map->focusMap();
}

StartPage* AnalyseWorkspace::startPage() const {
    return m_centre->startPage();
}

Comparison* AnalyseWorkspace::comparison() const {
    return m_compare->comparison();
}

QList<QMenu*> AnalyseWorkspace::makeMenus(QWidget* parent) const {
    return m_actions->makeMenus(parent);
}

QList<ToolBarItem> AnalyseWorkspace::toolBarItems() {
    return m_actions->toolBarItems();
}

QList<Actions::Listed> AnalyseWorkspace::listedActions() const {
    QList<Actions::Listed> listed = m_opened->rowActions();
    for (QAction* action : m_studies->newStudies())
        listed.push_back({action, tr("Analysis")});
    return listed;
}

void AnalyseWorkspace::openResult(const std::filesystem::path& model, const std::filesystem::path& origin) {
    m_compare->openBeside(model, origin);
    switchAction()->trigger();
}

void AnalyseWorkspace::openAlone(const std::filesystem::path& model) {
    m_compare->open(model);
    switchAction()->trigger();
}

void AnalyseWorkspace::fillFigureMenu(QMenu* figures) {
    m_export->fillMenu(figures);
}

void AnalyseWorkspace::placeDocks() {
    m_words->headsDock()->setVisible(m_words->isShown()); // the layout puts it in front only while it is visible
    m_layout->place();
    m_layout->laidOut();
}

void AnalyseWorkspace::sizeDocks() {
    m_layout->size();
    m_layout->laidOut();
}

void AnalyseWorkspace::withGivenSizes(const std::function<void()>& look) const {
    m_layout->withGivenSizes(look);
}

void AnalyseWorkspace::showEvent(QShowEvent* event) {
    Workspace::showEvent(event);
    m_layout->windowShown();
}

/// The layout may be from a view of the words, whose heads nothing fills now.
void AnalyseWorkspace::layoutRestored() {
    m_layout->laidOut();
    if (m_words->isShown() || m_words->headsDock()->isHidden())
        return;
    m_words->headsDock()->hide();
    m_map->docks().layers->raise();
}

QString AnalyseWorkspace::statusText() const {
    return m_words->isShown() ? m_words->statusText() : m_map->statusText();
}

nlohmann::json AnalyseWorkspace::viewState() const {
    nlohmann::json view = nlohmann::json::object();
    view[kTabKey] = m_tabs->currentWidget()->objectName().toStdString();
    for (const Controller* controller : m_controllers)
        controller->saveView(view);
    return view;
}

void AnalyseWorkspace::restoreView(const nlohmann::json& view) {
    if (!view.is_object())
        return;
    for (Controller* controller : m_controllers)
        controller->restoreView(view);
    m_tabs->setCurrentIndex(0);
    const auto tab = view.find(kTabKey);
    for (int i = 0; tab != view.end() && tab->is_string() && i < m_tabs->count(); ++i)
        if (m_tabs->widget(i)->objectName().toStdString() == tab->get<std::string>())
            m_tabs->setCurrentIndex(i);
}

bool AnalyseWorkspace::isPending() const {
    return std::any_of(m_controllers.begin(), m_controllers.end(), [](const auto* each) { return each->isPending(); });
}

} // namespace headroom::app
