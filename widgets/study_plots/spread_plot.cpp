// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/spread_plot.h"

#include "widgets/curves/plot_style.h"
#include "widgets/curves/whole_ticker.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/study_plots/plot_title.h"

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::widgets {

namespace {
constexpr double kPoint = 0.6; ///< units across

bool hasOwnBand(const SpreadPlot::Series& one) {
    return !one.lower.empty() && one.lower.size() == one.upper.size();
}

QPen quietPen() {
    return {Theme::current().buttonBorder, Sizes::unit() / 8};
}

/// The ends of the band at a point; NaN where there is none.
std::pair<double, double> bandAt(const SpreadPlot::Series& one, std::size_t i) {
    if (hasOwnBand(one))
        return i < one.lower.size() ? std::pair(one.lower[i], one.upper[i]) : std::pair<double, double>(NAN, NAN);
    const double spread = i < one.deviation.size() ? one.deviation[i] : NAN;
    return {one.mean[i] - spread, one.mean[i] + spread};
}
} // namespace

struct SpreadPlot::Private {
    QCustomPlot* plot = nullptr;
    QCPItemStraightLine *line = nullptr, *readLine = nullptr;
    QCPItemText* title = nullptr;
    Axes axes;
    std::vector<Series> series;
    std::optional<double> current;
    std::optional<double> read; ///< where a click reads the values out

    std::optional<double> said() const { return read ? read : current; }
    bool isEmpty() const { return series.empty() || series.front().x.empty(); }
    std::size_t nearest(double x) const {
        const auto& places = series.front().x;
        const auto found = std::min_element(places.begin(), places.end(), [x](double a, double b) {
            return std::abs(a - x) < std::abs(b - x);
        });
        return static_cast<std::size_t>(found - places.begin());
    }
    void addSeries(const Series& one) const;
};

SpreadPlot::SpreadPlot(QWidget* parent)
    : PlotFrame({28, 23}, {16, 14}, parent)
    , m(std::make_unique<Private>()) {
    m->plot = plot();
    m->line = new QCPItemStraightLine(m->plot);
    m->readLine = new QCPItemStraightLine(m->plot);
    m->title = new QCPItemText(m->plot);
    redraw();
}

SpreadPlot::~SpreadPlot() = default;

void SpreadPlot::setSeries(const Axes& axes, std::vector<Series> series) {
    m->axes = axes;
    m->series = std::move(series);
    if (m->read && (m->axes.chooses || m->isEmpty() || !std::ranges::count(m->series.front().x, *m->read)))
        m->read.reset();
    setAccessibleName(axes.title);
    redraw();
}

void SpreadPlot::setCurrent(std::optional<double> x) {
    if (x == m->current)
        return;
    m->current = x;
    redraw();
}

std::optional<double> SpreadPlot::current() const {
    return m->current;
}

void SpreadPlot::Private::addSeries(const Series& one) const {
    const double unit = Sizes::unit();
    const QVector<double> x(one.x.begin(), one.x.end());
    const bool ascends = std::is_sorted(x.begin(), x.end()); // else QCustomPlot sorts it, or draws no band
    QPen pen = one.isQuiet ? quietPen() : runPen(one.style, 1.5 * unit / 8);
    if (!one.isQuiet && (hasOwnBand(one) ? one.lower.size() : one.deviation.size()) == one.mean.size()) {
        QVector<double> low, high;
        for (std::size_t i = 0; i < one.mean.size(); ++i) {
            const auto [below, above] = bandAt(one, i);
            low << below;
            high << above;
        }
        auto* below = plot->addGraph();
        auto* above = plot->addGraph();
        below->setData(x, low, ascends);
        above->setData(x, high, ascends);
        QColor fill = pen.color();
        fill.setAlphaF(0.18F);
        for (auto* edge : {below, above}) {
            edge->setPen(Qt::NoPen);
            edge->removeFromLegend();
        }
        above->setBrush(fill);
        above->setChannelFillGraph(below);
    }
    auto* graph = addWholeGraph(*plot);
    graph->setData(x, QVector<double>(one.mean.begin(), one.mean.end()), ascends);
    graph->setPen(pen);
    if (axes.marksPoints && !one.isQuiet)
        graph->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(pen.color()), QBrush(pen.color()), kPoint * unit));
    if (one.isQuiet || one.name.isEmpty())
        graph->removeFromLegend();
    else
        graph->setName(one.name);
}

