// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/recipe_words.h"

#include "core/runs/recipe.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

namespace headroom::widgets {

namespace {

constexpr std::array kNoValues{"name", "source", "machine.seed"};
constexpr std::array kInTitles{"task", "length.maxUpdates"};

QString valueWords(const nlohmann::json& value) {
    if (value.is_number_integer())
        return QLocale(QLocale::English).toString(value.get<qlonglong>());
    if (value.is_number())
        return shortNumberText(value.get<double>());
    return value.is_string() ? tr("“%1”").arg(QString::fromStdString(value.get<std::string>())) : QString::fromStdString(value.dump());
}

} // namespace

std::vector<const RecipeField*> differingValues(const std::vector<const Recipe*>& recipes, SaidElsewhere said) {
    std::vector<const RecipeField*> values;
    const auto first = std::ranges::find_if(recipes, [](const Recipe* recipe) { return recipe != nullptr; });
    if (first == recipes.end())
        return values;
    for (const RecipeField& field : recipeFields()) {
        const bool isSaid = said == SaidElsewhere::TaskAndUpdates && std::ranges::find(kInTitles, field.key) != kInTitles.end();
        if (isSaid || std::ranges::find(kNoValues, field.key) != kNoValues.end())
            continue;
        const nlohmann::json value = field.get(**first);
        if (std::any_of(first + 1, recipes.end(), [&](const Recipe* other) { return other && field.get(*other) != value; }))
            values.push_back(&field);
    }
    return values;
}

QString recipeWords(const Recipe* recipe, const std::vector<const RecipeField*>& values, int most) {
    QStringList words;
    if (!recipe)
        return {};
    for (const RecipeField* field : values)
        words << QString::fromUtf8(field->key.data(), qsizetype(field->key.size())) + u' ' + valueWords(field->get(*recipe));
    const qsizetype more = words.size() - most;
    return words.mid(0, most).join(QStringLiteral(", ")) +
           (more > 1 ? tr(", %1 more values").arg(more) : more == 1 ? tr(", 1 more value") : QString());
}

} // namespace headroom::widgets
