// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/caption_text.h"

#include "app/parts/number_text.h"
#include "widgets/look/translate.h"

#include <QFileInfo>

namespace headroom::app {

namespace {

constexpr int kHashDigits = 12;

QString withHash(const QString& name, const QString& hash) {
    return tr("%1 (SHA-256 %2)").arg(name, hash.left(kHashDigits));
}

} // namespace

QString modelText(const OpenModel& model, const AnalysisResult* result) {
    if (result && result->imported)
        return model.name == QFileInfo(result->imported->file).completeBaseName() ? result->imported->file
                                                                                  : tr("%1, %2").arg(model.shownName(), result->imported->file);
    return !model.info || model.info->hash.isEmpty() ? model.shownName() : withHash(model.shownName(), model.info->hash);
}

QString modelText(const StudyModel& model) {
    const QString name = QString::fromStdString(model.name);
    if (model.maps)
        return tr("%1 (imported maps)").arg(name);
    return model.weightsHash.empty() ? tr("%1 (random weights)").arg(name) : withHash(name, QString::fromStdString(model.weightsHash));
}

QString recordingText(const OpenUtterance& utterance, const QString& map) {
    if (utterance.isText)
        return tr("%1: “%2”.").arg(map.isEmpty() ? tr("Text") : tr("Text of %1").arg(map), utterance.text);
    QString recording = tr("%1: %2, %3.").arg(map.isEmpty() ? tr("Recording") : tr("Recording of %1").arg(map), utterance.shownName(),
                                              secondsInList(utterance.duration()));
    if (utterance.alignment && !utterance.alignment->origin.empty())
        recording += tr(" Alignment: %1.").arg(QString::fromStdString(utterance.alignment->origin));
    return recording;
}

QString recordingText(const OpenUtterance* utterance) {
    return utterance ? recordingText(*utterance) : QString();
}

QString gammaText(double gamma) {
    return gamma == 1 ? QString() : tr(", colour gamma %1").arg(decimals(gamma, 2));
}

} // namespace headroom::app