void SpreadPlot::redraw() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    std::vector<KeyEntry> key; // under the plot, where it covers no curve
    for (const Series& one : m->series)
        if (!one.isQuiet && !one.name.isEmpty())
            key.push_back({one.name, {}, runPen(one.style, 1.5 * unit / 8), -1, KeyEntry::Sample::Line, one.brief});
    const auto behind = std::find_if(m->series.begin(), m->series.end(), [](const Series& one) { return one.isQuiet && !one.name.isEmpty(); });
    if (behind != m->series.end())
        key.push_back({behind->name, {}, quietPen(), -1, KeyEntry::Sample::Line, behind->brief});
    setKey(key.size() > 1 ? std::move(key) : std::vector<KeyEntry>());
    styleCurvePlot(plot);
    plot.legend->setVisible(false);
    plot.clearGraphs();
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    double lowest = INFINITY, highest = -INFINITY; // of the means, where points stand
    // What is in the background is drawn first.
    for (const bool quiet : {true, false})
        for (const Series& one : m->series)
            if (one.isQuiet == quiet)
                m->addSeries(one);
    for (const Series& one : m->series) {
        for (std::size_t i = 0; i < one.x.size() && i < one.mean.size(); ++i) {
            if (!std::isfinite(one.mean[i]))
                continue;
            const auto [below, above] = bandAt(one, i);
            left = std::min(left, one.x[i]);
            right = std::max(right, one.x[i]);
            low = std::min(low, std::isfinite(below) ? below : one.mean[i]);
            high = std::max(high, std::isfinite(above) ? above : one.mean[i]);
            lowest = std::min(lowest, one.mean[i]);
            highest = std::max(highest, one.mean[i]);
        }
    }
    if (!std::isfinite(left)) {
        left = 0, right = 1, low = 0, high = 1;
    }
    const double margin = std::max((right - left) * 0.03, 0.25);
    const bool logarithmic = m->axes.logarithmic && left > 0;
    plot.xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot.xAxis->setRange(logarithmic ? left / 1.1 : left - margin, logarithmic ? right * 1.1 : right + margin);
    const double bottom = m->axes.low.value_or(low), end = m->axes.high.value_or(high);
    const double top = end > bottom ? end : bottom + 1;
    // The frame cuts what reaches over it. An end that was set gives way only to a point.
    const double reach = (m->axes.marksPoints ? kPoint / 2 : 0) * unit + unit / 4;
    const double beyond = (top - bottom) * reach / std::max(reach, plot.axisRect()->height() - 2 * reach);
    const auto cuts = [&](double value) { return m->axes.marksPoints && value >= bottom && value <= top; };
    const bool givesBelow = !m->axes.low || (cuts(lowest) && lowest < bottom + beyond);
    const bool givesAbove = !m->axes.high || (cuts(highest) && highest > top - beyond);
    plot.yAxis->setRange(givesBelow ? bottom - beyond : bottom, givesAbove ? top + beyond : top);
    plot.yAxis->setTicker(QSharedPointer<EvenTicker>::create());
    if (logarithmic) {
        plot.xAxis->setTicker(QSharedPointer<PowerTicker>::create());
    } else if (m->axes.whole) {
        auto ticker = QSharedPointer<WholeTicker>::create();
        ticker->setTickCount(std::max(2, static_cast<int>(plot.axisRect()->width() / (6 * unit))));
        plot.xAxis->setTicker(ticker);
    }
    QColor accent = theme.accent;
    accent.setAlphaF(0.6F);
    const auto mark = [&](QCPItemStraightLine* line, std::optional<double> x, Qt::PenStyle style) {
        line->setVisible(x.has_value());
        line->setPen(QPen(accent, unit / 8, style));
        line->point1->setCoords(x.value_or(0), 0);
        line->point2->setCoords(x.value_or(0), 1);
    };
    mark(m->line, m->current, Qt::SolidLine);
    mark(m->readLine, inFigure() ? std::nullopt : m->read, Qt::DotLine);
    const QString about = m->axes.x.isEmpty() ? m->axes.title : tr("%1 by %2").arg(m->axes.title, m->axes.x);
    setTitleWidth(plotTitleWidth(about));
    stylePlotTitle(*m->title, plot, fitsAsPlotTitle(plot, about) ? about : m->axes.title);
    plot.replot();

    QStringList said;
    const std::optional<double> place = m->said();
    for (const Series& one : m->series) {
        if (!place || one.isQuiet || one.x.empty() || m->isEmpty())
            continue;
        const std::size_t at = m->nearest(*place);
        if (at >= one.mean.size())
            continue;
        QString text = numberText(one.mean[at], m->axes.decimals);
        if (const auto [below, above] = bandAt(one, at); hasOwnBand(one) && std::isfinite(below))
            text += tr(" (%1 to %2)").arg(numberText(below, m->axes.decimals), numberText(above, m->axes.decimals));
        else if (at < one.deviation.size())
            text += QStringLiteral(" ± ") + numberText(one.deviation[at], m->axes.decimals);
        said << (one.name.isEmpty() ? text : one.name + u' ' + text);
    }
    if (said.isEmpty()) {
        setAccessibleDescription(about);
    } else {
        const QString number = numberText(*place, std::min(decimalsOf(*place), 2));
        setAccessibleDescription(QStringLiteral("%1: %2.").arg(m->axes.place.isEmpty() ? m->axes.x + u' ' + number : m->axes.place.arg(number),
                                                               said.join(QStringLiteral(", "))));
    }
    // What is said stands below what the plot shows, whose title may be elided.
    setToolTip(said.isEmpty() ? about : about + QLatin1Char('\n') + accessibleDescription());
}

void SpreadPlot::goTo(double x) {
    if (m->isEmpty())
        return;
    const double place = m->series.front().x[m->nearest(x)];
    if (m->said() == place)
        return;
    if (m->axes.chooses) {
        Q_EMIT chosen(place);
    } else {
        m->read = place;
        redraw();
    }
}

void SpreadPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    goTo(m->plot->xAxis->pixelToCoord(event->position().x() - m->plot->x()));
}

void SpreadPlot::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0 || m->isEmpty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto& places = m->series.front().x;
    const auto now =
        m->said() ? static_cast<std::ptrdiff_t>(m->nearest(*m->said())) : std::ptrdiff_t(by > 0 ? -1 : 0);
    const auto next = std::clamp(now + by, std::ptrdiff_t(0), static_cast<std::ptrdiff_t>(places.size()) - 1);
    goTo(places[static_cast<std::size_t>(next)]);
}

} // namespace headroom::widgets
