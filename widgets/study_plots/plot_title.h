// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QCPItemText;
class QCustomPlot;

namespace headroom::widgets {

/// The bold heading of a small plot, placed as in all plots.
void stylePlotTitle(QCPItemText& title, const QCustomPlot& plot, const QString& text);

} // namespace headroom::widgets
