// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/heads/head_content.h"
#include "app/workspaces/analyse/heads/live_metrics.h"
#include "app/workspaces/analyse/phones/phone_content.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>
#include <QTimer>

class QAction;
class QTabWidget;

namespace headroom::app {

class AlignmentStore;
class CadPanel;
class MetricsNote;
class HeadsPanel;
class PhonesPanel;
class StatisticsPanel;

/// Keeps the tabs CAD, PAR, Heads and Statistics true: live from the utterance that is open, or from the
/// study that StudyEvidence shows. Only the tab in front is filled; attention is asked for the layer that is
/// looked at, and for the others where somebody presses “Read all layers”. Window's thread.
class HeadTabs : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        StudyEvidence* evidence;
        widgets::TimeAxis* axis;
        QTabWidget* tabs;                           ///< the four tabs are added to it
        const AlignmentStore* alignments = nullptr; ///< whose phone map is meant; null: ARPABET
    };
    explicit HeadTabs(const Parts& parts, QObject* parent = nullptr);

    CadPanel* cad() const { return m_cad; }
    PhonesPanel* phones() const { return m_phones; }
    HeadsPanel* heads() const { return m_heads; }
    StatisticsPanel* statistics() const { return m_statistics; }
    LiveMetrics* live() { return &m_live; }
    QTabWidget* tabs() const { return m_parts.tabs; }
    /// Something is still being computed for the tab in front.
    bool isPending() const { return m_soon.isActive() || m_live.isComputing() || m_readingStudy; }
    /// The way to phones where there are none (“Align…”); borrowed, null: none.
    void setAlignAction(QAction* action);
    /// "Alignment: built-in aligner, median error 25 ms …"; empty where it does not say who made it.
    static QString alignmentText(const Utterance* utterance);

private:
    void addTabs();
    void connectPanels();
    void refreshSoon();
    void refresh();
    void refreshHeads();
    void refreshPhones();
    void readStudy(const OpenStudyPtr& study, int model);
    std::shared_ptr<const HeadContent> liveHeads() const;
    PhoneContent livePhones() const;
    QString whyNothing(const QString& what) const; ///< empty: there is something
    void showNote(MetricsNote* note, const std::vector<int>& missing) const;
    void showHead(widgets::HeadId head);
    void showCell(widgets::PhonePair pair);
    void showLiveCell(widgets::PhonePair pair);
    void sayMissingPhones();
    QString studyNote(const OpenStudy& study) const;
    QString liveNote() const;
    bool isCurrentModel(const StudyModel& model) const;
    void followSource();
    bool isInFront(const QWidget* panel) const;

    Parts m_parts;
    LiveMetrics m_live;
    CadPanel* m_cad;
    PhonesPanel* m_phones;
    HeadsPanel* m_heads;
    StatisticsPanel* m_statistics;
    QAction* m_align = nullptr;
    QTimer m_soon;
    std::shared_ptr<const HeadContent> m_headContent; ///< what CAD, Heads and Statistics show
    PhoneContent m_phoneContent;
    OpenStudyPtr m_study; ///< that m_headContent is of; null: live
    int m_studyModel = 0;
    OpenStudyPtr m_phoneStudy;
    int m_phoneStudyModel = 0;
    bool m_readingStudy = false;
    std::optional<widgets::HeadId> m_lastHead;
};

} // namespace headroom::app
