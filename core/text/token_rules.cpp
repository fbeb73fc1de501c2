// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/token_rules.h"

#include "core/errors/error.h"
#include "core/errors/listed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

namespace headroom {

namespace {

constexpr float kClosed = -std::numeric_limits<float>::infinity();

void closeRange(std::span<float> logits, std::size_t first, std::size_t end) {
    end = std::min(end, logits.size());
    for (std::size_t id = first; id < end; ++id)
        logits[id] = kClosed;
}

void closeListed(std::span<float> logits, const std::vector<int>& ids) {
    for (const int id : ids)
        if (id >= 0 && static_cast<std::size_t>(id) < logits.size())
            logits[static_cast<std::size_t>(id)] = kClosed;
}

/// Whether Σ exp of the logits from `first` is above the largest exp before it.
bool timesAreLikelier(std::span<const float> logits, std::size_t first) {
    const float best = *std::max_element(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(first));
    const float latest = *std::max_element(logits.begin() + static_cast<std::ptrdiff_t>(first), logits.end());
    if (latest == kClosed || best == kClosed)
        return latest != kClosed;
    double sum = 0;
    for (std::size_t id = first; id < logits.size(); ++id)
        sum += std::exp(static_cast<double>(logits[id]) - static_cast<double>(latest));
    return std::log(sum) + static_cast<double>(latest) > static_cast<double>(best);
}

} // namespace

std::optional<int> TokenRules::firstTime(int vocabulary) const {
    if (!noTimes || *noTimes + 1 >= vocabulary)
        return std::nullopt;
    return *noTimes + 1;
}

std::vector<int> TokenRules::prompt(const std::string& spoken, bool times, int vocabulary) const {
    std::vector<int> ids{start};
    const std::string& wanted = language.empty() ? spoken : language;
    if (!wanted.empty() || !languages.empty()) {
        const auto found = languages.find(wanted);
        if (found == languages.end())
            throw Error("text.noSuchLanguage",
                        languages.empty()
                            ? "This model has no language tokens, so “" + wanted + "” cannot be chosen."
                            : "This model has no language “" + wanted + "”; it has " + listed(std::views::keys(languages)) +
                                  ".",
                        {{"language", wanted}});
        ids.push_back(found->second);
    }
    if (!tasks.empty()) {
        const auto found = tasks.find(task);
        if (found == tasks.end())
            throw Error("text.noSuchTask",
                        "This model has no task “" + task + "”; it has " + listed(std::views::keys(tasks)) + ".",
                        {{"task", task}});
        ids.push_back(found->second);
    } else if (task != "transcribe") {
        throw Error("text.noSuchTask", "This model only transcribes; it has no task “" + task + "”.",
                    {{"task", task}});
    }
    if (times && !firstTime(vocabulary))
        throw Error("text.noTimes", "This model has no time tokens.");
    if (!times && noTimes)
        ids.push_back(*noTimes);
    return ids;
}

std::string TokenRules::bestLanguage(std::span<const float> logits) const {
    std::string best;
    float largest = 0;
    for (const auto& [word, id] : languages) {
        if (id < 0 || static_cast<std::size_t>(id) >= logits.size())
            continue;
        const float logit = logits[static_cast<std::size_t>(id)];
        if (best.empty() || logit > largest) {
            best = word;
            largest = logit;
        }
    }
    return best;
}

void TokenRules::close(std::span<const int> text, bool times, std::span<float> logits) const {
    closeListed(logits, suppressed);
    if (text.empty())
        closeListed(logits, suppressedFirst);
    const auto first = firstTime(static_cast<int>(logits.size()));
    if (!times || !first)
        return;
    const auto begin = static_cast<std::size_t>(*first);
    logits[static_cast<std::size_t>(*noTimes)] = kClosed;
    const auto isTime = [&](int id) { return id >= *first; };
    const bool behindTime = !text.empty() && isTime(text.back());
    const bool opening = text.size() < 2 || isTime(text[text.size() - 2]); // the time opens a segment
    if (behindTime && opening)
        closeRange(logits, begin, logits.size());
    else if (behindTime) // the time closes a segment: its twin follows, or the end
        closeRange(logits, 0, static_cast<std::size_t>(end));
    const auto last = std::find_if(text.rbegin(), text.rend(), isTime);
    if (last != text.rend())
        closeRange(logits, begin, static_cast<std::size_t>(*last) + (behindTime && !opening ? 0 : 1));
    if (text.empty()) {
        closeRange(logits, 0, begin);
        if (latestFirstTime)
            closeRange(logits, begin + static_cast<std::size_t>(*latestFirstTime) + 1, logits.size());
    }
    if (timesAreLikelier(logits, begin))
        closeRange(logits, 0, begin);
}

std::vector<TimedTokens> TokenRules::segments(std::span<const int> text, int vocabulary) const {
    std::vector<TimedTokens> found;
    const auto first = firstTime(vocabulary);
    if (!first)
        return found;
    bool open = false;
    for (const int id : text) {
        if (id < *first) {
            if (open && id != end)
                found.back().ids.push_back(id);
            continue;
        }
        const double time = kSecondsPerTimeToken * (id - *first);
        if (open)
            found.back().end = time;
        else
            found.push_back({time, std::nullopt, {}});
        open = !open;
    }
    return found;
}

} // namespace headroom
