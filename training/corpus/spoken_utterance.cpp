// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/spoken_utterance.h"

#include "core/alignment/phones.h"
#include "core/audio/audio_file.h"
#include "training/corpus/grammar.h"
#include "training/corpus/noun_phrase.h"
#include "training/speech/spoken_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace headroom::training {

namespace {

constexpr std::array<const char*, 5> kAccents{"en-us", "en", "en-gb-x-rp", "en-gb-scotland", "en-us-nyc"};
constexpr std::array<const char*, 13> kSpeakers{"",    "+m1", "+m2", "+m3", "+m4", "+m5", "+m6",
                                                "+m7", "+f1", "+f2", "+f3", "+f4", "+f5"};

/// 16 kHz, and the events that go with the original samples.
struct Spoken {
    std::vector<float> samples;
    TextGrid grid;
};

Spoken speak(const std::string& text, const Voice& voice) {
    // Some voices' breath comes from the C library's generator, whose state is the process's.
    std::srand(1);
    const auto words = spokenText(text);
    const auto speech = speakWithEspeak(words.text, voice);
    const bool rColoured = voice.name.starts_with("en-us");
    Spoken result;
    result.grid = gridOf(speech, words.words,
                         [&](const std::string& name) { return arpabetFromEspeak(name, rColoured); });
    std::vector<float> samples(speech.samples.size());
    std::transform(speech.samples.begin(), speech.samples.end(), samples.begin(),
                   [](std::int16_t sample) { return static_cast<float>(sample) / 32768.0F; });
    result.samples = resample(samples, speech.rate, kModelSampleRate);
    return result;
}

/// The tier `before` later, with silence up to it and behind it until `end`.
void moveTier(Tier& tier, Seconds before, Seconds end, const std::string& silence) {
    for (auto& interval : tier.intervals) {
        interval.start = Seconds(interval.start.value() + before.value());
        interval.end = Seconds(interval.end.value() + before.value());
    }
    auto& all = tier.intervals;
    if (all.front().label == silence)
        all.front().start = Seconds(0);
    else
        all.insert(all.begin(), {Seconds(0), before, silence});
    if (all.back().label == silence)
        all.back().end = end;
    else
        all.push_back({all.back().end, end, silence});
}

} // namespace

Voice randomVoice(Random& random) {
    Voice voice;
    const std::string accent = oneOf(random, kAccents);
    voice.name = accent + oneOf(random, kSpeakers);
    voice.rate = 130 + 5 * static_cast<int>(random.below(16));
    voice.pitch = 25 + static_cast<int>(random.below(51));
    return voice;
}

SpokenUtterance speakUtterance(const std::string& text, const Voice& voice, const Conditions& conditions,
                               std::span<const float> babble, Random& random) {
    auto spoken = speak(text, voice);
    const auto pause = [&] { return Samples(1600 + random.below(6401)); };
    const auto before = pause(), after = pause();
    std::vector<float> speech(static_cast<std::size_t>(before.value()));
    speech.insert(speech.end(), spoken.samples.begin(), spoken.samples.end());
    speech.resize(speech.size() + static_cast<std::size_t>(after.value()));

    SpokenUtterance utterance;
    utterance.samples = underConditions(speech, kModelSampleRate, conditions, babble, random);
    utterance.grid = std::move(spoken.grid);
    utterance.grid.end = kModelSampleRate.duration(Samples(static_cast<std::int64_t>(speech.size())));
    const auto lead = kModelSampleRate.duration(before);
    moveTier(utterance.grid.tiers.at(0), lead, utterance.grid.end, "");
    moveTier(utterance.grid.tiers.at(1), lead, utterance.grid.end, "sil");
    return utterance;
}

std::vector<float> spokenBabble(Random& random) {
    std::vector<float> babble(static_cast<std::size_t>(15 * kModelSampleRate.hertz()));
    for (int voices = 0; voices < 8; ++voices) {
        const auto voice = randomVoice(random);
        for (std::size_t at = 0; at < babble.size();) {
            const auto sentence = randomSentence(random);
            const auto spoken = speak(sentence.english, voice).samples;
            const double loudness = rootMeanSquare(spoken);
            for (std::size_t i = 0; i < spoken.size() && at < babble.size(); ++i, ++at)
                babble[at] += static_cast<float>(spoken[i] / std::max(loudness, 1e-6));
        }
    }
    return babble;
}

} // namespace headroom::training
