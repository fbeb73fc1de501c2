// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/decoded_score.h"

#include "core/runs/strict_json.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headroom::training {

namespace {

std::vector<std::string> decodedLines(const std::filesystem::path& file) {
    std::istringstream text(readSmallFile(file, "experiment.decoded"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

} // namespace

ScoredText decodedText(const std::filesystem::path& folder, const std::string& name) {
    return {name, decodedLines(folder / "references.txt"), decodedLines(folder / "hypotheses.txt"), {}, {}};
}

double decodedScore(const ScoredText& text, const std::string& metric) {
    const auto names = metricNames();
    if (std::find(names.begin(), names.end(), metric) == names.end())
        throw Error("experiment.value", "There is no metric “" + metric + "”.", {{"metric", metric}});
    Console silent(true);
    const auto document = scoreText(text, metric, ScoreOptions(), silent);
    const auto& score = document.contains("percent") ? document["percent"] : document["score"];
    return score.is_number() ? score.get<double>() : std::nan("");
}

bool isErrorMetric(const std::string& metric) {
    return metric.starts_with("wer") || metric.starts_with("cer") || metric == "ter";
}

} // namespace headroom::training
