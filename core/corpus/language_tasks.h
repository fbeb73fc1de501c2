// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace headroom {

/// Is it the task of a language model: "lm", or "lm_TASK" for the texts of TASK ("lm_st_de")?
inline bool isLanguageTask(std::string_view task) {
    return task == "lm" || task.starts_with("lm_");
}

/// The task of a corpus whose texts "lm" means: the transcripts, or the only task; empty: "lm" could mean several.
inline std::string textTaskOf(const Corpus& corpus) {
    const auto& tasks = corpus.document().tasks;
    const auto transcripts = std::find_if(tasks.begin(), tasks.end(), [](const CorpusTask& task) {
        return !task.isTranslation() && !task.isText && !task.name.starts_with("phone");
    });
    if (transcripts != tasks.end())
        return transcripts->name;
    return tasks.size() == 1 ? tasks.front().name : std::string();
}

} // namespace headroom
