// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/name_views.h"
#include "app/studies/study_evidence.h"

namespace headroom::app {

/// Beside an EvidenceField: which model of the study the tab shows, where the study has several; hidden elsewhere. Window's thread.
class StudyModelField : public NameCombo {
    Q_OBJECT

public:
    /// `evidence`: borrowed. `kind`: as of the EvidenceField.
    StudyModelField(StudyEvidence* evidence, StudyKind kind, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void fill();

    StudyEvidence* m_evidence;
    StudyKind m_kind;
};

} // namespace headroom::app
