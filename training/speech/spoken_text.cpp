// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/speech/spoken_text.h"

#include "core/errors/count_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace headroom::training {

namespace {

/// A span in samples, before it becomes seconds.
struct Span {
    std::int64_t start, end;
    std::string label;
};

bool isWordByte(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
}

Tier tierOf(const std::string& name, const std::vector<Span>& spans, SampleRate rate) {
    Tier tier;
    tier.name = name;
    for (const auto& span : spans) {
        // Pauses that follow one another are one silence; nothing is as short as nothing.
        const bool silent = span.label.empty() || span.label == "sil";
        const auto end = rate.duration(Samples(span.end));
        if (span.end <= span.start)
            continue;
        if (silent && !tier.intervals.empty() && tier.intervals.back().label == span.label)
            tier.intervals.back().end = end;
        else
            tier.intervals.push_back({rate.duration(Samples(span.start)), end, span.label});
    }
    return tier;
}

} // namespace

SpokenText spokenText(const std::string& text) {
    SpokenText result;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        result.text += (result.text.empty() ? "" : "\u00a0") + word;
        const auto first = std::find_if(word.begin(), word.end(), isWordByte);
        if (first == word.end())
            continue; // a dash between blanks is a pause, not a word
        const auto last = std::find_if(word.rbegin(), word.rend(), isWordByte).base();
        result.words.emplace_back(first, last);
    }
    if (result.words.empty())
        throw Error("speech.noText", "There are no words in \"" + text + "\".");
    return result;
}

TextGrid gridOf(const Speech& speech, const std::vector<std::string>& words,
                const std::function<std::string(const std::string&)>& arpabet) {
    const auto end = static_cast<std::int64_t>(speech.samples.size());
    const auto clipped = [&](std::int64_t sample) { return std::clamp(sample, std::int64_t(0), end); };
    std::vector<Span> wordSpans, phoneSpans;
    std::int64_t position = 0; // up to here both tiers are filled
    std::size_t said = 0;
    bool inWord = false, wordBegins = false;
    const auto fill = [&](std::int64_t until) { // what was being said goes on until here
        if (wordSpans.empty()) {
            wordSpans.push_back({0, until, ""});
            phoneSpans.push_back({0, until, "sil"});
        }
        wordSpans.back().end = phoneSpans.back().end = std::max(position, until);
        position = std::max(position, until);
    };
    for (const auto& event : speech.events) {
        const auto sample = clipped(event.sample);
        if (event.kind == Speech::Event::Kind::Word) {
            fill(sample);
            wordSpans.push_back({position, position, said < words.size() ? words[said] : std::string()});
            phoneSpans.push_back({position, position, "sil"});
            ++said;
            inWord = wordBegins = true;
            continue;
        }
        const auto label = arpabet(event.name);
        if (label.empty())
            throw Error("speech.phone", "espeak-ng's phone \"" + event.name +
                                            "\" has no ARPABET name. Use an English voice.");
        const bool pause = label == "sil";
        if (!wordBegins || pause)
            fill(sample);
        if (pause) {
            if (inWord)
                wordSpans.push_back({position, position, ""});
            phoneSpans.push_back({position, position, "sil"});
            inWord = wordBegins = false;
            continue;
        }
        if (wordBegins)
            phoneSpans.back().label = label; // the word's first phone begins with it
        else
            phoneSpans.push_back({position, position, label});
        wordBegins = false;
    }
    fill(end);
    if (said != words.size())
        throw Error("speech.words",
                    "espeak-ng said " + counted(static_cast<std::int64_t>(said), "word") + " where the text has " +
                        std::to_string(words.size()) +
                        ", so their times are unknown. Write numbers, abbreviations and compounds as "
                        "separate words.",
                    {{"said", said}, {"written", words.size()}});
    std::vector<Span> single;
    for (const auto& span : phoneSpans) {
        const auto count =
            static_cast<std::int64_t>(std::count(span.label.begin(), span.label.end(), ' ')) + 1;
        std::istringstream labels(span.label);
        std::string label;
        for (std::int64_t index = 0; labels >> label; ++index)
            single.push_back({span.start + (span.end - span.start) * index / count,
                              span.start + (span.end - span.start) * (index + 1) / count, label});
    }
    TextGrid grid;
    grid.end = speech.rate.duration(Samples(end));
    grid.tiers.push_back(tierOf("words", wordSpans, speech.rate));
    grid.tiers.push_back(tierOf("phones", single, speech.rate));
    return grid;
}

} // namespace headroom::training
