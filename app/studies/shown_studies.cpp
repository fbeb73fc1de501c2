// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/shown_studies.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/view_values.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace headroom::app {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char *kOpenKey = "open", *kShownKey = "shown", *kModelsKey = "models"; ///< of the view
const QString kMissingCause = QStringLiteral("a study of the session");

QString causeOfMissing(const fs::path& folder) {
    return QStringLiteral("study of the session ") + toQString(folder);
}

std::vector<fs::path> namedFolders(const json& view) {
    std::vector<fs::path> folders;
    const json* open = valueIn(view, kOpenKey);
    if (!open || !open->is_array())
        return folders;
    for (const json& one : *open) {
        if (!one.is_string() || one.get<std::string>().empty())
            continue;
        const fs::path folder = normalised(toPath(QString::fromStdString(one.get<std::string>())));
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(folder);
    }
    return folders;
}

std::map<StudyKind, fs::path> shownFolders(const json& view) {
    std::map<StudyKind, fs::path> folders;
    const json* shown = valueIn(view, kShownKey);
    for (const StudyKind kind : kStudyKinds)
        if (const auto folder = shown ? stringIn(*shown, toText(kind)) : std::nullopt)
            folders[StudyEvidence::tabOf(kind)] = normalised(toPath(QString::fromStdString(*folder)));
    return folders;
}

std::map<fs::path, int> chosenModels(const json& view) {
    std::map<fs::path, int> chosen;
    const json* models = valueIn(view, kModelsKey);
    for (const fs::path& folder : namedFolders(view))
        if (const int model = models ? wholeIn(*models, toQString(folder).toStdString().c_str(), 0) : 0; model > 0)
            chosen[folder] = model;
    return chosen;
}

} // namespace

/// What one session asked for, until all of it was read.
struct ShownStudies::Reading {
    std::size_t left = 0;
    std::vector<OpenStudyPtr> studies; ///< as the session lists them; null: could not be read
};

ShownStudies::ShownStudies(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts) {
    connect(parts.evidence, &StudyEvidence::choicesChanged, this, &ShownStudies::followOpen);
    connect(parts.evidence, &StudyEvidence::shownChanged, this, &ShownStudies::followShown);
}

void ShownStudies::followOpen() {
    for (const OpenStudyPtr& study : m_parts.evidence->open())
        if (std::erase(m_missing, study->folder) > 0)
            m_parts.session->messages()->settle(causeOfMissing(study->folder));
    std::set<fs::path> named(m_missing.begin(), m_missing.end());
    for (const OpenStudyPtr& study : m_parts.evidence->open())
        named.insert(study->folder);
    if (named == std::exchange(m_named, named))
        return;
    const Session& session = *m_parts.session;
    if (!session.isEmpty() || !session.drafts()->keys().empty()) // a study alone is no session to be asked for
        m_parts.session->setModified();
}

void ShownStudies::followShown() {
    std::erase_if(m_wanted, [this](const auto& wanted) { return m_parts.evidence->shown(wanted.first) != nullptr; });
}

json ShownStudies::view() const {
    json open = json::array(), shown = json::object(), models = json::object();
    const auto text = [](const fs::path& folder) { return toQString(folder).toStdString(); };
    for (const OpenStudyPtr& study : m_parts.evidence->open())
        open.push_back(text(study->folder));
    for (const fs::path& folder : m_missing)
        open.push_back(text(folder));
    if (open.empty())
        return nullptr;
    for (const auto& [kind, folder] : m_wanted)
        shown[toText(kind)] = text(folder);
    for (const StudyKind kind : kStudyKinds)
        if (const OpenStudyPtr study = m_parts.evidence->shown(kind))
            shown[toText(StudyEvidence::tabOf(kind))] = text(study->folder);
    for (const auto& [folder, model] : m_parts.evidence->chosenModels())
        if (std::find(open.begin(), open.end(), json(text(folder))) != open.end())
            models[text(folder)] = model;
    json view{{kOpenKey, std::move(open)}, {kShownKey, std::move(shown)}};
    if (!models.empty())
        view[kModelsKey] = std::move(models);
    return view;
}

void ShownStudies::restore(const json& view) {
    const int restored = ++m_restored;
    m_parts.session->messages()->settle(kMissingCause);
    const std::vector<fs::path> folders = m_missing = namedFolders(view);
    m_named = {folders.begin(), folders.end()};
    m_wanted = shownFolders(view);
    std::erase_if(m_wanted, [this](const auto& wanted) { return !m_named.contains(wanted.second); });
    m_parts.evidence->closeAll();
    m_parts.evidence->setChosenModels(chosenModels(view));
    const auto reading = std::make_shared<Reading>();
    reading->studies.resize(folders.size());
    for (std::size_t place = 0; place < folders.size(); ++place) {
        const fs::path& folder = folders[place];
        if (!StudyStore::isStudy(folder)) {
            sayMissing(folder, tr("The study “%1” of this session has been moved or deleted: %2 does not exist.")
                                   .arg(toQString(folder.filename()), toQString(folder)));
            continue;
        }
        ++reading->left;
        m_parts.store->read(folder, this, [this, restored, reading, place, folder](const OpenStudyPtr& study, const QString& sentence) {
            if (restored != m_restored)
                return;
            reading->studies[place] = study;
            if (!study)
                sayMissing(folder, tr("The study “%1” of this session could not be opened. %2").arg(toQString(folder.filename()), sentence));
            if (--reading->left == 0)
                take(*reading);
        });
    }
}

/// All at once: they keep their order, whichever was read first. What was chosen meanwhile stays.
void ShownStudies::take(const Reading& read) {
    for (const OpenStudyPtr& study : read.studies)
        if (study)
            m_parts.evidence->addLast(study);
    const auto wanted = m_wanted;
    for (const auto& [kind, folder] : wanted)
        for (const OpenStudyPtr& study : m_parts.evidence->choices(kind))
            if (study->folder == folder && !m_parts.evidence->shown(kind))
                m_parts.evidence->show(study);
}

void ShownStudies::sayMissing(const fs::path& folder, const QString& sentence) {
    m_parts.session->messages()->post(Severity::Warning, sentence, tr("Forget it"), [this, folder] { forget(folder); },
                                      {kMissingCause, causeOfMissing(folder)});
}

void ShownStudies::forget(const fs::path& folder) {
    std::erase(m_missing, folder);
    std::erase_if(m_wanted, [&](const auto& wanted) { return wanted.second == folder; });
    m_parts.session->messages()->settle(causeOfMissing(folder));
    followOpen();
}

} // namespace headroom::app
