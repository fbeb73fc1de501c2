// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/run_item.h"

#include <vector>

namespace headroom::app {

/// Gives all runs of an experiment the name that the user gave one of them (the newest counts), and makes the names of
/// runs tell them apart: where runs of several experiments (RunItem::group) have one name, each
/// name is followed by what differs of recipe, data and length, or by the time when the experiment was begun, or by a number. The
/// seeds of one experiment keep one name; RunItem::repeat tells runs of one seed apart.
void tellApart(std::vector<widgets::RunItem>& runs);

} // namespace headroom::app
