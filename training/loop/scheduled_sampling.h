// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/recipe.h"
#include "training/data/loader.h"

#include <cstdint>
#include <vector>

namespace headroom::models {
class S2tDecoder;
}

namespace headroom::training {

/// Scheduled sampling (Bengio et al. 2015) as in Espresso: from its second token on, the decoder of training reads its
/// own most probable token instead of the text's with a probability that grows with the epochs.
struct Sampling {
    double truth = 1; ///< probability of the text's own token
    std::uint64_t seed = 0;
    std::int64_t epoch = 1;
};

/// That of an epoch, counted from 1.
Sampling samplingOf(const Recipe::Loss& loss, std::uint64_t seed, std::int64_t epoch);

/// Replaces inputs of the decoder by its predictions, one token after the other. `inputs`: a row for each text of the
/// batch, prompt first, padded. `decoder` has read nothing yet and is used up. Which tokens are replaced follows from
/// (seed, epoch, example), whatever batch it is in. Prompts stay, and <pad> is never predicted. No gradients.
void sampleInputs(std::vector<std::vector<int>>& inputs, const Batch& batch, models::S2tDecoder& decoder,
                  const Sampling& sampling);

} // namespace headroom::training
