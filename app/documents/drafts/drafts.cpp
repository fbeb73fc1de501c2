// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts/drafts.h"

#include "app/documents/drafts/set_heads.h"
#include "app/documents/files/on_disk.h"
#include "app/documents/items/messages.h"
#include "app/documents/items/names_apart.h"
#include "app/documents/items/paths.h"
#include "core/architecture/change_name.h"
#include "core/architecture/edits.h"
#include "core/architecture/language_layers.h"
#include "core/architecture/other_positions.h"

#include <QSaveFile>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// Compares the last valid heads, and the positions.
bool differs(const HeadGrid& grid, const Architecture& base) {
    return grid.positions() != base.encoder.positions || grid.validLayers() != base.encoder.layers ||
           (grid.has(kCrossAttention) && base.decoder && grid.layer(kCrossAttention).heads != base.decoder->crossAttention);
}

} // namespace

Drafts::Drafts(QUndoStack* undo, Messages* messages, QObject* parent)
    : QObject(parent)
    , m_undo(undo)
    , m_messages(messages) {}

HeadGrid Drafts::gridOf(const Architecture& architecture) {
    return HeadGrid(architecture.encoder.layers, surroundingsOf(architecture),
                    architecture.decoder ? architecture.decoder->crossAttention : std::vector<HeadGroup>());
}

std::vector<DraftKey> Drafts::keys() const {
    std::vector<DraftKey> keys, documents; // the map holds both, documents first
    for (const auto& [key, draft] : m_drafts)
        if (key.document > 0)
            documents.push_back(key);
        else if (draft.isListed)
            keys.push_back(key);
    keys.insert(keys.end(), documents.begin(), documents.end());
    return keys;
}

bool Drafts::isListed(DraftKey key) const {
    const auto found = m_drafts.find(key);
    return found != m_drafts.end() && found->second.isListed;
}

QString Drafts::name(DraftKey key) const {
    const auto found = m_drafts.find(key);
    return found == m_drafts.end() ? QString() : found->second.name;
}

QString Drafts::shownName(DraftKey key) const {
    std::vector<fs::path> places;
    std::size_t own = 0;
    for (const DraftKey one : keys())
        if (const Draft& draft = m_drafts.at(one); draft.name == name(key)) {
            if (one == key)
                own = places.size() + 1;
            const fs::path& there = one.document == 0 ? draft.folder : draft.file; // a document without a file has a name of its own
            fs::path place = placeOfModel(there, draft.name);
            if (std::ranges::find(places, place) != places.end()) // a file beside the model, or two of them
                place = there;
            places.push_back(std::move(place));
        }
    const QString apart = own > 0 ? namesApart(name(key), places)[own - 1] : QString();
    return apart.isEmpty() ? name(key) : apart;
}

const Architecture& Drafts::original(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    return draft.original ? *draft.original : draft.base;
}

bool Drafts::isEdited(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    return !draft.grid.mistakes().empty() || differs(draft.grid, draft.base);
}

bool Drafts::isSaved(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    if (draft.file.empty() || isFileGone(key))
        return false;
    if (key.document > 0)
        return !isEdited(key);
    return draft.saved && draft.grid.mistakes().empty() && !differs(draft.grid, *draft.saved);
}

bool Drafts::isFileGone(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    return !draft.file.empty() && isGone(draft.file);
}

bool Drafts::isFileChanged(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    if (draft.file.empty() || !isOnDisk(draft.file))
        return false;
    const Architecture& known = key.document > 0 || !draft.saved ? draft.base : *draft.saved;
    try {
        return canonicalText(withLanguageLayers(readArchitecture(draft.file))) != canonicalText(withLanguageLayers(known));
    } catch (const Error&) {
        return true;
    }
}

QString Drafts::designName(DraftKey key) const {
    const auto found = m_drafts.find(key);
    return found == m_drafts.end() || found->second.design.isEmpty() ? name(key) : found->second.design;
}

QString Drafts::nameWithChanges(DraftKey key) const {
    const std::string changes = changeName(base(key), architecture(key));
    return changes.empty() ? designName(key) : designName(key) + QStringLiteral(", ") + QString::fromStdString(changes);
}

