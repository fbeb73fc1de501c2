// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include <QList>

namespace headroom::app {

class Session;

/// Take utterances or a model out of the session. Files stay where they are, so nothing is asked; a message says what became of
/// them, and its "Undo" brings them back. The session must outlive its messages. Window's thread.
void removeUtterances(Session* session, const QList<UtteranceId>& ids);
void removeModel(Session* session, ModelId id);

} // namespace headroom::app
