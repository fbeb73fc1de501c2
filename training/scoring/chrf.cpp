// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/chrf.h"

#include "core/text/unicode_text.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace headroom::training {

namespace {

constexpr std::size_t kOrder = 6;
constexpr double kFactor = 4; // β²

std::u32string characters(const std::string& line) {
    std::u32string kept;
    for (const auto point : codePoints(line))
        if (!isBlank(point))
            kept += point;
    return kept;
}

std::unordered_map<std::u32string, std::int64_t> ngrams(const std::u32string& text, std::size_t order) {
    std::unordered_map<std::u32string, std::int64_t> counts;
    for (std::size_t begin = 0; begin + order <= text.size(); ++begin)
        ++counts[text.substr(begin, order)];
    return counts;
}

constexpr const char* kChrfSignature = "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0";

/// `sums`: as in chrfStatistics().
double chrfScore(std::span<const double> sums) {
    double precision = 0, recall = 0;
    int orders = 0;
    for (std::size_t i = 0; i + 2 < sums.size(); i += 3) {
        const double hypothesis = sums[i], reference = sums[i + 1], matched = sums[i + 2];
        if (hypothesis > 0 && reference > 0) {
            precision += matched / hypothesis;
            recall += matched / reference;
            ++orders;
        }
    }
    if (precision + recall <= 0)
        return 0;
    precision /= orders;
    recall /= orders;
    return 100 * (1 + kFactor) * precision * recall / (kFactor * precision + recall);
}

} // namespace

LineStatistics chrfStatistics(std::span<const std::string> references,
                              std::span<const std::string> hypotheses) {
    checkSameLines(references.size(), hypotheses.size());
    LineStatistics statistics{"chrF2", kChrfSignature, {}, chrfScore};
    for (std::size_t i = 0; i < references.size(); ++i) {
        const auto reference = characters(references[i]), hypothesis = characters(hypotheses[i]);
        std::vector<double> line(3 * kOrder, 0);
        for (std::size_t order = 1; order <= kOrder; ++order) {
            double* counts = &line[3 * (order - 1)]; // of the hypothesis, of the reference, of both
            const auto wanted = ngrams(reference, order);
            for (const auto& [ngram, count] : wanted)
                counts[1] += static_cast<double>(count);
            for (const auto& [ngram, count] : ngrams(hypothesis, order)) {
                if (!wanted.empty()) // a reference too short for the order says nothing about it
                    counts[0] += static_cast<double>(count);
                if (const auto found = wanted.find(ngram); found != wanted.end())
                    counts[2] += static_cast<double>(std::min(count, found->second));
            }
        }
        statistics.lines.push_back(std::move(line));
    }
    return statistics;
}

Chrf chrf(std::span<const std::string> references, std::span<const std::string> hypotheses) {
    return {chrfStatistics(references, hypotheses).scoreOfAll(), kChrfSignature};
}

} // namespace headroom::training
