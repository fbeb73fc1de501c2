// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/curve_legend.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"

#include <QPainter>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

CurveLegend::CurveLegend(QWidget* parent) : QWidget(parent) {
    QSizePolicy wide(QSizePolicy::Expanding, QSizePolicy::Preferred);
    wide.setHorizontalStretch(100); // the header's own words have little to say here
    setSizePolicy(wide);
    setAccessibleName(tr("Compared runs"));
}

void CurveLegend::setEntries(std::vector<Entry> entries) {
    m_entries = std::move(entries);
    QStringList said;
    for (const Entry& entry : m_entries)
        said << entry.name + QLatin1Char(' ') + entry.detail;
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    setToolTip(said.join(QLatin1Char('\n')));
    update();
}

QSize CurveLegend::sizeHint() const {
    return {qRound(Sizes::unit() * 30), Sizes::smallControl()};
}

void CurveLegend::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Sizes::caption());
    const QFontMetricsF font(Sizes::caption());
    double x = unit;
    const double middle = height() / 2.0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const double detail = font.horizontalAdvance(entry.detail);
        // The first is there in any case; a long name gives its middle.
        const double room = i == 0 ? width() - x - 5 * unit - detail : 24 * unit;
        const QString text = font.elidedText(entry.name, Qt::ElideMiddle, std::max(room, 6 * unit));
        const double name = font.horizontalAdvance(text);
        const double needed = 3 * unit + name + unit + detail;
        if (x + needed > width() && i > 0) {
            painter.setPen(theme.text2);
            painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft,
                             tr("and %1 more").arg(m_entries.size() - i));
            return;
        }
        painter.setPen(widgets::runPen(entry.style, unit / 4));
        painter.drawLine(QPointF(x, middle), QPointF(x + 2.75 * unit, middle));
        painter.setPen(theme.text);
        painter.drawText(QPointF(x + 3.5 * unit, middle + font.ascent() / 2 - 1), text);
        painter.setPen(theme.text2);
        painter.drawText(QPointF(x + 4.25 * unit + name, middle + font.ascent() / 2 - 1), entry.detail);
        x += needed + 3 * unit;
    }
}

} // namespace headroom::app
