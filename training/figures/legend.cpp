// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/plot.h"

#include <cmath>
#include <numbers>

namespace headroom::figures {

namespace {

constexpr double kSample = 15, kGap = 3, kBetween = 9, kRow = 9;

std::vector<Position> polygon(Position at, double radius, int corners, double turn) {
    std::vector<Position> points;
    for (int k = 0; k < corners; ++k) {
        const double angle = turn + 2 * std::numbers::pi * k / corners;
        points.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
    }
    return points;
}

void drawSample(Scene& scene, Position at, const LegendEntry& entry) {
    if (entry.filled)
        scene.fill({at.x, at.y - 2.5, kSample * 0.6, 5}, entry.stroke.colour);
    else if (entry.stroke.width > 0)
        scene.line({at.x, at.y}, {at.x + kSample, at.y}, entry.stroke);
    if (entry.marker >= 0)
        drawMarker(scene, {at.x + (entry.stroke.width > 0 ? kSample / 2 : kSample * 0.3), at.y}, entry.marker,
                   entry.stroke.colour);
}

} // namespace

void drawMarker(Scene& scene, Position at, int shape, const Colour& colour, double size) {
    constexpr double right = std::numbers::pi / 2;
    const double radius = size / 2;
    const auto ring = [&](double r, int corners, double turn) {
        auto points = polygon(at, r, corners, turn);
        points.push_back(points.front());
        return Polyline{points, {colour, 0.8, {}}};
    };
    switch (shape % 6) {
    case 0:
        scene.items.push_back(Area{polygon(at, radius, 24, 0), colour});
        break;
    case 1:
        scene.items.push_back(Area{polygon(at, radius * 1.2, 4, right / 2), colour});
        break;
    case 2:
        scene.items.push_back(Area{polygon(at, radius * 1.3, 3, -right), colour});
        break;
    case 3:
        scene.items.push_back(Area{polygon(at, radius * 1.3, 4, 0), colour});
        break;
    case 4:
        scene.items.push_back(ring(radius * 0.9, 24, 0));
        break;
    default:
        for (const double side : {1.0, -1.0})
            scene.line({at.x - radius, at.y - side * radius}, {at.x + radius, at.y + side * radius},
                       {colour, 0.9, {}});
    }
}

double drawLegend(Scene* scene, Position at, double width, std::span<const LegendEntry> entries) {
    double x = 0, y = 0;
    for (const LegendEntry& entry : entries) {
        const bool isShort = entry.filled || entry.stroke.width <= 0;
        const double sample = isShort ? kSample * 0.6 : kSample;
        const double needs = sample + kGap + textWidth(runs(entry.name), kTickSize);
        if (x > 0 && x + needs > width) {
            x = 0;
            y += kRow;
        }
        if (scene) {
            drawSample(*scene, {at.x + x, at.y + y + kRow / 2}, entry);
            words(*scene, {at.x + x + sample + kGap, at.y + y + kRow / 2 + kTickSize * kMiddle}, entry.name,
                  kTickSize, Anchor::Start, kText);
        }
        x += needs + kBetween;
    }
    return entries.empty() ? 0 : y + kRow;
}

double drawLegendAbove(Scene* scene, const Axis& x, const Axis& y, double wide, std::span<const LegendEntry> entries) {
    const double left = Plot::margins(x, y).left + 4;
    return 8 + drawLegend(scene, {left, 4}, wide - left - 4, entries);
}

} // namespace headroom::figures
