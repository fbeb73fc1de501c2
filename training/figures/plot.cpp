// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/plot.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

constexpr double kTickLength = 2, kLabelGap = 2.2, kTitleGap = 3;

double widest(const Axis& axis) {
    double width = 0;
    for (const auto* labels : {&axis.ticks.labels, &axis.others})
        for (const auto& label : *labels)
            width = std::max(width, textWidth(runs(label), kTickSize));
    return width;
}

const Stroke& axisStroke() {
    static const Stroke stroke{kText2, kAxisWidth, {}};
    return stroke;
}

} // namespace

Plot::Margins Plot::margins(const Axis& x, const Axis& y) {
    Margins room;
    if (y.named)
        room.left += kTickLength + kLabelGap + widest(y);
    if (!y.title.empty())
        room.left += kTitleGap + kLabelSize;
    room.bottom = x.named ? kTickLength + kLabelGap + kTickSize * 0.8 : 0;
    if (!x.title.empty())
        room.bottom += kTitleGap + kLabelSize;
    return room;
}

Plot::Plot(Scene& scene, const Box& frame, Axis x, Axis y)
    : m_scene(scene)
    , m_frame(frame)
    , m_x(std::move(x))
    , m_y(std::move(y)) {
    grid();
    m_scene.items.push_back(clip());
}

/// A line on the upper or the lower side keeps its whole width: D(w) = 1.
Clip Plot::clip() const {
    constexpr double kBeyond = 1;
    return {{m_frame.x, m_frame.y - kBeyond, m_frame.width, m_frame.height + 2 * kBeyond}};
}

double Plot::place(const Axis& axis, double value) {
    if (axis.logarithmic)
        return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
}

void Plot::grid() {
    const Stroke stroke{kGrid, kGridWidth, {}};
    if (m_x.grid)
        for (const double tick : m_x.ticks.at)
            m_scene.line({x(tick), m_frame.y}, {x(tick), m_frame.bottom()}, stroke);
    if (m_y.grid)
        for (const double tick : m_y.ticks.at)
            m_scene.line({m_frame.x, y(tick)}, {m_frame.right(), y(tick)}, stroke);
}

void Plot::line(std::span<const double> xs, std::span<const double> ys, const Stroke& stroke) {
    Polyline part{{}, stroke};
    const auto finish = [&] {
        if (part.points.size() > 1)
            m_scene.items.push_back(part);
        part.points.clear();
    };
    for (std::size_t k = 0; k < std::min(xs.size(), ys.size()); ++k) {
        if (std::isfinite(xs[k]) && std::isfinite(ys[k]))
            part.points.push_back({x(xs[k]), y(ys[k])});
        else
            finish();
    }
    finish();
}

void Plot::band(std::span<const double> xs, std::span<const double> low, std::span<const double> high,
                const Colour& fill) {
    Area area{{}, fill};
    std::vector<Position> back;
    const auto finish = [&] {
        area.points.insert(area.points.end(), back.rbegin(), back.rend());
        if (back.size() > 1)
            m_scene.items.push_back(area);
        area.points.clear();
        back.clear();
    };
    for (std::size_t k = 0; k < xs.size(); ++k) {
        if (!std::isfinite(low[k]) || !std::isfinite(high[k])) {
            finish();
            continue;
        }
        area.points.push_back({x(xs[k]), y(high[k])});
        back.push_back({x(xs[k]), y(low[k])});
    }
    finish();
}

void Plot::bar(double from, double to, double height, const Colour& fill) {
    if (std::isfinite(height))
        m_scene.fill({x(from), y(height), x(to) - x(from), m_frame.bottom() - y(height)}, fill);
}

void Plot::errorBar(double at, double low, double high, const Stroke& stroke, double cap) {
    if (!std::isfinite(low) || !std::isfinite(high))
        return;
    const double middle = x(at);
    m_scene.line({middle, y(low)}, {middle, y(high)}, stroke);
    for (const double end : {low, high})
        m_scene.line({middle - cap / 2, y(end)}, {middle + cap / 2, y(end)}, stroke);
}

void Plot::marker(double atX, double atY, int shape, const Colour& colour, double size) {
    if (std::isfinite(atX) && std::isfinite(atY))
        drawMarker(m_markers, {x(atX), y(atY)}, shape, colour, size);
}

void Plot::levelLine(double atY, const Stroke& stroke) {
    m_scene.line({m_frame.x, y(atY)}, {m_frame.right(), y(atY)}, stroke);
}

void Plot::uprightLine(double atX, const Stroke& stroke, const std::string& text) {
    m_scene.line({x(atX), m_frame.y}, {x(atX), m_frame.bottom()}, stroke);
    if (!text.empty())
        words(m_scene, {x(atX) + 2, m_frame.y + kSmallSize}, text, kSmallSize, Anchor::Start, kText2);
}

void Plot::title(const PlotTitle& text) {
    m_scene.items.push_back(EndClip{});
    words(m_scene, {m_frame.x, m_frame.y - 3}, text.text, text.size, Anchor::Start, kText);
    m_scene.items.push_back(clip());
}

void Plot::close() {
    if (m_closed)
        return;
    m_closed = true;
    m_scene.items.push_back(EndClip{});
    m_scene.items.insert(m_scene.items.end(), m_markers.items.begin(), m_markers.items.end());
    m_scene.items.push_back(
        Polyline{{{m_frame.x, m_frame.y}, {m_frame.x, m_frame.bottom()}, {m_frame.right(), m_frame.bottom()}},
                 axisStroke()});
    const double below = m_frame.bottom();
    for (std::size_t k = 0; k < m_x.ticks.at.size(); ++k) {
        const double at = x(m_x.ticks.at[k]);
        m_scene.line({at, below}, {at, below + kTickLength}, axisStroke());
        if (m_x.named)
            words(m_scene, {at, below + kTickLength + kLabelGap + kTickSize * 0.72}, m_x.ticks.labels[k],
                  kTickSize, Anchor::Middle);
    }
    for (std::size_t k = 0; k < m_y.ticks.at.size(); ++k) {
        const double at = y(m_y.ticks.at[k]);
        m_scene.line({m_frame.x - kTickLength, at}, {m_frame.x, at}, axisStroke());
        if (m_y.named)
            words(m_scene, {m_frame.x - kTickLength - kLabelGap, at + kTickSize * kMiddle},
                  m_y.ticks.labels[k], kTickSize, Anchor::End);
    }
    const Margins room = margins(m_x, m_y);
    if (!m_x.title.empty())
        words(m_scene, {m_frame.x + m_frame.width / 2, below + room.bottom - kLabelSize * 0.2}, m_x.title,
              kLabelSize, Anchor::Middle, kText);
    if (!m_y.title.empty())
        words(m_scene, {m_frame.x - room.left + kLabelSize * 0.8, m_frame.y + m_frame.height / 2}, m_y.title,
              kLabelSize, Anchor::Middle, kText, false, -90);
}

void words(Scene& scene, Position at, const std::string& marked, double size, Anchor anchor,
           const Colour& colour, bool bold, double rotation) {
    scene.items.push_back(Text{at, runs(marked), size, anchor, bold, rotation, colour});
}

} // namespace headroom::figures
