// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <QString>

namespace headroom::app {

// What stands above and below the layers: one line each.
QString frontEndText(const Architecture& architecture); ///< front end, clock, kind of encoder, positions
QString decoderText(const Architecture& architecture);  ///< decoder, CTC output
/// An LSTM has no grid: describes it in three sentences. Pure.
QString languageModelText(const Architecture& architecture);
QString emptySentence(); ///< no architecture at all
QString draftStaysSentence(); ///< why the draft of a model is not closed

} // namespace headroom::app
