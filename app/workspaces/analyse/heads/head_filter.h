// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heads/cad_plot.h"

#include <QString>

namespace headroom::app {

/// Whether a head is among those that the words ask for: "6" its layer, "6 4" layer and head, "head 4", "layer 6 local". Numbers are whole
/// ones, from 1; other words are parts of the kind's name. No words: every head.
bool isHeadNamed(const QString& words, widgets::HeadId head, const QString& kind);

} // namespace headroom::app
