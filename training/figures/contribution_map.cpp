// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/contribution_map.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

constexpr double kPercentile = 0.99, kGamma = 0.5;

/// The lines between which |i − j| ≤ (w − 1)/2, where they cross the frame.
void drawBand(Scene& scene, const Box& frame, std::size_t tokens, int window) {
    const double half = window / 2.0 / double(tokens);
    if (half >= 1)
        return;
    scene.items.push_back(Clip{frame});
    for (const bool casing : {true, false}) {
        const Stroke stroke = casing ? Stroke{kBandCasing.withAlpha(0.7), 1.5, {}} : Stroke{kBand, 0.7, {}};
        scene.line({frame.x + half * frame.width, frame.y},
                   {frame.right(), frame.bottom() - half * frame.height}, stroke);
        scene.line({frame.x, frame.y + half * frame.height},
                   {frame.right() - half * frame.width, frame.bottom()}, stroke);
    }
    scene.items.push_back(EndClip{});
}

/// Seconds at the outer rims of the first and last token.
std::pair<double, double> rims(const std::vector<double>& seconds) {
    const double step =
        seconds.size() > 1 ? (seconds.back() - seconds.front()) / double(seconds.size() - 1) : 0.04;
    return {seconds.front() - step / 2, seconds.back() + step / 2};
}

} // namespace

Matrix<double> withoutDiagonal(const Matrix<double>& values) {
    Matrix<double> result = values;
    for (std::size_t k = 0; k < std::min(values.rows(), values.columns()); ++k)
        result(k, k) = std::nan("");
    return result;
}

ColourScale contributionScale(const std::vector<const Matrix<double>*>& maps, const std::string& title) {
    std::vector<double> values;
    for (const Matrix<double>* map : maps)
        for (std::size_t i = 0; i < map->rows(); ++i)
            for (std::size_t j = 0; j < map->columns(); ++j)
                if (i != j && std::isfinite((*map)(i, j)))
                    values.push_back((*map)(i, j));
    ColourScale scale{ColourScheme::Magma, 0, 1, false, kGamma, title, {}};
    if (!values.empty()) {
        const auto at = static_cast<std::size_t>(kPercentile * double(values.size() - 1));
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
        const double largest =
            *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
        if (values[at] > 0)
            scale.high = values[at];
        // The end of the scale is a tick of its own, so that where it clips can be said.
        scale.ticks = niceTicks(0, scale.high, 4);
        const double step = scale.ticks.at.size() > 1 ? scale.ticks.at[1] - scale.ticks.at[0] : scale.high;
        while (!scale.ticks.at.empty() && scale.high - scale.ticks.at.back() < step * 0.55) {
            scale.ticks.at.pop_back();
            scale.ticks.labels.pop_back();
        }
        const int decimals = std::max(0, 2 - static_cast<int>(std::floor(std::log10(scale.high))) - 1);
        scale.ticks.at.push_back(scale.high);
        scale.ticks.labels.push_back(numberText(scale.high, decimals));
        markClipping(scale, largest);
    }
    return scale;
}

void drawContributionMap(Scene& scene, const Box& frame, const ContributionMap& map, const ColourScale& scale,
                         const MapAxes& axes) {
    if (map.values.empty() || map.tokenSeconds.empty())
        return;
    drawCells(scene, frame, map.values, scale, {}, kHidden);
    if (map.window)
        drawBand(scene, frame, map.values.rows(), *map.window);
    const Stroke stroke{kText2, kAxisWidth, {}};
    scene.frame(frame, stroke);
    const auto [from, to] = rims(map.tokenSeconds);
    const Ticks ticks = niceTicks(std::max(0.0, from), to, axes.ticks);
    for (std::size_t k = 0; k < ticks.at.size(); ++k) {
        const double along = (ticks.at[k] - from) / (to - from);
        const double x = frame.x + along * frame.width, y = frame.y + along * frame.height;
        scene.line({x, frame.bottom()}, {x, frame.bottom() + 2}, stroke);
        scene.line({frame.x - 2, y}, {frame.x, y}, stroke);
        if (axes.time)
            words(scene, {x, frame.bottom() + 4.2 + kTickSize * 0.72}, ticks.labels[k], kTickSize,
                  Anchor::Middle);
        if (axes.query)
            words(scene, {frame.x - 4.2, y + kTickSize * kMiddle}, ticks.labels[k], kTickSize, Anchor::End);
    }
    if (!map.title.empty()) {
        const double fits = frame.width / textWidth(runs(map.title), 1);
        words(scene, {frame.x, frame.y - 3}, map.title, std::clamp(fits, kSmallSize, kLabelSize),
              Anchor::Start, kText);
    }
}

} // namespace headroom::figures
