// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_evidence.h"

#include "app/documents/items/paths.h"

#include <algorithm>
#include <utility>

namespace headroom::app {

StudyEvidence::StudyEvidence(QObject* parent) : QObject(parent) {}

StudyEvidence::~StudyEvidence() = default;

StudyKind StudyEvidence::tabOf(StudyKind kind) {
    return kind == StudyKind::Diagonality ? StudyKind::Windows : kind;
}

OpenStudyPtr StudyEvidence::shown(StudyKind kind) const {
    const auto found = m_shown.find(tabOf(kind));
    return found == m_shown.end() ? nullptr : found->second;
}

std::vector<OpenStudyPtr> StudyEvidence::choices(StudyKind kind) const {
    std::vector<OpenStudyPtr> fitting;
    std::copy_if(m_studies.begin(), m_studies.end(), std::back_inserter(fitting),
                 [&](const OpenStudyPtr& study) { return tabOf(study->document.kind) == tabOf(kind); });
    return fitting;
}

int StudyEvidence::model(const OpenStudy& study) const {
    const auto chosen = m_chosenModels.find(study.folder);
    if (chosen != m_chosenModels.end() && chosen->second <= study.modelCount())
        return chosen->second;
    return std::max(currentIn(study), 1);
}

bool StudyEvidence::lacksCurrent(const OpenStudy& study) const {
    return (!m_modelFolder.empty() || !m_modelHash.empty()) && currentIn(study) == 0;
}

void StudyEvidence::chooseModel(const OpenStudyPtr& study, int model) {
    if (!study || model < 1 || model > study->modelCount() || model == this->model(*study))
        return;
    m_chosenModels[study->folder] = model;
    Q_EMIT shownChanged();
}

void StudyEvidence::setChosenModels(std::map<std::filesystem::path, int> chosen) {
    if (chosen == m_chosenModels)
        return;
    m_chosenModels = std::move(chosen);
    Q_EMIT shownChanged();
}

int StudyEvidence::currentIn(const OpenStudy& study) const {
    const auto& models = study.document.models;
    for (std::size_t i = 0; i < models.size(); ++i)
        if (!m_modelFolder.empty() && normalised(models[i].folder) == m_modelFolder)
            return static_cast<int>(i) + 1;
    return study.modelWith(m_modelHash);
}

void StudyEvidence::show(const OpenStudyPtr& study) {
    if (!study)
        return;
    OpenStudyPtr& shown = m_shown[tabOf(study->document.kind)];
    if (shown == study)
        return;
    shown = study;
    Q_EMIT shownChanged();
}

void StudyEvidence::showLive(StudyKind kind) {
    OpenStudyPtr& shown = m_shown[tabOf(kind)];
    if (!shown)
        return;
    shown.reset();
    Q_EMIT shownChanged();
}

void StudyEvidence::add(const OpenStudyPtr& study) {
    std::erase_if(m_studies, [&](const OpenStudyPtr& other) { return other->folder == study->folder; });
    m_studies.insert(m_studies.begin(), study);
    Q_EMIT choicesChanged();
    show(study);
}

void StudyEvidence::close(const std::filesystem::path& folder) {
    const auto isIt = [&](const OpenStudyPtr& study) { return study && study->folder == folder; };
    if (std::erase_if(m_studies, isIt) == 0)
        return;
    bool wasShown = false;
    for (auto& [kind, shown] : m_shown)
        if (isIt(shown)) {
            shown.reset();
            wasShown = true;
        }
    Q_EMIT choicesChanged();
    if (wasShown)
        Q_EMIT shownChanged();
}

void StudyEvidence::addLast(const OpenStudyPtr& study) {
    if (std::any_of(m_studies.begin(), m_studies.end(), [&](const OpenStudyPtr& other) { return other->folder == study->folder; }))
        return;
    m_studies.push_back(study);
    Q_EMIT choicesChanged();
}

void StudyEvidence::closeAll() {
    if (m_studies.empty())
        return;
    m_studies.clear();
    m_shown.clear();
    Q_EMIT choicesChanged();
    Q_EMIT shownChanged();
}

void StudyEvidence::setCurrentModel(const std::filesystem::path& folder, const std::string& hash) {
    if (folder == m_modelFolder && hash == m_modelHash)
        return;
    if (folder != m_modelFolder) // not where its hash has become known
        m_chosenModels.clear();
    m_modelFolder = folder;
    m_modelHash = hash;
    const bool any = std::any_of(m_shown.begin(), m_shown.end(), [](const auto& tab) { return !!tab.second; });
    if (any)
        Q_EMIT shownChanged();
}

void StudyEvidence::setModelColours(std::vector<ModelColour> open) {
    if (m_colours.setOpen(std::move(open)))
        Q_EMIT coloursChanged();
}

void StudyEvidence::followPlaces(const PlacesQuery& query) {
    if (query.study)
        Q_EMIT placesFollowed(query);
}

void StudyEvidence::requestPlaces(const PlacesQuery& query) {
    if (query.study)
        Q_EMIT placesRequested(query);
}

} // namespace headroom::app
