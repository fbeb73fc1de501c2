// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/safetensors.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace headroom::testing {

/// The labels of the language that writeMadeAdapters adds: those of the other one up to here.
inline constexpr std::int64_t kMadeLabels = 20;

/// Writes the small wav2vec 2.0 with adapters into `folder`, as MMS is published: its own language is “eng”,
/// and adapter.eng.safetensors and adapter.xyz.safetensors hold the adapters and the output of two. Those of
/// “xyz” have other numbers, fewer labels, and small letters. Returns the tensors of “xyz”.
inline std::vector<std::pair<std::string, Tensor>> writeMadeAdapters(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    using nlohmann::json;
    const fs::path small = HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/wav2vec2-adapters";
    fs::create_directories(folder);
    for (const auto& entry : fs::directory_iterator(small))
        if (entry.is_regular_file())
            fs::copy_file(entry, folder / entry.path().filename());
    json english = json::parse(std::ifstream(small / "vocab.json")), other;
    for (const auto& [piece, id] : english.items())
        if (id < kMadeLabels)
            other[piece.size() == 1 && std::isupper(piece[0])
                      ? std::string(1, static_cast<char>(std::tolower(piece[0])))
                      : piece] = id;
    std::ofstream(folder / "vocab.json") << json{{"eng", english}, {"xyz", other}}.dump(1);
    json settings = json::parse(std::ifstream(small / "tokenizer_config.json"));
    settings["target_lang"] = "eng";
    std::ofstream(folder / "tokenizer_config.json") << settings.dump(1);

    const Safetensors weights(small / "model.safetensors");
    std::vector<std::pair<std::string, TensorView>> theirs;
    std::vector<std::pair<std::string, Tensor>> made;
    for (const std::string& name : weights.names()) {
        if (name.find("adapter_layer") == std::string::npos && !name.starts_with("lm_head."))
            continue;
        const TensorView view = weights.tensor(name);
        theirs.emplace_back(name, view);
        std::vector<float> values = toFloats(view);
        std::vector<std::int64_t> shape = view.shape;
        if (name.starts_with("lm_head.")) {
            values.resize(values.size() / static_cast<std::size_t>(shape[0]) * kMadeLabels);
            shape[0] = kMadeLabels;
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 1.5F * values[i] + (i % 3 == 0 ? 0.2F : -0.1F);
        made.emplace_back(name, Tensor::of<float>(shape, values));
    }
    writeSafetensors(folder / "adapter.eng.safetensors", theirs);
    std::vector<std::pair<std::string, TensorView>> views;
    for (const auto& [name, tensor] : made)
        views.emplace_back(name, tensor.view());
    writeSafetensors(folder / "adapter.xyz.safetensors", views);
    return made;
}

} // namespace headroom::testing
