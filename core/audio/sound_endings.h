// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace headroom {

/// What the names of recordings end with that loadRecording() reads, the most usual first. Names are compared in either case.
inline constexpr std::array<std::string_view, 17> kSoundEndings{".wav", ".flac", ".mp3",  ".ogg", ".opus", ".sph",
                                                                ".aif", ".aiff", ".aifc", ".au",  ".snd",  ".caf",
                                                                ".w64", ".rf64", ".oga",  ".voc", ".nist"};

/// Whether a file has such a name. Asks no disk.
inline bool isNamedAsSound(const std::filesystem::path& file) {
    auto ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
    return std::find(kSoundEndings.begin(), kSoundEndings.end(), ending) != kSoundEndings.end();
}

/// Returns the first of STEM.wav, STEM.flac … for which `isIt` holds, in small letters before capitals, and TIMIT's SA1.WAV.wav last;
/// empty if it holds for none. `isIt` looks at the disk.
inline std::filesystem::path soundOfStem(const std::filesystem::path& stem,
                                         const std::function<bool(const std::filesystem::path&)>& isIt) {
    const auto with = [&](std::string ending, bool inCapitals) {
        if (inCapitals)
            std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        auto file = stem;
        file += ending;
        return file;
    };
    for (const bool inCapitals : {false, true})
        for (const std::string_view ending : kSoundEndings)
            if (auto file = with(std::string(ending), inCapitals); isIt(file))
                return file;
    auto copied = stem;
    copied += ".WAV.wav";
    return isIt(copied) ? copied : std::filesystem::path();
}

} // namespace headroom
