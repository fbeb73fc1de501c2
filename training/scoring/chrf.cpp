// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/chrf.h"

#include "training/scoring/unicode_text.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <array>
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

struct Tally {
    double hypothesis = 0, reference = 0, matched = 0;
};

} // namespace

Chrf chrf(std::span<const std::string> references, std::span<const std::string> hypotheses) {
    checkSameLines(references.size(), hypotheses.size());
    std::array<Tally, kOrder> tallies;
    for (std::size_t i = 0; i < references.size(); ++i) {
        const auto reference = characters(references[i]), hypothesis = characters(hypotheses[i]);
        for (std::size_t order = 1; order <= kOrder; ++order) {
            auto& tally = tallies[order - 1];
            const auto wanted = ngrams(reference, order);
            for (const auto& [ngram, count] : wanted)
                tally.reference += static_cast<double>(count);
            for (const auto& [ngram, count] : ngrams(hypothesis, order)) {
                if (!wanted.empty()) // a reference too short for the order says nothing about it
                    tally.hypothesis += static_cast<double>(count);
                if (const auto found = wanted.find(ngram); found != wanted.end())
                    tally.matched += static_cast<double>(std::min(count, found->second));
            }
        }
    }
    double precision = 0, recall = 0;
    int orders = 0;
    for (const auto& tally : tallies)
        if (tally.hypothesis > 0 && tally.reference > 0) {
            precision += tally.matched / tally.hypothesis;
            recall += tally.matched / tally.reference;
            ++orders;
        }
    Chrf result;
    result.signature = "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0";
    if (precision + recall > 0) {
        precision /= orders;
        recall /= orders;
        result.score = 100 * (1 + kFactor) * precision * recall / (kFactor * precision + recall);
    }
    return result;
}

} // namespace headroom::training
