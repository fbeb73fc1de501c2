// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/removals.h"

#include "app/documents/drafts/set_heads.h"
#include "app/documents/files/alignment_again.h"
#include "app/documents/files/on_disk.h"
#include "app/documents/files/session_file.h"
#include "app/documents/items/messages.h"
#include "app/documents/session.h"

#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace headroom::app {

namespace {

QString quotedName(const OpenUtterance& utterance) {
    return utterance.isText && utterance.hasSource() ? utterance.shownName() : Session::tr("“%1”").arg(utterance.name);
}

/// What becomes of the files. A recording that was never saved has none, or only that of an autosave; that of a saved session goes to
/// the wastebasket later (UnusedRecordings).
QString removedText(const std::vector<std::pair<int, OpenUtterance>>& removed, bool isSavedSession) {
    const auto isUnsaved = [isSavedSession](const OpenUtterance& one) { return !one.isText && (one.file.empty() || (one.isRecorded && !isSavedSession)); };
    std::ptrdiff_t unsaved = 0, own = 0;
    for (const auto& [row, one] : removed) {
        unsaved += isUnsaved(one);
        own += one.isRecorded && one.recording && !isUnsaved(one);
    }
    if (removed.size() == 1) {
        const QString name = quotedName(removed.front().second);
        if (removed.front().second.isText)
            return Session::tr("%1 was removed from the session.").arg(name);
        return (unsaved ? Session::tr("%1 was removed from the session. It was never saved: only Undo brings it back.")
                : own   ? Session::tr("%1 was removed from the session. Saving the session moves its recording to the wastebasket.")
                        : Session::tr("%1 was removed from the session. Its file was not touched."))
            .arg(name);
    }
    const auto all = static_cast<std::ptrdiff_t>(removed.size());
    QString said = Session::tr("%1 utterances were removed from the session.").arg(all);
    if (unsaved == 0 && own == 0)
        return said + Session::tr(" Their files were not touched.");
    if (unsaved == all)
        return said + Session::tr(" They were never saved: only Undo brings them back.");
    if (own == all)
        return said + Session::tr(" Saving the session moves their recordings to the wastebasket.");
    if (unsaved > 0)
        said += unsaved == 1 ? Session::tr(" 1 of them was never saved: only Undo brings that one back.")
                             : Session::tr(" %1 of them were never saved: only Undo brings those back.").arg(unsaved);
    if (own > 0)
        said += own == 1 ? Session::tr(" Saving the session moves the recording of 1 of them to the wastebasket.")
                         : Session::tr(" Saving the session moves the recordings of %1 of them to the wastebasket.").arg(own);
    return said;
}

/// The TextGrid that went to the wastebasket with its recording (UnusedRecordings) is written again. By then, another recording may have
/// one of that name.
std::filesystem::path alignmentAgain(const Session& session, const OpenUtterance& removed) {
    const std::filesystem::path file = removed.alignmentFile;
    if (!removed.alignment || removed.alignment->origin.empty() || file.parent_path().filename() != kRecordingsName)
        return file;
    const auto isOfAnother = [&] {
        const UtteranceList& all = *session.utterances();
        for (int row = 0; row < all.count(); ++row)
            if (all.at(row).alignmentFile == file)
                return hashOfFile(file) != removed.alignmentSha256;
        return false;
    };
    if (isOnDisk(file) && !isOfAnother())
        return file;
    return writeAgain(*removed.alignment, removed.duration(), file);
}

/// What was taken out, for the step of the stack and for the message, whichever lives longer.
struct Removal {
    Session* session = nullptr;
    Removed what;
    std::function<QString()> takeOut; ///< returns what is said of it; empty: nothing was taken out
    std::function<bool()> bringBack;  ///< returns whether all of it is back
    QString cause;                ///< of the message
    QUndoCommand* step = nullptr; ///< null: no longer on the stack
    bool isOut = false;
};

void takeBack(const std::shared_ptr<Removal>& removal) {
    if (!std::exchange(removal->isOut, false))
        return;
    removal->isOut = !removal->bringBack();
    if (!removal->isOut)
        removal->session->messages()->settle(removal->cause);
}

/// The message's offer: the step is undone where it is the last one, else it leaves the stack.
void undoFromMessage(const std::shared_ptr<Removal>& removal) {
    QUndoStack* stack = removal->session->undoStack();
    if (removal->step && stack->canUndo() && stack->command(stack->index() - 1) == removal->step)
        return stack->undo();
    takeBack(removal);
    if (removal->step)
        removal->step->setObsolete(true);
    SetHeads::dropStale(stack);
}

class RemovalStep : public QUndoCommand {
public:
    RemovalStep(const QString& text, std::shared_ptr<Removal> removal) : QUndoCommand(text), m_removal(std::move(removal)) {
        m_removal->step = this;
    }
    ~RemovalStep() override { m_removal->step = nullptr; }
    Removed what() const { return m_removal->what; }
    void undo() override {
        takeBack(m_removal);
        if (m_removal->isOut) // it could not be brought back; the message goes on offering it
            setObsolete(true);
    }
    void redo() override {
        static int s_removals = 0;
        m_removal->cause = QStringLiteral("removal %1").arg(++s_removals);
        m_removal->isOut = true;
        const QString sentence = m_removal->takeOut();
        if (sentence.isEmpty()) {
            m_removal->isOut = false;
            return setObsolete(true);
        }
        m_removal->session->messages()->post(
            Severity::Info, sentence, Session::tr("Undo"), [removal = m_removal] { undoFromMessage(removal); }, {m_removal->cause});
    }

private:
    std::shared_ptr<Removal> m_removal;
};

void pushRemoval(Session* session, Removed what, const QString& text, std::function<QString()> takeOut, std::function<bool()> bringBack) {
    auto removal = std::make_shared<Removal>();
    removal->session = session;
    removal->what = what;
    removal->takeOut = std::move(takeOut);
    removal->bringBack = std::move(bringBack);
    session->undoStack()->push(new RemovalStep(text, std::move(removal)));
}

} // namespace

