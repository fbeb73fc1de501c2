// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "training/scoring/bleu.h"
#include "training/scoring/chrf.h"
#include "training/scoring/ter.h"
#include "training/scoring/word_error_rate.h"
#include "training/worker/commands.h"

#include <array>
#include <cstdio>
#include <fstream>

namespace headroom::training {

namespace {

std::vector<std::string> linesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored;
    if (!in || std::filesystem::is_directory(file, ignored))
        throw Error("scoring.missing", displayName(file) + " could not be read.",
                    {{"file", displayName(file)}});
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (lines.empty() && line.starts_with("\xEF\xBB\xBF"))
            line.erase(0, 3);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string text(const char* format, double value) {
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), format, value);
    return digits.data();
}

nlohmann::json scoreWords(const char* name, const char* rule, const WordErrorRate& rate, Console& console) {
    const auto percent = rate.percent();
    const auto& total = rate.total;
    console.line(std::string(name) + " = " + (percent ? text("%.2f", *percent) : "–") + " (" +
                 std::to_string(total.errors()) + (total.errors() == 1 ? " error in " : " errors in ") +
                 std::to_string(total.referenceWords()) + " words: " + std::to_string(total.substitutions) +
                 " substitutions, " + std::to_string(total.deletions) + " deletions, " +
                 std::to_string(total.insertions) + " insertions; " + rule + ")");
    return {{"percent", percent ? nlohmann::json(*percent) : nlohmann::json()},
            {"errors", total.errors()},
            {"referenceWords", total.referenceWords()},
            {"hits", total.hits},
            {"substitutions", total.substitutions},
            {"deletions", total.deletions},
            {"insertions", total.insertions},
            {"rule", rule}};
}

} // namespace

std::vector<std::string> metricNames() {
    return {"wer", "wer-plain", "bleu", "chrf", "ter"};
}

void score(const ScoreOptions& options, Console& console) {
    const auto references = linesOf(options.reference), hypotheses = linesOf(options.hypothesis);
    if (references.size() != hypotheses.size())
        throw Error("scoring.lines",
                    displayName(options.reference) + " has " + std::to_string(references.size()) +
                        " lines and " + displayName(options.hypothesis) + " " +
                        std::to_string(hypotheses.size()) + "; they must correspond line by line.");
    auto scores = nlohmann::json::object();
    for (const auto& metric : options.metrics) {
        if (metric == "wer") {
            scores[metric] = scoreWords("WER", "fairseq: 13a, without punctuation, lower case",
                                        wordErrorRate(references, hypotheses), console);
        } else if (metric == "wer-plain") {
            scores[metric] = scoreWords("WER", "plain: as written, cut at spaces",
                                        wordErrorRate(references, hypotheses, WordRule::Plain), console);
        } else if (metric == "bleu") {
            const auto result = bleu(references, hypotheses);
            console.line(result.line() + " " + result.signature);
            scores[metric] = {{"score", result.score},
                              {"precisions", result.precisions},
                              {"counts", result.counts},
                              {"totals", result.totals},
                              {"brevityPenalty", result.brevityPenalty},
                              {"hypothesisLength", result.hypothesisLength},
                              {"referenceLength", result.referenceLength},
                              {"signature", result.signature}};
        } else if (metric == "chrf") {
            const auto result = chrf(references, hypotheses);
            console.line("chrF2 = " + text("%.2f", result.score) + " " + result.signature);
            scores[metric] = {{"score", result.score}, {"signature", result.signature}};
        } else if (metric == "ter") {
            const auto result = ter(references, hypotheses);
            console.line("TER = " + text("%.2f", result.score()) + " (" + std::to_string(result.edits) +
                         " edits in " + std::to_string(result.referenceLength) + " words) " +
                         result.signature);
            scores[metric] = {{"score", result.score()},
                              {"edits", result.edits},
                              {"referenceLength", result.referenceLength},
                              {"signature", result.signature}};
        }
    }
    console.document({{"format", "headroom/scores"},
                      {"version", 1},
                      {"reference", options.reference.string()},
                      {"hypothesis", options.hypothesis.string()},
                      {"lines", references.size()},
                      {"scores", scores}});
}

} // namespace headroom::training
