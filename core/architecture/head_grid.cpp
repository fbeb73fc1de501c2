// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/head_grid.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>
#include <variant>

namespace headroom {

namespace {

/// Blanks at the ends gone, one between words.
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

/// Canonical where it can be read, as written where not.
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

/// "2 full + 2 local 14" → four cells; nothing where a part has no count. Kinds are not judged here.
std::optional<LayerCells> groupsWithCounts(const std::string& text) {
    LayerCells cells;
    std::size_t at = 0;
    while (at <= text.size()) {
        const auto plus = std::min(text.find('+', at), text.size());
        const auto part = simplified(std::string_view(text).substr(at, plus - at));
        std::size_t length = 0;
        const auto count = leadingNumber(part, length);
        if (!count || *count < 1 || *count > 1024 || length >= part.size() || part[length] != ' ')
            return std::nullopt;
        for (int i = 0; i < *count; ++i)
            cells.push_back({canonicalCell(part.substr(length + 1)), i > 0});
        at = plus + 1;
    }
    return cells;
}

bool isReuse(const LayerCells& cells) {
    return !cells.empty() && std::all_of(cells.begin(), cells.end(), [&](const HeadCell& cell) {
        return cell.text.rfind("reuse", 0) == 0 && cell.text == cells.front().text;
    });
}

/// "13 or 15", "1 to 11".
std::string either(const std::vector<std::string>& texts) {
    std::string result;
    for (std::size_t i = 0; i < texts.size(); ++i)
        result += (i == 0 ? "" : i + 1 == texts.size() ? " or " : ", ") + texts[i];
    return result;
}

/// The sentence of the grammar, shortened for a place where the text itself stands above it.
HeadMistake mistakeOf(const Error& error, int layer) {
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
        mistake.suggestions.push_back(withoutCount(whole));
        // Only what changes, where the rest of the suggestion is what was written.
        const bool same = length > 0 && whole.size() > text.size() - length &&
                          whole.compare(0, position, text, 0, position) == 0 &&
                          whole.compare(whole.size() - rest.size(), rest.size(), rest) == 0;
        changes.push_back(same ? whole.substr(position, whole.size() - (text.size() - length))
                               : withoutCount(whole));
    }
    mistake.sentence = reason + (changes.empty() ? "" : ": use " + either(changes));
    return mistake;
}

/// "2 full, 2 local 31": groups are separated by another sign than +. Suggests the groups where they can be read.
std::optional<HeadMistake> wrongSeparator(const std::string& text) {
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
    const bool counted = !corrected.empty() && std::isdigit(static_cast<unsigned char>(corrected.front())) != 0;
    try {
        const auto groups = toText(parseHeads(counted ? corrected : "1 " + corrected));
        mistake.sentence += ": use " + groups;
        mistake.suggestions.push_back(groups);
    } catch (const Error&) {
        // Its groups have mistakes of their own, which are said next.
    }
    return mistake;
}

/// "3 local 17" in four heads: nothing where the text is not of that form, because a cell has no counts.
std::optional<std::string> wrongCount(const std::string& text, int heads, int ofLayer) {
    const auto named = groupsWithCounts(text);
    if (!named)
        return std::nullopt;
    const auto count = named->size();
    const std::string given = std::to_string(count) + (count == 1 ? " head is" : " heads are") + " named";
    return heads == ofLayer ? given + ", but the layer has " + std::to_string(ofLayer)
                            : given + " for " + std::to_string(heads) + " of " + std::to_string(ofLayer);
}

/// The heads that a layer's cells say, or what is wrong with them, by themselves.
std::variant<std::vector<HeadGroup>, std::vector<HeadMistake>> readCells(const LayerCells& cells, int layer) {
    std::vector<HeadMistake> mistakes;
    std::vector<HeadGroup> heads;
    for (std::size_t first = 0; first < cells.size();) {
        std::size_t last = first;
        while (last + 1 < cells.size() && cells[last + 1].joined)
            ++last;
        if (auto separated = wrongSeparator(cells[first].text)) {
            separated->layer = layer;
            separated->firstHead = int(first) + 1;
            separated->lastHead = int(last) + 1;
            mistakes.push_back(std::move(*separated));
            first = last + 1;
            continue;
        }
        if (auto counted = wrongCount(cells[first].text, int(last - first) + 1, int(cells.size()))) {
            mistakes.push_back({layer, int(first) + 1, int(last) + 1, std::move(*counted), {}});
            first = last + 1;
            continue;
        }
        try {
            auto groups = parseHeads("1 " + cells[first].text);
            if (groups.size() > 1) {
                HeadMistake several;
                several.sentence =
                    "Several groups fill a whole layer, so their counts must add up to " +
                    std::to_string(cells.size());
                several.layer = layer;
                several.firstHead = int(first) + 1;
                several.lastHead = int(last) + 1;
                mistakes.push_back(several);
            } else {
                groups.front().count = int(last - first) + 1;
                heads.push_back(groups.front());
            }
        } catch (const Error& error) {
            auto mistake = mistakeOf(error, layer);
            mistake.layer = layer;
            mistake.firstHead = int(first) + 1;
            mistake.lastHead = int(last) + 1;
            mistakes.push_back(std::move(mistake));
        }
        first = last + 1;
    }
    if (!mistakes.empty())
        return mistakes;
    return heads;
}

/// What the other layers and what stands around them have to say to a layer that is right by itself.
std::optional<HeadMistake> fittingMistake(const std::vector<Architecture::Layer>& layers, std::size_t index,
                                          const LayerSurroundings& surroundings) {
    const auto found = layerMistake(layers, int(index) + 1, surroundings);
    if (!found)
        return std::nullopt;
    HeadMistake mistake;
    mistake.layer = int(index) + 1;
    mistake.firstHead = found->firstHead;
    mistake.lastHead = found->lastHead;
    mistake.sentence = found->reason;
    mistake.sentence.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(mistake.sentence.front())));
    // A cell takes the text of its own group; a whole layer that of all.
    for (const auto& one : found->suggestions) {
        const auto groups = parseHeads(one);
        int head = 1;
        for (const auto& group : groups) {
            if (head == found->firstHead)
                mistake.suggestions.push_back(withoutCount(toText({group})));
            head += group.count;
        }
    }
    std::vector<std::string> changes;
    for (const auto& one : mistake.suggestions) // of a reuse only the layer changes
        changes.push_back(one.rfind("reuse ", 0) == 0 ? one.substr(6) : one);
    if (!changes.empty())
        mistake.sentence += ": use " + either(changes);
    return mistake;
}

