// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/moved_files.h"

#include "app/documents/files/dropped_file.h"
#include "app/documents/items/messages.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "core/audio/audio_name.h"
#include "core/audio/sound_endings.h"
#include "core/audio/sound_facts.h"
#include "core/errors/error.h"
#include "core/model_folders/hub_cache.h"
#include "core/tensors/sha256.h"

#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

const QString kMoved = QStringLiteral("recordings located"), kModelsMoved = QStringLiteral("models located");

constexpr qsizetype kMostNamed = 5; ///< in a message

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

/// The sounds of a folder by their SHA-256. Reads no more of them than are asked for.
class SoundsByContent {
public:
    SoundsByContent(const fs::path& folder, SearchProgress& progress) : m_progress(progress) {
        std::error_code ignored;
        for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
            if (isFile(entry->path()) && isNamedAsSound(entry->path())) {
                m_unread.push_back(entry->path());
                std::error_code unknown;
                if (const auto size = entry->file_size(unknown); !unknown)
                    progress.bytesToRead += size;
            }
        std::ranges::sort(m_unread, std::greater<>());
    }

    /// Empty: there is none of this content, or `sha256` is unknown.
    fs::path find(const std::string& sha256) {
        const auto goOn = [this](std::size_t bytes) {
            m_progress.bytesRead += bytes;
            return !m_progress.isCancelled;
        };
        while (!sha256.empty() && !m_read.contains(sha256) && !m_unread.empty() && !m_progress.isCancelled) {
            const fs::path file = std::move(m_unread.back());
            m_unread.pop_back();
            try {
                m_read.emplace(sha256OfFile(file, goOn), file);
            } catch (const Error&) { // one that may not be read is not the one that was read before
            }
        }
        const auto found = m_read.find(sha256);
        return found == m_read.end() ? fs::path() : found->second;
    }

private:
    SearchProgress& m_progress;
    std::vector<fs::path> m_unread; ///< the first by name at the end
    std::map<std::string, fs::path> m_read;
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

void sayFound(Messages* messages, const QString& found, const QStringList& lost, const QString& cause, const QString& why = {}) {
    const QString names = lost.mid(0, kMostNamed).join(QStringLiteral(", "));
    if (lost.isEmpty())
        messages->post(Severity::Info, found, {}, {}, {cause});
    else
        messages->post(Severity::Warning,
                       found + (lost.size() == 1            ? Session::tr(" 1 is still missing: %1.").arg(names)
                                : lost.size() <= kMostNamed ? Session::tr(" %1 are still missing: %2.").arg(lost.size()).arg(names)
                                                            : Session::tr(" %1 are still missing: %2, …").arg(lost.size()).arg(names)) +
                           why,
                       {}, {}, {cause});
}

} // namespace

SoughtRecordings missingRecordings(const Session& session, UtteranceId id, const fs::path& place) {
    SoughtRecordings sought{{}, {}, normalised(place)};
    const UtteranceList* all = session.utterances();
    const OpenUtterance* chosen = all->find(id);
    if (!chosen || !chosen->lacksFile())
        return sought;
    sought.chosen = *chosen;
    for (int row = 0; row < all->count(); ++row)
        if (all->at(row).lacksFile())
            sought.missing.push_back(all->at(row));
    return sought;
}

