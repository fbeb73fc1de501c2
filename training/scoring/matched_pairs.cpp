// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/matched_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace headroom::training {
namespace {

/// An alignment by reference word.
struct WordMarks {
    std::vector<std::string> reference;
    std::vector<bool> correct;
    std::vector<std::int64_t> insertions; ///< before each reference word, and behind the last
};

WordMarks marksOf(const ScliteUtterance& utterance) {
    WordMarks marks{{}, {}, {0}};
    for (const AlignedWord& pair : utterance.words) {
        if (pair.edit == WordEdit::Insertion) {
            ++marks.insertions.back();
            continue;
        }
        marks.reference.push_back(pair.reference);
        marks.correct.push_back(pair.edit == WordEdit::Correct);
        marks.insertions.push_back(0);
    }
    return marks;
}

/// Reference words [begin, end); insertions before the words [firstGap, lastGap].
struct Stretch {
    std::size_t begin, end, firstGap, lastGap;
};

std::vector<Stretch> stretchesOf(const WordMarks& first, const WordMarks& second) {
    constexpr int kBoundary = 2; // words right in both systems
    const std::size_t words = first.correct.size();
    std::vector<Stretch> stretches;
    std::optional<Stretch> open;
    int right = 0;
    const auto wrongAt = [&](std::size_t word) {
        right = 0;
        if (!open)
            open = Stretch{word < kBoundary ? 0 : word - kBoundary, 0, word, 0};
    };
    for (std::size_t word = 0; word <= words; ++word) {
        if (first.insertions[word] + second.insertions[word] > 0)
            wrongAt(word);
        if (word == words)
            break;
        if (!first.correct[word] || !second.correct[word]) {
            wrongAt(word);
        } else if (open && ++right == kBoundary) {
            open->end = word + 1;
            open->lastGap = word;
            stretches.push_back(*open);
            open.reset();
        }
    }
    if (open) {
        open->end = open->lastGap = words;
        stretches.push_back(*open);
    }
    return stretches;
}

std::int64_t errorsIn(const Stretch& stretch, const WordMarks& marks) {
    std::int64_t errors = 0;
    for (std::size_t word = stretch.begin; word < stretch.end; ++word)
        errors += !marks.correct[word];
    for (std::size_t gap = stretch.firstGap; gap <= stretch.lastGap; ++gap)
        errors += marks.insertions[gap];
    return errors;
}

double twoSided(double z) {
    return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

} // namespace

MatchedPairs matchedPairs(const std::vector<ScliteUtterance>& first,
                          const std::vector<ScliteUtterance>& second) {
    const auto refuse = [](const std::string& what) {
        throw Error("scoring.pairs", "The two systems cannot be compared: " + what);
    };
    if (first.size() != second.size())
        refuse("they have different numbers of utterances.");
    MatchedPairs result;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const WordMarks one = marksOf(first[i]), other = marksOf(second[i]);
        if (first[i].id != second[i].id || one.reference != other.reference)
            refuse("the utterance " + first[i].id + " has different references.");
        for (const Stretch& stretch : stretchesOf(one, other)) {
            const ErrorSegment segment{static_cast<std::int64_t>(stretch.end - stretch.begin),
                                       {errorsIn(stretch, one), errorsIn(stretch, other)}};
            result.referenceWords += segment.referenceWords;
            for (std::size_t k = 0; k < 2; ++k)
                result.errors[k] += segment.errors[k];
            result.segments.push_back(segment);
        }
    }
    const auto count = static_cast<double>(result.segments.size());
    if (result.segments.empty())
        return result; // neither system errs
    result.mean = static_cast<double>(result.errors[0] - result.errors[1]) / count;
    double squares = 0;
    for (const ErrorSegment& segment : result.segments)
        squares += std::pow(static_cast<double>(segment.errors[0] - segment.errors[1]) - result.mean, 2);
    result.standardDeviation = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
    if (result.standardDeviation > 0) {
        result.z = result.mean / (result.standardDeviation / std::sqrt(count));
        result.p = twoSided(result.z);
    }
    return result;
}

std::string MatchedPairs::printedP() const {
    const double cut = std::trunc(std::abs(z) * 100) / 100; // sc_stats looks z up in a table of hundredths
    const double looked = twoSided(cut);
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", looked);
    return looked < 0.001 ? "<0.001" : text;
}

std::string MatchedPairs::line(std::size_t utterances) const {
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0.0; };
    char text[256];
    std::snprintf(text, sizeof text,
                  "(# segs: %zu) (Seg per Sent: %.3f) (%% Error: %.2f %.2f) (mean: %.3f) (std dev: %.3f) "
                  "(Z Stat: %.3f) (Stat Diff: %s)",
                  segments.size(),
                  share(static_cast<double>(segments.size()), static_cast<double>(utterances)),
                  100 * share(static_cast<double>(errors[0]), static_cast<double>(referenceWords)),
                  100 * share(static_cast<double>(errors[1]), static_cast<double>(referenceWords)), mean,
                  standardDeviation, z, std::abs(z) > 1.96 ? "Yes" : "No");
    return text;
}

} // namespace headroom::training
