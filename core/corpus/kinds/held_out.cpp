// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/held_out.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"
#include "core/statistics/name_hash.h"
#include "core/statistics/split_mix.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

namespace headroom {

namespace {

enum class DividedBy { Speaker, Recording, Utterance };

std::string_view wordOf(DividedBy by) {
    return by == DividedBy::Speaker ? "speaker" : by == DividedBy::Recording ? "recording" : "utterance";
}

/// Utterances that stay together.
struct Group {
    std::string first;           ///< the speaker, else the lowest id
    std::vector<std::size_t> of; ///< indices of its utterances
    std::uint64_t rank = 0;
    std::string split; ///< empty: stays
};

/// A position in a shuffled order that does not depend on the other names.
std::uint64_t rankOf(const std::string& name) {
    return SplitMix(nameHash(name)).next();
}

/// Empty: unknown.
std::string nameOf(const SourceUtterance& utterance, DividedBy by) {
    return by == DividedBy::Speaker ? utterance.speaker : by == DividedBy::Recording ? utterance.audio.string() : utterance.id;
}

std::vector<Group> groupsOf(const std::vector<SourceUtterance>& utterances, const std::vector<std::size_t>& members, DividedBy by) {
    std::map<std::string, Group> groups;
    for (const std::size_t i : members) {
        const auto& one = utterances[i];
        auto& group = groups[nameOf(one, by)];
        const std::string& name = by == DividedBy::Speaker ? one.speaker : one.id;
        if (group.of.empty() || name < group.first)
            group.first = name;
        group.of.push_back(i);
    }
    std::vector<Group> listed;
    for (auto& [key, group] : groups) {
        group.rank = rankOf(group.first);
        listed.push_back(std::move(group));
    }
    std::ranges::sort(listed, [](const Group& a, const Group& b) { return a.rank != b.rank ? a.rank < b.rank : a.first < b.first; });
    return listed;
}

std::int64_t sizeOf(const Group& group) {
    return static_cast<std::int64_t>(group.of.size());
}

/// Takes groups that bring the number of utterances nearer to `target`, at least one. Returns the number.
std::int64_t take(std::vector<Group>& groups, const std::string& split, std::int64_t target) {
    std::int64_t taken = 0;
    for (auto& group : groups)
        if (group.split.empty() && std::abs(taken + sizeOf(group) - target) < std::abs(taken - target)) {
            group.split = split;
            taken += sizeOf(group);
        }
    if (taken > 0)
        return taken;
    Group* smallest = nullptr;
    for (auto& group : groups)
        if (group.split.empty() && (!smallest || sizeOf(group) < sizeOf(*smallest)))
            smallest = &group;
    if (!smallest)
        return 0;
    smallest->split = split;
    return sizeOf(*smallest);
}

/// The groups with the split of each; `nullopt` if whole groups do not come near the shares, or none would stay.
std::optional<std::vector<Group>> divide(std::vector<Group> groups, std::int64_t count, const std::vector<HeldOut>& wanted) {
    for (const auto& one : wanted) {
        const auto target = std::max<std::int64_t>(1, std::llround(static_cast<double>(count) * one.percent / 100));
        const auto taken = take(groups, one.split, target);
        if (taken * 2 < target || taken > 2 * target)
            return std::nullopt;
    }
    if (std::ranges::none_of(groups, [](const Group& group) { return group.split.empty(); }))
        return std::nullopt;
    return groups;
}

Error refusal(const std::string& sentence) {
    return {"corpus.holdOut", sentence};
}

std::string splitToDivide(const std::set<std::string>& splits) {
    std::set<std::string> training;
    for (const auto& split : splits)
        if (split.starts_with("train"))
            training.insert(split);
    if (training.size() == 1)
        return *training.begin();
    if (training.empty() && splits.size() == 1)
        return *splits.begin();
    throw refusal((training.empty() ? "The corpus has no training split to hold utterances out of; it has " + listedInQuotes(splits)
                                    : "The corpus has several training splits: " + listedInQuotes(training)) +
                  ". Build one with --split train=" + (training.empty() ? *splits.begin() : *training.begin() + ",…") + ".");
}

void refuseNames(const std::vector<HeldOut>& wanted, std::set<std::string> taken, const std::string& rest) {
    taken.insert(rest);
    for (const auto& one : wanted) {
        if (one.split.empty() || !std::ranges::all_of(one.split, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '.'; }) ||
            one.split.front() == '.')
            throw refusal("“" + validText(one.split) + "” cannot be the name of a split. Use letters, digits, - and “.”.");
        if (!taken.insert(one.split).second)
            throw refusal("The corpus already has a split “" + one.split + "”, so nothing can be held out for it.");
    }
}

/// Its original could end up in another split.
void refuseCopy(const SourceUtterance& utterance) {
    if (utterance.speed != 1)
        throw refusal("The utterance " + validText(utterance.id) +
                      " is a copy at another speed. Hold utterances out of a corpus without such copies, and add the speeds with --speed.");
}

struct Divided {
    std::string from, rest; ///< the split, and its name afterwards
};

Divided dividedSplit(const std::vector<SourceUtterance>& utterances, const std::vector<HeldOut>& wanted) {
    std::set<std::string> splits;
    for (const auto& utterance : utterances)
        splits.insert(utterance.split);
    const std::string from = splitToDivide(splits), rest = from.starts_with("train") ? from : "train";
    refuseNames(wanted, splits, rest);
    return {from, rest};
}

} // namespace

void checkSplitsFor(const std::vector<HeldOut>& wanted, const std::vector<SourceUtterance>& utterances) {
    if (!wanted.empty() && !utterances.empty())
        dividedSplit(utterances, wanted);
}

HeldOutResult holdOut(std::vector<SourceUtterance>& utterances, const std::vector<HeldOut>& wanted) {
    const auto [from, rest] = dividedSplit(utterances, wanted);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < utterances.size(); ++i)
        if (utterances[i].split == from) {
            refuseCopy(utterances[i]);
            members.push_back(i);
        }
    for (const auto by : {DividedBy::Speaker, DividedBy::Recording, DividedBy::Utterance}) {
        if (std::ranges::any_of(members, [&](std::size_t i) { return nameOf(utterances[i], by).empty(); }))
            continue;
        const auto groups = divide(groupsOf(utterances, members, by), static_cast<std::int64_t>(members.size()), wanted);
        if (!groups)
            continue;
        std::map<std::string, std::int64_t> counts;
        for (const auto& group : *groups) {
            const auto& split = group.split.empty() ? rest : group.split;
            ++counts[split];
            for (const std::size_t i : group.of)
                utterances[i].split = split;
        }
        const std::string noun(wordOf(by));
        HeldOutResult result{"“" + validText(from) + "” was divided by " + noun + ": " + validText(rest) + " has " + counted(counts[rest], noun),
                             {{"from", validText(from)}, {"by", noun}, {"percent", nlohmann::json::object()}}};
        for (const auto& one : wanted) {
            result.note += ", " + one.split + " " + grouped(counts[one.split]);
            result.made["percent"][one.split] = one.percent;
        }
        result.note += ".";
        return result;
    }
    throw refusal("“" + validText(from) + "” has only " + counted(static_cast<std::int64_t>(members.size()), "utterance") +
                  ", too few to hold any out.");
}

} // namespace headroom
