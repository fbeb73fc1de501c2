// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/plot_title.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>

#include <algorithm>

namespace headroom::widgets {

void stylePlotTitle(QCPItemText& title, const QCustomPlot& plot, const QString& text) {
    QFont bold = Sizes::small();
    bold.setBold(true);
    title.setText(text);
    title.setFont(bold);
    title.setColor(Theme::current().text);
    title.setClipToAxisRect(false);
    title.position->setType(QCPItemPosition::ptAxisRectRatio);
    title.position->setCoords(0, 1 + 2.5 * Sizes::unit() / std::max(plot.axisRect()->height(), 1));
    title.setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
}

} // namespace headroom::widgets
