// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/evidence_field.h"

#include "app/parts/choice_focus.h"
#include "app/studies/study_names.h"
#include "app/workspaces/analyse/common/study_model_field.h"
#include "widgets/look/sizes.h"
#include "widgets/run_monitor/fitted_titles.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <vector>

namespace headroom::app {

using widgets::Sizes;

namespace {
constexpr int kStudyNameRole = Qt::UserRole + 1; ///< of a study, without its summary
}

EvidenceField::EvidenceField(StudyEvidence* evidence, StudyKind kind, Live live, QWidget* parent)
    : FittedCombo(parent)
    , m_evidence(evidence)
    , m_kind(kind)
    , m_live(live) {
    setProperty("small", true);
    setAccessibleName(tr("Evidence"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(this, &QComboBox::activated, this, &EvidenceField::choose);
    connect(evidence, &StudyEvidence::choicesChanged, this, &EvidenceField::fill);
    connect(evidence, &StudyEvidence::shownChanged, this, &EvidenceField::fill);
    fill();
}

/// Windows are suggested over all open utterances; every other tab speaks of the current one.
QString EvidenceField::liveText() const {
    return StudyEvidence::tabOf(m_kind) == StudyKind::Windows ? tr("Open utterances") : tr("This utterance");
}

OpenStudyPtr EvidenceField::shown() const {
    return m_evidence->shown(m_kind);
}

QComboBox* EvidenceField::makeModelField(QWidget* view, QWidget* parent) {
    auto* model = new StudyModelField(m_evidence, m_kind, parent);
    passFocusOn(this, view);
    passFocusOn(model, view);
    return model;
}

void EvidenceField::fill() {
    const QScopedValueRollback filling(m_filling, true);
    clear();
    if (m_live == Live::Offered)
        addItem(liveText());
    const auto studies = m_evidence->choices(m_kind);
    const OpenStudyPtr shown = m_evidence->shown(m_kind);
    int current = m_live == Live::Offered ? 0 : -1;
    std::vector<StudyItem> items;
    for (const OpenStudyPtr& study : studies)
        items.push_back(itemOf(study->document, study->folder));
    tellApart(items);
    for (std::size_t i = 0; i < studies.size(); ++i) {
        if (studies[i] == shown)
            current = count();
        const QString name = items[i].name();
        addItem(tr("%1 (%2)").arg(name, studies[i]->summary()));
        setItemData(count() - 1, name, kStudyNameRole);
        setItemData(count() - 1, QStringList{name, QString::fromStdString(studies[i]->folder.string())}.join(u'\n'), Qt::ToolTipRole);
    }
    if (count() > 0)
        insertSeparator(count());
    addItem(tr("New study…"));
    const QString meaning = m_live == Live::Offered ? tr("The source of these numbers: %1, or a study.").arg(liveText().toLower())
                                                    : tr("The study that these numbers are from.");
    setToolTip(shown ? QStringList{meaning, shown->failures()}.join(u'\n').trimmed() : meaning);
    setPlaceholderText(tr("No study of this kind is open"));
    setCurrentIndex(current);
    updateGeometry(); // it is as wide as what is chosen
}

/// Without its summary, and so that it could be no other of these studies.
QString EvidenceField::fittedText(const QString& text, int room) const {
    QStringList names;
    for (int row = 0; row < count(); ++row)
        names << itemData(row, kStudyNameRole).toString();
    const QString name = currentData(kStudyNameRole).toString();
    names.removeAll(QString());
    return name.isEmpty() ? text : widgets::fittedAmong(names, name, fontMetrics(), room);
}

void EvidenceField::choose(int row) {
    if (m_filling)
        return;
    const auto studies = m_evidence->choices(m_kind);
    const int first = m_live == Live::Offered ? 1 : 0;
    if (row == count() - 1) {
        fill(); // the choice stays what it was
        Q_EMIT studyWanted(m_kind);
    } else if (row < first) {
        m_evidence->showLive(m_kind);
    } else if (static_cast<std::size_t>(row - first) < studies.size()) {
        m_evidence->show(studies[static_cast<std::size_t>(row - first)]);
    }
}

QSize EvidenceField::sizeHint() const {
    const QString text = currentIndex() < 0 ? placeholderText() : currentText();
    const double wanted = QFontMetrics(Sizes::text()).horizontalAdvance(text) + Sizes::unit() * 5;
    return {qRound(std::min(wanted, Sizes::unit() * 30)), QComboBox::sizeHint().height()};
}

QSize EvidenceField::minimumSizeHint() const {
    return {qRound(Sizes::unit() * 9), QComboBox::minimumSizeHint().height()};
}

} // namespace headroom::app
