// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/window_front.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace headroom {

namespace {

void requireChoices(const WindowChoices& layer) {
    const auto finite = [](const std::vector<double>& values) {
        return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    };
    if (layer.cost.empty() || layer.cost.size() != layer.loss.size() || !finite(layer.cost) ||
        !finite(layer.loss))
        throw std::invalid_argument("choices of windows need finite costs and losses, one of each");
}

/// The lower convex hull of a layer's choices from the smallest loss to the smallest cost.
std::vector<std::size_t> hull(const WindowChoices& layer) {
    std::vector<std::size_t> order(layer.cost.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return layer.loss[a] != layer.loss[b] ? layer.loss[a] < layer.loss[b] : layer.cost[a] < layer.cost[b];
    });
    const auto saved = [&](std::size_t from, std::size_t to) { return layer.cost[from] - layer.cost[to]; };
    const auto lost = [&](std::size_t from, std::size_t to) { return layer.loss[to] - layer.loss[from]; };
    std::vector<std::size_t> result;
    for (const std::size_t next : order) {
        if (!result.empty() && saved(result.back(), next) <= 0)
            continue; // loses as much or more, and saves nothing
        // A point that saves less per loss than going past it is above the hull.
        while (result.size() > 1) {
            const std::size_t last = result.back(), before = result[result.size() - 2];
            if (saved(before, last) * lost(last, next) > saved(last, next) * lost(before, last))
                break;
            result.pop_back();
        }
        result.push_back(next);
    }
    return result;
}

struct Step {
    std::size_t layer, to;
    double saved, lost;
};

} // namespace

std::vector<WindowFrontPoint> windowFront(std::span<const WindowChoices> layers) {
    WindowFrontPoint point;
    std::vector<Step> steps;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        requireChoices(layers[l]);
        const auto corners = hull(layers[l]);
        point.choices.push_back(corners.front());
        point.cost += layers[l].cost[corners.front()];
        point.loss += layers[l].loss[corners.front()];
        for (std::size_t i = 1; i < corners.size(); ++i)
            steps.push_back({l, corners[i], layers[l].cost[corners[i - 1]] - layers[l].cost[corners[i]],
                             layers[l].loss[corners[i]] - layers[l].loss[corners[i - 1]]});
    }
    // A layer's own steps save less and less per loss, so that this order keeps theirs; equal ones stay in
    // order.
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.saved * b.lost > b.saved * a.lost; });
    std::vector<WindowFrontPoint> front{point};
    for (const Step& step : steps) {
        point.choices[step.layer] = step.to;
        point.cost -= step.saved;
        point.loss += step.lost;
        front.push_back(point);
    }
    return front;
}

} // namespace headroom
