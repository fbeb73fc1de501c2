// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/why_no_map.h"

#include "widgets/look/translate.h"

namespace headroom::app {

QString whyNotSource(const OpenModel& model, const OpenUtterance& utterance) {
    if (model.readsText() && !utterance.isText)
        return tr("%1 reads text, not recordings. Choose New text in the File menu, or open a text file.").arg(model.shownName());
    if (!model.readsText() && utterance.isText)
        return tr("%1 reads recordings, not text. Choose a recording or another model.").arg(model.shownName());
    return utterance.isText && utterance.text.isEmpty() ? tr("Type a text to analyse.") : QString();
}

QString whyNoMap(const OpenModel& model, const OpenUtterance& utterance) {
    if (utterance.state == OpenState::Failed)
        return utterance.sentence;
    return model.info && utterance.state == OpenState::Ready ? whyNotSource(model, utterance) : QString();
}

QString whyNoWords(const OpenModel& model) {
    return model.maps ? tr("Imported maps have no decoder, so no text can be located in the sound.") : QString();
}

QString whyNoCrossAttention(const OpenModel& model) {
    if (model.maps)
        return whyNoWords(model);
    const bool never = model.info && !model.info->architecture.decoder && !model.info->architecture.languageModel;
    return never ? tr("This model has no decoder, so there is no cross-attention.") : QString();
}

} // namespace headroom::app
