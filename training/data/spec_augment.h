// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/runs/recipe.h"
#include "training/data/random.h"

#include <vector>

namespace headroom::training {

/// Bins or frames [start, start + width) set to zero.
struct Mask {
    std::int64_t start = 0, width = 0;
};
struct AugmentationMasks {
    std::vector<Mask> frequency, time;
};

/// Samples masks as fairseq does (half-open ranges of numpy's randint): a frequency mask's width from 0 … F −
/// 1, a time mask's from 0 … min(T, ⌊p · frames⌋) − 1, its start from 0 … n − width − 1. If that leaves no
/// width, there is no time mask. Adaptive (Park et al. 2020): p is timeShare with a large T, and the number of time
/// masks is min(timeMasks, ⌊timeMasksShare · frames⌋).
AugmentationMasks drawMasks(const Recipe::Augmentation& recipe, std::int64_t frames, std::int64_t bins,
                            Random& random);

/// Sets masked values to 0, the mean after CMVN. [frames, bins]
void applyMasks(const AugmentationMasks& masks, MatrixView<float> features);

} // namespace headroom::training
