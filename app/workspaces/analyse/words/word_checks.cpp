// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/word_checks.h"

#include "app/parts/number_text.h"
#include "app/workspaces/analyse/map/checks.h"
#include "widgets/look/translate.h"

namespace headroom::app {

QList<Check> wordChecks(const SpokenWords* words, WordsBlock block, const DecoderLayerState* layer, const OpenModel* model, TextChoice text,
                        std::optional<Seconds> length) {
    const bool decodes = words && words->layers() > 0;
    const auto number = [&](double DecoderLayerState::*value) {
        return layer && layer->checked ? std::optional(layer->*value) : std::nullopt;
    };
    const QString reason = words && !decodes ? tr("This model has no decoder.") : layer ? layer->reason : QString();
    const QString which = block == WordsBlock::Self ? tr("self-attention") : tr("cross-attention");
    QList<Check> checks{
        measuredCheck(tr("Rows sum to 1"), number(&DecoderLayerState::rowSumError), reason, kRowSumTolerance,
                      tr("The largest |Σ_j C_ij − 1| over all rows of this layer's %1, the residual "
                         "included.").arg(which)),
        measuredCheck(tr("Rebuilds the output"), number(&DecoderLayerState::rebuildError), reason, kRebuildTolerance,
                      tr("Largest difference between Σ_j T_ij + b_O and the captured output of the %1 block, "
                         "over all rows.").arg(which)),
        measuredCheck(tr("Gram against twin"), number(&DecoderLayerState::gramError), reason, kGramTolerance,
                      tr("Largest difference between C from Gram matrices and C with every T_ij written out in "
                         "double precision, over 16 seeded rows; with more than 128 keys, over a sample of 128.")),
    };
    if (const auto window = windowCheck(model, length))
        checks << *window;
    checks << Check{words ? Check::State::Passed : Check::State::Unknown, tr("Text"),
                    !words                       ? kUnknown
                    : text == TextChoice::Given  ? tr("as given")
                    : text == TextChoice::Best   ? tr("best of a search")
                                                 : tr("greedy"),
                    tr("How the pieces that the decoder reads were produced.")};
    return checks;
}

} // namespace headroom::app
