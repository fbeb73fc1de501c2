// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/text_form.h"

namespace headroom::training {

namespace {

void addRules(TextForm& form, const TokenRules& rules, const Architecture& architecture,
              const CorpusDocument& corpus, const std::string& name) {
    const CorpusTask* found = corpus.task(name);
    const CorpusTask task = found ? *found : CorpusTask();
    form.rules = rules;
    if (task.isTranslation() && rules.tasks.contains("translate"))
        form.rules.task = "translate";
    const bool known = rules.languages.contains(task.source);
    const bool stated = !task.source.empty() && task.source != "source";
    if (!rules.languages.empty() && rules.language.empty() && !known)
        throw Error("train.language",
                    architecture.name + " is told the language before each text, and the corpus " + corpus.name +
                        (stated ? " is in “" + task.source + "”, which it does not have."
                                : " does not state its language. Add “languages” and each task's “source” to "
                                  "corpus.json."),
                    {{"corpus", corpus.name}, {"language", task.source}});
    form.prompt = form.rules.prompt(known ? task.source : std::string(), false, architecture.vocabulary);
    form.padding = rules.start;
}

} // namespace

const std::shared_ptr<const TextForm>& plainTextForm() {
    static const auto form = std::make_shared<const TextForm>();
    return form;
}

std::shared_ptr<const TextForm> textFormOf(const TokenRules& rules, const Architecture& architecture,
                                           const CorpusDocument& corpus, const std::string& task) {
    TextForm form;
    form.window = architecture.frontEnd.input().window().value_or(0);
    if (rules != TokenRules())
        addRules(form, rules, architecture, corpus, task);
    if (architecture.decoder && architecture.decoder->positions == TextPositions::Learnt)
        form.longest = architecture.decoder->places - static_cast<std::int64_t>(form.prompt.size());
    return std::make_shared<const TextForm>(std::move(form));
}

} // namespace headroom::training
