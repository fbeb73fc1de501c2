// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include <QList>

class QUndoCommand;

namespace headroom::app {

class Session;

/// Take utterances or a model out of the session, as a step of its undo stack. Files stay where they are, so nothing is asked; a
/// message says what became of them. Ctrl+Z and the message's "Undo" bring them back, a model with its draft and the steps before.
/// The session must outlive its messages. Window's thread.
void removeUtterances(Session* session, const QList<UtteranceId>& ids);
void removeModel(Session* session, ModelId id);
/// Whether a step of the stack is one of these.
bool isRemoval(const QUndoCommand& step);

} // namespace headroom::app
