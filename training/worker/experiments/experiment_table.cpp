// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/experiment_table.h"

#include "core/experiments/step_progress.h"
#include "core/alignment/phones.h"
#include "core/architecture/costs.h"
#include "core/architecture/shortest.h"
#include "core/errors/display_name.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/studies/study.h"
#include "training/worker/experiments/decoded_score.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

using StepKind = ExperimentStep::Kind;

constexpr double kMillion = 1e6, kSecondsPerHour = 3600;

/// Whether a cell of a study's table has the wanted value.
bool hasValue(const StudyCell& cell, const nlohmann::json& wanted) {
    if (const auto* number = std::get_if<double>(&cell))
        return wanted.is_number() && wanted.get<double>() == *number;
    const auto* text = std::get_if<std::string>(&cell);
    return text && wanted.is_string() && wanted.get<std::string>() == *text;
}

std::ptrdiff_t columnOf(const StudyTable& table, const std::string& key) {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&](const StudyColumn& one) { return one.key == key; });
    return found == table.columns.end() ? -1 : found - table.columns.begin();
}

class TableMaker {
public:
    TableMaker(const ExperimentPlan& plan, const ExperimentFolders& folders, const ExperimentPaths& paths,
               const StepOutcome& outcome)
        : m_plan(plan)
        , m_folders(folders)
        , m_paths(paths)
        , m_outcome(outcome) {}

    ResultTable make() {
        const Experiment& experiment = m_plan.experiment;
        m_table.experiment = &experiment;
        m_table.scale = m_plan.scale;
        m_table.seeds = m_plan.seeds;
        m_table.rows.assign(experiment.rows.size(), std::vector<ResultCell>(experiment.columns.size()));
        eachCell([&](const ExperimentCell& cell, ResultCell& result, std::size_t) { fillFromSource(cell, result); });
        // Differences follow from these, and means of a row from differences.
        eachCell([&](const ExperimentCell& cell, ResultCell& result, std::size_t row) { fillDifference(cell, result, row); });
        eachCell([&](const ExperimentCell& cell, ResultCell& result, std::size_t row) { fillMean(cell, result, row); });
        return std::move(m_table);
    }

private:
    template <class Work>
    void eachCell(const Work& work) {
        const Experiment& experiment = m_plan.experiment;
        for (std::size_t row = 0; row < experiment.rows.size(); ++row)
            for (const auto& [column, cell] : experiment.rows[row].cells)
                work(cell, m_table.rows[row][columnIndex(column)], row);
    }

