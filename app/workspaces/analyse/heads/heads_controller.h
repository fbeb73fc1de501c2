// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/heads/head_content.h"
#include "app/workspaces/analyse/heads/live_metrics.h"

#include <QObject>
#include <QTimer>

#include <array>

class QTabWidget;

namespace headroom::app {

class AlignmentStore;
class CadPanel;
class HeadTab;
class HeadsPanel;
class StatisticsPanel;

/// The tabs CAD, Heads and Statistics: live from the utterance that is open, or from the study that
/// StudyEvidence shows. Owns their panels and the live figures. Only the tab in front is filled; attention is
/// asked for the layer that is looked at, and for the others where “Read all layers” is pressed. Window's
/// thread.
class HeadsController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        StudyEvidence* evidence;
        QTabWidget* tabs;                           ///< the three tabs are added to it
        const AlignmentStore* alignments = nullptr; ///< whose phone map is meant; null: ARPABET
    };
    explicit HeadsController(const Parts& parts, QObject* parent = nullptr);

    LiveMetrics* live() { return &m_live; }
    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;
    /// Something is still being computed for the tab in front.
    bool isPending() const override { return m_soon.isActive() || m_live.isComputing() || m_readingStudy; }

private:
    void addTabs();
    void connectPanels();
    void restoreComplete(const nlohmann::json& kept);
    void refreshSoon();
    void refresh();
    void readStudy(const OpenStudyPtr& study, int model);
    void setEmptySentence(const QString& sentence);
    std::shared_ptr<const HeadContent> liveContent() const;
    void showHead(widgets::HeadId head);
    PlacesQuery placesOf(widgets::HeadId head) const; ///< of the study that is shown
    bool isCurrentModel(const StudyModel& model) const;
    std::vector<std::vector<HeadKind>> kindsOf(const StudyModel& studied) const;
    void showKinds(const StudyModel& studied);
    void followSource();
    bool isOfMap() const;
    std::array<HeadTab*, 3> tabs() const;
    std::optional<widgets::HeadId> selectedIn(const HeadTab* tab, bool showsStudy) const;
    bool isInFront(const QWidget* panel) const;

    Parts m_parts;
    LiveMetrics m_live;
    CadPanel* m_cad;
    HeadsPanel* m_heads;
    StatisticsPanel* m_statistics;
    QTimer m_soon;
    std::shared_ptr<const HeadContent> m_content; ///< what the three tabs show
    OpenStudyPtr m_study;                         ///< that m_content is of; null: live
    int m_studyModel = 0;
    bool m_readingStudy = false;
    std::optional<widgets::HeadId> m_lastHead;
};

} // namespace headroom::app
