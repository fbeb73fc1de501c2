// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/cell_texts.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace headroom {

namespace {

constexpr int kMostCounted = 1024; // heads of a group, as in the grammar

/// A cell says its kind first; this text begins with a count, or with the sign before one.
bool isCounted(const std::string& text) {
    return !text.empty() && (text.front() == '+' || std::isdigit(static_cast<unsigned char>(text.front())) != 0);
}

/// The heads that a text is written into.
struct WrittenHeads {
    int count = 0, ofLayer = 0;
    bool isCounted = false; ///< the text has counts

    bool areNamedBy(const std::string& groups) const {
        const int named = headCount(parseHeads(groups));
        return named == count || named == ofLayer;
    }
    /// What is to be written instead, for a suggestion of the grammar, which has counts; empty: it does not fit these heads.
    std::string textFor(const std::string& suggestion) const {
        if (!isCounted && parseHeads(suggestion).size() == 1)
            return withoutCount(suggestion);
        return areNamedBy(suggestion) ? suggestion : std::string();
    }
};

/// The sentence of the grammar, shortened for a place where the text itself stands above it.
HeadMistake mistakeOf(const Error& error, int layer, const WrittenHeads& heads) {
    HeadMistake mistake;
    const auto& values = error.values();
    const auto text = values["text"].get<std::string>();
    const auto position = values["position"].get<std::size_t>(), length = values["length"].get<std::size_t>();
    const auto word = text.substr(position, length), rest = text.substr(position + length);
    auto reason = values["reason"].get<std::string>();
    if (reason == "a centred window is odd" || reason == "a window is odd")
        reason = word + " is even";
    reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
    constexpr std::string_view later = ", reuse"; // offered last, and of no use to the first layer
    if (layer == 1 && reason.size() > later.size() && reason.compare(reason.size() - later.size(), later.size(), later) == 0)
        reason.resize(reason.size() - later.size());
    const bool reusesNone = layer == 1 && reason.starts_with("The layer whose map is reused");
    if (reusesNone)
        reason = "The first layer has no earlier layer to reuse"; // whichever it names
    std::vector<std::string> changes;
    for (const auto& one : reusesNone ? nlohmann::json::array() : values["suggestions"]) {
        const auto whole = one.get<std::string>();
        const auto instead = heads.textFor(whole);
        if (instead.empty())
            continue;
        mistake.suggestions.push_back(instead);
        // Only what changes, where the rest of the suggestion is what was written.
        const bool same = length > 0 && whole.size() > text.size() - length &&
                          whole.compare(0, position, text, 0, position) == 0 &&
                          whole.compare(whole.size() - rest.size(), rest.size(), rest) == 0;
        const auto change = same ? whole.substr(position, whole.size() - (text.size() - length)) : instead;
        // Several words for one are no replacement that anyone would make: "relaxed 0.1 matched" for "matched".
        changes.push_back(change.find(' ') == std::string::npos ? change : instead);
    }
    mistake.sentence = reason + (changes.empty() ? "" : ": use " + either(changes));
    return mistake;
}

/// The groups of a text: what stands between the signs +.
std::vector<std::string> groupsIn(std::string_view text) {
    std::vector<std::string> groups;
    for (std::size_t at = 0; at <= text.size();) {
        const auto plus = std::min(text.find('+', at), text.size());
        groups.push_back(simplified(text.substr(at, plus - at)));
        at = plus + 1;
    }
    return groups;
}

/// Whether a number that a group begins with can be its count: heads that its kind, or a window alone, follows.
bool isCount(int number, std::size_t length, const std::string& group) {
    if (number < 1 || number > kMostCounted || length >= group.size() || group[length] != ' ')
        return false;
    const std::string_view kind = std::string_view(group).substr(length + 1);
    std::size_t digits = 0;
    return !leadingNumber(kind, digits) || digits == kind.size(); // "4 4 local 13" has a number too many
}

/// "3 local 9 + local 9": groups of which some have no count. The heads that the others leave are shared among these.
std::optional<HeadMistake> missingCounts(const std::string& text, const WrittenHeads& heads) {
    const std::vector<std::string> parts = groupsIn(text);
    std::string first;
    int named = 0, without = 0;
    for (const std::string& part : parts) {
        std::size_t length = 0;
        const auto count = leadingNumber(part, length);
        if (part.empty() || (count && !isCount(*count, length, part)))
            return std::nullopt;
        named += count.value_or(0);
        if (!count && without++ == 0)
            first = part;
    }
    if (parts.size() < 2 || without == 0)
        return std::nullopt;
    const int whole = heads.count - named >= without ? heads.count : heads.ofLayer;
    const int left = whole - named;
    HeadMistake mistake;
    mistake.sentence = "“" + first + "” needs its number of heads";
    if (left < without) {
        mistake.sentence += ", and all counts must add up to " + std::to_string(whole);
        return mistake;
    }
    std::string filled;
    int place = 0;
    for (const std::string& part : parts) {
        std::size_t length = 0;
        filled += filled.empty() ? "" : " + ";
        if (!leadingNumber(part, length)) // the first take what does not divide
            filled += std::to_string(left / without + (place++ < left % without ? 1 : 0)) + " ";
        filled += part;
    }
    try {
        mistake.suggestions.push_back(toText(parseHeads(filled)));
    } catch (const Error& error) { // a mistake of its own besides
        for (const auto& one : error.values()["suggestions"])
            if (heads.areNamedBy(one.get<std::string>()))
                mistake.suggestions.push_back(one.get<std::string>());
    }
    if (!mistake.suggestions.empty())
        mistake.sentence += ": use " + either(mistake.suggestions);
    return mistake;
}

/// "2 full, 2 local 31": groups are separated by another sign than +. Suggests the groups where they can be read.
std::optional<HeadMistake> wrongSeparator(const std::string& text, const WrittenHeads& heads) {
    const auto isDigit = [&](std::size_t at) { return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; };
    std::string corrected = text;
    char sign = '\0';
    for (std::size_t at = 0; at < text.size(); ++at)
        if ((text[at] == ',' && !(at > 0 && isDigit(at - 1) && isDigit(at + 1))) || text[at] == ';' || text[at] == '&') {
            corrected[at] = '+';
            sign = sign ? sign : text[at];
        }
    if (!sign)
        return std::nullopt;
    HeadMistake mistake;
    mistake.sentence = std::string("Groups are separated by +, not by “") + sign + "”";
    if (const auto counts = missingCounts(corrected, heads)) {
        mistake.suggestions = counts->suggestions;
    } else {
        try {
            const auto groups = toText(parseHeads(isCounted(corrected) ? corrected : "1 " + corrected));
            if (heads.areNamedBy(groups))
                mistake.suggestions.push_back(groups);
        } catch (const Error&) {
            // Its groups have mistakes of their own, which are said next.
        }
    }
    if (!mistake.suggestions.empty())
        mistake.sentence += ": use " + either(mistake.suggestions);
    return mistake;
}

/// "3 local 17" in four heads: nothing where the text is not of that form, because a cell has no counts.
std::optional<HeadMistake> wrongCount(const std::string& text, int layer, const WrittenHeads& heads) {
    const auto named = groupsWithCounts(text);
    if (!named)
        return std::nullopt;
    const auto count = named->size();
    HeadMistake mistake;
    mistake.sentence = std::to_string(count) + (count == 1 ? " head is" : " heads are") + " named" +
                       (heads.count == heads.ofLayer
                            ? (layer == kCrossAttention ? ", but the cross-attention has " : ", but the layer has ") + std::to_string(heads.ofLayer)
                            : " for " + std::to_string(heads.count) + " of " + std::to_string(heads.ofLayer));
    return mistake;
}

/// The group that a text says for its heads, or what is wrong with it.
std::variant<HeadGroup, HeadMistake> readWritten(const std::string& text, int layer, int count, int ofLayer) {
    const WrittenHeads heads{count, ofLayer, isCounted(text)};
    if (auto separated = wrongSeparator(text, heads))
        return std::move(*separated);
    if (auto counted = wrongCount(text, layer, heads))
        return std::move(*counted);
    if (auto uncounted = missingCounts(text, heads))
        return std::move(*uncounted);
    try {
        auto groups = parseHeads(heads.isCounted ? text : "1 " + text);
        if (groups.size() == 1) {
            groups.front().count = count;
            return groups.front();
        }
        HeadMistake several;
        several.sentence = "Several groups fill a whole layer, so their counts must add up to " + std::to_string(ofLayer);
        return several;
    } catch (const Error& error) {
        return mistakeOf(error, layer, heads);
    }
}

} // namespace

