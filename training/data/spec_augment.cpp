// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/spec_augment.h"

#include <algorithm>
#include <cmath>

namespace headroom::training {

namespace {

std::vector<Mask> draw(std::int64_t count, std::int64_t widest, std::int64_t extent, Random& random) {
    std::vector<Mask> masks;
    widest = std::min(widest, extent); // a mask as wide as everything has no start to draw
    if (widest < 1)
        return masks;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t width = random.below(widest);
        masks.push_back({random.below(extent - width), width});
    }
    return masks;
}

} // namespace

AugmentationMasks drawMasks(const Recipe::Augmentation& recipe, std::int64_t frames, std::int64_t bins,
                            Random& random) {
    AugmentationMasks masks;
    masks.frequency = draw(recipe.frequencyMasks, recipe.frequencyWidth, bins, random);
    const auto share = static_cast<std::int64_t>(std::floor(static_cast<double>(frames) * recipe.timeShare));
    std::int64_t count = recipe.timeMasks;
    if (recipe.timeMasksShare > 0)
        count = std::min(count, static_cast<std::int64_t>(
                                    std::floor(static_cast<double>(frames) * recipe.timeMasksShare)));
    masks.time = draw(count, std::min(recipe.timeWidth, share), frames, random);
    return masks;
}

void applyMasks(const AugmentationMasks& masks, MatrixView<float> features) {
    for (const Mask& mask : masks.frequency)
        for (std::size_t row = 0; row < features.rows(); ++row)
            std::fill_n(features.row(row).begin() + mask.start, mask.width, 0.0F);
    for (const Mask& mask : masks.time)
        for (std::int64_t row = mask.start; row < mask.start + mask.width; ++row)
            std::fill_n(features.row(static_cast<std::size_t>(row)).begin(), features.columns(), 0.0F);
}

} // namespace headroom::training
