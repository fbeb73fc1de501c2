// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/metric_plot_private.h"

#include "widgets/curves/plot_style.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/cursor_overlay.h"
#include "widgets/run_monitor/curve_graph.h"
#include "widgets/run_monitor/metric_tickers.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::widgets {

namespace {

constexpr std::size_t kFewPoints = 40; ///< of a curve: the axis shows all of them

QCPScatterStyle markerOf(int style, double scale = 1) {
    QCPScatterStyle marker(style < 3 ? QCPScatterStyle::ssDisc : QCPScatterStyle::ssSquare, scale * 0.5 * Sizes::unit());
    marker.setPen(QPen(Theme::current().runs[static_cast<std::size_t>(style)], Sizes::unit() / 8));
    return marker;
}

/// The short form where the title has no room. Elides its name before the unit, of which the factor is a part: "Learning…, ×10⁻³".
QString titleWithUnit(const QString& whole, const QString& brief, const QFontMetrics& metrics, int room) {
    const QString title = metrics.horizontalAdvance(whole) <= room || brief.isEmpty() ? whole : brief;
    if (metrics.horizontalAdvance(title) <= room) // elidedText would cut one that is a fraction of a pixel wider
        return title;
    const auto comma = title.indexOf(QStringLiteral(", "));
    if (comma < 0)
        return metrics.elidedText(title, Qt::ElideRight, room);
    const QString unit = title.mid(comma);
    const QString name = metrics.elidedText(title.left(comma), Qt::ElideRight, room - metrics.horizontalAdvance(unit));
    const bool saysSomething = name.size() > 1;
    return saysSomething ? name + unit : metrics.elidedText(title, Qt::ElideRight, room);
}

} // namespace

MetricPlot::MetricPlot(Metric metric, QWidget* parent)
    : PlotFrame({48, 30}, {18, 14}, parent)
    , m(std::make_unique<Private>()) {
    m->metric = std::move(metric);
    m->plot = plot();
    m->title = new QCPItemText(m->plot);
    m->hint = new QCPItemText(m->plot);
    m->overlay = new CursorOverlay(this);
    setMouseTracking(true);
    prepare();
    redraw();
}

MetricPlot::~MetricPlot() = default;

const MetricPlot::Metric& MetricPlot::metric() const {
    return m->metric;
}

void MetricPlot::setMetric(Metric metric) {
    m->metric = std::move(metric);
    prepare();
    redraw();
}

void MetricPlot::setRuns(std::vector<ComparedRuns> runs) {
    m->runs = std::move(runs);
    prepare();
    redraw();
}

void MetricPlot::setReading(const CurveReading& reading) {
    if (reading == m->reading)
        return;
    if (reading.axis != m->reading.axis)
        m->span.reset(), m->cursor.reset();
    m->reading = reading;
    prepare();
    redraw();
}

void MetricPlot::setEmptySentence(const QString& sentence) {
    if (std::exchange(m->emptySentence, sentence) != sentence)
        redraw();
}

void MetricPlot::setCursor(std::optional<double> x) {
    if (m->cursor == x)
        return;
    m->cursor = x;
    describe();
}

void MetricPlot::setVisibleSpan(std::optional<std::pair<double, double>> span) {
    if (m->span == span)
        return;
    m->span = span;
    redraw();
}

std::optional<double> MetricPlot::cursor() const {
    return m->cursor;
}

std::pair<double, double> MetricPlot::visibleSpan() const {
    return m->span.value_or(std::pair{m->first, m->last});
}

bool MetricPlot::hasMeansOfFewer() const {
    return std::ranges::any_of(m->prepared, [](const Private::Prepared& one) {
        return std::ranges::any_of(one.count, [&](int count) { return count < one.seeds; });
    });
}

int MetricPlot::drawnPoints() const {
    return m->drawn;
}