bool isValid(const std::vector<Architecture::Layer>& layers, const LayerSurroundings& surroundings) {
    for (std::size_t index = 0; index < layers.size(); ++index)
        if (layerMistake(layers, int(index) + 1, surroundings))
            return false;
    return true;
}

} // namespace

LayerCells cellsOf(const std::vector<HeadGroup>& heads) {
    LayerCells cells;
    for (auto group : heads) {
        const int count = group.count;
        group.count = 1;
        const auto text = withoutCount(toText({group}));
        for (int i = 0; i < count; ++i)
            cells.push_back({text, i > 0});
    }
    return cells;
}

std::string textOf(const LayerCells& cells) {
    std::string text;
    for (std::size_t first = 0; first < cells.size();) {
        std::size_t last = first;
        while (last + 1 < cells.size() && cells[last + 1].joined)
            ++last;
        // Counts that do not fit, and groups of a whole layer without them, stay as they were written.
        const std::string& cell = cells[first].text;
        const bool asWritten = groupsWithCounts(cell) || (last - first + 1 == cells.size() && cell.find('+') != std::string::npos);
        text += (text.empty() ? "" : " + ") + (asWritten ? "" : std::to_string(last - first + 1) + " ") + cell;
        first = last + 1;
    }
    return text;
}

HeadGrid::HeadGrid(const std::vector<Architecture::Layer>& layers, LayerSurroundings surroundings)
    : m_surroundings(std::move(surroundings)) {
    for (const auto& layer : layers)
        m_layers.push_back({cellsOf(layer.heads), layer.heads});
    settle();
}

