// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/study_model_field.h"

#include "widgets/look/sizes.h"

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

StudyModelField::StudyModelField(StudyEvidence* evidence, StudyKind kind, QWidget* parent)
    : NameCombo(parent)
    , m_evidence(evidence)
    , m_kind(kind) {
    setProperty("small", true);
    setAccessibleName(tr("Model of the study"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(this, &QComboBox::activated, this, [this](int row) {
        if (const OpenStudyPtr study = m_evidence->shown(m_kind))
            m_evidence->chooseModel(study, row + 1);
    });
    connect(evidence, &StudyEvidence::shownChanged, this, &StudyModelField::fill);
    fill();
}

void StudyModelField::fill() {
    const OpenStudyPtr study = m_evidence->shown(m_kind);
    setVisible(study && study->modelCount() > 1);
    clear();
    if (!study)
        return;
    for (const StudyModel& model : study->document.models)
        addItem(QString::fromStdString(model.name));
    setCurrentIndex(m_evidence->model(*study) - 1);
    const QString meaning = tr("The model of the study whose numbers are shown.");
    setToolTip(m_evidence->lacksCurrent(*study) ? meaning + QLatin1Char('\n') + tr("The current model is not in this study.") : meaning);
    updateGeometry(); // it is as wide as what is chosen
}

QSize StudyModelField::sizeHint() const {
    const double wanted = QFontMetrics(Sizes::text()).horizontalAdvance(currentText()) + Sizes::unit() * 5;
    return {qRound(std::min(wanted, Sizes::unit() * 20)), QComboBox::sizeHint().height()};
}

QSize StudyModelField::minimumSizeHint() const {
    return {qRound(Sizes::unit() * 13), QComboBox::minimumSizeHint().height()};
}

} // namespace headroom::app
