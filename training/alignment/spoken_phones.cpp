// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/spoken_phones.h"

#include "core/alignment/phones.h"
#include "core/errors/count_text.h"
#include "training/speech/spoken_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace headroom::training {

namespace {

/// Words as espeak counts them, each with its phones.
std::vector<std::vector<std::string>> say(const std::string& text) {
    std::vector<std::vector<std::string>> words;
    for (const auto& event : speakWithEspeak(text, Voice()).events) {
        if (event.kind == Speech::Event::Kind::Word) {
            words.emplace_back();
            continue;
        }
        const auto phones = arpabetFromEspeak(event.name);
        if (phones.empty())
            throw Error("speech.phone", "espeak-ng's phone \"" + event.name + "\" has no ARPABET name.");
        if (phones == "sil" || words.empty())
            continue;
        std::istringstream each(phones);
        for (std::string phone; each >> phone;)
            words.back().push_back(phone);
    }
    return words;
}

std::string readable(const std::string& text) {
    const bool small =
        std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::islower(c) != 0; });
    std::string result = text;
    if (!small)
        std::transform(result.begin(), result.end(), result.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

} // namespace

SpokenPhones spokenPhones(const std::string& text) {
    const auto written = spokenText(text);
    const auto read = spokenText(readable(text));
    SpokenPhones result;
    auto said = say(read.text);
    if (said.size() != written.words.size()) {
        result.warnings.push_back(
            {"align.wordsAlone",
             "espeak-ng says " + counted(static_cast<std::int64_t>(said.size()), "word") + " where the text has " +
                 std::to_string(written.words.size()) +
                 " (a number, an abbreviation, a compound), so each word was spoken separately."});
        said.clear();
        for (const auto& word : read.words) {
            auto& phones = said.emplace_back();
            for (const auto& part : say(word))
                phones.insert(phones.end(), part.begin(), part.end());
        }
    }
    for (std::size_t i = 0; i < said.size(); ++i) {
        if (said[i].empty())
            result.warnings.push_back(
                {"align.silentWord",
                 "espeak-ng does not speak \"" + written.words[i] + "\"; the word is left out."});
        else
            result.words.push_back({written.words[i], std::move(said[i])});
    }
    if (result.words.empty())
        throw Error("speech.noText", "There are no words in \"" + text + "\".");
    return result;
}

} // namespace headroom::training
