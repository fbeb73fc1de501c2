// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/seeds.h"

#include "core/errors/error.h"

#include <algorithm>
#include <cctype>

namespace headroom {

namespace {

constexpr std::size_t kMostDigits = 15;
constexpr std::string_view kDash = "–"; // as people type it

[[noreturn]] void refuseSeeds(const std::string& sentence) {
    throw Error("seeds.value", sentence);
}

/// Reads digits at `at`, and moves it behind them. Returns false if there are none, or too many.
bool readNumber(const std::string& part, std::size_t& at, std::uint64_t& number) {
    const std::size_t begin = at;
    number = 0;
    for (; at < part.size() && std::isdigit(static_cast<unsigned char>(part[at])) && at - begin < kMostDigits;
         ++at)
        number = number * 10 + static_cast<std::uint64_t>(part[at] - '0');
    return at > begin;
}

/// Moves `at` behind a dash, if there is one.
bool readDash(const std::string& part, std::size_t& at) {
    const std::size_t size = part.compare(at, 1, "-") == 0                ? 1
                             : part.compare(at, kDash.size(), kDash) == 0 ? kDash.size()
                                                                          : 0;
    at += size;
    return size > 0;
}

void addRange(const std::string& part, std::vector<std::uint64_t>& seeds) {
    std::size_t at = 0;
    std::uint64_t first = 0, last = 0;
    bool good = readNumber(part, at, first);
    last = first;
    if (good && at < part.size())
        good = readDash(part, at) && readNumber(part, at, last) && at == part.size();
    if (!good)
        refuseSeeds("“" + part + "” is not a seed. Seeds are whole numbers: 1 2 3, or 1-3.");
    if (last < first)
        refuseSeeds("“" + part + "” counts backwards.");
    if (last - first >= kMostSeeds)
        refuseSeeds("“" + part + "” is more than " + std::to_string(kMostSeeds) + " seeds.");
    for (std::uint64_t seed = first; seed <= last; ++seed)
        if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end())
            seeds.push_back(seed);
}

} // namespace

std::vector<std::uint64_t> parseSeeds(const std::string& text) {
    std::vector<std::uint64_t> seeds;
    std::string part;
    for (const char c : text + ' ') {
        const bool separates = c == ',' || c == ';' || std::isspace(static_cast<unsigned char>(c));
        if (!separates)
            part += c;
        else if (!part.empty()) {
            addRange(part, seeds);
            part.clear();
        }
    }
    if (seeds.empty())
        refuseSeeds("A run needs a seed, for example 1.");
    if (seeds.size() > kMostSeeds)
        refuseSeeds("These are more than " + std::to_string(kMostSeeds) + " seeds.");
    return seeds;
}

} // namespace headroom
