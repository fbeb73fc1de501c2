// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/loss_fit.h"

#include <algorithm>

namespace headroom {

std::optional<LossMistake> lossMistake(const Architecture& architecture, const Recipe::Loss& loss, const std::string& called) {
    const std::string name = !called.empty() ? called : architecture.name.empty() ? "This architecture" : "“" + architecture.name + "”";
    const auto shares = trueTokenShares(loss);
    const bool samples = std::any_of(shares.begin(), shares.end(), [](double share) { return share < 1; });
    if (architecture.languageModel) {
        if (loss.ctcWeight > 0 || loss.tokenCutoff > 0 || loss.rDrop > 0)
            return LossMistake{"train.loss", name + " is a language model, so loss.ctcWeight, loss.tokenCutoff and loss.rDrop must be 0."};
        if (samples)
            return LossMistake{"train.loss", name + " is a language model, and scheduled sampling is for decoders; set "
                                                    "loss.scheduledSampling to “1”."};
        return std::nullopt;
    }
    // The output that loss.ctcWeight adds is left out of the trained model: it cannot be all that there is.
    if (!architecture.decoder && !architecture.ctc)
        return LossMistake{"model.unsupported", name + " has neither a decoder nor a CTC output, so it cannot be trained.", false};
    const bool readsText = architecture.frontEnd.reads == InputKind::Text;
    if (loss.tokenCutoff > 0 && loss.rDrop > 0)
        return LossMistake{"train.consistency", "loss.tokenCutoff and loss.rDrop are two losses of a second pass; set one of them to 0."};
    if (loss.rDrop > 0 && !architecture.decoder)
        return LossMistake{"train.consistency", name + " has no decoder, so loss.rDrop must be 0."};
    if (loss.tokenCutoff > 0 && !readsText)
        return LossMistake{"train.consistency", name + " reads no text, so loss.tokenCutoff must be 0."};
    if (!architecture.decoder && (samples || loss.smoothing == "unigram"))
        return LossMistake{"train.loss", name + " has no decoder, so " +
                                             (samples ? "loss.scheduledSampling must be “1”." : "loss.smoothing must be “uniform”.")};
    if (samples && (loss.tokenCutoff > 0 || loss.rDrop > 0))
        return LossMistake{"train.consistency", "loss.scheduledSampling cannot be combined with loss.tokenCutoff or loss.rDrop; "
                                                "set it to “1”, or those to 0."};
    if (architecture.decoder && architecture.ctc && loss.ctcWeight == 0)
        return LossMistake{"train.ctcWeight",
                           name + " has a CTC output beside its decoder, which is not trained if loss.ctcWeight is 0."};
    return std::nullopt;
}

} // namespace headroom
