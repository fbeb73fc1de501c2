// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/notes.h"

#include <algorithm>
#include <numeric>

namespace headroom {

namespace {

constexpr std::string_view kSays = ": ";

/// Whose note it is, from 0; −1: the study's. Of two names that fit, "a" and "a: b", the longer.
int modelOf(const std::string& note, const std::vector<StudyModel>& models) {
    int found = -1;
    std::size_t longest = 0;
    for (std::size_t model = 0; model < models.size(); ++model)
        if (const std::string begin = models[model].name + std::string(kSays); begin.size() > longest && note.starts_with(begin)) {
            longest = begin.size();
            found = static_cast<int>(model);
        }
    return found;
}

/// Those of the study and of the models `of`.
std::vector<std::string> saidOf(const std::vector<std::string>& all, const std::vector<StudyModel>& models, const std::vector<int>& of) {
    struct Said {
        std::string whose, sentence;
    };
    std::vector<Said> said;
    for (const std::string& note : all) {
        const int model = modelOf(note, models);
        if (model < 0) {
            said.push_back({"", note});
            continue;
        }
        if (std::find(of.begin(), of.end(), model) == of.end())
            continue;
        const std::string& name = models[static_cast<std::size_t>(model)].name;
        const std::string sentence = note.substr(name.size() + kSays.size());
        const auto same = std::find_if(said.begin(), said.end(),
                                       [&](const Said& one) { return !one.whose.empty() && one.sentence == sentence; });
        if (same == said.end())
            said.push_back({name, sentence});
        else
            same->whose += "; " + name; // names have commas
    }
    std::vector<std::string> notes;
    for (const Said& one : said)
        notes.push_back(one.whose.empty() ? one.sentence : one.whose + std::string(kSays) + one.sentence);
    return notes;
}

} // namespace

std::vector<std::string> notesAbout(const Study& study, const std::vector<int>& models) {
    return saidOf(study.notes, study.models, models);
}

std::vector<std::string> allNotes(const Study& study) {
    return merged(study.notes, study.models);
}

std::vector<std::string> merged(const std::vector<std::string>& notes, const std::vector<StudyModel>& models) {
    std::vector<int> all(models.size());
    std::iota(all.begin(), all.end(), 0);
    return saidOf(notes, models, all);
}

} // namespace headroom
