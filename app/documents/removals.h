// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/wastebasket.h"
#include "app/documents/items/ids.h"

#include <QList>

#include <functional>
#include <optional>
#include <vector>

class QUndoCommand;

namespace headroom::app {

class Session;
struct DraftKey;

/// Take utterances, a model or an architecture that is a document of its own out of the session, as a step of its undo stack. Files
/// stay where they are, so nothing is asked; a message says what became of them. Ctrl+Z and the message's "Undo" bring them back, a
/// model with its draft, and both with the steps before. The session must outlive its messages. Window's thread.
void removeUtterances(Session* session, const QList<UtteranceId>& ids);
void removeModel(Session* session, ModelId id);
void removeArchitecture(Session* session, DraftKey document);
enum class Removed { Utterances, Model, Architecture, Runs, Study, Job };
/// What a step of the stack took out, if it is one of these.
std::optional<Removed> removedBy(const QUndoCommand& step);

/// Folders that went to the wastebasket together.
struct MovedFolders {
    std::vector<InWastebasket> folders; ///< empty: none, and why was said
    QString name;                       ///< of the only one, in quotes, or "3 runs"
    QString remark;                     ///< one sentence more; may be empty
};
/// Runs or a study go to the wastebasket, as such a step. They are no part of the session, which is as modified as before. `move` moves
/// them, also for Redo; `bringBack` takes one out again. What cannot be brought back keeps its message.
void removeFolders(Session* session, Removed what, std::function<MovedFolders()> move, std::function<void(const InWastebasket&)> bringBack);
/// The same of anything else that is no part of the session, as a job of the queue. `takeOut` takes it out, also for Redo, and returns what is
/// said of it; empty: it could not, and why was said. `bringBack` returns whether it is back.
void removeWith(Session* session, Removed what, const QString& text, const std::function<QString()>& takeOut, std::function<bool()> bringBack);
/// Whether a step changes what the session saves.
bool changesSession(const QUndoCommand& step);

} // namespace headroom::app
