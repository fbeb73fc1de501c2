// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <string>

namespace headroom {

/// Repeats the entries of the lists `corpora`, `steps` and `rows` for the values of the variables that they mention, and
/// removes `vary`. A variable is {"variable": "pair", "values": [{"id": "en-de", "label": "En-De"}, …]}; "{pair}" in a text or a
/// key is its id, "{pair.label}" another of its values. A text that is nothing else takes the value with its type. Earlier
/// variables are the outer loop. Throws Error "experiment.variable", which names `name` and the variable. Pure.
nlohmann::json expandVariables(nlohmann::json document, const std::string& name);

} // namespace headroom
