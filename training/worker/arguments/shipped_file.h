// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/resources/resource_folder.h"

#include <CLI/CLI.hpp>

namespace headroom::training {

/// The option also takes the bare name of an architecture that comes with the program ("shim-1h4x16.json"). Its description says so.
inline CLI::Option* orShippedArchitecture(CLI::Option* option) {
    option->description(option->get_description() + "; or the name of one that comes with the program, such as shim-1h4x16.json");
    return option->transform(
        [](const std::string& given) { return shippedFile(given, {"architectures", "recipes"}); });
}

/// The same of a recipe.
inline CLI::Option* orShippedRecipe(CLI::Option* option) {
    option->description(option->get_description() + "; or the name of one that comes with the program, such as demo-model.json");
    return option->transform([](const std::string& given) { return shippedFile(given, {"recipes"}); });
}

} // namespace headroom::training
