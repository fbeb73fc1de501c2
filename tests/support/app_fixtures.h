// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_model.h"
#include "app/documents/items/paths.h"
#include "core/audio/audio_file.h"
#include "tests/support/written_files.h"

#include <QTemporaryDir>

#include <cmath>
#include <numbers>

namespace headroom::testing {

/// A folder that goes with the test, and what tests of the program put into it.
class Workshop {
public:
    std::filesystem::path path() const { return app::toPath(m_folder.path()); }

    /// A 440 Hz tone at 16 kHz.
    static Recording tone(double seconds) {
        Recording recording;
        recording.samples.resize(static_cast<std::size_t>(std::lround(seconds * 16000)));
        for (std::size_t i = 0; i < recording.samples.size(); ++i)
            recording.samples[i] = static_cast<float>(
                0.3 * std::sin(2 * std::numbers::pi * 440 * static_cast<double>(i) / 16000));
        return recording;
    }
    std::filesystem::path wav(const std::string& name, double seconds = 0.5) const {
        const auto file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        saveWav(file, tone(seconds).samples, kModelSampleRate);
        return file;
    }
    std::filesystem::path text(const std::string& name, const std::string& bytes) const {
        const auto file = path() / name;
        writeFile(file, bytes);
        return file;
    }
    /// A folder that looks like a model; what it computes is the worker's affair.
    std::filesystem::path model(const std::string& name) const {
        text(name + "/config.json", R"({"model_type": "speech_to_text"})");
        text(name + "/model.safetensors", "weights of " + name);
        return path() / name;
    }
    /// One word, one phone.
    std::filesystem::path grid(const std::string& name, const std::string& word, double end = 0.5) const {
        const std::string last = std::to_string(end);
        const auto tier = [&](const std::string& tierName, const std::string& label) {
            return "\"IntervalTier\"\n\"" + tierName + "\"\n0\n" + last + "\n1\n0\n" + last + "\n\"" + label +
                   "\"\n";
        };
        return text(name, "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n" + last +
                              "\n<exists>\n2\n" + tier("words", word) + tier("phones", "AH"));
    }

    static app::ModelDescription info(int layers, const std::string& heads = "4 full") {
        app::ModelDescription known;
        known.name = QStringLiteral("small");
        known.architecture.vocabulary = 100;
        for (int layer = 0; layer < layers; ++layer)
            known.architecture.encoder.layers.push_back({parseHeads(heads)});
        known.clock = TokenClock::speechToText();
        known.maxSourceFrames = 6000;
        known.tensors = 10;
        return known;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace headroom::testing
