// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headroom {
struct Recipe;
struct RecipeField;
}

namespace headroom::widgets {

/// What else names the values of a recipe: a title has words of its own for task and updates.
enum class SaidElsewhere { TaskAndUpdates, Nothing };
/// Returns the values in which these recipes differ, in the document's order, without name and seed. Recipes that are null differ in nothing.
std::vector<const RecipeField*> differingValues(const std::vector<const Recipe*>& recipes, SaidElsewhere said = SaidElsewhere::TaskAndUpdates);
/// "loss.ctcWeight 1.7, loss.rDrop 0.5": these values of a recipe; of more than `most` the first ones, and how many there are besides.
/// Empty for null.
QString recipeWords(const Recipe* recipe, const std::vector<const RecipeField*>& values, int most);

} // namespace headroom::widgets
