// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

#include <QString>
#include <QStringList>

namespace headroom::app {

// What an export is called until somebody says otherwise. Two views have two names, so that the second file does not replace the
// first. Pure.

/// {"LJ001-0001", "hubert-base", "layer 1"} → "LJ001-0001-hubert-base-layer-1". What is no letter, digit, ".", "_" or "+" becomes a
/// "-"; empty parts are left out.
QString fileNameOf(const QStringList& parts);
/// "contributions", "head 2 raw", "rollout-value-zeroing".
QString mapInFileName(const MapSource& source);

} // namespace headroom::app
