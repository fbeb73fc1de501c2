// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/checks.h"

#include "app/alignments/alignment_severity.h"
#include "app/parts/number_text.h"
#include "core/alignment/phones.h"
#include "core/features/recording_length.h"
#include "core/studies/foreign_maps.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

Check measured(const QString& name, const LayerResult* layer, double LayerResult::*number, double tolerance,
               const QString& toolTip) {
    if (layer && layer->foreign && number != &LayerResult::rowSumError)
        return {Check::State::Unknown, name, kUnknown, tr("Imported maps: this cannot be verified without the model.")};
    const bool known = layer && (std::isfinite(layer->*number) || layer->isReady());
    return measuredCheck(name, known ? std::optional(layer->*number) : std::nullopt, layer ? layer->reason : QString(),
                         tolerance, toolTip);
}

Check alignmentCheck(const OpenUtterance* utterance) {
    Check check{
        Check::State::Unknown, tr("Alignment"), kUnknown,
        tr("Words and phones come from the alignment file of the recording. Lengths, order, phones, words "
           "and audio were checked for consistency. Click to see the problems.")};
    if (utterance && utterance->isText)
        check.value = tr("none");
    if (!utterance || !utterance->recording)
        return check;
    if (!utterance->alignment) {
        const bool isBroken = !utterance->alignmentFile.empty();
        check.value = isBroken ? tr("unreadable") : tr("none");
        check.state = isBroken ? Check::State::Failed : Check::State::Unknown;
        check.leadsToAlignments = isBroken;
        return check;
    }
    const Alignment& alignment = *utterance->alignment;
    qsizetype phones = 0, words = 0;
    for (const Interval& interval : alignment.phones)
        phones += !isSilence(interval.label);
    for (const Interval& interval : alignment.words)
        words += !interval.label.empty();
    check.value = phones > 0 ? (phones == 1 ? tr("1 phone") : tr("%1 phones").arg(phones))
                             : (words == 1 ? tr("1 word") : tr("%1 words").arg(words));
    check.leadsToAlignments = true;
    if (!utterance->alignmentReport) // is being checked
        return check;
    const AlignmentReport& report = *utterance->alignmentReport;
    check.state = severityOf(report) == Severity::Warning ? Check::State::Remark : Check::State::Passed;
    if (!report.usable())
        check.value = tr("not in phone studies");
    if (std::isfinite(report.fit))
        check.toolTip += QLatin1Char('\n') + tr("Fit of labels and audio: %1. It is the correlation of "
                                                "loudness with what the labels predict: 1 at best.")
                                                 .arg(report.fit, 0, 'f', 2);
    for (const AlignmentFinding& finding : report.findings)
        check.toolTip += QLatin1Char('\n') + QString::fromStdString(finding.sentence);
    return check;
}

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

std::optional<Seconds> analysedLength(const OpenUtterance* utterance, const AnalysisResult* result) {
    if (!utterance || !result)
        return std::nullopt;
    return result->part ? result->part->end - result->part->start : utterance->duration();
}

std::optional<Check> windowCheck(const OpenModel* model, std::optional<Seconds> analysed) {
    const auto window = windowOf(model);
    if (!window)
        return std::nullopt;
    const QString shown = analysed ? secondsInList(std::min(*analysed, *window)) : QString();
    return Check{analysed ? Check::State::Passed : Check::State::Unknown, tr("Window of %1").arg(windowText(*window)),
                 !analysed                         ? kUnknown
                 : shown == secondsInList(*window) ? tr("filled")
                                                   : tr("cut to %1").arg(shown),
                 tr("The model always computes this whole window. Maps show the recording's own tokens, "
                    "and rows are divided by their sum over these tokens.")};
}

Check measuredCheck(const QString& name, std::optional<double> number, const QString& reason, double tolerance,
                    const QString& toolTip) {
    Check check{Check::State::Unknown, name, kUnknown, toolTip};
    if (!number || !std::isfinite(*number)) {
        // A worker that measured and found NaN is not the same as one that has not measured yet.
        if (!reason.isEmpty())
            check.toolTip = reason; // there is nothing to measure
        else if (number)
            check.state = Check::State::Remark;
        return check;
    }
    check.state = *number <= tolerance ? Check::State::Passed : Check::State::Failed;
    check.value = QStringLiteral("±") + QChar(0x202F) + smallNumber(*number);
    check.toolTip += QLatin1Char(' ') + tr("Limit: %1.").arg(smallNumber(tolerance));
    return check;
}

QList<Check> checksOf(const OpenUtterance* utterance, const LayerResult* layer, const OpenModel* model,
                      const AnalysisResult* result) {
    QList<Check> checks{
        measured(tr("Rows sum to 1"), layer, &LayerResult::rowSumError,
                 layer && layer->foreign ? kForeignRowTolerance : kRowSumTolerance,
                 tr("The largest |Σ_j C_ij − 1| over all rows of this layer.")),
        measured(tr("Rebuilds the output"), layer, &LayerResult::rebuildError, kRebuildTolerance,
                 tr("Largest difference between Σ_j T_ij + b_O and the captured output of the attention "
                    "block, over all rows.")),
        measured(tr("Gram against twin"), layer, &LayerResult::gramError, kGramTolerance,
                 tr("Largest difference between C from Gram matrices and C with every T_ij written out in "
                    "double precision, over 16 seeded rows; with more than 128 keys, over a sample of 128.")),
    };
    if (const auto window = windowCheck(model, layer && layer->isReady() ? analysedLength(utterance, result) : std::nullopt))
        checks << *window;
    checks << alignmentCheck(utterance);
    return checks;
}

} // namespace headroom::app
