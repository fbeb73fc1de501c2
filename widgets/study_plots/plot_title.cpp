// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/plot_title.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>

#include <algorithm>

namespace headroom::widgets {

namespace {

QFont titleFont() {
    QFont bold = Sizes::small();
    bold.setBold(true);
    return bold;
}

double titleRoom(const QCustomPlot& plot) {
    return plot.viewport().width() - plot.axisRect()->left() - Sizes::unit(); // a figure may be wider than the widget
}

} // namespace

double plotTitleWidth(const QString& text) {
    return QFontMetricsF(titleFont()).horizontalAdvance(text) + 1; // sums are rounded
}

bool fitsAsPlotTitle(const QCustomPlot& plot, const QString& text) {
    return QFontMetricsF(titleFont()).horizontalAdvance(text) <= titleRoom(plot);
}

void stylePlotTitle(QCPItemText& title, const QCustomPlot& plot, const QString& text) {
    title.setText(QFontMetricsF(titleFont()).elidedText(text, Qt::ElideRight, titleRoom(plot)));
    title.setFont(titleFont());
    title.setColor(Theme::current().text);
    title.setClipToAxisRect(false);
    title.position->setType(QCPItemPosition::ptAxisRectRatio);
    title.position->setCoords(0, 1 + 2.5 * Sizes::unit() / std::max(plot.axisRect()->height(), 1));
    title.setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
}

} // namespace headroom::widgets
