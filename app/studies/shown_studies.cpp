// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/shown_studies.h"

#include "app/documents/messages.h"
#include "app/documents/paths.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"

#include <QStringList>

namespace headroom::app {

namespace {
const QString kShownKey = QStringLiteral("shownStudies"); // folders, a line each
}

ShownStudies::ShownStudies(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts) {
    connect(parts.evidence, &StudyEvidence::shownChanged, this, &ShownStudies::remember);
    connect(parts.evidence, &StudyEvidence::choicesChanged, this, &ShownStudies::remember);
}

void ShownStudies::remember() {
    if (m_parts.store->isOpening()) // the others are still to come
        return;
    QStringList folders;
    for (const StudyKind kind : studyKinds())
        if (const OpenStudyPtr study = m_parts.evidence->shown(kind); study && !folders.contains(toQString(study->folder)))
            folders << toQString(study->folder);
    m_parts.settings->setFormState(kShownKey, folders.join(u'\n').toUtf8());
}

void ShownStudies::restore() {
    const QString kept = QString::fromUtf8(m_parts.settings->formState(kShownKey));
    for (const QString& folder : kept.split(u'\n', Qt::SkipEmptyParts)) {
        if (StudyStore::isStudy(toPath(folder)))
            m_parts.store->openAgain(toPath(folder));
        else
            m_parts.messages->post(Severity::Info,
                                   tr("The study %1 was open last time, but no longer exists.").arg(folder));
    }
}

} // namespace headroom::app
