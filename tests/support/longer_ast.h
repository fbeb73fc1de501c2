// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/safetensors.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace headroom::testing {

/// Writes the small AST of the goldens with a window of `frames` instead of half a second, and made positions for it.
inline void writeLongerAst(const std::filesystem::path& folder, std::int64_t frames) {
    const std::filesystem::path small = HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/ast-small";
    std::filesystem::create_directories(folder);
    for (const char* name : {"config.json", "preprocessor_config.json"}) {
        nlohmann::json config = nlohmann::json::parse(std::ifstream(small / name));
        config["max_length"] = frames;
        std::ofstream(folder / name) << config.dump(1);
    }
    constexpr std::int64_t kClassTokens = 2, kBands = 4, kPatch = 8, kStride = 6;
    const Safetensors weights(small / "model.safetensors");
    std::vector<std::pair<std::string, TensorView>> views;
    Tensor positions;
    for (const std::string& name : weights.names()) {
        TensorView view = weights.tensor(name);
        if (name.ends_with("position_embeddings")) {
            std::vector<std::int64_t> shape = view.shape; // [1, token, width]
            shape[1] = kClassTokens + kBands * ((frames - kPatch) / kStride + 1);
            std::vector<float> values(static_cast<std::size_t>(shape[1] * shape[2]));
            std::uint64_t state = 1;
            for (float& value : values) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                value = static_cast<float>(state >> 40) / static_cast<float>(1 << 23) - 1.0F;
            }
            positions = Tensor::of<float>(shape, values);
            view = positions.view();
        }
        views.emplace_back(name, std::move(view));
    }
    writeSafetensors(folder / "model.safetensors", views);
}

} // namespace headroom::testing
