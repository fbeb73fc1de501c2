// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace headroom::models {

/// config.yaml; tags are refused, nothing is executed. Throws Error "model.missingFile" or "model.badConfig".
nlohmann::json readEspnetConfig(const std::filesystem::path& folder);
/// The weights that ESPnet's recipes decode with: valid.acc.ave.pth, or the only average, or the only *.pth. Throws Error
/// "model.missingFile".
std::filesystem::path espnetWeights(const std::filesystem::path& folder);

} // namespace headroom::models
