// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "core/audio/audio_file.h"
#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "training/speech/spoken_text.h"
#include "training/worker/commands.h"

#include <algorithm>
#include <cctype>

namespace headroom::training {

namespace {

std::int64_t spoken(const Tier& tier, const std::string& silence) {
    return std::count_if(tier.intervals.begin(), tier.intervals.end(),
                         [&](const Interval& interval) { return interval.label != silence; });
}

/// Only WAV is written; another ending would promise another format.
void refuseOtherFormats(const std::filesystem::path& out) {
    std::string ending = out.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (ending != ".wav")
        throw Error("speak.format", out.string() + ": speak writes WAV. Use a name that ends in .wav.",
                    {{"file", out.string()}});
}

/// The system's sentence would name the file, as if that had to be there.
void requireFolderOf(const std::filesystem::path& out) {
    std::error_code ignored;
    if (const auto folder = out.parent_path(); !folder.empty() && !std::filesystem::is_directory(folder, ignored))
        throw Error("speak.noFolder", "The folder " + folder.string() + " does not exist.", {{"folder", folder.string()}});
}

} // namespace

void speak(const SpeakOptions& options, Console& console) {
    refuseOtherFormats(options.out);
    requireFolderOf(options.out);
    const auto text = spokenText(options.text);
    const auto speech = speakWithEspeak(text.text, {options.voice, options.rate, options.pitch});
    // Only the American voices sound the r of "car" and "hears" inside the vowel's event.
    const bool rColoured = options.voice.starts_with("en-us");
    const auto grid = gridOf(speech, text.words,
                             [&](const std::string& name) { return arpabetFromEspeak(name, rColoured); });

    std::vector<float> samples(speech.samples.size());
    std::transform(speech.samples.begin(), speech.samples.end(), samples.begin(),
                   [](std::int16_t sample) { return static_cast<float>(sample) / 32768.0F; });
    const auto gridFile = std::filesystem::path(options.out).replace_extension(".TextGrid");
    saveWav(options.out, samples, speech.rate);
    writeTextGrid(gridFile, grid);

    const auto words = spoken(grid.tiers[0], ""), phones = spoken(grid.tiers[1], "sil");
    console.line(options.out.string() + ": " + counted(words, "word") + ", " + counted(phones, "phone"));
    console.document({{"format", "headroom/speech"},
                      {"version", 1},
                      {"wav", options.out.string()},
                      {"textGrid", gridFile.string()},
                      {"sampleRate", speech.rate.hertz()},
                      {"seconds", grid.end.value()},
                      {"words", words},
                      {"phones", phones}});
}

} // namespace headroom::training
