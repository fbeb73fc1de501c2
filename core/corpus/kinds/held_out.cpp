// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/held_out.h"

#include "core/corpus/kinds/chosen_splits.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"
#include "core/statistics/name_hash.h"
#include "core/statistics/split_mix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
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

/// A split after the division.
struct Part {
    std::int64_t groups = 0, utterances = 0;
};

/// "speaker: train 1,000 utterances of 2 speakers, dev 500 of 1."
std::string sizesText(const std::map<std::string, Part>& parts, DividedBy by, const std::string& rest, const std::vector<HeldOut>& wanted) {
    const std::string noun(wordOf(by));
    const bool isSingle = std::ranges::all_of(parts, [](const auto& each) { return each.second.groups == each.second.utterances; });
    const Part& first = parts.at(rest);
    std::string text = noun + ": " + validText(rest) + " " +
                       (isSingle ? counted(first.groups, noun) : counted(first.utterances, "utterance") + " of " + counted(first.groups, noun));
    for (const auto& one : wanted) {
        const Part& part = parts.at(one.split);
        text += ", " + one.split + " " + grouped(part.utterances) + (isSingle ? "" : " of " + grouped(part.groups));
    }
    return text + ".";
}

std::string percentText(double percent) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), percent == std::round(percent) ? "%.0f %%" : "%.1f %%", percent);
    return text.data();
}

/// Why parts are not as large as wanted: " dev is 33.3 % instead of 20 %, because speakers stay together."
std::string reasonText(const std::map<std::string, Part>& parts, DividedBy by, const std::vector<HeldOut>& wanted, bool missesSpeakers) {
    std::int64_t all = 0;
    for (const auto& [split, part] : parts)
        all += part.utterances;
    std::string text = missesSpeakers ? " Speakers may be in several splits, because whole speakers would miss the wanted share by more than a factor of two." : "";
    for (const auto& one : wanted) {
        constexpr double kNear = 0.1;
        const double share = 100 * static_cast<double>(parts.at(one.split).utterances) / static_cast<double>(all);
        if (by != DividedBy::Utterance && std::abs(share - one.percent) > kNear * one.percent)
            text += " " + one.split + " is " + percentText(share) + " instead of " + percentText(one.percent) + ", because " +
                    std::string(wordOf(by)) + "s stay together.";
    }
    return text;
}

/// Whether every utterance names its speaker, of whom there are several.
bool namesSpeakers(const std::vector<SourceUtterance>& utterances, const std::vector<std::size_t>& members) {
    std::set<std::string> speakers;
    for (const std::size_t i : members)
        speakers.insert(utterances[i].speaker);
    return speakers.size() > 1 && !speakers.contains("");
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
                      " is a copy at another speed. Hold utterances out of a corpus without such copies, and use --speed to add the speeds.");
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

/// Leaves out what the import will leave out, as far as its tables and folders tell: recordings that are not there, and repeated ids.
void keepPresent(SourceReading& reading) {
    std::set<std::pair<std::string, std::string>> ids;
    std::erase_if(reading.utterances(), [&](const SourceUtterance& one) {
        return !one.audio.empty() && (!reading.isFile(one.audio) || !ids.emplace(one.split, one.id).second);
    });
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
        std::map<std::string, Part> parts;
        for (const auto& group : *groups) {
            const auto& split = group.split.empty() ? rest : group.split;
            ++parts[split].groups;
            parts[split].utterances += sizeOf(group);
            for (const std::size_t i : group.of)
                utterances[i].split = split;
        }
        const bool missesSpeakers = by != DividedBy::Speaker && namesSpeakers(utterances, members);
        HeldOutResult result{"", "", {{"from", validText(from)}, {"by", wordOf(by)}, {"percent", nlohmann::json::object()}}};
        for (const auto& one : wanted)
            result.made["percent"][one.split] = one.percent;
        const std::string sizes = sizesText(parts, by, rest, wanted) + reasonText(parts, by, wanted, missesSpeakers);
        result.note = "“" + validText(from) + "” was divided by " + sizes;
        result.plan = "“" + validText(from) + "” will be divided by " + sizes;
        result.made["note"] = result.note;
        return result;
    }
    throw refusal("“" + validText(from) + "” has only " + counted(static_cast<std::int64_t>(members.size()), "utterance") +
                  ", too few to hold any out.");
}

std::string plannedHeldOut(CorpusImport request) {
    if (request.heldOut.empty())
        return {};
    request.copy = false; // nothing is unpacked
    const CorpusKind& kind = request.kind.empty() ? recogniseCorpusKind(request.from) : corpusKind(request.kind);
    SourceReading reading(request);
    kind.read(reading);
    chooseSplits(reading.utterances(), request);
    keepPresent(reading);
    return reading.utterances().empty() ? std::string() : holdOut(reading.utterances(), request.heldOut).plan;
}

} // namespace headroom
