// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"
#include "widgets/look/fitted_combo.h"

namespace headroom::app {

/// The chooser at the left of a tab's own header: "This utterance" (Windows: "Open utterances"), the open studies that the tab can show,
/// and "New study…", which opens the form. Every tab has its own, which follows StudyEvidence::shownChanged().
/// Window's thread.
class EvidenceField : public widgets::FittedCombo {
    Q_OBJECT

public:
    enum class Live {
        Offered, ///< the tab has something to show without a study
        Not      ///< it needs a study (probe, latency)
    };
    /// `evidence`: borrowed. `kind`: any that the tab shows.
    EvidenceField(StudyEvidence* evidence, StudyKind kind, Live live, QWidget* parent = nullptr);

    OpenStudyPtr shown() const; ///< null: the open utterance
    /// The chooser that stands beside it: which model of the study is shown. Both pass the keyboard on to `view`.
    QComboBox* makeModelField(QWidget* view, QWidget* parent);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// "New study…" was chosen: the workspace shows the form with this kind.
    void studyWanted(headroom::StudyKind kind);

protected:
    QString fittedText(const QString& text, int room) const override;

private:
    QString liveText() const;
    void fill();
    void choose(int row);

    StudyEvidence* m_evidence;
    StudyKind m_kind;
    Live m_live;
    bool m_filling = false;
};

} // namespace headroom::app
