// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/least_length.h"

#include "core/alignment/plain_number.h"
#include "core/studies/study.h"

#include <algorithm>

namespace headroom {

namespace {

/// 0 in the settings of other kinds and of earlier versions.
double numberOr0(const nlohmann::json& settings, const char* key) {
    const auto found = settings.find(key);
    return found != settings.end() && found->is_number() ? found->get<double>() : 0;
}

double shortestIn(const nlohmann::json& settings) {
    return numberOr0(settings, "shortest");
}

std::int64_t fewestWordsIn(const nlohmann::json& settings) {
    return static_cast<std::int64_t>(numberOr0(settings, "fewestWords"));
}

} // namespace

std::int64_t wordCount(std::string_view text) {
    std::int64_t words = 0;
    bool inWord = false;
    for (const char letter : text) {
        const bool isBlank = letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
        words += !isBlank && !inWord;
        inWord = !isBlank;
    }
    return words;
}

std::string leastLength(const nlohmann::json& settings, bool ofTexts) {
    if (ofTexts)
        return fewestWordsIn(settings) > 0 ? counted(fewestWordsIn(settings), "word") : std::string();
    return shortestIn(settings) > 0 ? plainNumber(shortestIn(settings)) + " s" : std::string();
}

bool isTooShort(const nlohmann::json& settings, const StudyUtterance& utterance) {
    return utterance.text.empty() ? utterance.seconds < shortestIn(settings)
                                  : wordCount(utterance.text) < fewestWordsIn(settings);
}

std::int64_t tooShortCount(const Study& study) {
    return std::count_if(study.utterances.begin(), study.utterances.end(), [&](const StudyUtterance& utterance) {
        const bool isKnown = utterance.seconds > 0 || !utterance.text.empty(); // not of a file that could not be read
        return !utterance.error.empty() && isKnown && isTooShort(study.settings, utterance);
    });
}

} // namespace headroom
