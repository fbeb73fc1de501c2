// SPDX-License-Identifier: GPL-3.0-or-later
// Studies in the ANALYSE workspace: their docks, the tabs that need one, and the way from a number to the
// places behind it.
#include "app/documents/paths.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/studies/latency_panel.h"
#include "app/workspaces/analyse/studies/place_opener.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "app/workspaces/analyse/studies/probe_panel.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/analyse/tabs/evidence_field.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "widgets/look/icons.h"
#include "widgets/look/metrics.h"

#include <QAction>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace headroom::app {

using widgets::Metrics;

void AnalyseWorkspace::makeStudyDocks() {
    const Actions& actions = *m_parts.actions;
    m_studies = new StudyPanel({m_parts.session, m_parts.studies, m_parts.settings}, actions.newStudy);
    m_studiesDock = addDock(QStringLiteral("studies"), tr("Studies"), m_studies);
    m_studiesDock->header()->addButton(actions.newStudy);
    auto* hideStudies = new QAction(widgets::icon(QStringLiteral("close")), tr("Hide the studies"), this);
    connect(hideStudies, &QAction::triggered, m_studiesDock, &QDockWidget::hide);
    m_studiesDock->header()->addButton(hideStudies);
    const auto count = [this] { m_studiesDock->header()->setDetail(m_studies->countText()); };
    connect(m_studies, &StudyPanel::countChanged, this, count);
    count();

    m_places = new PlacesPanel;
    m_placesDock = addDock(QStringLiteral("places"), tr("Places"), m_places);
    auto* hidePlaces = new QAction(widgets::icon(QStringLiteral("close")), tr("Hide the places"), this);
    connect(hidePlaces, &QAction::triggered, m_placesDock, &QDockWidget::hide);
    m_placesDock->header()->addButton(hidePlaces);
    connect(m_places, &PlacesPanel::headlineChanged, this,
            [this] { m_placesDock->header()->setDetail(m_places->headline()); });

    m_probe = new ProbePanel(m_parts.evidence);
    m_latency = new LatencyPanel(m_parts.evidence);
    m_tabs->setTabToolTip(m_tabs->addTab(m_probe, tr("Probe")),
                          tr("How well phones can be read from each layer. Shim et al. 2022, §4.2."));
    m_tabs->setTabToolTip(m_tabs->addTab(m_latency, tr("Latency")),
                          tr("Time of attention and of the rest by length. Shim et al. 2022, Table 3."));

    auto* corner = new QToolButton(m_tabs);
    corner->setDefaultAction(actions.newStudy);
    corner->setToolButtonStyle(Qt::ToolButtonIconOnly);
    corner->setAutoRaise(true);
    corner->setAccessibleName(actions.newStudy->text());
    m_tabs->setCornerWidget(corner, Qt::TopRightCorner);
}

