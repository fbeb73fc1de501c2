// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/layer_rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One head as the grid shows it: what somebody wrote, right or wrong, without its count ("local 17").
struct HeadCell {
    std::string text;
    bool joined = false; ///< of one group with the cell before: conv groups share their convolutions
    bool operator==(const HeadCell&) const = default;
};
using LayerCells = std::vector<HeadCell>;

LayerCells cellsOf(const std::vector<HeadGroup>& heads);
/// "2 full + 2 local 14": the text as it would stand in the document, mistakes included.
std::string textOf(const LayerCells& cells);

/// What is wrong where. Layers and heads from 1; `sentence` is short enough to stand under a row: "14 is
/// even: use 13 or 15". `suggestions` are whole cell texts to take instead.
struct HeadMistake {
    int layer = 1, firstHead = 1, lastHead = 1;
    std::string sentence;
    std::vector<std::string> suggestions;
    bool operator==(const HeadMistake&) const = default;
};

/// The layers × heads of an encoder while somebody writes them: beside what is written stands what of it is
/// valid, so that costs and windows have something to count while a mistake waits to be mended. A value; the
/// number of heads of a layer does not change. Layers and heads from 1 everywhere; what lies outside throws
/// std::out_of_range.
class HeadGrid {
public:
    struct Layer {
        LayerCells cells; ///< as written
        std::vector<HeadGroup>
            heads; ///< the last valid text of this layer; together they are a valid encoder
        bool operator==(const Layer&) const = default;
    };

    HeadGrid() = default;
    explicit HeadGrid(const std::vector<Architecture::Layer>& layers, LayerSurroundings surroundings = {});

    int layerCount() const { return static_cast<int>(m_layers.size()); }
    const Layer& layer(int number) const { return m_layers.at(static_cast<std::size_t>(number) - 1); }
    std::vector<Architecture::Layer> validLayers() const;
    /// In reading order. Empty: what is written is what is valid.
    const std::vector<HeadMistake>& mistakes() const { return m_mistakes; }
    bool isMistaken(int layer) const;

    /// Writes a text into heads [first, last] of a layer: a kind with its modifiers ("local 17"), a window
    /// alone ("17"), or groups with counts ("2 full + 2 local 9") for as many heads as they name: these, or
    /// the whole layer. A reused map is the whole layer's, so `reuse L` goes to all heads, and any text into
    /// a reusing layer too. Call settle() after the last of several.
    void write(int layer, int first, int last, std::string_view text);
    /// Judges what is written and takes over what is valid. A layer that is right by itself but would leave
    /// another without its map is held back together with that one.
    void settle();
    /// Puts a layer back as it was, cells and valid heads; for undo.
    void restore(int layer, Layer state) {
        m_layers.at(static_cast<std::size_t>(layer) - 1) = std::move(state);
    }

    bool operator==(const HeadGrid&) const = default;

private:
    LayerSurroundings m_surroundings;
    std::vector<Layer> m_layers;
    std::vector<HeadMistake> m_mistakes;
};

} // namespace headroom
