// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/safetensors.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace headroom::testing {

/// Writes the demo's model with `layers` encoder layers, which are its own ones again and again.
inline void writeDeeperModel(const std::filesystem::path& folder, int layers) {
    const std::filesystem::path demo = HEADROOM_SOURCE_DIR "/resources/demo/model";
    std::filesystem::create_directories(folder);
    for (const auto& entry : std::filesystem::directory_iterator(demo))
        if (entry.path().filename() != "model.safetensors")
            std::filesystem::copy(entry.path(), folder / entry.path().filename());
    nlohmann::json architecture = nlohmann::json::parse(std::ifstream(demo / "architecture.json"));
    nlohmann::json& list = architecture["encoder"]["layers"];
    const int own = static_cast<int>(list.size());
    for (int layer = own; layer < layers; ++layer)
        list.push_back(nlohmann::json(list[static_cast<std::size_t>(layer % own)]));
    std::ofstream(folder / "architecture.json") << architecture.dump(1);
    const Safetensors weights(demo / "model.safetensors");
    std::vector<std::pair<std::string, TensorView>> views;
    const std::string prefix = "model.encoder.layers.";
    for (const std::string& name : weights.names()) {
        views.emplace_back(name, weights.tensor(name));
        if (!name.starts_with(prefix))
            continue;
        const auto dot = name.find('.', prefix.size());
        for (int layer = std::stoi(name.substr(prefix.size())) + own; layer < layers; layer += own)
            views.emplace_back(prefix + std::to_string(layer) + name.substr(dot), weights.tensor(name));
    }
    writeSafetensors(folder / "model.safetensors", views);
}

} // namespace headroom::testing