void removeUtterances(Session* session, const QList<UtteranceId>& ids) {
    struct TakenOut {
        QList<UtteranceId> ids;
        std::vector<std::pair<int, OpenUtterance>> utterances; ///< with their rows, ascending
        std::optional<std::size_t> current;                    ///< which of them was
    };
    const auto what = std::make_shared<TakenOut>();
    for (const UtteranceId id : ids)
        if (session->utterances()->find(id))
            what->ids << id;
    if (what->ids.isEmpty())
        return;
    const OpenUtterance& first = *session->utterances()->find(what->ids.first());
    const QString text = what->ids.size() > 1 ? Session::tr("removal of %1 utterances").arg(what->ids.size())
                                              : Session::tr("removal of %1").arg(quotedName(first));
    const auto takeOut = [session, what] {
        what->utterances.clear();
        what->current.reset();
        const UtteranceList& all = *session->utterances();
        for (int row = 0; row < all.count(); ++row)
            if (what->ids.contains(all.at(row).id)) {
                if (all.at(row).id == session->currentUtteranceId())
                    what->current = what->utterances.size();
                what->utterances.emplace_back(row, all.at(row));
            }
        for (const auto& [row, utterance] : what->utterances)
            session->closeUtterance(utterance.id);
        return removedText(what->utterances, !session->folder().empty());
    };
    const auto bringBack = [session, what] {
        what->ids.clear();
        const UtteranceId before = session->currentUtteranceId();
        for (const auto& [row, one] : what->utterances) {
            const int count = session->utterances()->count();
            if (one.isText) {
                what->ids << session->addText(one.text, one.target, one.name);
            } else {
                // What was recorded is the session's own: its file may be gone, if an autosave or the session had one.
                const bool isOwn = one.recording && (one.isRecorded || one.file.empty());
                // Or another recording has got its name meanwhile.
                const std::string hash = isOwn ? hashOfFile(one.file) : std::string();
                const bool hasFile = !hash.empty() && hash == one.sha256;
                what->ids << (isOwn ? session->addRecording(*one.recording, one.name, hasFile ? SessionDocument::FileEntry{one.file, one.sha256} : SessionDocument::FileEntry())
                                    : session->openUtterance({one.file, one.name, one.texts}));
                session->setPart(what->ids.last(), one.part);
                if (!one.alignmentFile.empty())
                    session->openAlignment(isOwn ? alignmentAgain(*session, one) : one.alignmentFile, what->ids.last());
                session->setReopenedAs(one.id, what->ids.last());
            }
            if (session->utterances()->count() > count) // it was not opened again meanwhile
                session->moveUtterance(what->ids.last(), row);
        }
        if (what->current)
            session->setCurrentUtterance(what->ids[static_cast<qsizetype>(*what->current)]);
        else if (before != UtteranceId::None)
            session->setCurrentUtterance(before);
        return true;
    };
    pushRemoval(session, Removed::Utterances, text, takeOut, bringBack);
}

