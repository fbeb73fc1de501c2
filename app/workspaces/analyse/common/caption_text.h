// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "app/documents/items/open_utterance.h"
#include "core/studies/study.h"

#include <QString>

namespace headroom::app {

// What the lines below figures share. Pure.

/// "st-small (SHA-256 0a1b2c3d4e5f)"; of imported maps also their file, one of perhaps many in a folder. `result` null: not known.
QString modelText(const OpenModel& model, const AnalysisResult* result);
/// The same of a model of a study; "(imported maps)" and "(random weights)" where there are no weights to name.
QString modelText(const StudyModel& model);
/// "Recording: 1998-15444-0000, 3.13 s. Alignment: by hand.", or the text. `map`: "A" or "B" where there are two.
QString recordingText(const OpenUtterance& utterance, const QString& map = {});
/// The recording or text that is open now; empty: none.
QString recordingText(const OpenUtterance* utterance);
/// ", colour gamma 0.50", as its control is called, since γ is that of relaxed heads; empty for 1, which bends no colours.
QString gammaText(double gamma);

} // namespace headroom::app
