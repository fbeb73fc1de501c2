// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "models/layers/autocast.h"
#include "models/layers/parameters.h"
#include "training/data/loader.h"
#include "training/decoding/text_decoder.h"
#include "training/loop/losses/losses.h"
#include "training/loop/losses/scheduled_sampling.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::models {
struct LayerFactors;
struct SharedStatistics;
}

namespace headroom::training {

/// Computes what torch's autocast selects in bfloat16 during its lifetime; does nothing for "fp32".
class PrecisionScope {
public:
    explicit PrecisionScope(const std::string& precision);

private:
    models::Bfloat16Scope m_scope;
};

/// The loss of a batch, in nats, summed over its target tokens. Without a decoder the loss is CTC, stored in
/// crossEntropy, with the tokens of the texts without </s>. If texts label every frame (Batch::perFrame), it
/// is the label-smoothed cross entropy of each token against the frame at its centre. Of a language model it is that of
/// each token of a sentence, and of </s>, given </s> and the tokens before it.
struct BatchLoss {
    CrossEntropy crossEntropy;
    double ctc = 0;                  ///< also summed, unweighted
    /// Token cutoff and R-Drop: cross entropy of the second pass and the weighted divergence, summed.
    double consistency = 0;
    std::vector<double> fuzzyGammas; ///< sampled during the computation, encoder's first
    void add(const BatchLoss& other);
    /// The minimised value, from the same numbers.
    double total(double ctcWeight) const { return crossEntropy.lossSum + ctcWeight * ctc + consistency; }
};

/// What else a pass of training depends on. What is pointed to must outlive the pass.
struct PassOptions {
    /// Of BatchNorm over several processes; a batch that does not count there adds zeros to the gradients.
    const models::SharedStatistics* statistics = nullptr;
    const std::vector<double>* unigram = nullptr; ///< what label smoothing smooths towards (losses.h); null: uniform
    Sampling sampling; ///< scheduled sampling, with `dropout` only
    /// Layer drop, with `dropout` only: of the pass, and of the second pass of a consistency loss. Null: all layers.
    const models::LayerFactors *layers = nullptr, *secondLayers = nullptr;
    double relaxation = 1; ///< × γ of relaxed attention, with `dropout` only
    /// With `backward` only: returns what is passed back through instead, of the same value; empty: the loss.
    std::function<at::Tensor(const at::Tensor& loss)> beforeBackward;
};

/// Forward pass, and backward pass if `backward`: adds gradients to those of the parameters. `dropout`: that
/// of the architecture, from torch's default generator; otherwise none, and no second pass for a consistency loss.
BatchLoss batchLoss(const models::Parameters& parameters, const Architecture& architecture,
                    const Recipe::Loss& recipe, const Batch& batch, bool dropout, bool backward,
                    const PassOptions& options = {});

/// Returns greedy hypotheses of a batch, without </s>, at most `maximum` tokens each; without a decoder the
/// best CTC path of any length; if texts label every frame, the best label of each frame's token.
std::vector<std::vector<int>> greedyBatch(const models::Parameters& parameters,
                                          const Architecture& architecture, const Batch& batch,
                                          std::int64_t maximum);

/// The same texts, of a decoder with </s> if it came before the limit; with `scores` as of SpeechModel::greedyScored(),
/// except where texts label every frame.
std::vector<TextHypothesis> greedyTexts(const models::Parameters& parameters, const Architecture& architecture,
                                        const Batch& batch, std::int64_t maximum, bool scores);

/// Returns the hypotheses of a search for each recording of a batch, best first.
std::vector<std::vector<TextHypothesis>> decodeBatch(const models::Parameters& parameters,
                                                     const Architecture& architecture, const Batch& batch,
                                                     const TextDecoder& decoder,
                                                     const std::atomic<bool>* cancel = nullptr);

} // namespace headroom::training