QString Drafts::origin(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    const bool edited = isEdited(key);
    const QString file = toQString(draft.file.filename());
    if (isFileGone(key))
        return (edited ? tr("edited; %1 is no longer there") : tr("%1 is no longer there")).arg(file);
    if (key.document == 0 && !draft.file.empty()) {
        if (isSaved(key))
            return edited ? tr("draft, saved as %1").arg(file) : tr("unchanged, saved as %1").arg(file);
        return edited ? tr("draft, edited since %1 was saved").arg(file) : tr("unchanged, unlike %1").arg(file);
    }
    if (key.document == 0)
        return edited ? tr("draft, edited") : tr("unchanged");
    if (draft.startedFrom.isEmpty())
        return edited ? tr("edited") : file;
    return edited ? tr("edited, from %1").arg(draft.startedFrom) : tr("from %1").arg(draft.startedFrom);
}

std::vector<HeadGroup> Drafts::crossAttention(DraftKey key) const {
    const auto found = m_drafts.find(key);
    return found == m_drafts.end() || !found->second.grid.has(kCrossAttention) ? std::vector<HeadGroup>()
                                                                               : found->second.grid.layer(kCrossAttention).heads;
}

Architecture Drafts::withLayers(Architecture architecture, const HeadGrid& grid) {
    architecture = withPositions(std::move(architecture), grid.positions());
    architecture.encoder.layers = grid.validLayers();
    takeLanguageHeads(architecture);
    if (grid.has(kCrossAttention) && architecture.decoder)
        architecture.decoder->crossAttention = grid.layer(kCrossAttention).heads;
    return architecture;
}

Architecture Drafts::edited(const Draft& draft) {
    return withLayers(draft.base, draft.grid);
}

Architecture Drafts::architecture(DraftKey key) const {
    const Draft& draft = m_drafts.at(key);
    Architecture result = edited(draft);
    if (differs(draft.grid, draft.base))
        dropPublishedCount(result); // the count in the paper was another architecture's
    return result;
}

std::vector<HeadGroup> Drafts::heads(DraftKey key, int layer) const {
    const auto found = m_drafts.find(key);
    return found != m_drafts.end() && layer >= 1 && layer <= found->second.grid.layerCount()
               ? found->second.grid.layer(layer).heads
               : std::vector<HeadGroup>();
}

std::optional<int> Drafts::window(DraftKey key, int layer) const {
    return windowOf(heads(key, layer));
}

void Drafts::setCurrent(DraftKey key) {
    if (!isListed(key) || key == m_current)
        return;
    m_current = key;
    if (key.model != ModelId::None)
        Q_EMIT modelChosen(key.model);
    Q_EMIT currentChanged();
}

void Drafts::followModel(ModelId current) {
    m_followed = current;
    follow();
}

void Drafts::follow() {
    const DraftKey key{m_followed, 0};
    if (m_current.document > 0 || key == m_current || (!isListed(key) && !key.isNone()))
        return;
    m_current = key;
    Q_EMIT currentChanged();
}

/// The current draft was closed: on to the session's model, else to the first that is left.
void Drafts::moveOn() {
    m_current = {m_followed, 0};
    if (!isListed(m_current)) {
        const auto left = keys();
        m_current = left.empty() ? DraftKey{} : left.front();
    }
    Q_EMIT currentChanged();
}

/// The name, or "demo, copy 2" if another architecture has it. It is always a copy if `firstCopy` is 1.
QString Drafts::freeName(const QString& name, int firstCopy) const {
    const QString stem = name.isEmpty() ? tr("Untitled") : name;
    const auto isTaken = [this](const QString& wanted) {
        return std::any_of(m_drafts.begin(), m_drafts.end(),
                           [&](const auto& one) { return one.second.name == wanted; });
    };
    QString free = stem;
    for (int number = firstCopy; number == 1 || isTaken(free); ++number)
        free = tr("%1, copy %2").arg(stem).arg(number);
    return free;
}

DraftKey Drafts::newDocument(const Architecture& architecture, const QString& startedFrom) {
    const DraftKey key{ModelId::None, ++m_lastDocument};
    const QString name = freeName(QString::fromStdString(architecture.name), startedFrom.isEmpty() ? 2 : 1);
    Architecture base = withLanguageLayers(architecture);
    base.name = name.toStdString();
    m_drafts[key] = {name, startedFrom, base, gridOf(base), {}, {}};
    Q_EMIT listChanged();
    setCurrent(key);
    Q_EMIT documentsEdited();
    return key;
}

