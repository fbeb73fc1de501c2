// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "training/scoring/bleu.h"
#include "training/scoring/chrf.h"
#include "training/scoring/matched_pairs.h"
#include "training/scoring/significance.h"
#include "training/scoring/ter.h"
#include "training/scoring/word_error_rate.h"
#include "training/worker/score_command.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace headroom::training {

namespace {

constexpr std::uint32_t kResamplingSeed = 12345; // sacreBLEU's
constexpr std::size_t kResamples = 1000, kTrials = 10000;
constexpr double kShownP = 1e-4; ///< the smallest that is printed

std::string formatted(const char* format, double value) {
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), format, value);
    return digits.data();
}

/// The metrics that count errors of words or characters.
struct ErrorMetric {
    const char *title, *unit, *rule; ///< unit: one of them
};
const std::map<std::string, ErrorMetric> kErrorMetrics{
    {"wer", {"WER", "word", "fairseq: 13a, without punctuation, lower case"}},
    {"wer-plain", {"WER", "word", "plain: as written, cut at spaces"}},
    {"wer-sclite", {"WER", "word", "sclite"}},
    {"cer-sclite", {"CER", "character", "sclite -c"}}};

bool isBleu(const std::string& metric) {
    return metric == "bleu" || metric == "multi-bleu" || metric == "compound-bleu";
}

BleuOptions bleuOptions(const std::string& metric) {
    if (metric == "multi-bleu" || metric == "compound-bleu")
        return {false, false, false, false, metric == "compound-bleu"};
    return {};
}

/// Aligned utterances of a metric of errors, as the paired test needs them.
std::vector<ScliteUtterance> alignedUtterances(const ScoredText& text, const std::string& metric,
                                               const ScoreOptions& options) {
    if (metric == "wer-sclite" || metric == "cer-sclite")
        return scliteUtterances(text, {options.caseSensitive, metric == "cer-sclite"});
    const WordRule rule = metric == "wer" ? WordRule::Fairseq : WordRule::Plain;
    std::vector<ScliteUtterance> utterances;
    for (std::size_t i = 0; i < text.references.size(); ++i) {
        ScliteUtterance one{"line_" + std::to_string(i + 1), "all", {}, {}};
        if (!text.trnReferences.empty())
            one.id = text.trnReferences[i].id;
        one.words =
            scliteAlignment(scoredWords(text.references[i], rule), scoredWords(text.hypotheses[i], rule));
        one.errors = errorsOf(one.words);
        utterances.push_back(std::move(one));
    }
    return utterances;
}

/// The errors of each line by the metric's own alignment.
std::vector<WordErrors> errorsOfLines(const ScoredText& text, const std::string& metric,
                                      const ScoreOptions& options) {
    if (metric == "wer" || metric == "wer-plain")
        return wordErrorRate(text.references, text.hypotheses,
                             metric == "wer" ? WordRule::Fairseq : WordRule::Plain)
            .lines;
    std::vector<WordErrors> lines;
    for (const ScliteUtterance& one : alignedUtterances(text, metric, options))
        lines.push_back(one.errors);
    return lines;
}

LineStatistics statisticsOf(const ScoredText& text, const std::string& metric, const ScoreOptions& options) {
    if (isBleu(metric))
        return bleuStatistics(text.references, text.hypotheses, bleuOptions(metric));
    if (metric == "chrf")
        return chrfStatistics(text.references, text.hypotheses);
    if (metric == "ter")
        return terStatistics(text.references, text.hypotheses);
    std::vector<ScliteUtterance> utterances;
    for (const WordErrors& errors : errorsOfLines(text, metric, options))
        utterances.push_back({{}, {}, {}, errors});
    return wordErrorStatistics(utterances);
}

/// What keeps p from being small, where few lines differ.
std::string limitOf(const PairedTest& test) {
    if (test.differingLines == 0)
        return "; no line is scored differently";
    if (test.leastP() < kShownP)
        return {};
    if (test.differingLines == 1)
        return "; 1 line is scored differently, so p is 1";
    return "; " + counted(static_cast<std::int64_t>(test.differingLines), "line") + " are scored differently, so p is at least " +
           formatted("%.4f", test.leastP());
}

std::string percentText(const nlohmann::json& document) {
    const auto& percent = document["percent"];
    return percent.is_null() ? "–" : formatted("%.2f", percent.get<double>());
}

