// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/caption_text.h"

#include "app/parts/number_text.h"
#include "widgets/look/translate.h"

#include <QFileInfo>

namespace headroom::app {

namespace {

constexpr int kHashDigits = 12;

} // namespace

QString modelText(const OpenModel& model, const AnalysisResult* result) {
    if (result && result->imported)
        return model.name == QFileInfo(result->imported->file).completeBaseName() ? result->imported->file
                                                                                  : tr("%1, %2").arg(model.shownName(), result->imported->file);
    const QString hash = model.info ? model.info->hash.left(kHashDigits) : QString();
    return hash.isEmpty() ? model.shownName() : tr("%1 (SHA-256 %2)").arg(model.shownName(), hash);
}

QString recordingText(const QString& which, const OpenUtterance& utterance) {
    if (utterance.isText)
        return tr("Text: %1").arg(utterance.text);
    QString recording = tr("%1: %2, %3.").arg(which, utterance.shownName(), secondsInList(utterance.duration()));
    if (utterance.alignment && !utterance.alignment->origin.empty())
        recording += tr(" Alignment: %1.").arg(QString::fromStdString(utterance.alignment->origin));
    return recording;
}

QString recordingText(const OpenUtterance* utterance) {
    return utterance ? recordingText(tr("Recording"), *utterance) : QString();
}

QString gammaText(double gamma) {
    return gamma == 1 ? QString() : tr(", colour gamma %1").arg(decimals(gamma, 2));
}

} // namespace headroom::app
