// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headroom {
struct Recipe;
struct RecipeField;
}

namespace headroom::widgets {

/// Returns the values in which these recipes differ, in the document's order. Name, task, updates and seed are left out: they have
/// words of their own. Recipes that are null differ in nothing.
std::vector<const RecipeField*> differingValues(const std::vector<const Recipe*>& recipes);
/// "loss.ctcWeight 1.7, loss.rDrop 0.5": these values of a recipe; of more than `most` the first ones, and how many there are besides.
/// Empty for null.
QString recipeWords(const Recipe* recipe, const std::vector<const RecipeField*>& values, int most);

} // namespace headroom::widgets