DraftKey Drafts::openDocument(const fs::path& file) {
    const fs::path path = normalised(file);
    const auto listed = std::ranges::find_if(m_drafts, [&](const auto& one) { return one.second.file == path; });
    const DraftKey open = listed == m_drafts.end() ? DraftKey() : listed->first;
    if (!open.isNone() && !isFileChanged(open)) { // never two editors of one file
        setCurrent(open);
        return open;
    }
    Architecture architecture = withLanguageLayers(readArchitecture(path));
    if (!open.isNone())
        letGoOfFile(open);
    const DraftKey key{ModelId::None, ++m_lastDocument};
    const QString name =
        architecture.name.empty() ? toQString(path.stem()) : QString::fromStdString(architecture.name);
    HeadGrid grid = gridOf(architecture);
    m_drafts[key] = {name, {}, std::move(architecture), std::move(grid), path, {}};
    Q_EMIT listChanged();
    setCurrent(key);
    Q_EMIT documentsEdited();
    return key;
}

/// Another content of its file is opened.
void Drafts::letGoOfFile(DraftKey key) {
    if (key.document > 0 && !isEdited(key))
        return closeDocument(key);
    Draft& draft = m_drafts.at(key);
    const QString name = draft.name;
    if (key.document > 0) {
        draft.name = freeName(name, 2);
        draft.startedFrom = name;
        draft.base.name = draft.name.toStdString();
    }
    m_messages->post(Severity::Info, tr("%1 was changed by another program and has been read again. What was edited here is kept as “%2”, without a file.")
                                         .arg(toQString(draft.file.filename()), draft.name));
    draft.file.clear();
    draft.saved.reset();
}

void Drafts::save(DraftKey key, const fs::path& file) {
    Draft& draft = m_drafts.at(key);
    const fs::path path = normalised(file);
    Architecture written = architecture(key);
    const bool edited = isEdited(key);
    if (key.document > 0 ? draft.file != path : edited)
        written.name = path.stem().string();
    if (constexpr std::string_view from = "edited from "; edited && written.source.compare(0, from.size(), from) != 0)
        written.source = std::string(from) + draft.base.name + (written.source.empty() ? "" : ": " + written.source);
    const std::string text = canonicalText(written);
    QSaveFile out(toQString(path));
    if (!out.open(QIODevice::WriteOnly) ||
        out.write(text.data(), qint64(text.size())) != qint64(text.size()) || !out.commit())
        throw Error("architecture.unwritable",
                    path.string() + " could not be written: " + out.errorString().toStdString() + ".",
                    {{"file", path.string()}});
    draft.file = path;
    if (key.document == 0) {
        draft.saved = std::move(written);
    } else {
        draft.startedFrom.clear();
        draft.name = QString::fromStdString(written.name);
        if (!draft.original)
            draft.original = std::move(draft.base);
        draft.base = std::move(written);
    }
    Q_EMIT listChanged();
    Q_EMIT draftChanged(key);
    Q_EMIT documentsEdited();
}

void Drafts::closeDocument(DraftKey key) {
    if (key.document == 0 || m_drafts.erase(key) == 0)
        return;
    m_messages->settle(causeOf(key));
    if (m_current == key)
        moveOn();
    Q_EMIT listChanged();
    SetHeads::dropStale(m_undo);
}

void Drafts::setAside(DraftKey key) {
    auto closed = m_drafts.extract(key);
    if (!closed)
        return;
    m_messages->settle(causeOf(key));
    m_closed.erase(key);
    m_closed.insert(std::move(closed));
    if (m_current == key)
        moveOn();
    Q_EMIT listChanged();
}

bool Drafts::bringBack(DraftKey key) {
    auto closed = m_closed.extract(key);
    if (!closed)
        return false;
    m_drafts.insert(std::move(closed));
    Q_EMIT listChanged();
    if (key.document > 0)
        setCurrent(key);
    follow();
    Q_EMIT draftChanged(key);
    return true;
}

void Drafts::forgetClosed() {
    m_closed.clear();
    forgetUnread();
}

} // namespace headroom::app
