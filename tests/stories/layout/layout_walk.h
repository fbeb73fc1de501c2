// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/stories/layout/layout_check.h"
#include "tests/stories/story.h"

#include <QSize>
#include <QStringList>

#include <vector>

namespace headroom::testing {

/// How the window stands while it is looked at.
struct Standing {
    QSize size;        ///< logical pixels
    const char* theme; ///< "light" or "dark"
};

/// Which of the optional docks are shown too; more docks, more time.
enum class Docks { AsPlaced, All };

/// Shows every workspace of a story at each standing, each tab in turn, and looks at all of it.
void walk(Story& story, LayoutFindings& findings, const QString& state, const std::vector<Standing>& standings,
          Docks docks = Docks::AsPlaced);

/// Shows each tab of Analyse in turn and looks at the window with it. `setting` follows the tab's name in a finding.
void lookAtTabs(Story& story, LayoutFindings& findings, const QString& setting);

/// Prints what was found; true where that is nothing. Forgets it.
bool nothingFound(LayoutFindings& findings);

/// Gives the window this size, also where the tests' screen of 800 × 800 is smaller: the program keeps its windows on the screen.
void resizeTo(Story& story, QSize size);

/// Waits until what was asked for is on the screen: layouts, plots, arrays of the worker.
void settle(Story& story);

} // namespace headroom::testing
