// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"

#include <optional>
#include <string>

namespace headroom {

/// Why an architecture cannot be trained at all, or not with a recipe's loss.
struct LossMistake {
    std::string code;       ///< "model.unsupported", "train.loss", "train.consistency" or "train.ctcWeight"
    std::string sentence;
    bool isOfRecipe = true; ///< false: no recipe can train it
};
/// `called`: what the sentence calls the architecture, for example the file that it was read from. Empty: by its name.
std::optional<LossMistake> lossMistake(const Architecture& architecture, const Recipe::Loss& loss, const std::string& called = {});

} // namespace headroom
