// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headroom::models {

/// Returns the one YAML document of `text` as JSON (a model's configuration, as PyYAML and OmegaConf write
/// it). Plain scalars become null, true, false, a decimal number or a text; quoted ones are texts. No
/// document gives {}.
///
/// Tags (“!!python/…”), anchors and aliases are rejected, so nothing can be executed or expanded; so are a
/// key that is repeated, a second document, more than 32 levels and more than 16 MiB. `name` is used in
/// messages. Throws Error "model.badConfig" with name and line.
nlohmann::json parseYaml(std::string_view text, const std::string& name);

} // namespace headroom::models
