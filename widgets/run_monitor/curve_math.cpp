// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/curve_math.h"

#include "core/statistics/moments.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headroom::widgets {

namespace {

constexpr double kSecondsPerHour = 3600;

double between(const Curve& curve, std::size_t right, double x) {
    const double x0 = curve.x[right - 1], x1 = curve.x[right];
    const double share = x1 > x0 ? (x - x0) / (x1 - x0) : 1;
    return curve.y[right - 1] + share * (curve.y[right] - curve.y[right - 1]);
}

} // namespace

Curve toCurve(std::span<const RunCurves::Point> points, CurveAxis axis, double firstTime) {
    Curve curve;
    curve.x.reserve(points.size());
    curve.y.reserve(points.size());
    for (const auto& point : points) {
        curve.x.push_back(axis == CurveAxis::Updates ? static_cast<double>(point.update)
                                                     : (point.time - firstTime) / kSecondsPerHour);
        curve.y.push_back(point.value);
    }
    return curve;
}

Curve smoothed(const Curve& curve, double weight) {
    if (!(weight > 0))
        return curve;
    Curve result = curve;
    double sum = 0, decay = 1;
    for (double& y : result.y) {
        if (!std::isfinite(y))
            continue;
        sum = weight * sum + (1 - weight) * y;
        decay *= weight;
        y = sum / (1 - decay);
    }
    return result;
}

Curve decimated(const Curve& curve, double from, double to, int columns) {
    if (columns < 1 || !(to > from) || curve.x.size() <= 4 * static_cast<std::size_t>(columns))
        return curve;
    const auto begin = std::lower_bound(curve.x.begin(), curve.x.end(), from);
    const auto end = std::upper_bound(curve.x.begin(), curve.x.end(), to);
    auto i = static_cast<std::size_t>(begin - curve.x.begin());
    auto last = static_cast<std::size_t>(end - curve.x.begin());
    i = i > 0 ? i - 1 : 0;
    last = std::min(last + 1, curve.x.size());
    const double width = (to - from) / columns;
    Curve result;
    std::vector<std::size_t> kept;
    while (i < last) {
        const double column = std::floor((curve.x[i] - from) / width);
        std::size_t first = i, low = i, high = i, gap = last;
        for (; i < last && std::floor((curve.x[i] - from) / width) == column; ++i) {
            if (std::isnan(curve.y[i]))
                gap = i;
            if (!(curve.y[i] >= curve.y[low]))
                low = std::isnan(curve.y[i]) ? low : i;
            if (!(curve.y[i] <= curve.y[high]))
                high = std::isnan(curve.y[i]) ? high : i;
        }
        kept = {first, low, high, i - 1};
        if (gap < last)
            kept.push_back(gap);
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (const std::size_t k : kept) {
            result.x.push_back(curve.x[k]);
            result.y.push_back(curve.y[k]);
        }
    }
    return result;
}

CurveBand meanAndDeviation(std::span<const Curve> curves) {
    CurveBand band;
    for (const Curve& curve : curves)
        band.mean.x.insert(band.mean.x.end(), curve.x.begin(), curve.x.end());
    std::sort(band.mean.x.begin(), band.mean.x.end());
    band.mean.x.erase(std::unique(band.mean.x.begin(), band.mean.x.end()), band.mean.x.end());
    const std::size_t size = band.mean.x.size();
    band.mean.y.resize(size);
    band.deviation.resize(size);
    band.count.assign(size, 0);
    band.part.assign(size, 0);
    std::vector<Moments> moments(size);
    for (const Curve& curve : curves) {
        std::size_t right = 0;
        bool counted = false; // at the point before
        for (std::size_t i = 0; i < size; ++i) {
            const double x = band.mean.x[i];
            while (right < curve.x.size() && curve.x[right] < x)
                ++right;
            const bool has = right < curve.x.size() && (right > 0 || curve.x[0] <= x);
            const double y = !has ? kUndefined : curve.x[right] == x ? curve.y[right] : between(curve, right, x);
            if (std::isfinite(y))
                moments[i].add(y);
            if (std::exchange(counted, std::isfinite(y)) != counted)
                band.part[i] = 1;
        }
    }
    std::partial_sum(band.part.begin(), band.part.end(), band.part.begin());
    for (std::size_t i = 0; i < size; ++i) {
        band.count[i] = static_cast<int>(moments[i].n());
        band.mean.y[i] = moments[i].mean();
        band.deviation[i] = moments[i].sampleDeviation();
    }
    return band;
}

Curve whereCounted(const Curve& line, std::span<const int> count, std::span<const int> part, int least, int most) {
    Curve shown;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (count[i] < least || count[i] > most)
            continue;
        if (!shown.empty() && part[i] != part[i - 1]) {
            shown.x.push_back(line.x[i]);
            shown.y.push_back(kUndefined);
        }
        shown.x.push_back(line.x[i]);
        shown.y.push_back(line.y[i]);
    }
    return shown;
}

std::size_t loneLead(std::span<const int> count, std::span<const int> part, int most) {
    const auto lead = static_cast<std::size_t>(std::find(count.begin(), count.end(), most) - count.begin());
    const auto begin = part.begin(), end = begin + static_cast<std::ptrdiff_t>(lead);
    return lead == count.size() || std::adjacent_find(begin, end) != end ? 0 : lead;
}

std::optional<std::size_t> pointAt(const Curve& curve, double x) {
    if (curve.empty() || x < curve.x.front() || x > curve.x.back())
        return std::nullopt;
    return static_cast<std::size_t>(std::upper_bound(curve.x.begin(), curve.x.end(), x) - curve.x.begin()) - 1;
}

} // namespace headroom::widgets