void AnalyseWorkspace::connectStudies() {
    const Actions& actions = *m_parts.actions;
    StudyStore* store = m_parts.studies;
    Session* session = m_parts.session;
    connect(actions.newStudy, &QAction::triggered, this, [this] { showStudyForm(std::nullopt); });
    connect(actions.showStudies, &QAction::triggered, this, [this] {
        showStudies();
        m_studies->showList();
    });
    connect(m_studies, &StudyPanel::formShown, this, &AnalyseWorkspace::makeRoomForForm);
    connect(m_studies, &StudyPanel::showInFolderRequested, this, &AnalyseWorkspace::showInFolderRequested);
    const auto say = [this](Severity severity, const QString& sentence) {
        m_parts.session->messages()->post(severity, sentence);
        if (severity == Severity::Error)
            showMessages(); // a button that does nothing must not look as if it were broken
    };
    connect(m_studies, &StudyPanel::problem, this,
            [say](const QString& sentence) { say(Severity::Error, sentence); });
    connect(store, &StudyStore::ended, this, [say](const StudyItem& study) {
        if (study.state == StudyItem::State::Finished)
            say(Severity::Info, tr("The study %1 is finished.").arg(study.name()));
        else if (study.state == StudyItem::State::Stopped)
            say(Severity::Info, tr("The study %1 was stopped; what was measured is kept.").arg(study.name()));
        else if (study.state == StudyItem::State::Interrupted)
            say(Severity::Warning,
                tr("The study %1 ended without a word; what was measured is kept.").arg(study.name()));
        else
            say(Severity::Error, tr("The study %1 failed. %2").arg(study.name(), study.sentence));
    });
    connect(store, &StudyStore::openFailed, this,
            [this, say](const std::filesystem::path& folder, const QString& sentence) {
                showStudies();
                m_studies->showList();
                m_studies->setCurrent(folder);
                say(Severity::Error, sentence);
            });
    connect(store, &StudyStore::opened, this, &AnalyseWorkspace::showStudyTab);
    StudyEvidence* evidence = m_parts.evidence;
    const auto tellModel = [session, evidence] {
        const OpenModel* model = session->currentModel();
        evidence->setCurrentModel(model ? model->folder : std::filesystem::path(),
                                  model && model->info ? model->info->hash.toStdString() : std::string());
    };
    connect(session, &Session::currentModelChanged, this, tellModel);
    connect(session, &Session::modelChanged, this, tellModel);
    tellModel();

    for (EvidenceField* field : findChildren<EvidenceField*>())
        connect(field, &EvidenceField::studyWanted, this, [this](StudyKind kind) { showStudyForm(kind); });
    connect(session, &Session::currentLayerChanged, this, [this] {
        m_windows->setLayer(m_parts.session->currentLayer());
        m_probe->setLayer(m_parts.session->currentLayer());
    });
    connect(m_probe, &ProbePanel::layerChosen, session, &Session::setCurrentLayer);

    orderTabs();
    m_opener = new PlaceOpener(session, &m_axis, m_transport, this);
    connect(evidence, &StudyEvidence::placesRequested, this, [this](const PlacesQuery& query) {
        showPlaces();
        m_places->show(query);
    });
    connect(m_places, &PlacesPanel::chosen, m_opener, &PlaceOpener::open);
    connect(m_opener, &PlaceOpener::failed, m_places, &PlacesPanel::say);
}

/// As in the papers: what layers do, then heads, then phones; what needs no attention last.
void AnalyseWorkspace::orderTabs() {
    QTabBar* bar = m_tabs->tabBar();
    for (QWidget* last : {static_cast<QWidget*>(m_probe), static_cast<QWidget*>(m_latency)})
        bar->moveTab(m_tabs->indexOf(last), m_tabs->count() - 1);
    m_tabs->setCurrentIndex(0);
}

void AnalyseWorkspace::showStudies() {
    if (!m_studiesDock->isVisible())
        m_studiesDock->show();
    m_studiesDock->raise();
}

/// A form is higher than a list: the analysis below lends it room while it is filled in.
void AnalyseWorkspace::makeRoomForForm(bool shown) {
    const int wanted = qRound(Metrics::unit() * 70), now = m_studiesDock->height();
    if (shown && m_heightBefore == 0 && !m_studiesDock->isFloating() && now < wanted) {
        m_heightBefore = now;
        resizeDocks({m_studiesDock}, {wanted}, Qt::Vertical);
    } else if (!shown && m_heightBefore > 0) {
        resizeDocks({m_studiesDock}, {m_heightBefore}, Qt::Vertical);
        m_heightBefore = 0;
    }
}

void AnalyseWorkspace::showStudyForm(std::optional<StudyKind> kind) {
    m_parts.actions->analyseWorkspace->trigger();
    showStudies();
    m_studies->showForm(kind);
}

void AnalyseWorkspace::showPlaces() {
    if (!m_placesDock->isVisible()) {
        m_placesDock->show();
        resizeDocks({m_placesDock}, {qRound(Metrics::unit() * 24)}, Qt::Vertical);
    }
    m_placesDock->raise();
}

/// The tab that shows a study of this kind comes to the front.
void AnalyseWorkspace::showStudyTab(const OpenStudyPtr& study) {
    const char* const names[] = {"windowsTab", "windowsTab", "cadTab", "parTab", "probeTab", "latencyTab"};
    const QString wanted = QLatin1String(names[static_cast<int>(study->document.kind)]);
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        if (m_tabs->widget(tab)->objectName() == wanted)
            m_tabs->setCurrentIndex(tab);
    m_parts.session->messages()->post(Severity::Info,
                                      tr("The study %1 is open: %2.").arg(study->name(), study->summary()));
}

} // namespace headroom::app
