// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/bleu.h"

#include "core/text/tokenizer_13a.h"
#include "core/text/unicode_text.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <vector>

namespace headroom::training {

namespace {

std::vector<std::string> tokensOf(const std::string& line, const BleuOptions& options) {
    auto text = withoutTrailingBlanks(options.lowerCase ? lowerCase(line) : line);
    if (options.splitCompounds)
        text = splitCompounds(text);
    return splitAtUnicodeBlanks(options.tokenize ? tokenize13a(text) : text);
}

using Counts = std::unordered_map<std::string, std::int64_t>;

Counts ngrams(const std::vector<std::string>& tokens, std::size_t order) {
    Counts counts;
    for (std::size_t begin = 0; begin + order <= tokens.size(); ++begin) {
        std::string key;
        for (std::size_t k = 0; k < order; ++k)
            key += tokens[begin + k] + ' '; // no token holds a blank
        ++counts[key];
    }
    return counts;
}

} // namespace

std::string splitCompounds(const std::string& line) {
    const auto isBlank = [](char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); };
    std::string split;
    for (std::size_t at = 0; at < line.size();) {
        const bool compound = at + 2 < line.size() && line[at + 1] == '-' && !isBlank(line[at]) && !isBlank(line[at + 2]);
        split += line[at];
        if (compound)
            (split += " ##AT##-##AT## ") += line[at + 2];
        at += compound ? 3 : 1;
    }
    return split;
}

std::string Bleu::line() const {
    std::array<char, 256> text{};
    const double ratio = referenceLength > 0
                             ? static_cast<double>(hypothesisLength) / static_cast<double>(referenceLength)
                             : 0;
    std::snprintf(text.data(), text.size(),
                  "BLEU = %.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %lld ref_len = %lld)",
                  score, precisions[0], precisions[1], precisions[2], precisions[3], brevityPenalty, ratio,
                  static_cast<long long>(hypothesisLength), static_cast<long long>(referenceLength));
    return text.data();
}

std::string Bleu::multiBleuLine() const {
    std::array<char, 256> text{};
    const double ratio = referenceLength > 0
                             ? static_cast<double>(hypothesisLength) / static_cast<double>(referenceLength)
                             : 0;
    std::snprintf(text.data(), text.size(),
                  "BLEU = %.2f, %.1f/%.1f/%.1f/%.1f (BP=%.3f, ratio=%.3f, hyp_len=%lld, ref_len=%lld)", score,
                  precisions[0], precisions[1], precisions[2], precisions[3], brevityPenalty, ratio,
                  static_cast<long long>(hypothesisLength), static_cast<long long>(referenceLength));
    return text.data();
}

namespace {

std::string bleuSignature(const BleuOptions& options) {
    return std::string("nrefs:1|case:") + (options.lowerCase ? "lc" : "mixed") +
           "|eff:" + (options.effectiveOrder ? "yes" : "no") + "|tok:" + (options.tokenize ? "13a" : "none") +
           "|smooth:" + (options.smooth ? "exp" : "none") + "|version:2.6.0";
}

/// `sums`: as in bleuStatistics().
Bleu bleuOf(std::span<const double> sums, const BleuOptions& options) {
    Bleu result;
    result.signature = bleuSignature(options);
    if (sums.empty())
        return result; // no lines
    result.hypothesisLength = static_cast<std::int64_t>(sums[0]);
    result.referenceLength = static_cast<std::int64_t>(sums[1]);
    for (std::size_t k = 0; k < 4; ++k) {
        result.counts[k] = static_cast<std::int64_t>(sums[2 + k]);
        result.totals[k] = static_cast<std::int64_t>(sums[6 + k]);
    }
    if (result.hypothesisLength < result.referenceLength)
        result.brevityPenalty = result.hypothesisLength > 0
                                    ? std::exp(1 - static_cast<double>(result.referenceLength) /
                                                       static_cast<double>(result.hypothesisLength))
                                    : 0;
    if (result.counts == std::array<std::int64_t, 4>{})
        return result; // nothing in common: 0, whatever smoothing would make of it
    double smoothing = 1, logarithms = 0;
    int order = 4;
    for (int n = 1; n <= 4; ++n) {
        const auto k = static_cast<std::size_t>(n - 1);
        if (result.totals[k] == 0)
            break;
        if (options.effectiveOrder)
            order = n;
        const auto total = static_cast<double>(result.totals[k]);
        if (result.counts[k] == 0)
            result.precisions[k] = options.smooth ? 100.0 / ((smoothing *= 2) * total) : 0;
        else
            result.precisions[k] = 100.0 * static_cast<double>(result.counts[k]) / total;
    }
    for (int n = 0; n < order; ++n) {
        const double precision = result.precisions[static_cast<std::size_t>(n)];
        logarithms += precision > 0 ? std::log(precision) : -9999999999.0;
    }
    result.score = result.brevityPenalty * std::exp(logarithms / order);
    return result;
}

} // namespace

LineStatistics bleuStatistics(std::span<const std::string> references,
                              std::span<const std::string> hypotheses, const BleuOptions& options) {
    checkSameLines(references.size(), hypotheses.size());
    LineStatistics statistics{"BLEU", bleuSignature(options), {}, [options](std::span<const double> sums) {
                                  return bleuOf(sums, options).score;
                              }};
    for (std::size_t i = 0; i < references.size(); ++i) {
        const auto reference = tokensOf(references[i], options),
                   hypothesis = tokensOf(hypotheses[i], options);
        std::vector<double> line(10, 0);
        line[0] = static_cast<double>(hypothesis.size());
        line[1] = static_cast<double>(reference.size());
        for (std::size_t order = 1; order <= 4; ++order) {
            const auto wanted = ngrams(reference, order);
            for (const auto& [ngram, count] : ngrams(hypothesis, order)) {
                line[5 + order] += static_cast<double>(count);
                if (const auto found = wanted.find(ngram); found != wanted.end())
                    line[1 + order] += static_cast<double>(std::min(count, found->second));
            }
        }
        statistics.lines.push_back(std::move(line));
    }
    return statistics;
}

Bleu bleu(std::span<const std::string> references, std::span<const std::string> hypotheses,
          const BleuOptions& options) {
    return bleuOf(bleuStatistics(references, hypotheses, options).sumOfAll(), options);
}

} // namespace headroom::training
