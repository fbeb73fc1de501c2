// SPDX-License-Identifier: GPL-3.0-or-later
// Pens, key and texts of the plot of D(w).
#include "core/analysis/diagonality.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/diagonality_plot_private.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>

#include <algorithm>

namespace headroom::widgets {

QString DiagonalityPlot::Private::lengthOf(double length) {
    return DiagonalityPlot::tr("%1\u202fms").arg(length, 0, 'g', 4);
}

QString DiagonalityPlot::Private::axisTitleFor(double room) const {
    const QFontMetrics metrics(Sizes::small());
    if (milliseconds <= 0)
        return metrics.horizontalAdvance(DiagonalityPlot::tr("window w, tokens")) <= room ? DiagonalityPlot::tr("window w, tokens")
                                                                                          : DiagonalityPlot::tr("w");
    const auto length = lengthOf(milliseconds);
    for (const auto& text :
         {DiagonalityPlot::tr("window w, tokens of %1").arg(length),
          DiagonalityPlot::tr("w, tokens of %1").arg(length), DiagonalityPlot::tr("w, tokens")})
        if (metrics.horizontalAdvance(text) <= room)
            return text;
    return DiagonalityPlot::tr("w");
}

void DiagonalityPlot::Private::placeText(QCPItemText* item, double x, double y,
                                         Qt::Alignment alignment) const {
    item->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    item->position->setCoords(x, y);
    item->setPositionAlignment(alignment);
    item->setClipToAxisRect(false);
}

QPen DiagonalityPlot::Private::ownPen() const {
    const double width = 2.25 * Sizes::unit() / 8;
    return compared.empty() ? QPen(Theme::current().text, width) : runPen(own.style, width);
}

QPen DiagonalityPlot::Private::othersPen() const {
    QColor faint = Theme::current().fieldBorder;
    faint.setAlphaF(0.6F);
    return {faint, Sizes::unit() / 8};
}

QPen DiagonalityPlot::Private::meanPen() const {
    QPen dashed(Theme::current().runs[0], 1.5 * Sizes::unit() / 8, Qt::CustomDashLine);
    dashed.setDashPattern({4, 2});
    return dashed;
}

std::vector<KeyEntry> DiagonalityPlot::Private::keyOfCurves() const {
    std::vector<KeyEntry> entries;
    if (!profile.empty())
        entries.push_back({compared.empty() ? DiagonalityPlot::tr("this utterance") : own.name, {}, ownPen()});
    for (std::size_t i = 0; i < compared.size(); ++i)
        if (!compared[i].profile.empty())
            entries.push_back({compared[i].name, {}, runPen(compared[i].style, 1.75 * Sizes::unit() / 8),
                               static_cast<int>(i)});
    if (std::any_of(others.begin(), others.end(), [](const auto& one) { return !one.empty(); }))
        entries.push_back({DiagonalityPlot::tr("other layers"), {}, othersPen()});
    if (!mean.empty())
        entries.push_back({DiagonalityPlot::tr("%1, mean ± std").arg(counted(utterances, DiagonalityPlot::tr("1 utterance"), DiagonalityPlot::tr("%1 utterances"))), {}, meanPen()});
    return entries.size() > 1 ? entries : std::vector<KeyEntry>();
}

QString DiagonalityPlot::titleText() const {
    return m->title->text();
}

} // namespace headroom::widgets