/// Prints and returns the errors of groups of lines, in the order of their keys.
template <class Key, class Name>
nlohmann::json groupsDocument(const std::map<Key, std::pair<WordErrors, std::int64_t>>& groups,
                              const Name& name, const ErrorMetric& metric, Console& console) {
    auto rows = nlohmann::json::array();
    for (const auto& [key, group] : groups) {
        auto row = countsDocument(group.first);
        row["group"] = name(key);
        row["lines"] = group.second;
        console.line("  " + std::string(metric.title) + " of " + name(key) + " = " + percentText(row) + " (" +
                     grouped(group.first.errors()) + " in " +
                     counted(group.first.referenceWords(), metric.unit) + ", " +
                     counted(group.second, "line") + ")");
        rows.push_back(std::move(row));
    }
    return rows;
}

nlohmann::json errorsDocument(const ScoredText& text, const std::string& name, const ErrorMetric& metric,
                              const ScoreOptions& options, Console& console) {
    const auto lines = errorsOfLines(text, name, options);
    WordErrors total;
    for (const WordErrors& line : lines)
        total += line;
    auto document = countsDocument(total);
    document["rule"] = metric.rule;
    console.line(std::string(metric.title) + " = " + percentText(document) + " (" +
                 counted(total.errors(), "error") + " in " + counted(total.referenceWords(), metric.unit) +
                 ": " + counted(total.substitutions, "substitution") + ", " +
                 counted(total.deletions, "deletion") + ", " + counted(total.insertions, "insertion") + "; " +
                 metric.rule + ")");
    for (const std::string& by : options.by) {
        if (by == "length") {
            constexpr std::int64_t kLimits[] = {5, 10, 20, 40};
            std::map<std::int64_t, std::pair<WordErrors, std::int64_t>> groups; // by their first length
            for (const WordErrors& line : lines) {
                std::int64_t first = 0;
                for (const std::int64_t limit : kLimits)
                    if (line.referenceWords() > limit)
                        first = limit + 1;
                groups[first].first += line;
                ++groups[first].second;
            }
            const auto lengthName = [&](std::int64_t first) {
                for (const std::int64_t limit : kLimits)
                    if (limit >= first)
                        return std::to_string(first) + " to " + std::to_string(limit) + " " + metric.unit +
                               "s";
                return "more than 40 " + std::string(metric.unit) + "s";
            };
            document["byLength"] = groupsDocument(groups, lengthName, metric, console);
        } else {
            std::map<std::string, std::pair<WordErrors, std::int64_t>> groups;
            for (std::size_t i = 0; i < lines.size(); ++i) {
                auto& group = groups[text.speakers.at(i)];
                group.first += lines[i];
                ++group.second;
            }
            document["bySpeaker"] =
                groupsDocument(groups, [](const std::string& speaker) { return speaker; }, metric, console);
        }
    }
    return document;
}

nlohmann::json bleuDocument(const ScoredText& text, const std::string& metric, Console& console) {
    const auto result = bleu(text.references, text.hypotheses, bleuOptions(metric));
    console.line(metric != "bleu" ? result.multiBleuLine() : result.line() + " " + result.signature);
    return {{"score", result.score},
            {"precisions", result.precisions},
            {"counts", result.counts},
            {"totals", result.totals},
            {"brevityPenalty", result.brevityPenalty},
            {"hypothesisLength", result.hypothesisLength},
            {"referenceLength", result.referenceLength},
            {"signature", result.signature}};
}

} // namespace

nlohmann::json countsDocument(const WordErrors& total) {
    const auto words = total.referenceWords();
    return {{"percent", words ? nlohmann::json(100.0 * static_cast<double>(total.errors()) /
                                               static_cast<double>(words))
                              : nlohmann::json()},
            {"errors", total.errors()},
            {"referenceWords", words},
            {"hits", total.hits},
            {"substitutions", total.substitutions},
            {"deletions", total.deletions},
            {"insertions", total.insertions}};
}

std::vector<std::string> metricNames() {
    return {"wer", "wer-plain", "wer-sclite", "cer-sclite", "bleu", "multi-bleu", "compound-bleu", "chrf", "ter"};
}

