// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include <QList>

#include <optional>

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
enum class Removed { Utterances, Model, Architecture };
/// What a step of the stack took out, if it is one of these.
std::optional<Removed> removedBy(const QUndoCommand& step);

} // namespace headroom::app
