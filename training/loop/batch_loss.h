// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "models/layers/parameters.h"
#include "training/data/loader.h"
#include "training/loop/losses.h"

#include <memory>
#include <string>
#include <vector>

namespace headroom::training {

/// Computes in bfloat16 what torch's autocast deems fit, for as long as it lives; nothing for "fp32".
class PrecisionScope {
public:
    explicit PrecisionScope(const std::string& precision);
    ~PrecisionScope();
    PrecisionScope(const PrecisionScope&) = delete;
    PrecisionScope& operator=(const PrecisionScope&) = delete;

private:
    bool m_on;
};

/// A batch's loss, in nats, summed over its target tokens. Without a decoder CTC is the loss: then it stands
/// in crossEntropy, and its target tokens are those of the texts, without </s>; where the texts say every
/// frame (Batch::perFrame), label-smoothed cross entropy of each token against the frame at its centre is.
struct BatchLoss {
    CrossEntropy crossEntropy;
    double ctc = 0;                  ///< summed too, not yet weighted
    std::vector<double> fuzzyGammas; ///< drawn while it was computed, encoder's first
    void add(const BatchLoss& other);
    /// What is minimised, from the same numbers.
    double total(double ctcWeight) const { return crossEntropy.lossSum + ctcWeight * ctc; }
};

/// Forward, and `backward` too where it is asked for: gradients are added to the parameters'. `dropout`: of
/// the architecture, drawn from torch's default generator; else none.
BatchLoss batchLoss(const models::Parameters& parameters, const Architecture& architecture,
                    const Recipe::Loss& recipe, const Batch& batch, bool dropout, bool backward);

/// Greedy hypotheses of a batch, without </s>, at most `maximum` tokens each; of a model without a decoder
/// the best CTC path, however long; where the texts say every frame, the best label of each frame's token.
std::vector<std::vector<int>> greedyBatch(const models::Parameters& parameters,
                                          const Architecture& architecture, const Batch& batch,
                                          std::int64_t maximum);

} // namespace headroom::training
