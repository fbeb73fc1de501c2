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

constexpr std::array kOwnWords{"name", "source", "task", "length.maxUpdates", "machine.seed"};

QString valueWords(const nlohmann::json& value) {
    if (value.is_number_integer())
        return QLocale(QLocale::English).toString(value.get<qlonglong>());
    if (value.is_number())
        return shortNumberText(value.get<double>());
    return value.is_string() ? tr("“%1”").arg(QString::fromStdString(value.get<std::string>())) : QString::fromStdString(value.dump());
}

} // namespace

QString recipeWords(const Recipe* recipe, const std::vector<const Recipe*>& others, int most) {
    QStringList words;
    if (!recipe)
        return {};
    for (const RecipeField& field : recipeFields()) {
        if (std::ranges::find(kOwnWords, field.key) != kOwnWords.end())
            continue;
        const nlohmann::json value = field.get(*recipe);
        if (std::ranges::any_of(others, [&](const Recipe* other) { return other && field.get(*other) != value; }))
            words << QString::fromUtf8(field.key.data(), qsizetype(field.key.size())) + u' ' + valueWords(value);
    }
    const qsizetype more = words.size() - most;
    return words.mid(0, most).join(QStringLiteral(", ")) +
           (more > 1 ? tr(", %1 more values").arg(more) : more == 1 ? tr(", 1 more value") : QString());
}

} // namespace headroom::widgets
