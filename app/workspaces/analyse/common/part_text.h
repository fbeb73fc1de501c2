// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_utterance.h"
#include "app/parts/number_text.h"
#include "widgets/look/translate.h"
#include "widgets/time_axis/time_axis.h"

#include <optional>

namespace headroom::app {

/// " from 1.21 to 2.33 s", for captions; empty where the whole recording is analysed.
inline QString partText(const std::optional<Part>& part) {
    return part ? tr(" from %1 to %2").arg(secondsInListBare(part->start), secondsInList(part->end)) : QString();
}

/// Which part of the sound the maps are of, for their views; unset: all of it.
inline std::optional<widgets::TimeSpan> partSpan(const AnalysisResult* result) {
    const auto part = result ? result->covered() : std::nullopt;
    return part ? std::optional(widgets::TimeSpan{part->start, part->end}) : std::nullopt;
}

} // namespace headroom::app
