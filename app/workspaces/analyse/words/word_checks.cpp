// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/word_checks.h"

#include "app/parts/number_text.h"
#include "app/workspaces/analyse/map/checks.h"
#include "core/features/recording_length.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

/// Of a model that computes a fixed window, nothing else.
std::optional<Seconds> windowOf(const OpenModel* model) {
    if (!model || !model->info)
        return std::nullopt;
    const ModelInput input = model->info->architecture.frontEnd.input();
    const auto frames = input.window();
    return frames ? std::optional(kModelSampleRate.duration(longestRecording(input, *frames))) : std::nullopt;
}

/// "30 s", "0.50 s"
QString windowText(Seconds window) {
    return window.value() == std::round(window.value()) ? QString::number(window.value()) + widgets::kNarrowSpace + QLatin1Char('s')
                                                        : secondsInList(window);
}

} // namespace

QList<Check> wordChecks(const SpokenWords* words, WordsBlock block, const DecoderLayerState* layer, const OpenModel* model, TextChoice text,
                        Seconds length) {
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
    if (const auto window = windowOf(model)) {
        const QString shown = secondsInList(std::min(length, *window));
        checks << Check{Check::State::Passed, tr("Window of %1").arg(windowText(*window)),
                        shown == secondsInList(*window) ? tr("filled") : tr("cut to %1").arg(shown),
                        tr("The model always computes this whole window. Maps show the recording's own tokens, "
                           "and rows are divided by their sum over these tokens.")};
    }
    checks << Check{words ? Check::State::Passed : Check::State::Unknown, tr("Text"),
                    !words                       ? kUnknown
                    : text == TextChoice::Given  ? tr("as given")
                    : text == TextChoice::Best   ? tr("best of a search")
                                                 : tr("greedy"),
                    tr("How the pieces that the decoder reads were produced.")};
    return checks;
}

} // namespace headroom::app
