// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/studies/open_study.h"
#include "app/workspaces/analyse/common/controller.h"
#include "widgets/time_axis/time_axis.h"

#include <QList>
#include <QObject>

#include <array>
#include <optional>

class QMainWindow;
class QTabWidget;

namespace headroom::app {

class Actions;
class AlignmentStore;
class AppSettings;
class DeviceList;
class Dock;
class LatencyPanel;
class MixingPanel;
class PlaceOpener;
class PlaceStore;
class PlacesPanel;
class ProbePanel;
class ShownStudies;
class SimilarityPanel;
class SoundTransport;
class StudyEvidence;
class StudyPanel;
class StudyPlotTab;
class StudyStore;
class TabOverflow;
struct StudyItem;

/// Studies of a whole corpus: the dock Studies with its form, the dock Places, the tabs Probe, Latency, Measures and
/// Similarity, and the way from a number to the places behind it. Owns their panels. Window's thread.
class StudiesController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed. `window`: the docks' window. `tabs` has every other tab already: the choosers of
    /// evidence in it open the form. `corner`: of the tabs; gets the button of “New study…”.
    struct Parts {
        Session* session;
        StudyStore* store;
        StudyEvidence* evidence;
        AppSettings* settings;
        PlaceStore* places;
        DeviceList* devices;
        const Actions* actions;
        SoundTransport* transport;
        widgets::TimeAxis* axis;
        QTabWidget* tabs;
        TabOverflow* corner;
        QMainWindow* window;
        const AlignmentStore* alignments; ///< whose phone map studies of the open utterances use
    };
    explicit StudiesController(const Parts& parts, QObject* parent = nullptr);

    // What the workspace places.
    struct Docks {
        Dock *studies = nullptr, *places = nullptr;
    };
    const Docks& docks() const { return m_docks; }
    void showStudies();
    const QList<QAction*>& newStudies() const { return m_newStudies; } ///< of each kind, for Find action
    /// Opens the form of a new study in Analyse, of this kind where there is one.
    void showForm(std::optional<StudyKind> kind);
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;
    bool isPending() const override;

Q_SIGNALS:
    void formShown(bool shown); ///< in the panel Studies, which needs more room for it

private:
    void makeDocks();
    void makeTabs();
    template <class Tab> void followLayer(Tab* tab);
    void makeActions();
    QString listedName(const OpenStudy& study) const;
    void connectStore();
    void connectPlaces();
    PlacesQuery withOpened(PlacesQuery query) const; ///< with what is open in the session
    void followModel();
    void say(Severity severity, const QString& sentence); ///< of studies, which outlive the session
    void sayEnded(const StudyItem& study);
    void showTab(const OpenStudyPtr& study);
    void tellOfForm();
    void offerFinished();
    std::array<StudyPlotTab*, 3> plotTabs() const;

    Parts m_parts;
    ShownStudies* m_shown;
    StudyPanel* m_studies;
    PlacesPanel* m_places;
    ProbePanel* m_probe;
    LatencyPanel* m_latency;
    MixingPanel* m_mixing;
    SimilarityPanel* m_similarity;
    PlaceOpener* m_opener;
    Docks m_docks;
    QList<QAction*> m_newStudies;
    bool m_isFormShown = false;
};

} // namespace headroom::app
