// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/phones/phone_content.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>
#include <QTimer>

#include <optional>

class QAction;
class QTabWidget;

namespace headroom::app {

class AlignmentStore;
class LiveMetrics;
class PhonesPanel;

/// The tab PAR: which phones attend to which, live from the utterance that is open, or from the study that
/// StudyEvidence shows; and the pairs of tokens behind a cell. Filled while it is in front; asks for the
/// attention of the layers that are looked at. Window's thread.
class PhonesController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        StudyEvidence* evidence;
        widgets::TimeAxis* axis;
        LiveMetrics* live;
        QTabWidget* tabs;                           ///< the tab is put behind CAD
        const AlignmentStore* alignments = nullptr; ///< whose phone map is meant; null: ARPABET
    };
    explicit PhonesController(const Parts& parts, QObject* parent = nullptr);

    void saveView(nlohmann::json& view) const override;
    void restoreView(const nlohmann::json& view) override;
    bool isPending() const override { return m_soon.isActive(); }
    /// What is offered where there are no phones (“Align…”); borrowed, null: nothing.
    void setAlignAction(QAction* action);

private:
    void connectPanel();
    void followChoice();
    void refreshSoon();
    void refresh();
    void sayMissing(const PhoneChoice& choice, const std::vector<int>& missing, bool isEmpty);
    PhoneContent liveContent() const;
    void sayMissingPhones();
    QString studyNote(const OpenStudy& study, int number) const;
    QString liveNote() const;
    QString mapNote() const;
    QString liveCaption() const;
    QString modelWithHash() const;
    void showCell(widgets::PhonePair pair);
    void showLiveCell(widgets::PhonePair pair);

    Parts m_parts;
    PhonesPanel* m_panel;
    QAction* m_align = nullptr;
    QTimer m_soon;
    PhoneContent m_content;
    OpenStudyPtr m_study; ///< that m_content is of; null: live
    int m_studyModel = 0;
    std::optional<PhoneChoice> m_keptChoice; ///< of the session, for the study that it shows, until that is read
};

} // namespace headroom::app
