// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/least_length.h"

#include "core/alignment/plain_number.h"
#include "core/studies/study.h"
#include "core/text/text_words.h"

#include <algorithm>

namespace headroom {

namespace {

/// 0 in the settings of other kinds and of earlier versions.
double numberOr0(const nlohmann::json& settings, const char* key) {
    const auto found = settings.find(key);
    return found != settings.end() && found->is_number() ? found->get<double>() : 0;
}

} // namespace

double leastLengthIn(const nlohmann::json& settings, bool ofTexts) {
    return numberOr0(settings, ofTexts ? "fewestWords" : "shortest");
}

std::string leastLength(const nlohmann::json& settings, bool ofTexts) {
    const double least = leastLengthIn(settings, ofTexts);
    if (least <= 0)
        return {};
    return ofTexts ? counted(static_cast<std::int64_t>(least), "word") : plainNumber(least) + " s";
}

bool isTooShort(const nlohmann::json& settings, const StudyUtterance& utterance) {
    const bool isText = !utterance.text.empty();
    const double length = isText ? static_cast<double>(wordCount(utterance.text)) : utterance.seconds;
    return length < leastLengthIn(settings, isText);
}

std::int64_t tooShortCount(const Study& study) {
    return std::count_if(study.utterances.begin(), study.utterances.end(), [&](const StudyUtterance& utterance) {
        const bool isKnown = utterance.seconds > 0 || !utterance.text.empty(); // not of a file that could not be read
        return !utterance.error.empty() && isKnown && isTooShort(study.settings, utterance);
    });
}

} // namespace headroom
