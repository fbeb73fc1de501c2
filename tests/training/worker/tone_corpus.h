// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/time/clocks.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

namespace headroom::testing {

/// A corpus that a tiny model learns from in seconds: every word is a tone of its own, with a little noise.
/// Texts are written with the demo model's SentencePiece pieces.
class ToneCorpus {
public:
    static constexpr std::array<const char*, 8> kWords{"her",    "village", "hears", "my",
                                                       "driver", "with",    "his",   "shadow"};

    /// Splits "train" and "dev", task "asr".
    ToneCorpus(std::filesystem::path folder, int training, int validation) : m_folder(std::move(folder)) {
        namespace fs = std::filesystem;
        fs::create_directories(m_folder / "audio");
        fs::copy_file(fs::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model",
                      m_folder / corpusTokenizerName("asr"));
        CorpusDocument document;
        document.name = "tones";
        document.languages = {"en"};
        document.splits = {"train", "dev"};
        document.tasks = {{"asr", "en", "en"}};
        writeCorpusDocument(m_folder / "corpus.json", document);
        add("train", training);
        add("dev", validation);
    }

    const std::filesystem::path& folder() const { return m_folder; }
    /// The table as it would be written; what a test changes, it writes back with `write`.
    std::vector<Utterance>& utterances(const std::string& split) { return split == "dev" ? m_dev : m_train; }
    void write(const std::string& split) {
        writeCorpusTable(m_folder, split, {"asr", "en", "en"}, utterances(split));
    }

private:
    std::uint32_t draw(std::uint32_t count) {
        m_state = m_state * 1664525U + 1013904223U;
        return (m_state >> 8) % count;
    }

    void add(const std::string& split, int count) {
        for (int i = 0; i < count; ++i) {
            Utterance utterance;
            utterance.id = split + std::to_string(i);
            utterance.audio = m_folder / "audio" / (utterance.id + ".wav");
            std::vector<float> samples;
            for (std::uint32_t left = 2 + draw(3); left > 0; --left) {
                const std::uint32_t word = draw(kWords.size());
                utterance.text += (utterance.text.empty() ? "" : " ") + std::string(kWords[word]);
                const std::size_t tone = 1900 + draw(400), pause = 700;
                for (std::size_t t = 0; t < tone + pause; ++t) {
                    const double phase =
                        2 * std::numbers::pi * (300 + 300.0 * word) * static_cast<double>(t) / 16000;
                    const double noise = static_cast<double>(draw(2001)) / 1000 - 1;
                    samples.push_back(
                        static_cast<float>((t < tone ? 0.3 * std::sin(phase) : 0) + 0.01 * noise));
                }
            }
            saveWav(utterance.audio, samples, kModelSampleRate);
            utterance.frames =
                FrameClock().frameCount(Samples(static_cast<std::int64_t>(samples.size())), kModelSampleRate);
            utterances(split).push_back(utterance);
        }
        write(split);
    }

    std::filesystem::path m_folder;
    std::vector<Utterance> m_train, m_dev;
    std::uint32_t m_state = 20261121;
};

} // namespace headroom::testing
