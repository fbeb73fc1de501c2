// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace headroom::models {

/// config.yaml; tags are refused, nothing is executed. Throws Error "model.missingFile" or "model.badConfig".
nlohmann::json readEspnetConfig(const std::filesystem::path& folder);
/// The weights that are opened (core/model_folders/espnet_weights.h). Throws Error "model.missingFile".
std::filesystem::path espnetWeights(const std::filesystem::path& folder);

} // namespace headroom::models