std::vector<ScliteUtterance> scliteUtterances(const ScoredText& text, const ScliteOptions& options) {
    if (!text.trnReferences.empty())
        return scliteScore(text.trnReferences, text.trnHypotheses, options);
    std::vector<ScliteUtterance> utterances = scliteScoreLines(text.references, text.hypotheses, options);
    return utterances;
}

nlohmann::json scoreText(const ScoredText& text, const std::string& metric, const ScoreOptions& options,
                         Console& console) {
    nlohmann::json document;
    if (const auto found = kErrorMetrics.find(metric); found != kErrorMetrics.end()) {
        document = errorsDocument(text, metric, found->second, options, console);
    } else if (isBleu(metric)) {
        document = bleuDocument(text, metric, console);
    } else if (metric == "chrf") {
        const auto result = chrf(text.references, text.hypotheses);
        console.line("chrF2 = " + formatted("%.2f", result.score) + " " + result.signature);
        document = {{"score", result.score}, {"signature", result.signature}};
    } else {
        const auto result = ter(text.references, text.hypotheses);
        console.line("TER = " + formatted("%.2f", result.score()) + " (" + counted(static_cast<std::int64_t>(result.edits), "edit") +
                     " in " + counted(static_cast<std::int64_t>(result.referenceLength), "word") + ") " + result.signature);
        document = {{"score", result.score()},
                    {"edits", result.edits},
                    {"referenceLength", result.referenceLength},
                    {"signature", result.signature}};
    }
    if (options.intervals) {
        const ScoreInterval interval =
            bootstrapInterval(statisticsOf(text, metric, options), kResamples, kResamplingSeed);
        console.line("  95 % interval " + formatted("%.2f", interval.low) + " to " +
                     formatted("%.2f", interval.high) + ", mean " + formatted("%.2f", interval.mean) +
                     " (bootstrap, 1,000 resamples, seed 12345)");
        document["interval"] = {{"mean", interval.mean},
                                {"low", interval.low},
                                {"high", interval.high},
                                {"resamples", kResamples},
                                {"seed", kResamplingSeed}};
    }
    return document;
}

nlohmann::json compareTexts(const ScoredText& baseline, const ScoredText& system, const std::string& metric,
                            const ScoreOptions& options, Console& console) {
    nlohmann::json document{
        {"metric", metric}, {"baseline", baseline.hypothesis}, {"system", system.hypothesis}};
    const std::string names = validText(baseline.hypothesis) + " and " + validText(system.hypothesis);
    if (kErrorMetrics.contains(metric)) {
        const auto first = alignedUtterances(baseline, metric, options),
                   second = alignedUtterances(system, metric, options);
        const MatchedPairs pairs = matchedPairs(first, second);
        const std::string p = pairs.printedP();
        console.line(metric + ", " + names + ": MAPSSWE " + (p[0] == '<' ? "p " : "p = ") + p + " " +
                     pairs.line(first.size()));
        document.update({{"test", "mapsswe"},
                         {"p", pairs.p},
                         {"printedP", p},
                         {"segments", pairs.segments.size()},
                         {"referenceWords", pairs.referenceWords},
                         {"errors", pairs.errors},
                         {"mean", pairs.mean},
                         {"standardDeviation", pairs.standardDeviation},
                         {"z", pairs.z}});
        return document;
    }
    const auto first = statisticsOf(baseline, metric, options), second = statisticsOf(system, metric, options);
    const bool bootstrap = options.test == "bootstrap";
    const PairedTest test = bootstrap ? pairedBootstrap(first, second, kResamples, kResamplingSeed)
                                      : approximateRandomisation(first, second, kTrials, kResamplingSeed);
    console.line(metric + ", " + names + ": " + formatted("%.2f", test.baseline) + " and " +
                 formatted("%.2f", test.system) + ", p = " + formatted("%.4f", test.p) +
                 (bootstrap ? " (paired bootstrap, 1,000 resamples, seed 12345"
                            : " (approximate randomisation, 10,000 trials, seed 12345") +
                 limitOf(test) + ")");
    document.update({{"test", bootstrap ? "paired-bootstrap" : "approximate-randomisation"},
                     {"p", test.p},
                     {"baselineScore", test.baseline},
                     {"systemScore", test.system},
                     {"differingLines", test.differingLines},
                     {"trials", bootstrap ? kResamples : kTrials},
                     {"seed", kResamplingSeed}});
    return document;
}

} // namespace headroom::training
