// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/evaluated_text.h"

#include "core/runs/score_decimals.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

#include <QStringList>

namespace headroom::widgets {

bool EvaluatedResult::recognises() const {
    return !isTranslation(task) && !isLanguageModel(task);
}

EvaluatedResult resultOn(const RunGroup& group, const QString& split) {
    EvaluatedResult result;
    std::vector<double> scores, mapped;
    QStringList weights;
    bool others = false;
    for (const RunItem* run : group.scoredRuns())
        if (const EvaluatedScore* one = run->evaluatedOn(split)) {
            result.task = one->task;
            result.order = one->order;
            scores.push_back(one->score());
            mapped.push_back(one->mappedWer);
            others = others || one->checkpoint == QLatin1String("best") || one->checkpoint == QLatin1String("last");
            if (const QString words = weightsWords(one->checkpoint); !weights.contains(words))
                weights << words;
        }
    result.score = statisticsOf(scores);
    result.mapped = statisticsOf(mapped);
    result.weights = others ? weights.join(tr(" and ")) : QString();
    result.seeds = group.seeds();
    return result;
}

namespace {

QString ofWhich(const EvaluatedResult& result) {
    return (result.weights.isEmpty() ? QString() : QStringLiteral(", ") + result.weights) +
           (result.score.count < result.seeds ? tr(", %1 of %2 seeds").arg(result.score.count).arg(result.seeds) : QString());
}

} // namespace

QString valueText(const EvaluatedResult& result) {
    return meanText(result.score, kScoreDecimals) + (result.score.count > 0 ? ofWhich(result) : QString());
}

QString resultText(const RunGroup& group, const QString& split) {
    const EvaluatedResult result = resultOn(group, split);
    if (result.score.count == 0)
        return QStringLiteral("–");
    const QString score = meanText(result.score, kScoreDecimals);
    if (!result.recognises())
        return tr("%1 %2, %3").arg(score, measureWord(result.task), split) + ofWhich(result);
    return (result.mapped.count == result.score.count // the mean is of the same seeds
                ? tr("%1\u202f% WER, %2\u202f% with rules, %3").arg(score, meanText(result.mapped, kScoreDecimals), split)
                : tr("%1\u202f% WER, %2").arg(score, split)) +
           ofWhich(result);
}

QString measureWord(const std::string& task) {
    return isTranslation(task) ? tr("BLEU") : isLanguageModel(task) ? tr("PPL") : tr("WER");
}

QString weightsWords(const QString& checkpoint) {
    return checkpoint == QLatin1String("best")   ? tr("the best checkpoint")
           : checkpoint == QLatin1String("last") ? tr("the last checkpoint")
                                                 : tr("the exported model");
}

} // namespace headroom::widgets
