// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/moved_files.h"

#include "app/documents/dropped_file.h"
#include "app/documents/messages.h"
#include "app/documents/paths.h"
#include "app/documents/session.h"
#include "core/audio/audio_name.h"
#include "core/model_folders/hub_cache.h"

#include <QUndoStack>

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

const QString kMoved = QStringLiteral("recordings located"), kModelsMoved = QStringLiteral("models located");

bool isFile(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored);
}

bool isModel(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && classify(path).front().kind == DroppedFile::Kind::Model;
}

/// Where files, or models, were and where they are.
class Move {
public:
    using IsThere = bool (*)(const fs::path&);
    explicit Move(fs::path folder, IsThere isThere = isFile) : m_folder(std::move(folder)), m_isThere(isThere) {}

    /// Empty: not found.
    fs::path found(const fs::path& old) const {
        if (!m_before.empty())
            if (const fs::path rest = old.lexically_relative(m_before); !rest.empty() && *rest.begin() != ".." && m_isThere(m_after / rest))
                return m_after / rest;
        // With as many of its folders as are there: two speakers may have an "a.wav" each.
        const fs::path names = old.relative_path();
        for (auto from = names.begin(); from != names.end(); ++from) {
            fs::path candidate = m_folder;
            for (auto name = from; name != names.end(); ++name)
                candidate /= *name;
            if (m_isThere(candidate))
                return candidate;
        }
        return {};
    }

    /// What moved is the folder above the names that both have in common.
    void learn(fs::path old, fs::path now) {
        while (old.has_filename() && now.has_filename() && old.filename() == now.filename()) {
            old = old.parent_path();
            now = now.parent_path();
        }
        m_before = std::move(old);
        m_after = std::move(now);
    }

private:
    fs::path m_folder, m_before, m_after;
    IsThere m_isThere;
};

struct Located {
    UtteranceId id;
    std::pair<fs::path, fs::path> old, now; ///< recording, alignment
};

struct LocatedModel {
    ModelId id;
    fs::path old, now;
};

/// `put` sets the new locations, or the old ones.
class LocateStep : public QUndoCommand {
public:
    LocateStep(const QString& text, Messages* messages, const QString& cause, std::function<void(bool back)> put)
        : QUndoCommand(text)
        , m_messages(messages)
        , m_cause(cause)
        , m_put(std::move(put)) {}
    void undo() override {
        m_messages->settle(m_cause);
        m_put(true);
    }
    void redo() override { m_put(false); }

private:
    Messages* m_messages;
    QString m_cause;
    std::function<void(bool back)> m_put;
};

/// A recording may be named with a part or a speed: ":160000:32000".
fs::path withNameOf(fs::path file, const fs::path& named) {
    file += audioName(named).suffix();
    return file;
}

void sayFound(Messages* messages, const QString& found, const QStringList& lost, const QString& cause) {
    constexpr qsizetype kMostNamed = 5;
    const QString names = lost.mid(0, kMostNamed).join(QStringLiteral(", "));
    if (lost.isEmpty())
        messages->post(Severity::Info, found, {}, {}, {cause});
    else
        messages->post(Severity::Warning,
                       found + (lost.size() == 1            ? Session::tr(" 1 is still missing: %1.").arg(names)
                                : lost.size() <= kMostNamed ? Session::tr(" %1 are still missing: %2.").arg(lost.size()).arg(names)
                                                            : Session::tr(" %1 are still missing: %2, …").arg(lost.size()).arg(names)),
                       {}, {}, {cause});
}

} // namespace

