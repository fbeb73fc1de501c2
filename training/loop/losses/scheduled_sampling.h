// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/recipe.h"
#include "training/data/loader.h"

#include <ATen/core/Tensor.h>

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

/// Returns the inputs of the decoder with some replaced by its predictions, one token after the other: [batch, target] on `device`,
/// where the decoder computes; nothing waits for it. `inputs`: a row for each text of the batch, prompt first, padded. `decoder`
/// has read nothing yet and is used up. Which tokens are replaced follows from (seed, epoch, example), whatever batch it is in.
/// Prompts stay, and <pad> is never predicted. No gradients.
at::Tensor sampledInputs(const std::vector<std::vector<int>>& inputs, const Batch& batch, models::S2tDecoder& decoder,
                         const Sampling& sampling, c10::Device device);

} // namespace headroom::training