std::vector<Architecture::Layer> HeadGrid::validLayers() const {
    std::vector<Architecture::Layer> layers;
    for (const auto& layer : m_layers)
        layers.push_back({layer.heads});
    return layers;
}

bool HeadGrid::isMistaken(int layer) const {
    return std::any_of(m_mistakes.begin(), m_mistakes.end(),
                       [&](const HeadMistake& mistake) { return mistake.layer == layer; });
}

void HeadGrid::write(int layer, int first, int last, std::string_view written) {
    auto& cells = m_layers.at(static_cast<std::size_t>(layer) - 1).cells;
    const int count = int(cells.size());
    if (first < 1 || last < first || last > count)
        throw std::out_of_range("heads of a layer");
    auto text = simplified(written);
    std::size_t digits = 0;
    if (m_surroundings.languageModel && leadingNumber(text, digits) && digits == text.size())
        text = "masked " + text; // the only window that it can have
    if (const auto groups = groupsWithCounts(text)) {
        const int named = int(groups->size());
        if (named == count) {
            cells = *groups;
            return;
        }
        if (named == last - first + 1 && !isReuse(cells)) {
            std::copy(groups->begin(), groups->end(), cells.begin() + first - 1);
            if (last < count)
                cells[static_cast<std::size_t>(last)].joined = false;
            return;
        }
    }
    const auto cell = canonicalCell(text);
    if (isReuse(cells) || cell.rfind("reuse ", 0) == 0) {
        first = 1;
        last = count;
    }
    for (int head = first; head <= last; ++head)
        cells[static_cast<std::size_t>(head) - 1] = {cell, true};
    // At both ends the text joins a neighbour that says the same, and parts from one that does not.
    const auto joins = [&](int head) {
        return head > 1 && head <= count &&
               cells[static_cast<std::size_t>(head) - 1].text ==
                   cells[static_cast<std::size_t>(head) - 2].text;
    };
    cells[static_cast<std::size_t>(first) - 1].joined = joins(first);
    if (last < count)
        cells[static_cast<std::size_t>(last)].joined = joins(last + 1);
}

void HeadGrid::settle() {
    m_mistakes.clear();
    std::vector<Architecture::Layer> written(m_layers.size());
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        auto read = readCells(m_layers[i].cells, int(i) + 1);
        if (auto* heads = std::get_if<std::vector<HeadGroup>>(&read))
            written[i].heads = std::move(*heads);
        else
            for (auto& mistake : std::get<std::vector<HeadMistake>>(read))
                m_mistakes.push_back(std::move(mistake));
    }
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        if (auto mistake = fittingMistake(written, i, m_surroundings))
            m_mistakes.push_back(std::move(*mistake));
    std::stable_sort(m_mistakes.begin(), m_mistakes.end(), [](const HeadMistake& a, const HeadMistake& b) {
        return std::pair(a.layer, a.firstHead) < std::pair(b.layer, b.firstHead);
    });

    auto valid = validLayers();
    const auto taking = [&](std::vector<Architecture::Layer> from, std::size_t index) {
        if (!written[index].heads.empty() && !isMistaken(int(index) + 1))
            from[index] = written[index];
        return from;
    };
    auto all = valid;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        all = taking(std::move(all), i);
    if (isValid(all, m_surroundings))
        valid = std::move(all);
    else
        for (std::size_t i = 0; i < m_layers.size(); ++i)
            if (auto one = taking(valid, i); isValid(one, m_surroundings))
                valid = std::move(one);
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        m_layers[i].heads = std::move(valid[i].heads);
}

} // namespace headroom
