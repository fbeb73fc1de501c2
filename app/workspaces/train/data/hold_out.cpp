// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/hold_out.h"

#include "core/corpus/corpus.h"
#include "core/corpus/kinds/text_lines.h"
#include "widgets/look/icons.h"
#include "widgets/look/percent_text.h"
#include "widgets/look/translate.h"

#include <QPushButton>

namespace headroom::app {

std::string splitToDivide(const Corpus& corpus, const std::string& name) {
    const auto& splits = corpus.document().splits;
    const CorpusTask* task = corpus.document().task(name);
    if (splits.size() != 1 || !task || task->isText)
        return {};
    int texts = 0; // of a large corpus, the first rows answer it
    for (const Utterance& utterance : corpus.utterances(splits.front(), name))
        if (!trimmedText(utterance.text).empty() && ++texts > 1)
            return splits.front();
    return {};
}

QString missingSplitAdvice(const QStringList& keys, bool canBeDivided, const QString& where) {
    return (canBeDivided ? tr("Hold out a part for dev, or set %1 in %2.") : tr("Set %1 in %2.")).arg(keys.join(tr(" and ")), where);
}

QString heldOutNote(const CorpusDocument& document) {
    static const nlohmann::json::json_pointer note("/heldOut/note");
    const nlohmann::json& made = document.made;
    return made.is_object() && made.contains(note) && made[note].is_string() ? widgets::withWholePercents(QString::fromStdString(made[note].get<std::string>())) : QString();
}

QPushButton* makeHoldOutButton(QWidget* parent) {
    auto* button = new QPushButton(widgets::icon(QStringLiteral("import")), tr("Hold out dev…"), parent);
    button->setToolTip(tr("This corpus has only one split. Make a corpus of the same recordings with a part held out for dev."));
    return button;
}

} // namespace headroom::app
