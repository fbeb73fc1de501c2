// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/study_text.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::training {

std::string modelText(const StudyModel& model) {
    if (model.maps)
        return model.name + " (imported maps)";
    if (model.weightsHash.empty())
        return model.name + " (random weights)";
    return model.name + " (" + model.weightsHash.substr(0, 8) + ")";
}

void makeNamesDiffer(std::vector<StudyModel>& all) {
    std::map<std::string, std::vector<StudyModel*>> named;
    for (StudyModel& model : all)
        named[model.name].push_back(&model);
    const auto parent = [](const StudyModel& model) {
        return validText(std::filesystem::path(model.folder).parent_path().filename().string());
    };
    for (const auto& [name, models] : named) {
        if (models.size() < 2)
            continue;
        std::set<std::string> parents;
        for (const StudyModel* model : models)
            parents.insert(parent(*model));
        for (StudyModel* model : models)
            model->name = parents.size() == models.size()
                              ? parent(*model) + "/" + name
                              : name + " [" + std::to_string(model - all.data() + 1) + "]";
    }
}

std::string originsText(const std::map<std::string, std::int64_t>& origins) {
    std::string text;
    for (const auto& [origin, count] : origins)
        if (!origin.empty())
            text += (text.empty() ? "" : "; ") + validText(origin) + ", " + counted(count, "utterance");
    if (!text.empty() && origins.contains(""))
        text += "; not known by whom, " + counted(origins.at(""), "utterance");
    return text;
}

std::int64_t measuredUtterances(const Study& study) {
    return std::count_if(study.utterances.begin(), study.utterances.end(),
                         [](const StudyUtterance& utterance) { return utterance.error.empty(); });
}

std::string sampleText(const Study& study) {
    const auto asked = static_cast<std::int64_t>(study.utterances.size());
    std::string text = "n = " + grouped(measuredUtterances(study)) + " of " + counted(asked, "utterance");
    if (study.population > asked)
        text += " drawn from " + grouped(study.population);
    std::string where;
    if (!study.data.empty())
        where = std::filesystem::path(study.data).filename().string();
    if (!study.split.empty())
        where += (where.empty() ? "" : ", ") + study.split;
    if (study.population > asked)
        where += (where.empty() ? "seed " : "; seed ") + std::to_string(study.seed);
    return text + (where.empty() ? "." : " (" + where + ").");
}

std::string intervalText(const Study& study, const std::vector<int>& clusters) {
    std::set<int> speakers, alone; // utterances without a speaker are each their own
    for (std::size_t u = 0; u < clusters.size(); ++u)
        if (study.utterances[u].error.empty())
            (study.utterances[u].speaker.empty() ? alone : speakers).insert(clusters[u]);
    std::string text = "95 % intervals: bootstrap of the mean, 2,000 draws";
    if (!clusters.empty()) {
        text += ", " + counted(static_cast<std::int64_t>(speakers.size()), "speaker");
        if (!alone.empty())
            text += " and " + counted(static_cast<std::int64_t>(alone.size()), "utterance") + " without one";
        text += " as clusters";
    }
    return text + ".";
}

std::string numberText(double value) {
    std::string text = nlohmann::json(value).dump();
    if (const auto zero = text.find("e-0"); zero != std::string::npos)
        text.erase(zero + 2, 1);
    for (auto at = text.find('-'); at != std::string::npos; at = text.find('-'))
        text.replace(at, 1, "−");
    return text;
}

void explainMissing(const Study& study, StudyTable& table) {
    if (speakerClusters(study).empty())
        return; // only a single utterance has no interval then
    const auto placeOf = [&](const std::string& key) {
        return std::find_if(table.columns.begin(), table.columns.end(),
                            [&](const StudyColumn& column) { return column.key == key; }) -
               table.columns.begin();
    };
    const auto isKnown = [](const StudyCell& cell) {
        const auto* number = std::get_if<double>(&cell);
        return number && !std::isnan(*number);
    };
    const auto isMissing = [&](const std::string& key, const std::string& of) {
        const auto at = placeOf(key), number = placeOf(of), all = std::ssize(table.columns);
        return at < all && number < all && std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
                   return !isKnown(row[static_cast<std::size_t>(at)]) && isKnown(row[static_cast<std::size_t>(number)]);
               });
    };
    bool some = isMissing("p", "difference") || isMissing("low", "mean");
    for (const StudyColumn& column : table.columns)
        if (constexpr std::string_view kLow = "_low"; column.key.ends_with(kLow)) {
            const std::string of = column.key.substr(0, column.key.size() - kLow.size());
            some = some || isMissing(column.key, of) || isMissing(column.key, of + "_mean");
        }
    if (some)
        table.caption += " “–”: intervals and tests need numbers of at least two speakers.";
}

StudyColumn textColumn(const std::string& key, const std::string& title) {
    return {key, title, "", 0, true};
}

StudyCell cellOf(double value) {
    return std::isnan(value) ? StudyCell() : StudyCell(value);
}

std::vector<StudyColumn> estimateColumns(const std::string& key, const std::string& title, int decimals,
                                         const std::string& unit) {
    const auto named = [&](const char* what) { return key.empty() ? std::string(what) : key + "_" + what; };
    return {{named("mean"), title, unit, decimals, false},
            {named("std"), "σ", unit, decimals, false},
            {named("low"), "95 % from", unit, decimals, false},
            {named("high"), "to", unit, decimals, false},
            {named("n"), "n", "", 0, false}};
}

std::vector<StudyCell> estimateCells(const MeanEstimate& estimate) {
    if (estimate.n == 0)
        return {{}, {}, {}, {}, 0.0};
    return {estimate.mean, estimate.deviation, estimate.low, estimate.high, static_cast<double>(estimate.n)};
}

void append(std::vector<StudyColumn>& row, const std::vector<StudyColumn>& more) {
    row.insert(row.end(), more.begin(), more.end());
}

void append(std::vector<StudyCell>& row, const std::vector<StudyCell>& more) {
    row.insert(row.end(), more.begin(), more.end());
}

Tensor numbersOf(std::vector<std::int64_t> shape, const std::vector<double>& values) {
    return Tensor::of<double>(std::move(shape), values);
}

} // namespace headroom::training