LocatedRecordings locate(const SoughtRecordings& sought, SearchProgress& progress) {
    const auto& [chosen, missing, place] = sought;
    const fs::path itself = isFile(place) ? place : fs::path(), folder = itself.empty() ? place : itself.parent_path();
    const fs::path before = audioName(chosen.file).file;
    Move move(folder);
    SoundsByContent sounds(folder, progress);
    const auto find = [&](const OpenUtterance& one) {
        const fs::path now = one.id == sought.chosen.id && !itself.empty() ? itself : move.found(audioName(one.file).file);
        return now.empty() ? sounds.find(one.sha256) : now;
    };
    if (const fs::path now = find(chosen); !now.empty()) {
        if (now.filename() == before.filename())
            move.learn(before, now);
        else // the others may have kept their names
            move.learn(before.parent_path(), now.parent_path());
    }
    LocatedRecordings located;
    std::set<fs::path> taken; // several may be parts of one file; two files never became one
    std::map<fs::path, fs::path> places; // of files, by where they were
    const auto placeOf = [&](const OpenUtterance& one) {
        const fs::path old = audioName(one.file).file;
        const auto known = places.find(old);
        if (known != places.end())
            return known->second;
        fs::path now = find(one);
        if (!now.empty() && !taken.insert(now).second)
            now.clear();
        if (!now.empty() && (one.isRecordingGone || one.id == sought.chosen.id)) // what was read before is better than none
            try {
                readSoundHeader(now);
            } catch (const Error& mistake) {
                located.mistakes[one.id] = QString::fromUtf8(mistake.what());
                now.clear();
            }
        if (!now.empty() && now.filename() != old.filename())
            located.renamed << Session::tr("%1 is now %2").arg(toQString(old.filename()), toQString(now.filename()));
        return places.emplace(old, std::move(now)).first->second;
    };
    // Before any other that is called the same.
    if (placeOf(chosen).empty() && !itself.empty())
        return located;
    for (const OpenUtterance& one : missing) {
        if (progress.isCancelled)
            break;
        const fs::path now = placeOf(one);
        if (now.empty()) {
            located.lost << one.shownName();
            continue;
        }
        fs::path alignment = one.alignmentFile;
        if (!alignment.empty() && !isFile(alignment))
            if (const fs::path moved = move.found(alignment); !moved.empty())
                alignment = moved;
        located.found.push_back({one.id, withNameOf(now, one.file), alignment});
    }
    return located;
}

void takeLocated(Session* session, const SoughtRecordings& sought, LocatedRecordings located) {
    const auto isMissing = [session](UtteranceId id) {
        const OpenUtterance* open = session->utterances()->find(id);
        return open && open->lacksFile();
    };
    if (!isMissing(sought.chosen.id)) // closed, or found otherwise in the meantime
        return;
    std::erase_if(located.found, [&](const auto& one) { return !isMissing(one.id); });
    Messages* messages = session->messages();
    messages->settle(kMoved);
    const QString where = toQString(isFile(sought.place) ? sought.place.parent_path() : sought.place),
                  name = toQString(audioName(sought.chosen.file).file.filename());
    if (const auto why = located.mistakes.find(sought.chosen.id); located.found.empty() && why != located.mistakes.end())
        return messages->post(Severity::Error, why->second, {}, {}, {kMoved});
    if (located.found.empty())
        return messages->post(Severity::Error,
                              sought.chosen.sha256.empty() ? Session::tr("%1 is not in %2.").arg(name, where)
                                                           : Session::tr("%1 is not in %2, nor is the same recording there under another name.").arg(name, where),
                              {}, {}, {kMoved});
    const bool isOne = located.found.size() == 1;
    QString found = isOne ? Session::tr("1 recording was found in %1.").arg(where)
                          : Session::tr("%1 recordings were found in %2.").arg(located.found.size()).arg(where);
    const QString names = located.renamed.mid(0, kMostNamed).join(QStringLiteral(", "));
    if (!located.renamed.isEmpty())
        found += QLatin1Char(' ') + (located.renamed.size() <= kMostNamed ? names + QLatin1Char('.')
                                                                          : Session::tr("%1 have other names: %2, …").arg(located.renamed.size()).arg(names));
    const QString step = isOne ? Session::tr("new location of a recording") : Session::tr("new location of recordings");
    session->undoStack()->push(new LocateStep(step, messages, kMoved, [session, all = std::move(located.found), before = std::vector<Session::KeptFiles>()](bool back) mutable {
        if (back) {
            for (const Session::KeptFiles& one : before)
                session->putFiles(one);
            return;
        }
        before.clear();
        for (const LocatedRecordings::Located& one : all)
            if (session->utterances()->find(one.id)) {
                before.push_back(session->keptFiles(one.id));
                session->setFiles(one.id, one.file, one.alignment);
            }
    }));
    QStringList why;
    for (const auto& [id, mistake] : located.mistakes)
        if (why.size() < kMostNamed)
            why << QLatin1Char(' ') + mistake;
    sayFound(messages, found, located.lost, kMoved, why.join(QString()));
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
