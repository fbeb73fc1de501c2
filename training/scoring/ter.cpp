// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/ter.h"

#include "core/errors/error.h"
#include "core/text/unicode_text.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

namespace headroom::training {

namespace {

// The limits of Tercom that sacreBLEU keeps; other values give other scores.
constexpr int kLongestShift = 10, kFarthestShift = 50, kBeam = 25, kMostCandidates = 1000;
constexpr int kUnreached = 1'000'000'000;
constexpr std::size_t kMostTerCells = 100'000'000;

using Words = std::vector<int>; // numbered

enum class Step : char { Keep, Replace, Insert, Delete, None };

struct Edits {
    int distance = 0;
    std::vector<Step>
        steps; ///< from the first word on; Insert takes a reference word, Delete a hypothesis word
};

/// Levenshtein's distance within a beam about the diagonal.
Edits editDistance(const Words& hypothesis, const Words& reference) {
    const int h = static_cast<int>(hypothesis.size()), r = static_cast<int>(reference.size());
    struct Cell {
        int cost = kUnreached;
        Step step = Step::None;
    };
    const auto width = static_cast<std::size_t>(r) + 1;
    if (static_cast<std::size_t>(h) + 1 > kMostTerCells / width)
        throw Error("scoring.tooLong",
                    "A line of " + std::to_string(r) + " words against one of " + std::to_string(h) +
                        " is too long to align. Write one sentence per line.",
                    {{"reference", r}, {"hypothesis", h}});
    std::vector<Cell> cells((static_cast<std::size_t>(h) + 1) * width);
    const auto cell = [&](int i, int j) -> Cell& {
        return cells[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)];
    };
    for (int j = 0; j <= r; ++j)
        cell(0, j) = {j, Step::Insert};
    const double ratio = h > 0 ? static_cast<double>(r) / h : 1;
    const int beam = kBeam < ratio / 2 ? static_cast<int>(std::ceil(ratio / 2 + kBeam)) : kBeam;
    for (int i = 1; i <= h; ++i) {
        const int middle = static_cast<int>(std::floor(i * ratio));
        const int end = i == h ? r + 1 : std::min(r + 1, middle + beam);
        for (int j = std::max(0, middle - beam); j < end; ++j) {
            if (j == 0) {
                cell(i, 0) = {cell(i - 1, 0).cost + 1, Step::Delete};
                continue;
            }
            const bool same =
                hypothesis[static_cast<std::size_t>(i - 1)] == reference[static_cast<std::size_t>(j - 1)];
            auto& best = cell(i, j);
            const auto offer = [&](int cost, Step step) { // the first of equals stays
                if (best.cost > cost)
                    best = {cost, step};
            };
            offer(cell(i - 1, j - 1).cost + (same ? 0 : 1), same ? Step::Keep : Step::Replace);
            offer(cell(i - 1, j).cost + 1, Step::Delete);
            offer(cell(i, j - 1).cost + 1, Step::Insert);
        }
    }
    Edits edits{cell(h, r).cost, {}};
    for (int i = h, j = r; i > 0 || j > 0;) {
        const auto step = cell(i, j).step;
        if (step == Step::None)
            throw std::logic_error("The beam of the translation edit rate lost its way.");
        edits.steps.push_back(step);
        i -= step != Step::Insert;
        j -= step != Step::Delete;
    }
    std::reverse(edits.steps.begin(), edits.steps.end());
    return edits;
}

/// What the steps say about each word.
struct Trace {
    std::vector<int>
        hypothesisAt; ///< per reference word: the last hypothesis word used up to it; −1: none yet
    std::vector<int> referenceWrong, hypothesisWrong;
};

Trace traceOf(const std::vector<Step>& steps) {
    Trace trace;
    int at = -1;
    for (const auto step : steps) {
        const bool wrong = step != Step::Keep;
        if (step != Step::Insert) {
            ++at;
            trace.hypothesisWrong.push_back(wrong);
        }
        if (step != Step::Delete) {
            trace.hypothesisAt.push_back(at);
            trace.referenceWrong.push_back(wrong);
        }
    }
    return trace;
}

Words shifted(const Words& words, int start, int length, int target) {
    Words rest(words.begin(), words.begin() + start);
    rest.insert(rest.end(), words.begin() + start + length, words.end());
    // A target inside or behind the run is counted as if the run were gone, in Tercom's way.
    const int place = target < start ? target : target > start + length ? target - length : target;
    rest.insert(rest.begin() + std::min(place, static_cast<int>(rest.size())), words.begin() + start,
                words.begin() + start + length);
    return rest;
}

struct Candidate {
    int gain = 0, length = 0, minusStart = 0, minusTarget = 0;
    Words words;
    auto rank() const { return std::tie(gain, length, minusStart, minusTarget); }
};

/// The best shift of one run of words, or nothing.
std::optional<Candidate> bestShift(const Words& hypothesis, const Words& reference, int& checked) {
    const auto before = editDistance(hypothesis, reference);
    const auto trace = traceOf(before.steps);
    const int h = static_cast<int>(hypothesis.size()), r = static_cast<int>(reference.size());
    std::optional<Candidate> best;
    const auto anyWrong = [](const std::vector<int>& wrong, int start, int length) {
        return std::any_of(wrong.begin() + start, wrong.begin() + start + length,
                           [](int each) { return each; });
    };
    for (int start = 0; start < h; ++start)
        for (int goal = 0; goal < r; ++goal) {
            if (std::abs(goal - start) > kFarthestShift)
                continue;
            for (int length = 1; length <= kLongestShift && start + length <= h && goal + length <= r &&
                                 hypothesis[static_cast<std::size_t>(start + length - 1)] ==
                                     reference[static_cast<std::size_t>(goal + length - 1)];
                 ++length) {
                const int aligned = trace.hypothesisAt[static_cast<std::size_t>(goal)];
                if (!anyWrong(trace.hypothesisWrong, start, length) ||
                    !anyWrong(trace.referenceWrong, goal, length) ||
                    (start <= aligned && aligned < start + length))
                    continue;
                int previous = -1;
                for (int offset = -1; offset < length; ++offset) {
                    const int target = goal + offset == -1
                                           ? 0
                                           : trace.hypothesisAt[static_cast<std::size_t>(goal + offset)] + 1;
                    if (target == previous)
                        continue;
                    previous = target;
                    Candidate candidate{0, length, -start, -target,
                                        shifted(hypothesis, start, length, target)};
                    candidate.gain = before.distance - editDistance(candidate.words, reference).distance;
                    ++checked;
                    if (!best || candidate.rank() > best->rank())
                        best = std::move(candidate);
                }
                if (checked >= kMostCandidates)
                    return best;
            }
        }
    return best;
}

} // namespace

