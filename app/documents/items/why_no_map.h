// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_model.h"
#include "app/documents/items/open_utterance.h"

namespace headroom::app {

/// Why a model that is Ready cannot analyse an utterance that is Ready: it reads texts and this is a recording, or the other
/// way round, or nothing was typed yet. Empty: it can.
QString whyNotSource(const OpenModel& model, const OpenUtterance& utterance);

/// Why there is no map of the two to wait for: the utterance could not be read, or whyNotSource(). Empty: there may be one.
QString whyNoMap(const OpenModel& model, const OpenUtterance& utterance);

/// Why no text of a model can be located in the sound; empty: it may.
QString whyNoWords(const OpenModel& model);
/// Why a model has no heads to show with a text, whether or not the text itself can be shown; empty: it has some.
QString whyNoCrossAttention(const OpenModel& model);

} // namespace headroom::app
