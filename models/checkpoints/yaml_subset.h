// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headroom::models {

/// Reads the part of YAML 1.1 that configurations of models are written in (PyYAML's and OmegaConf's output): mappings
/// and lists by indentation or in brackets, quoted and plain scalars, folded over lines; null, true, false, numbers,
/// texts. Tags (“!!python/…”), anchors and aliases are rejected, so nothing can be executed or expanded.
///
/// `name` is used in messages. Throws Error "model.badConfig" with name and line.
nlohmann::json parseYaml(std::string_view text, const std::string& name);

} // namespace headroom::models
