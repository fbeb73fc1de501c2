// SPDX-License-Identifier: GPL-3.0-or-later
// From the runs' points to lines, as they are drawn and as they are copied.
#include "widgets/run_monitor/metric_plot_private.h"

namespace headroom::widgets {

/// The clock of a run begins when the run does, for all plots; of older runs, which do not say when, with their training loss.
Curve MetricPlot::Private::curveOf(const RunCurves& run) const {
    const auto found = run.series().find(metric.key.toStdString());
    if (found == run.series().end() || found->second.empty())
        return {};
    double firstTime = run.began();
    if (firstTime == 0) {
        const auto loss = run.series().find("loss");
        firstTime = loss != run.series().end() && !loss->second.empty() ? loss->second.front().time : found->second.front().time;
    }
    Curve curve = toCurve(found->second, reading.axis, firstTime);
    for (double& y : curve.y)
        y *= metric.factor;
    return curve;
}

/// Axis, smoothing with this weight, mean over seeds.
std::vector<MetricPlot::Private::Prepared> MetricPlot::Private::linesWith(double smoothing) const {
    std::vector<Prepared> all;
    for (const ComparedRuns& experiment : runs) {
        std::vector<Curve> curves, lines; // of a mean, and single ones
        const auto take = [&](const std::shared_ptr<const RunCurves>& run, std::vector<Curve>& among) {
            if (const Curve curve = run ? curveOf(*run) : Curve(); !curve.empty())
                among.push_back(smoothed(curve, metric.smoothed ? smoothing : 0));
        };
        for (const auto& run : experiment.runs)
            take(run, reading.mean ? curves : lines);
        if (!reading.mean)
            for (const auto& run : experiment.repeated)
                take(run, lines);
        for (const auto& run : experiment.goingOn)
            take(run, lines);
        if (curves.size() > 1) {
            CurveBand band = meanAndDeviation(curves);
            all.push_back({experiment.name, std::move(band.mean), std::move(band.deviation), experiment.style, std::move(band.count), std::move(band.part), int(curves.size())});
        } else {
            lines.insert(lines.begin(), curves.begin(), curves.end());
        }
        for (Curve& line : lines)
            all.push_back({experiment.name, std::move(line), {}, experiment.style});
    }
    return all;
}

/// Seeds make the same first measurement at different hours. A small point of the fastest one, which leads nowhere, looked like the
/// beginning of the mean.
void MetricPlot::Private::Prepared::dropLoneLead() {
    const auto lead = static_cast<std::ptrdiff_t>(loneLead(count, part, seeds));
    const auto drop = [lead](auto& values) { values.erase(values.begin(), values.begin() + lead); };
    drop(line.x);
    drop(line.y);
    drop(deviation);
    drop(count);
    drop(part);
}

void MetricPlot::prepare() {
    m->prepared = m->linesWith(m->reading.smoothing);
    if (m->reading.axis == CurveAxis::Hours)
        for (Private::Prepared& one : m->prepared)
            if (!one.count.empty())
                one.dropLoneLead();
    // Curves of updates begin at 0, so that two plots of one row show the same span.
    m->first = m->last = 0;
    for (const Private::Prepared& one : m->prepared) {
        if (m->reading.axis == CurveAxis::Hours) // something may be measured before the first loss
            m->first = std::min(m->first, one.line.x.front());
        m->last = std::max(m->last, one.line.x.back());
    }
    if (!(m->last > m->first))
        m->last = m->first + 1;
}

QString MetricPlot::tableText() const {
    QStringList lines{QStringList{tr("experiment"), m->reading.axis == CurveAxis::Updates ? tr("update") : tr("hours"),
                                  m->metric.title, tr("deviation"), tr("seeds")}
                          .join(QLatin1Char('\t'))};
    const auto exact = [](double value) {
        return std::isfinite(value) ? QString::number(value, 'g', 17) : QString();
    };
    for (const Private::Prepared& one : m->linesWith(0))
        for (std::size_t at = 0; at < one.line.x.size(); ++at)
            lines << QStringList{one.name, exact(one.line.x[at]), exact(one.line.y[at]),
                                 at < one.deviation.size() ? exact(one.deviation[at]) : QString(),
                                 QString::number(at < one.count.size() ? one.count[at] : 1)}
                         .join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace headroom::widgets
