// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/evidence_field.h"

#include "app/documents/paths.h"
#include "app/studies/study_names.h"
#include "widgets/look/sizes.h"

#include <QAbstractItemView>
#include <QScopedValueRollback>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

EvidenceField::EvidenceField(StudyEvidence* evidence, StudyKind kind, Live live, QWidget* parent)
    : QComboBox(parent)
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

void EvidenceField::fill() {
    const QScopedValueRollback filling(m_filling, true);
    clear();
    if (m_live == Live::Offered)
        addItem(liveText());
    const auto studies = m_evidence->choices(m_kind);
    const OpenStudyPtr shown = m_evidence->shown(m_kind);
    int current = m_live == Live::Offered ? 0 : -1;
    for (const OpenStudyPtr& study : studies) {
        if (study == shown)
            current = count();
        const bool sharesName = std::any_of(studies.begin(), studies.end(), [&](const OpenStudyPtr& other) {
            return other != study && other->name() == study->name();
        });
        const bool isBeside = sharesName && std::any_of(studies.begin(), studies.end(), [&](const OpenStudyPtr& other) {
            return other != study && other->name() == study->name() && other->folder.parent_path() == study->folder.parent_path();
        });
        const QString name = isBeside     ? tr("%1, %2").arg(study->name(), studyTime(QString::fromStdString(study->document.created)))
                             : sharesName ? tr("%1 in %2").arg(study->name(), toQString(study->folder.parent_path()))
                                          : study->name();
        addItem(tr("%1 (%2)").arg(name, study->summary()));
        setItemData(count() - 1, QString::fromStdString(study->folder.string()), Qt::ToolTipRole);
    }
    if (count() > 0)
        insertSeparator(count());
    addItem(tr("New study…"));
    const QString meaning = m_live == Live::Offered ? tr("The source of these numbers: %1, or a study.").arg(liveText().toLower())
                                                    : tr("The study that these numbers are from.");
    setToolTip(shown ? QStringList{meaning, shown->failures()}.join(u'\n').trimmed() : meaning);
    setPlaceholderText(tr("No study is open"));
    setCurrentIndex(current);
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + qRound(Sizes::unit() * 3));
    updateGeometry(); // it is as wide as what is chosen
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
