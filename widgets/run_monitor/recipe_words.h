// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headroom {
struct Recipe;
}

namespace headroom::widgets {

/// "loss.ctcWeight 1.7, loss.rDrop 0.5": the values of a recipe that differ in any of `others`, in the document's order; of more
/// than `most` the first ones, and how many there are besides. Name, task, updates and seed are left out: they have words of their own.
/// Recipes that are null differ in nothing.
QString recipeWords(const Recipe* recipe, const std::vector<const Recipe*>& others, int most);

} // namespace headroom::widgets
