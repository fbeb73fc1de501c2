// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

#include <QString>

namespace headroom::app {

// How the maps that can be chosen are called, the same everywhere. Pure.

/// "Contributions", "Head 3", "Mean of heads", "Value zeroing", "Rollout: ALTI".
QString mapTitle(const MapSource& source);
/// For the middle of a sentence: "contributions", "head 3 before relaxation", "rollout of ALTI".
QString mapNoun(const MapSource& source);
/// What one value is called, "contribution", and its symbol on a scale, "C".
QString mapValueName(const MapSource& source);
QString mapSymbol(const MapSource& source);
/// The formula of a measure of mixing and its paper, without a full stop; empty for other maps.
QString mapFormula(const MapSource& source);

} // namespace headroom::app
