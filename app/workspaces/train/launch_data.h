// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/train/launch_values.h"

namespace headroom::app {

/// The field Data: what a run finds in the corpus, or why it cannot be trained on.
void checkData(const LaunchValues& values, LaunchReport& report);
/// What “Checked before the start” says about the corpus.
QList<Check> dataChecks(const LaunchValues& values);

} // namespace headroom::app
