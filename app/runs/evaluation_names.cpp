// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/evaluation_names.h"

#include "app/documents/items/paths.h"
#include "app/runs/run_names.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

namespace headroom::app {

namespace fs = std::filesystem;
using widgets::RunItem;

QString decodingText(const EvaluationRequest& request, const std::vector<RunItem>& runs) {
    QStringList parts;
    if (request.beam > 1)
        parts << tr("beam %1").arg(request.beam);
    if (request.ctcBeam > 0)
        parts << tr("CTC beam %1").arg(request.ctcBeam);
    if (parts.isEmpty())
        parts << tr("greedy");
    const EvaluationRequest usual;
    const auto add = [&](const QString& words, double value, double otherwise) {
        if (value != otherwise)
            parts << words.arg(widgets::shortNumberText(value));
    };
    add(tr("CTC weight %1"), request.ctcWeight, usual.ctcWeight);
    if (!request.languageModel.empty())
        parts << tr("language model %1 at %2").arg(nameOfModel(request.languageModel, runs), widgets::shortNumberText(request.languageModelWeight));
    add(tr("length penalty %1"), request.lengthPenalty, usual.lengthPenalty);
    add(tr("coverage weight %1"), request.coverageWeight, usual.coverageWeight);
    add(tr("windows of %1 s"), request.window, usual.window);
    if (!request.glm.empty())
        parts << tr("rules %1").arg(toQString(request.glm.filename()));
    return parts.join(QLatin1String(", "));
}

QString evaluatedText(const EvaluationRequest& request, const RunItem* run) {
    QString what = QString::fromStdString(request.split);
    if (const QString corpus = toQString(request.data.filename()); !corpus.isEmpty() && (!run || corpus != run->data))
        what += tr(" of %1").arg(corpus);
    const QString task = QString::fromStdString(request.task);
    return task.isEmpty() || (run && task == run->task) ? what : what + QStringLiteral(", ") + task;
}

/// `version`: of the model, ", at update 100", ", mean of 2 checkpoints, the last of update 100".
static QString titleOf(const EvaluationRequest& request, const QString& version, const std::vector<RunItem>& runs) {
    const QString name = nameOfModel(request.model, runs) + version;
    const QString pattern = name.contains(QLatin1String(", ")) ? tr("Evaluate %1, on %2") : tr("Evaluate %1 on %2"); // "local-17, seed 1,"
    QString what = pattern.arg(name, evaluatedText(request, nullptr));
    if (request.checkpoint != EvaluationRequest().checkpoint)
        what += tr(", %1 checkpoint").arg(QString::fromStdString(request.checkpoint));
    const QString decoding = decodingText(request, runs);
    return decoding == decodingText({}) ? what : what + QStringLiteral(", ") + decoding; // greedy is the usual one
}

QString evaluationTitle(const EvaluationInfo& evaluation, const std::vector<RunItem>& runs) {
    const QString weights = widgets::exportedText(evaluation.weights);
    const QString version = weights.isEmpty() ? QString() : evaluation.weights.size() == 1 ? tr(", at %1").arg(weights) : QStringLiteral(", ") + weights;
    return titleOf(evaluation.request, version, runs);
}

QString evaluationTitle(const EvaluationRequest& request, const std::vector<RunItem>& runs) {
    return titleOf(request, {}, runs);
}

QString briefEvaluationTitle(const EvaluationRequest& request, const std::vector<RunItem>& runs) {
    return tr("%1 … on %2…").arg(nameOfModel(request.model, runs), QString::fromStdString(request.split));
}

std::map<fs::path, QString> evaluationTitles(const std::vector<EvaluationInfo>& evaluations, const std::vector<RunItem>& runs) {
    std::map<fs::path, QString> titles;
    std::map<QString, int> ended;
    for (const EvaluationInfo& one : evaluations) {
        const QString& title = titles[one.folder] = evaluationTitle(one, runs);
        ended[title] += one.ended.empty() ? 0 : 1;
    }
    for (const EvaluationInfo& one : evaluations)
        if (QString& title = titles[one.folder]; !one.ended.empty() && ended[title] > 1)
            title += QStringLiteral(", ") + timeInName(one.ended);
    return titles;
}

} // namespace headroom::app
