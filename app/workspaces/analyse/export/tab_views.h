// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/export/figure.h"

#include <string>

namespace headroom::app {

/// The drawings that a tab shows now, at their places. Window's thread.
std::vector<Figure::Part> viewsOf(const QWidget* tab);
/// The table that a tab shows now, else the numbers of its map, as CSV in full precision; empty: none.
std::string csvOf(const QWidget* tab);

} // namespace headroom::app