    std::size_t columnIndex(const std::string& key) const {
        const auto& columns = m_plan.experiment.columns;
        return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(),
                                                     [&](const ExperimentColumn& one) { return one.key == key; }) -
                                        columns.begin());
    }

    void fillFromSource(const ExperimentCell& cell, ResultCell& result) {
        try {
            if (!cell.step.empty())
                fillFromStep(cell, result);
            else if (!cell.recipe.empty())
                fillFromRecipe(cell, result);
            else if (!cell.architecture.empty())
                fillFromArchitecture(cell, result);
            else if (!cell.phones.empty())
                fillFromPhones(cell, result);
        } catch (const Error& error) {
            result = {};
            result.missing = error.what();
        }
    }

    void fillFromStep(const ExperimentCell& cell, ResultCell& result) {
        for (const std::string& id : m_plan.idsOf(cell.step)) {
            const PlannedStep& planned = *m_plan.find(id);
            if (const auto found = m_outcome.without.find(id); found != m_outcome.without.end()) {
                result.missing = found->second;
                continue;
            }
            if (!isFinished(planned, m_paths)) {
                result.missing = "The step " + id + " is not finished.";
                continue;
            }
            switch (planned.step.kind) {
            case StepKind::Decode:
                result.values.push_back(scoreOf(planned, cell.value));
                break;
            case StepKind::Study:
                takeFromStudy(planned, cell, result);
                break;
            default:
                result.values.push_back(ofTraining(planned, cell.value));
            }
        }
        if (!result.values.empty() && !cell.against.empty())
            compare(cell, result);
    }

    ScoredText textOf(const PlannedStep& planned) const { return decodedText(m_paths.result(planned), planned.id); }

    double scoreOf(const PlannedStep& planned, const std::string& metric) {
        const auto key = planned.id + " " + metric;
        if (const auto known = m_scores.find(key); known != m_scores.end())
            return known->second;
        return m_scores[key] = decodedScore(textOf(planned), metric);
    }

    /// The texts of all seeds one after the other; seed k of both.
    void compare(const ExperimentCell& cell, ResultCell& result) {
        ScoredText baseline, system;
        const auto first = m_plan.idsOf(cell.against), second = m_plan.idsOf(cell.step);
        for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
            const PlannedStep& one = *m_plan.find(first[std::min(i, first.size() - 1)]);
            const PlannedStep& other = *m_plan.find(second[std::min(i, second.size() - 1)]);
            if (!isFinished(one, m_paths) || !isFinished(other, m_paths))
                continue;
            append(textOf(one), baseline);
            append(textOf(other), system);
        }
        if (baseline.references.empty() || baseline.references != system.references)
            return;
        const auto document = compareTexts(baseline, system, cell.value, ScoreOptions(), m_silent);
        if (document["p"].is_number()) {
            result.p = document["p"].get<double>();
            result.test = document["test"].get<std::string>();
            result.against = cell.against;
        }
    }

    static void append(const ScoredText& more, ScoredText& text) {
        text.hypothesis = more.hypothesis;
        text.references.insert(text.references.end(), more.references.begin(), more.references.end());
        text.hypotheses.insert(text.hypotheses.end(), more.hypotheses.begin(), more.hypotheses.end());
    }

    void takeFromStudy(const PlannedStep& planned, const ExperimentCell& cell, ResultCell& result) {
        const auto [known, isNew] = m_studies.try_emplace(planned.id);
        if (isNew)
            known->second = readStudy(m_paths.result(planned));
        for (const StudyTable& table : known->second.tables) {
            const auto column = columnOf(table, cell.value);
            if (column < 0)
                continue;
            for (const auto& row : table.rows) {
                bool wanted = true;
                for (const auto& [key, value] : cell.where.items()) {
                    const auto at = columnOf(table, key);
                    wanted = wanted && at >= 0 && hasValue(row[static_cast<std::size_t>(at)], value);
                }
                if (!wanted)
                    continue;
                const StudyCell& found = row[static_cast<std::size_t>(column)];
                if (const auto* number = std::get_if<double>(&found); number && std::isfinite(*number))
                    result.values.push_back(*number);
                else if (const auto* text = std::get_if<std::string>(&found))
                    result.text = *text;
                else
                    result.missing = "The study " + planned.id + " has no value here.";
                return;
            }
        }
        result.missing = "The study " + planned.id + " has no such row or column.";
    }

    double ofTraining(const PlannedStep& planned, const std::string& value) const {
        const fs::path run = m_paths.result(planned);
        if (value == "hours") {
            const double seconds = workedSeconds(readRun(run));
            if (std::isnan(seconds)) // resumed by an earlier version
                throw Error("experiment.hours", "The run " + displayName(run) + " was resumed, and the hours before that were not recorded.");
            return seconds / kSecondsPerHour;
        }
        if (value == "parameters")
            return static_cast<double>(parameterCosts(readArchitecture(RunPaths{run}.architecture())).parameters) / kMillion;
        throw Error("experiment.value", "A training step has “hours” and “parameters”, not “" + value + "”.");
    }

    void fillFromRecipe(const ExperimentCell& cell, ResultCell& result) {
        const Recipe recipe = recipeNamed(cell.recipe, m_folders);
        for (const RecipeField& field : recipeFields()) {
            if (field.key != cell.key)
                continue;
            const auto value = field.get(recipe);
            if (value.is_number())
                result.text = value.is_number_integer() ? value.dump() : shortest(value.get<double>());
            else
                result.text = value.get<std::string>();
            return;
        }
        result.missing = "A recipe has no “" + cell.key + "”.";
    }

    void fillFromArchitecture(const ExperimentCell& cell, ResultCell& result) {
        const Architecture architecture = architectureNamed(cell.architecture, m_folders);
        const auto layers = architecture.encoder.layers.size(), layer = static_cast<std::size_t>(cell.layer);
        if (cell.of == "parameters")
            result.values.push_back(static_cast<double>(parameterCosts(architecture).comparableParameters) / kMillion);
        else if (layer >= 1 && layer <= layers)
            result.text = toText(architecture.encoder.layers[layer - 1].heads);
        else
            result.missing = cell.architecture + " has no layer " + std::to_string(cell.layer) + ".";
    }

    static void fillFromPhones(const ExperimentCell& cell, ResultCell& result) {
        std::istringstream phones(cell.phones);
        for (std::string phone; phones >> phone;) {
            const auto found = phoneClass(phone);
            const std::string name = !found                   ? "none"
                                     : *found == kSilenceClass ? "silence"
                                                               : std::string(kPhoneClasses[static_cast<std::size_t>(*found)]);
            if (result.text.empty() || result.text == name)
                result.text = name;
            else
                result.text += " " + name;
        }
    }

    void fillDifference(const ExperimentCell& cell, ResultCell& result, std::size_t row) {
        if (cell.column.empty())
            return;
        const auto& rows = m_plan.experiment.rows;
        const auto other = static_cast<std::size_t>(
            std::find_if(rows.begin(), rows.end(), [&](const ExperimentRow& one) { return one.name == cell.minus; }) - rows.begin());
        const std::size_t column = columnIndex(cell.column);
        const ResultCell &here = m_table.rows[row][column], &there = m_table.rows[other][column];
        if (here.values.empty() || there.values.empty()) {
            result.missing = "One of the two numbers is missing.";
            return;
        }
        const double difference = here.mean() - there.mean();
        result.values = {cell.percent ? 100 * difference / there.mean() : difference};
        if (!std::isfinite(result.values.front()))
            result = {{}, {}, "The baseline is 0.", {}, {}, {}};
    }

    void fillMean(const ExperimentCell& cell, ResultCell& result, std::size_t row) {
        if (cell.meanOf.empty())
            return;
        double sum = 0;
        for (const std::string& column : cell.meanOf) {
            const ResultCell& one = m_table.rows[row][columnIndex(column)];
            if (one.values.empty()) {
                result.missing = "One of the numbers is missing.";
                return;
            }
            sum += one.mean();
        }
        result.values = {sum / static_cast<double>(cell.meanOf.size())};
    }

    const ExperimentPlan& m_plan;
    const ExperimentFolders& m_folders;
    const ExperimentPaths& m_paths;
    const StepOutcome& m_outcome;
    Console m_silent{true}; ///< scores print lines; these are the table's
    std::map<std::string, double> m_scores;
    std::map<std::string, Study> m_studies;
    ResultTable m_table;
};

} // namespace

ResultTable experimentTable(const ExperimentPlan& plan, const ExperimentFolders& folders, const ExperimentPaths& paths,
                            const StepOutcome& outcome) {
    return TableMaker(plan, folders, paths, outcome).make();
}

} // namespace headroom::training
