// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QCPItemText;
class QCustomPlot;

namespace headroom::widgets {

/// Whether a heading has room over the plot as it is now.
bool fitsAsPlotTitle(const QCustomPlot& plot, const QString& text);

double plotTitleWidth(const QString& text);

/// The bold heading of a small plot, placed as in all plots; elided where there is no room. The plot's tool tip should
/// have the whole of it.
void stylePlotTitle(QCPItemText& title, const QCustomPlot& plot, const QString& text);

} // namespace headroom::widgets
