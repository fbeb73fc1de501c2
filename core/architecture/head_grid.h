// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/layer_rules.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The number under which the cross-attention of the decoder, which all its layers share, stands behind the layers.
inline constexpr int kCrossAttention = 0;

/// One head in the grid: its text, valid or not, without a count ("local 17").
struct HeadCell {
    std::string text;
    bool joined = false; ///< in one group with the previous cell: conv groups share their convolutions
    bool operator==(const HeadCell&) const = default;
};
using LayerCells = std::vector<HeadCell>;

LayerCells cellsOf(const std::vector<HeadGroup>& heads);
/// Returns the text as in the document, mistakes included: "2 full + 2 local 14".
std::string textOf(const LayerCells& cells);

/// A mistake and its place. Layers and heads count from 1; a layer may be kCrossAttention. `sentence` is short
/// enough for the line below a row: "14 is even: use 13 or 15". `suggestions` are complete cell texts.
struct HeadMistake {
    int layer = 1, firstHead = 1, lastHead = 1;
    std::string sentence;
    std::vector<std::string> suggestions;
    bool operator==(const HeadMistake&) const = default;
};

/// The layers × heads of an encoder, and the full heads of a decoder's cross-attention, while they are edited.
/// The grid keeps the last valid version beside the edited text, so that costs and windows can be calculated while a mistake needs correcting. A value. The
/// number of heads of a layer is fixed. Layers and heads count from 1; an index out of range throws
/// std::out_of_range. Where a layer is named, kCrossAttention names the cross-attention, if there is one.
class HeadGrid {
public:
    struct Layer {
        LayerCells cells; ///< the edited text
        std::vector<HeadGroup>
            heads; ///< the last valid text of this layer; together they are a valid encoder
        bool operator==(const Layer&) const = default;
    };

    HeadGrid() = default;
    explicit HeadGrid(const std::vector<Architecture::Layer>& layers, LayerSurroundings surroundings = {},
                      const std::vector<HeadGroup>& cross = {});

    int layerCount() const { return static_cast<int>(m_layers.size()); } ///< of the encoder
    bool has(int layer) const { return layer == kCrossAttention ? m_cross.has_value() : layer >= 1 && layer <= layerCount(); }
    const Layer& layer(int number) const;
    std::vector<Architecture::Layer> validLayers() const;
    /// The mistakes in reading order; empty if all text is valid.
    const std::vector<HeadMistake>& mistakes() const { return m_mistakes; }
    bool isMistaken(int layer) const;

    Positions positions() const { return m_surroundings.positions; } ///< of the encoder, which limit its heads
    /// Call settle() after it: mistakes of the positions before may be none any more.
    void setPositions(Positions positions) { m_surroundings.positions = positions; }
    /// The heads can only be masked ones, as in a language model.
    bool isMasked() const { return m_surroundings.languageModel; }

    /// Writes a text into heads [first, last] of a layer: a kind with its modifiers ("local 17"), a window
    /// alone ("17": local, in a language model masked), or groups with counts ("2 full + 2 local 9") for as
    /// many heads as they name, either these or the whole layer. `reuse L`, and any text in a reusing layer,
    /// applies to all its heads. Call settle() after the last of several writes.
    void write(int layer, int first, int last, std::string_view text);
    /// Validates the edited text and takes over what is valid. A layer that is valid by itself but would
    /// leave another without its map is held back together with that one.
    void settle();
    /// Restores a layer, cells and valid heads; for undo.
    void restore(int layer, Layer state) { at(layer) = std::move(state); }

    bool operator==(const HeadGrid&) const = default;

private:
    Layer& at(int number);
    void settleCross();
    LayerSurroundings m_surroundings;
    std::vector<Layer> m_layers;
    std::optional<Layer> m_cross;
    std::vector<HeadMistake> m_mistakes;
};

} // namespace headroom
