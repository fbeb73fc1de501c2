// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/chosen_splits.h"

#include "core/errors/listed.h"

#include <map>
#include <set>
#include <utility>

namespace headroom {

namespace {

std::string missingSplitText(const CorpusImport& request, const std::string& split, const std::set<std::string>& found) {
    const std::string names = listedInQuotes(found);
    return request.from.string() + " has no split “" + split + "”" + (names.empty() ? " and no other." : "; it has " + names + ".");
}

} // namespace

std::string plainName(std::string name, std::string_view marks) {
    for (char& c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || marks.find(c) != std::string_view::npos))
            c = '-';
    while (name.starts_with('.'))
        name.erase(0, 1);
    return name.substr(0, 64);
}

void chooseSplits(std::vector<SourceUtterance>& utterances, const CorpusImport& request) {
    std::map<std::string, std::vector<std::string>> made;
    std::set<std::string> found;
    for (const auto& utterance : utterances)
        found.insert(utterance.split);
    if (request.splits.empty())
        for (const auto& split : found)
            made[split] = {plainName(split, "-.")};
    for (const auto& [name, sources] : request.splits)
        for (const auto& source : sources) {
            if (!found.contains(source))
                throw Error("corpus.noSplit", missingSplitText(request, source, found), {{"split", source}});
            made[source].push_back(plainName(name, "-."));
        }
    std::vector<SourceUtterance> kept;
    for (auto& utterance : utterances)
        if (const auto names = made.find(utterance.split); names != made.end())
            for (const auto& name : names->second) {
                kept.push_back(utterance);
                kept.back().split = name;
            }
    utterances = std::move(kept);
}

} // namespace headroom
