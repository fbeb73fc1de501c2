// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/head_grid.h"

#include "core/architecture/cell_texts.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

namespace headroom {

namespace {

bool isReuse(const LayerCells& cells) {
    return !cells.empty() && std::all_of(cells.begin(), cells.end(), [&](const HeadCell& cell) {
        return cell.text.rfind("reuse", 0) == 0 && cell.text == cells.front().text;
    });
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
        // Counts that do not fit, and what is written for a whole layer with more than a kind, stay as they are.
        const std::string& cell = cells[first].text;
        const bool ofLayer = last - first + 1 == cells.size(), hasNumber = !cell.empty() && std::isdigit(static_cast<unsigned char>(cell.front()));
        const bool asWritten = groupsWithCounts(cell) || (ofLayer && (hasNumber || cell.find('+') != std::string::npos));
        text += (text.empty() ? "" : " + ") + (asWritten ? "" : std::to_string(last - first + 1) + " ") + cell;
        first = last + 1;
    }
    return text;
}

HeadGrid::HeadGrid(const std::vector<Architecture::Layer>& layers, LayerSurroundings surroundings, const std::vector<HeadGroup>& cross)
    : m_surroundings(std::move(surroundings)) {
    for (const auto& layer : layers)
        m_layers.push_back({cellsOf(layer.heads), layer.heads});
    if (!cross.empty())
        m_cross = {cellsOf(cross), cross};
    settle();
}

HeadGrid::Layer& HeadGrid::at(int number) {
    return number == kCrossAttention && m_cross ? *m_cross : m_layers.at(static_cast<std::size_t>(number) - 1);
}

const HeadGrid::Layer& HeadGrid::layer(int number) const {
    return number == kCrossAttention && m_cross ? *m_cross : m_layers.at(static_cast<std::size_t>(number) - 1);
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
    auto& cells = at(layer).cells;
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
    settleCross();
}

/// No layer limits it; its mistakes come last, as its line and its row do.
void HeadGrid::settleCross() {
    if (!m_cross)
        return;
    auto read = readCells(m_cross->cells, kCrossAttention);
    if (auto* mistakes = std::get_if<std::vector<HeadMistake>>(&read)) {
        std::move(mistakes->begin(), mistakes->end(), std::back_inserter(m_mistakes));
        return;
    }
    auto& heads = std::get<std::vector<HeadGroup>>(read);
    int first = 1;
    for (const HeadGroup& group : heads) {
        if (group.kind != HeadKind::Full)
            m_mistakes.push_back({kCrossAttention, first, first + group.count - 1, "Heads of the cross-attention must be full", {}});
        first += group.count;
    }
    if (!isMistaken(kCrossAttention))
        m_cross->heads = std::move(heads);
}

} // namespace headroom
