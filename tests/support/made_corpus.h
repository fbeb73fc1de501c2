// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace headroom::testing {

/// Writes a small corpus with recordings that can be played and one utterance of each kind of defect: 60
/// utterances in train, 12 in dev, speech and its translation. Every utterance is a part of one recording.
inline std::filesystem::path makeCorpus(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    fs::create_directories(folder / "audio");
    std::vector<float> tone(16000 * 12);
    for (std::size_t i = 0; i < tone.size(); ++i)
        tone[i] = 0.1F * std::sin(static_cast<float>(i) * 2 * std::numbers::pi_v<float> * 220 / 16000);
    saveWav(folder / "audio/talk.wav", tone, kModelSampleRate);
    std::ofstream(folder / "corpus.json") << R"({"format": "headroom/corpus", "version": 1, "name": "made",
  "sampleRate": 16000, "languages": ["en", "de"], "splits": ["train", "dev"],
  "tasks": [{"name": "asr", "source": "en", "target": "en"}, {"name": "st_de", "source": "en", "target": "de"}]})";
    const std::vector<std::string> english{"the", "dog", "sees", "a", "cat", "near", "her", "house", "today"};
    const std::vector<std::string> german{"der", "Hund", "sieht", "eine", "Katze", "nahe", "ihrem", "Haus"};
    for (const std::string split : {"train", "dev"}) {
        std::ofstream asr(folder / (split + "_asr.tsv")), st(folder / (split + "_st_de.tsv"));
        asr << "id\taudio\tn_frames\ttgt_text\tspeaker\n";
        st << "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\n";
        const int count = split == "train" ? 60 : 12;
        for (int i = 0; i < count; ++i) {
            const int frames = 40 + 13 * i % 800, words = 2 + frames / 60;
            std::string source, target;
            for (int word = 0; word < words; ++word) {
                source += (word ? " " : "") +
                          english[static_cast<std::size_t>(i * 7 + word * word) % english.size()];
                target +=
                    (word ? " " : "") + german[static_cast<std::size_t>(i * 5 + word * word) % german.size()];
            }
            if (split == "train") {
                if (i == 3)
                    source += " (Applause)", target += " (Beifall)";
                if (i == 4)
                    target = "Es fl\xC3\x83\xC2\xB6ge gut";
                if (i == 5)
                    source.clear(), target.clear();
            } else if (i == 1) {
                source += " unheard", target += " unbekannt";
            }
            const std::string id = split + "_" + std::to_string(i);
            const int start = (split == "dev" ? 80 : 0) + i; // every part is another one
            const std::string audio = split == "dev" && i == 2 ? std::string("audio/gone.wav")
                                                               : "audio/talk.wav:" + std::to_string(start) +
                                                                     ":" + std::to_string(frames * 160 + 240);
            const std::string speaker =
                "speaker" + std::to_string(i % (split == "dev" ? 2 : 9) + (split == "dev" ? 8 : 0));
            const std::string head = id + '\t' + audio + '\t' + std::to_string(frames) + '\t';
            asr << head << source << '\t' << speaker << '\n';
            st << head << target << '\t' << speaker << '\t' << source << '\n';
        }
    }
    return folder;
}

} // namespace headroom::testing
