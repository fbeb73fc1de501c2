// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// What a recipe's task is, by its name.

namespace headroom {

/// Whether a task is one of translation, from speech ("st_de") or from text ("translate", "translate_es"), which is scored by BLEU.
inline bool isTranslation(std::string_view task) {
    return task.starts_with("st") || task.starts_with("translate");
}

/// Whether a task is that of a language model ("lm_en"), which has a loss but no score.
inline bool isLanguageModel(std::string_view task) {
    return task.starts_with("lm");
}

/// Whether a task reads text, whose "frames" are tokens: translation of text, and language models.
inline bool readsText(std::string_view task) {
    return task.starts_with("translate") || isLanguageModel(task);
}

} // namespace headroom