void MetricPlot::redraw() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    auto& plot = *m->plot;
    styleCurvePlot(plot);
    plot.axisRect()->setMargins(
        QMargins(qRound(5.5 * unit), qRound(3.5 * unit), qRound(2.25 * unit), qRound(3 * unit)));
    plot.legend->setVisible(false);
    plot.clearPlottables();
    const bool logarithmic = m->reading.logarithmic && m->metric.mayBeLogarithmic;
    const auto [from, to] = visibleSpan();
    // Two pixels a column: four points in each are still two a pixel, and a line of half as many is drawn in
    // half the time. A band is smooth by itself.
    const int columns = std::max(plot.axisRect()->width() / 2, 50);
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    double lowest = low, highest = high; // with the bands that count
    m->drawn = 0;
    double needed = highest; // what the axis must reach
    bool mayCut = false;
    for (const Private::Prepared& one : m->prepared) {
        const auto shown = [&](const Curve& curve, int most) {
            Curve few = decimated(curve, from, to, most);
            m->drawn += static_cast<int>(few.x.size());
            return few;
        };
        const auto vector = [](const std::vector<double>& values) {
            return QVector<double>(values.begin(), values.end());
        };
        if (!one.deviation.empty()) {
            Curve upper = one.line, lower = one.line;
            for (std::size_t i = 0; i < one.deviation.size(); ++i)
                if (std::isfinite(one.deviation[i])) {
                    upper.y[i] += one.deviation[i];
                    lower.y[i] -= one.deviation[i];
                    if (logarithmic && lower.y[i] <= 0)
                        lower.y[i] = one.line.y[i];
                }
            const Curve above = shown(whereCounted(upper, one.count, one.part, 2, one.seeds), columns / 3);
            const Curve below = shown(whereCounted(lower, one.count, one.part, 2, one.seeds), columns / 3);
            auto* bottom = plot.addGraph();
            bottom->setPen(Qt::NoPen);
            bottom->setData(vector(below.x), vector(below.y), true);
            auto* top = plot.addGraph();
            top->setPen(Qt::NoPen);
            top->setData(vector(above.x), vector(above.y), true);
            QColor ground = theme.runs[static_cast<std::size_t>(one.style)];
            ground.setAlphaF(0.22F);
            top->setBrush(ground);
            top->setChannelFillGraph(bottom);
            addLoneSpreads(plot, one.line, lower, upper, one.deviation, QPen(theme.runs[static_cast<std::size_t>(one.style)], unit / 8),
                           markerOf(one.style));
            // The deviation is as important as the mean, but of many points that of the first steps is far larger.
            const auto& x = one.line.x;
            const auto first = std::lower_bound(x.begin(), x.end(), from), past = std::upper_bound(first, x.end(), to);
            const auto points = static_cast<std::size_t>(past - first);
            const double begin = points > kFewPoints ? *(first + static_cast<std::ptrdiff_t>(points / 10)) : from;
            for (const Curve* edge : {&above, &below})
                for (std::size_t i = 0; i < edge->x.size(); ++i)
                    if (edge->x[i] >= begin && edge->x[i] <= to && std::isfinite(edge->y[i])) {
                        lowest = std::min(lowest, edge->y[i]);
                        highest = std::max(highest, edge->y[i]);
                    }
        }
        // Where seeds have ended, the mean of the others is another quantity: a thin line with small points, which does not join the one of all.
        const Curve ofAll = shown(one.count.empty() ? one.line : whereCounted(one.line, one.count, one.part, one.seeds, one.seeds), columns);
        const Curve ofFewer = shown(one.count.empty() ? Curve() : whereCounted(one.line, one.count, one.part, 1, one.seeds - 1), columns);
        std::vector<double> seen;
        for (const Curve* line : {&ofAll, &ofFewer}) {
            if (line->empty())
                continue;
            auto* graph = addCurveGraph(plot);
            graph->setData(vector(line->x), vector(line->y), true);
            graph->setPen(runPen(one.style, (line == &ofAll ? 1.75 : 0.75) * unit / 8));
            if (ofAll.x.size() + ofFewer.x.size() < 25)
                graph->setScatterStyle(markerOf(one.style, line == &ofAll ? 1 : 0.6));
            for (std::size_t i = 0; i < line->x.size(); ++i)
                if (line->x[i] >= from && line->x[i] <= to && std::isfinite(line->y[i]) && (!logarithmic || line->y[i] > 0)) {
                    low = std::min(low, line->y[i]);
                    high = std::max(high, line->y[i]);
                    seen.push_back(line->y[i]);
                }
        }
        if (seen.empty())
            continue;
        // The first steps of a loss dwarf all that follows: the axis shows what the last nine tenths of each curve need.
        const bool isLong = seen.size() > kFewPoints;
        const auto most = seen.begin() + static_cast<std::ptrdiff_t>(isLong ? seen.size() * 9 / 10 : seen.size() - 1);
        std::nth_element(seen.begin(), most, seen.end());
        needed = std::max(needed, *most);
        mayCut = mayCut || isLong;
    }
    const bool any = low <= high;
    if (!any)
        low = 0, high = 1;
    if (any) { // on a logarithmic axis, an edge that is not positive lies on the line
        low = std::min(low, lowest);
        high = std::max(high, highest);
    }
    if (mayCut && !logarithmic && needed > low && high - low > 3 * (needed - low))
        high = low + 1.5 * (needed - low);
    plot.xAxis->setRange(from, to);
    plot.xAxis->setTicker(QSharedPointer<CountTicker>::create());
    plot.xAxis->ticker()->setTickCount(std::clamp(2 * columns / qRound(9 * unit), 2, 6));
    plot.yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) {
        const double margin = std::max(std::pow(high / low, 0.05), 1.02);
        plot.yAxis->setRange(low / margin, high * margin);
        plot.yAxis->setTicker(QSharedPointer<WithMinus<QCPAxisTickerLog>>::create());
        if (high / low < 20) // less than a decade or so: ticks as on a linear axis
            plot.yAxis->setTicker(QSharedPointer<WithMinus<QCPAxisTicker>>::create());
    } else {
        const double margin = high > low ? 0.06 * (high - low) : high != 0 ? std::abs(high) * 0.1 : 1;
        plot.yAxis->setRange(low >= 0 ? std::max(low - margin, 0.0) : low - margin, high + margin);
        if (m->metric.isCount)
            plot.yAxis->setTicker(QSharedPointer<CountTicker>::create());
        else
            plot.yAxis->setTicker(QSharedPointer<WithMinus<QCPAxisTicker>>::create());
    }
    plot.yAxis->ticker()->setTickCount(4);
    plot.yAxis->setNumberFormat(QStringLiteral("g"));
    plot.yAxis->setNumberPrecision(4);
    for (auto* axis : {plot.xAxis, plot.yAxis})
        axis->setTickLabels(any);
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    const auto read = [logarithmic](const QString& title) {
        return logarithmic && !title.isEmpty() ? tr("%1, logarithmic").arg(title) : title;
    };
    m->title->setText(titleWithUnit(read(m->metric.title), read(m->metric.brief), QFontMetrics(bold),
                                    plot.width() - plot.axisRect()->margins().left() - qRound(unit / 2)));
    m->title->setFont(bold);
    m->title->setColor(theme.text);
    m->title->setClipToAxisRect(false);
    m->title->position->setType(QCPItemPosition::ptAxisRectRatio);
    m->title->position->setCoords(0, -2.6 * unit / std::max(plot.axisRect()->height(), 1));
    m->title->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    m->hint->setVisible(!any);
    m->hint->setText(m->runs.empty() ? m->emptySentence : m->goesOn() ? tr("No data yet") : tr("No data"));
    m->hint->setFont(Sizes::caption());
    m->hint->setColor(theme.text3);
    m->hint->setBrush(theme.panel); // no line of the grid runs through the words
    m->hint->setPadding(QMargins(qRound(unit / 2), 0, qRound(unit / 2), 0));
    m->hint->position->setType(QCPItemPosition::ptAxisRectRatio);
    m->hint->position->setCoords(0.5, 0.5);
    plot.replot();
    describe();
}

