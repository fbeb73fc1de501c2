// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/heat_map.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

constexpr double kBarWidth = 6, kBarSteps = 128;
constexpr double kCellsPerPoint = 600.0 / 72;

void put(Image& image, std::size_t row, std::size_t column, const Colour& colour) {
    auto* cell = image.rgb.data() + (row * image.columns + column) * 3;
    cell[0] = colour.red;
    cell[1] = colour.green;
    cell[2] = colour.blue;
}

/// Groups of `times` × `times` cells by their largest value; NaN only where all are.
Matrix<double> reduced(const Matrix<double>& values, std::size_t times) {
    if (times <= 1)
        return values;
    Matrix<double> result((values.rows() + times - 1) / times, (values.columns() + times - 1) / times,
                          std::nan(""));
    for (std::size_t row = 0; row < values.rows(); ++row)
        for (std::size_t column = 0; column < values.columns(); ++column) {
            double& cell = result(row / times, column / times);
            const double value = values(row, column);
            if (!(cell >= value) && !std::isnan(value))
                cell = value;
        }
    return result;
}

} // namespace

double ColourScale::share(double value) const {
    if (logarithmic)
        return value > 0 ? std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0) : 0;
    const double linear = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return gamma == 1 ? linear : std::pow(linear, gamma);
}

void markClipping(ColourScale& scale, double largest) {
    if (largest > scale.high * (1 + 1e-9) && !scale.ticks.labels.empty())
        scale.ticks.labels.back() = "≥ " + scale.ticks.labels.back();
}

void drawCells(Scene& scene, const Box& box, const Matrix<double>& all, const ColourScale& scale,
               const std::function<double(std::size_t, std::size_t)>& opacity, const Colour& undefined) {
    const double crowded = std::max(double(all.rows()) / (box.height * kCellsPerPoint),
                                    double(all.columns()) / (box.width * kCellsPerPoint));
    const auto times = opacity ? std::size_t(1) : static_cast<std::size_t>(std::max(1.0, std::ceil(crowded)));
    const Matrix<double> values = reduced(all, times);
    const ColourRamp table(scale.scheme);
    Image image{box, values.rows(), values.columns(), {}};
    // A last group of fewer cells reaches beyond the map, where the clip takes it off.
    image.box.width *= double(values.columns() * times) / double(all.columns());
    image.box.height *= double(values.rows() * times) / double(all.rows());
    image.rgb.resize(image.rows * image.columns * 3);
    for (std::size_t row = 0; row < image.rows; ++row)
        for (std::size_t column = 0; column < image.columns; ++column) {
            const double value = values(row, column);
            const bool defined = !std::isnan(value);
            const Colour colour = defined ? table.at(scale.share(value)) : undefined;
            put(image, row, column,
                opacity && defined ? onPaper(colour.withAlpha(opacity(row, column))) : colour);
        }
    scene.items.push_back(Clip{box});
    scene.items.push_back(std::move(image));
    scene.items.push_back(EndClip{});
}

void hatch(Scene& scene, const Box& box, std::size_t rows, std::size_t columns) {
    const double width = box.width / double(columns), height = box.height / double(rows);
    const Stroke stroke{rgb(0x88929b), 0.35, {}};
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            const double x = box.x + double(column) * width, y = box.y + double(row) * height;
            scene.line({x, y + height}, {x + width, y}, stroke);
        }
}

void hatchUndefined(Scene& scene, const Box& box, const Matrix<double>& values) {
    const double width = box.width / double(values.columns()), height = box.height / double(values.rows());
    for (std::size_t row = 0; row < values.rows(); ++row)
        for (std::size_t column = 0; column < values.columns(); ++column)
            if (std::isnan(values(row, column)))
                hatch(scene, {box.x + double(column) * width, box.y + double(row) * height, width, height}, 1,
                      1);
}

double drawColourBar(Scene* scene, const Box& place, const ColourScale& scale) {
    double widest = 0;
    for (const auto& label : scale.ticks.labels)
        widest = std::max(widest, textWidth(runs(label), kTickSize));
    const double titleWidth = textWidth(runs(scale.title), kLabelSize);
    const bool above = titleWidth <= kBarWidth + 5 + widest;
    const double width = kBarWidth + 5 + widest + (above ? 0 : 3 + kLabelSize);
    if (!scene)
        return width;
    // The bar shows the values evenly along its length (a gamma then changes its colours, not its ticks).
    const ColourRamp table(scale.scheme);
    Image bar{{place.x, place.y, kBarWidth, place.height}, std::size_t(kBarSteps), 1, {}};
    bar.rgb.resize(bar.rows * 3);
    for (std::size_t row = 0; row < bar.rows; ++row) {
        const double along = 1 - (double(row) + 0.5) / kBarSteps;
        put(bar, row, 0,
            table.at(scale.logarithmic || scale.gamma == 1 ? along : std::pow(along, scale.gamma)));
    }
    scene->items.push_back(std::move(bar));
    const Stroke stroke{kText2, kAxisWidth, {}};
    for (std::size_t k = 0; k < scale.ticks.at.size(); ++k) {
        const double value = scale.ticks.at[k];
        const double along =
            scale.logarithmic ? scale.share(value) : (value - scale.low) / (scale.high - scale.low);
        const double y = place.bottom() - along * place.height;
        scene->line({place.x + kBarWidth, y}, {place.x + kBarWidth + 2, y}, stroke);
        words(*scene, {place.x + kBarWidth + 4, y + kTickSize * kMiddle}, scale.ticks.labels[k]);
    }
    if (scale.title.empty())
        return width;
    if (above)
        words(*scene, {place.x, place.y - 5}, scale.title, kLabelSize, Anchor::Start, kText);
    else
        words(*scene, {place.x + width - kLabelSize * 0.25, place.y + place.height / 2}, scale.title,
              kLabelSize, Anchor::Middle, kText, false, -90);
    return width;
}

} // namespace headroom::figures
