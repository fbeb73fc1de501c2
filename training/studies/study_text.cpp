// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/study_text.h"

#include "core/errors/count_text.h"

#include <algorithm>
#include <set>

namespace headroom::training {

std::string modelText(const StudyModel& model) {
    if (model.maps)
        return model.name + " (maps from elsewhere)";
    return model.name + " (" + model.weightsHash.substr(0, 8) + ")";
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

std::string intervalText(const std::vector<int>& clusters) {
    std::string text = "95 % intervals: bootstrap of the mean, 2,000 draws";
    const std::set<int> different(clusters.begin(), clusters.end());
    if (!different.empty())
        text += ", " + counted(static_cast<std::int64_t>(different.size()), "speaker") + " as clusters";
    return text + ".";
}

std::string numberText(double value) {
    return nlohmann::json(value).dump();
}

std::vector<StudyColumn> estimateColumns(const std::string& key, const std::string& title, int decimals) {
    const auto named = [&](const char* what) { return key.empty() ? std::string(what) : key + "_" + what; };
    return {{named("mean"), title, "", decimals, false},
            {named("std"), "σ", "", decimals, false},
            {named("low"), "95 % from", "", decimals, false},
            {named("high"), "to", "", decimals, false},
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