std::int64_t translationEdits(const std::vector<std::string>& reference,
                              const std::vector<std::string>& hypothesis) {
    if (reference.empty())
        return static_cast<std::int64_t>(hypothesis.size());
    std::unordered_map<std::string_view, int> numbers;
    const auto numbered = [&](const std::vector<std::string>& words) {
        Words result;
        for (const auto& word : words)
            result.push_back(numbers.try_emplace(word, static_cast<int>(numbers.size())).first->second);
        return result;
    };
    const auto wanted = numbered(reference);
    auto words = numbered(hypothesis);
    int shifts = 0, checked = 0;
    for (;;) {
        auto best = bestShift(words, wanted, checked);
        if (checked >= kMostCandidates || !best || best->gain <= 0)
            break;
        ++shifts;
        words = std::move(best->words);
    }
    return shifts + editDistance(words, wanted).distance;
}

namespace {

constexpr const char* kTerSignature = "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0";

} // namespace

double Ter::score() const {
    if (referenceLength > 0)
        return 100.0 * static_cast<double>(edits) / static_cast<double>(referenceLength);
    return edits > 0 ? 100 : 0;
}

LineStatistics terStatistics(std::span<const std::string> references,
                             std::span<const std::string> hypotheses) {
    checkSameLines(references.size(), hypotheses.size());
    LineStatistics statistics{"TER", kTerSignature, {}, [](std::span<const double> sums) {
                                  if (sums.empty())
                                      return 0.0;
                                  return Ter{static_cast<std::int64_t>(sums[0]),
                                             static_cast<std::int64_t>(sums[1]),
                                             {}}
                                      .score();
                              }};
    for (std::size_t i = 0; i < references.size(); ++i) {
        const auto reference = splitAtUnicodeBlanks(lowerCase(references[i])),
                   hypothesis = splitAtUnicodeBlanks(lowerCase(hypotheses[i]));
        statistics.lines.push_back({static_cast<double>(translationEdits(reference, hypothesis)),
                                    static_cast<double>(reference.size())});
    }
    return statistics;
}

Ter ter(std::span<const std::string> references, std::span<const std::string> hypotheses) {
    const auto sums = terStatistics(references, hypotheses).sumOfAll();
    if (sums.empty())
        return {0, 0, kTerSignature};
    return {static_cast<std::int64_t>(sums[0]), static_cast<std::int64_t>(sums[1]), kTerSignature};
}

} // namespace headroom::training
