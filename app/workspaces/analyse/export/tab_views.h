// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/figure.h"

#include <QList>

#include <string>

class QWidget;

namespace headroom::app {

/// Whether a tab shows nothing that could be saved. Window's thread.
bool isEmptyTab(const QWidget* tab);
/// The views of a tab that are saved while they are shown and filled.
QList<QWidget*> savedViewsOf(const QWidget* tab);
/// The drawings that a tab shows now, at their places. Window's thread.
std::vector<Figure::Part> viewsOf(const QWidget* tab);
/// The line below the figure of a tab; empty: none.
QString captionOf(const QWidget* tab);
/// The rows that a tab's table shows now, or those of them that are selected where it is more than one (one is the current
/// row); else the numbers of its map. As CSV in full precision; empty: none.
std::string csvOf(const QWidget* tab);

} // namespace headroom::app
