// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/histogram_plot.h"

#include "widgets/curves/plot_style.h"
#include "widgets/curves/whole_ticker.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/study_plots/plot_title.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

struct HistogramPlot::Private {
    QCustomPlot* plot = nullptr;
    QCPBars* bars = nullptr;
    QCPItemText* title = nullptr;
    QList<QCPItemStraightLine*> lines;
    QString heading, brief, xName;
    QVector<double> x, count;
    double width = 1;
    std::vector<Mark> marks;
};

HistogramPlot::HistogramPlot(QWidget* parent)
    : PlotFrame({28, 23}, {16, 14}, parent)
    , m(std::make_unique<Private>()) {
    m->plot = plot();
    m->bars = new QCPBars(m->plot->xAxis, m->plot->yAxis);
    m->title = new QCPItemText(m->plot);
    redraw();
}

HistogramPlot::~HistogramPlot() = default;

void HistogramPlot::setValues(const QString& title, const QString& xName, const std::vector<double>& values,
                              double step, const QString& brief) {
    constexpr int kMostBars = 40;
    m->heading = title;
    m->brief = brief.isEmpty() ? title : brief;
    m->xName = xName;
    m->x.clear();
    m->count.clear();
    std::vector<double> known;
    std::copy_if(values.begin(), values.end(), std::back_inserter(known),
                 [](double value) { return std::isfinite(value); });
    if (!known.empty()) {
        const auto [least, most] = std::minmax_element(known.begin(), known.end());
        const double steps = std::floor((*most - *least) / step) + 1;
        m->width = step * std::max(1.0, std::ceil(steps / kMostBars));
        const int bars = static_cast<int>((*most - *least) / m->width) + 1;
        for (int bar = 0; bar < bars; ++bar) {
            // The middle of the values that a bar holds, which are multiples of the step.
            m->x << *least + bar * m->width + (m->width - step) / 2;
            m->count << 0;
        }
        for (const double value : known)
            ++m->count[static_cast<int>((value - *least) / m->width)];
    }
    setAccessibleName(title);
    redraw();
}

void HistogramPlot::setMarks(std::vector<Mark> marks) {
    m->marks = std::move(marks);
    redraw();
}

int HistogramPlot::barCount() const {
    return static_cast<int>(m->x.size());
}

void HistogramPlot::redraw() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    styleCurvePlot(plot);
    plot.legend->setVisible(false);
    m->bars->setData(m->x, m->count, true);
    m->bars->setWidth(m->width * 0.9);
    m->bars->setPen(Qt::NoPen);
    m->bars->setBrush(theme.waveformPeak);
    double most = 1, left = m->x.isEmpty() ? 0 : m->x.front(), right = m->x.isEmpty() ? 1 : m->x.back();
    for (const double count : m->count)
        most = std::max(most, count);
    for (const Mark& mark : m->marks) {
        left = std::min(left, mark.x);
        right = std::max(right, mark.x);
    }
    // A bar at 0 needs no room for −2, which no statistic can be.
    plot.xAxis->setRange(left >= 0 ? std::max(left - m->width, -0.49 * m->width) : left - m->width, right + m->width);
    plot.yAxis->setRange(0, most * 1.08);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        auto ticker = QSharedPointer<WholeTicker>::create();
        ticker->setTickCount(5);
        axis->setTicker(ticker);
    }
    for (QCPItemStraightLine* line : m->lines)
        plot.removeItem(line);
    m->lines.clear();
    QStringList said;
    for (std::size_t i = 0; i < m->marks.size(); ++i) {
        auto* line = new QCPItemStraightLine(&plot);
        QPen pen(theme.accent, 1.5 * unit / 8);
        if (i > 0)
            pen.setStyle(Qt::DashLine);
        line->setPen(pen);
        line->point1->setCoords(m->marks[i].x, 0);
        line->point2->setCoords(m->marks[i].x, 1);
        m->lines << line;
        said << m->marks[i].name;
    }
    QString heading = m->heading;
    if (!said.isEmpty())
        heading += QStringLiteral(": ") + said.join(QStringLiteral(", "));
    setTitleWidth(plotTitleWidth(heading));
    // Half a number would be another one: where the marks do not fit they are in the tool tip only.
    stylePlotTitle(*m->title, plot, fitsAsPlotTitle(plot, heading) ? heading : fitsAsPlotTitle(plot, m->heading) ? m->heading : m->brief);
    plot.replot();
    double all = 0;
    for (const double count : m->count)
        all += count;
    setAccessibleDescription(tr("%1. %2 by %3.").arg(heading, counted(std::llround(all), tr("1 utterance"), tr("%1 utterances")), m->xName));
    setToolTip(accessibleDescription());
}

} // namespace headroom::widgets
