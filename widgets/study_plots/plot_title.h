// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QCPItemText;
class QCustomPlot;

namespace headroom::widgets {

/// The heading of a small plot, bold, under its axis where the house's plots have it.
void stylePlotTitle(QCPItemText& title, const QCustomPlot& plot, const QString& text);

} // namespace headroom::widgets