std::string simplified(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    if (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

std::string withoutCount(const std::string& text) {
    const auto blank = text.find(' ');
    return blank == std::string::npos ? text : text.substr(blank + 1);
}

std::optional<int> leadingNumber(std::string_view text, std::size_t& length) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    length = static_cast<std::size_t>(end - text.data());
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::string canonicalCell(const std::string& text) {
    std::size_t length = 0;
    if (leadingNumber(text, length) && length == text.size())
        return canonicalCell("local " + text);
    try {
        const auto groups = parseHeads("1 " + text);
        return groups.size() == 1 ? withoutCount(toText(groups)) : text;
    } catch (const Error&) {
        return text;
    }
}

std::optional<LayerCells> groupsWithCounts(const std::string& text) {
    LayerCells cells;
    for (const std::string& part : groupsIn(text)) {
        std::size_t length = 0;
        const auto count = leadingNumber(part, length);
        if (!count || !isCount(*count, length, part))
            return std::nullopt;
        for (int i = 0; i < *count; ++i)
            cells.push_back({canonicalCell(part.substr(length + 1)), i > 0});
    }
    return cells;
}

std::string either(const std::vector<std::string>& texts) {
    std::string result;
    for (std::size_t i = 0; i < texts.size(); ++i)
        result += (i == 0 ? "" : i + 1 == texts.size() ? " or " : ", ") + texts[i];
    return result;
}

std::variant<std::vector<HeadGroup>, std::vector<HeadMistake>> readCells(const LayerCells& cells, int layer) {
    std::vector<HeadMistake> mistakes;
    std::vector<HeadGroup> heads;
    for (std::size_t first = 0; first < cells.size();) {
        std::size_t last = first;
        while (last + 1 < cells.size() && cells[last + 1].joined)
            ++last;
        auto read = readWritten(cells[first].text, layer, int(last - first) + 1, int(cells.size()));
        if (auto* mistake = std::get_if<HeadMistake>(&read)) {
            mistake->layer = layer;
            mistake->firstHead = int(first) + 1;
            mistake->lastHead = int(last) + 1;
            mistakes.push_back(std::move(*mistake));
        } else {
            heads.push_back(std::get<HeadGroup>(read));
        }
        first = last + 1;
    }
    if (!mistakes.empty())
        return mistakes;
    return heads;
}

} // namespace headroom