void removeModel(Session* session, ModelId id) {
    const OpenModel* model = session->models()->find(id);
    if (!model)
        return;
    const auto closed = std::make_shared<Session::ClosedModel>();
    const auto takeOut = [session, id, closed] {
        if (auto now = session->closedModel(id))
            *closed = std::move(*now);
        session->closeModel(id);
        return Session::tr("“%1” was closed. Its files were not touched.").arg(closed->model.shownName());
    };
    pushRemoval(session, Removed::Model, Session::tr("closing of “%1”").arg(model->shownName()), takeOut,
                [session, closed] {
                    session->reopenModel(*closed);
                    return true;
                });
}

void removeArchitecture(Session* session, DraftKey document) {
    Drafts* drafts = session->drafts();
    if (document.document == 0 || !drafts->has(document))
        return;
    const QString name = drafts->name(document);
    const auto takeOut = [drafts, document, name] {
        const bool isSaved = !drafts->file(document).empty(), isGone = drafts->isFileGone(document), isEdited = drafts->isEdited(document);
        drafts->setAside(document);
        if (isGone)
            return Session::tr("“%1” was closed. Its file is no longer there: only Undo brings it back.").arg(name);
        if (!isSaved)
            return Session::tr("“%1” was closed. It was never saved: only Undo brings it back.").arg(name);
        return isEdited ? Session::tr("“%1” was closed. Its edits were not saved: only Undo brings them back.").arg(name)
                        : Session::tr("“%1” was closed. Its file was not touched.").arg(name);
    };
    pushRemoval(session, Removed::Architecture, Session::tr("closing of “%1”").arg(name), takeOut, [drafts, document] {
        drafts->bringBack(document);
        return true;
    });
}

void removeFolders(Session* session, Removed what, std::function<MovedFolders()> move, std::function<void(const InWastebasket&)> bringBack) {
    const auto moved = std::make_shared<MovedFolders>(move()); // before there is a step: where nothing was moved, Redo stays
    if (moved->folders.empty())
        return;
    const auto takeOut = [moved, move = std::move(move), isDone = true]() mutable {
        if (!std::exchange(isDone, false))
            *moved = move();
        if (moved->folders.empty())
            return QString();
        const QString said = Session::tr("Moved %1 to the wastebasket.").arg(moved->name);
        return moved->remark.isEmpty() ? said : said + QLatin1Char(' ') + moved->remark;
    };
    const auto back = [moved, bringBack = std::move(bringBack)] {
        const auto isThere = [](const InWastebasket& one) {
            std::error_code ignored;
            return std::filesystem::exists(one.there, ignored);
        };
        for (const InWastebasket& one : moved->folders)
            if (isThere(one))
                bringBack(one);
        return std::ranges::none_of(moved->folders, isThere);
    };
    pushRemoval(session, what, Session::tr("removal of %1").arg(moved->name), takeOut, back);
}

void removeWith(Session* session, Removed what, const QString& text, const std::function<QString()>& takeOut, std::function<bool()> bringBack) {
    const QString said = takeOut(); // before there is a step, as above
    if (said.isEmpty())
        return;
    pushRemoval(session, what, text, [takeOut, first = said]() mutable { return first.isEmpty() ? takeOut() : std::exchange(first, QString()); },
                std::move(bringBack));
}

bool changesSession(const QUndoCommand& step) {
    const auto removed = removedBy(step);
    return removed != Removed::Runs && removed != Removed::Study && removed != Removed::Job;
}

std::optional<Removed> removedBy(const QUndoCommand& step) {
    const auto* removal = dynamic_cast<const RemovalStep*>(&step);
    return removal ? std::optional(removal->what()) : std::nullopt;
}

} // namespace headroom::app