std::vector<double> MetricPlot::valuesHere() const {
    std::vector<double> values;
    for (const Private::Prepared& one : m->prepared) {
        const auto point = m->pointOf(one);
        values.push_back(point ? one.line.y[*point] : std::numeric_limits<double>::quiet_NaN());
    }
    return values;
}

/// The overlay's content and the sentence for screen readers.
void MetricPlot::describe() {
    CursorReading here;
    const QCPAxisRect* frame = m->plot->axisRect();
    here.frame = frame->rect();
    const auto [from, to] = visibleSpan();
    const double x = m->shownCursor();
    QStringList said;
    const auto values = valuesHere();
    if (!m->prepared.empty() && x >= from && x <= to) {
        here.x = m->plot->xAxis->coordToPixel(x);
        const std::optional<double> common = m->measuredAt();
        const double told = common.value_or(x);
        here.head = !m->cursor && !common ? tr("last values") // of runs that are not equally far
                    : m->reading.axis == CurveAxis::Updates
                        ? tr("update %1").arg(numberText(told, 0))
                        : tr("%1 after").arg(numberText(told, 2) + QStringLiteral(" h"));
        if (m->metric.smoothed && m->reading.smoothing > 0)
            here.head = tr("%1, smoothed").arg(here.head);
        for (std::size_t i = 0; i < values.size() && i < 12; ++i) {
            const Private::Prepared& one = m->prepared[i];
            const auto point = m->pointOf(one);
            const double at = point ? one.line.x[*point] : x;
            // A value of another update than the one above it says of which.
            const int digits = m->reading.axis == CurveAxis::Updates ? 0 : 2;
            const QString where = numberText(at, digits);
            const bool isElsewhere = point && m->cursor && !common && where != numberText(told, digits);
            QString value = numberText(values[i], m->metric.decimals);
            if (isElsewhere)
                value = tr("%1 at %2").arg(value, where);
            QStringList narrow{value};
            if (point && one.isOfFewer(*point)) {
                narrow << tr("%1 of %2 seeds").arg(one.count[*point]).arg(one.seeds);
                value = tr("%1 (%2)").arg(value, narrow.back());
            }
            here.rows.push_back({one.style, value, narrow,
                                 std::isfinite(values[i]) ? QPointF(m->plot->xAxis->coordToPixel(at),
                                                                    m->plot->yAxis->coordToPixel(values[i]))
                                                          : QPointF(-1, -1)});
            said << here.rows.back().value;
        }
        here.isLineShown = m->cursor.has_value();
    }
    here.isOnCurve = [this](const QRectF& box) { return isOnCurve(*m->plot, box); };
    QStringList tip{here.head.isEmpty() ? m->metric.title : tr("%1, %2").arg(m->metric.title, here.head)};
    for (std::size_t i = 0; i < here.rows.size(); ++i)
        tip << QStringLiteral("%1: %2").arg(m->prepared[i].name, here.rows[i].value);
    setToolTip(tip.join(QLatin1Char('\n')));
    m->overlay->setReading(here);
    setAccessibleName(m->metric.title);
    setAccessibleDescription(m->runs.empty()   ? m->emptySentence
                             : said.isEmpty() ? (m->goesOn() ? tr("No values yet.") : tr("No values."))
                                              : tr("%1: %2.").arg(here.head, said.join(QStringLiteral(", "))));
}

void MetricPlot::resizeEvent(QResizeEvent* event) {
    PlotFrame::resizeEvent(event);
    m->overlay->setGeometry(m->plot->geometry());
}

} // namespace headroom::widgets
