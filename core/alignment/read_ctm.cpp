// SPDX-License-Identifier: GPL-3.0-or-later
// NIST's CTM: utterance channel start duration label [confidence …]; “;;” begins a comment.
#include "core/alignment/list_text.h"

namespace headroom {

namespace {

bool isComment(std::string_view line) {
    const auto text = trimmed(line);
    return text.empty() || text.starts_with(";;") || text.starts_with('#');
}

struct CtmRows {
    std::string channel;
    bool manyChannels = false;
    TierRows tier;
};

} // namespace

bool looksLikeCtm(std::string_view text) {
    TextLines lines(text);
    while (const auto line = lines.next()) {
        if (isComment(line->text))
            continue;
        const auto cells = splitAtBlanks(line->text);
        return cells.size() >= 5 && cells.size() <= 8 && finiteNumber(cells[2]) && finiteNumber(cells[3]);
    }
    return false;
}

AlignmentList parseCtm(std::string_view text, const std::string& name) {
    std::map<std::string, CtmRows> found;
    TextLines lines(text);
    while (const auto line = lines.next()) {
        if (isComment(line->text))
            continue;
        const auto cells = splitAtBlanks(line->text);
        if (cells.size() < 5 || cells.size() > 8)
            refuseLine("alignment.badRow", name, line->number,
                       "utterance, channel, start, duration and label are expected here");
        const auto start = finiteNumber(cells[2]), duration = finiteNumber(cells[3]);
        if (!start || !duration) {
            if (cells[2] == "*") // <ALT_BEGIN> and its kin: alternatives, which no time holds
                refuseLine("alignment.badNumber", name, line->number,
                           "alternatives have no times; choose one of them");
            refuseLine("alignment.badNumber", name, line->number,
                       "“" + std::string(start ? cells[3] : cells[2]) + "” is not a number of seconds");
        }
        auto& rows = found[std::string(cells[0])];
        if (rows.channel.empty())
            rows.channel = cells[1];
        if (rows.channel == cells[1])
            rows.tier.add(Seconds(*start), Seconds(*start + *duration), std::string(cells[4]), line->number);
        else
            rows.manyChannels = true;
    }
    auto phones = holdsPhones(name);
    if (!phones) {
        std::size_t like = 0;
        for (const auto& [utterance, rows] : found)
            like += rows.tier.looksLikePhones();
        phones = 2 * like > found.size();
    }
    AlignmentList list;
    for (auto& [utterance, rows] : found) {
        ListedAlignment listed;
        if (rows.manyChannels)
            listed.warnings.push_back({"alignment.channels", name + " has several channels of “" + utterance +
                                                                 "”; the first, “" + rows.channel +
                                                                 "”, is used."});
        auto intervals = rows.tier.take(listed, name, utterance);
        (*phones ? listed.phones : listed.words) = std::move(intervals);
        list.emplace(utterance, std::move(listed));
    }
    return list;
}

} // namespace headroom