void locateMissing(Session* session, UtteranceId id, const fs::path& given) {
    const fs::path folder = normalised(given);
    const UtteranceList* all = session->utterances();
    const OpenUtterance* chosen = all->find(id);
    if (!chosen || !chosen->isMissing)
        return;
    Move move(folder);
    if (const fs::path old = audioName(chosen->file).file, now = move.found(old); !now.empty())
        move.learn(old, now);
    std::vector<Located> located;
    std::set<fs::path> taken; // several may be parts of one file; two files never became one
    QStringList lost;
    std::map<fs::path, fs::path> places; // of files, by where they were
    const auto placeOf = [&](const fs::path& old) {
        const auto known = places.find(old);
        if (known != places.end())
            return known->second;
        fs::path now = move.found(old);
        if (!now.empty() && !taken.insert(now).second)
            now.clear();
        return places.emplace(old, std::move(now)).first->second;
    };
    placeOf(audioName(chosen->file).file); // before any other that is called the same
    for (int row = 0; row < all->count(); ++row) {
        const OpenUtterance& one = all->at(row);
        if (!one.isMissing)
            continue;
        const fs::path now = placeOf(audioName(one.file).file);
        if (now.empty()) {
            lost << one.shownName();
            continue;
        }
        fs::path alignment = one.alignmentFile;
        if (!alignment.empty() && !isFile(alignment))
            if (const fs::path moved = move.found(alignment); !moved.empty())
                alignment = moved;
        located.push_back({one.id, {one.file, one.alignmentFile}, {withNameOf(now, one.file), alignment}});
    }
    Messages* messages = session->messages();
    messages->settle(kMoved);
    const QString where = toQString(folder);
    if (located.empty())
        return messages->post(Severity::Error, Session::tr("%1 is not in %2.").arg(toQString(audioName(chosen->file).file.filename()), where), {}, {},
                              {kMoved});
    const QString found = located.size() == 1 ? Session::tr("1 recording was found in %1.").arg(where)
                                              : Session::tr("%1 recordings were found in %2.").arg(located.size()).arg(where);
    const QString step = located.size() == 1 ? Session::tr("new location of a recording") : Session::tr("new location of recordings");
    session->undoStack()->push(new LocateStep(step, messages, kMoved, [session, located = std::move(located)](bool back) {
        for (const Located& one : located) {
            const auto& [file, alignment] = back ? one.old : one.now;
            session->setFiles(one.id, file, alignment);
        }
    }));
    sayFound(messages, found, lost, kMoved);
}

void locateMissingModel(Session* session, ModelId id, const fs::path& given) {
    const fs::path folder = normalised(given), itself = modelFolderIn(folder);
    const ModelList* all = session->models();
    const OpenModel* chosen = all->find(id);
    if (!chosen || !chosen->isMissing)
        return;
    Move move(folder, isModel);
    fs::path first = move.found(chosen->folder);
    if (first.empty() && isModel(itself))
        first = itself;
    if (!first.empty())
        move.learn(chosen->folder, first);
    std::vector<LocatedModel> located;
    std::set<fs::path> taken;
    QStringList lost, open;
    for (int row = 0; row < all->count(); ++row) {
        const OpenModel& one = all->at(row);
        if (!one.isMissing)
            continue;
        const fs::path now = one.id == id ? first : move.found(one.folder);
        if (now.empty() || (one.id != id && now == first))
            lost << one.shownName();
        else if (all->of(now) || !taken.insert(now).second)
            open << toQString(now);
        else
            located.push_back({one.id, one.folder, now});
    }
    Messages* messages = session->messages();
    messages->settle(kModelsMoved);
    const QString where = toQString(folder);
    if (first.empty())
        return messages->post(Severity::Error, Session::tr("%1 is not in %2, and %2 is not a model.").arg(toQString(chosen->folder.filename()), where), {}, {},
                              {kModelsMoved});
    for (const QString& there : open)
        messages->post(Severity::Warning, Session::tr("The model in %1 is already open. The missing one was left as it is.").arg(there), {}, {},
                       {kModelsMoved});
    if (located.empty())
        return;
    const QString found = located.size() == 1 ? Session::tr("1 model was found: %1.").arg(toQString(located.front().now))
                                              : Session::tr("%1 models were found in %2.").arg(located.size()).arg(where);
    const QString step = located.size() == 1 ? Session::tr("new location of a model") : Session::tr("new location of models");
    session->undoStack()->push(new LocateStep(step, messages, kModelsMoved, [session, located = std::move(located)](bool back) {
        for (const LocatedModel& one : located)
            session->setModelFolder(one.id, back ? one.old : one.now);
    }));
    sayFound(messages, found, lost, kModelsMoved);
}

} // namespace headroom::app
