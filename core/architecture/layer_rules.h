// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <optional>

namespace headroom {

/// The longest input that a model of Headroom reads, in frames: 60 s of speech, as the S2T reference.
inline constexpr std::int64_t kLongestSource = 6000;

/// What stands around the layers of an encoder and limits their heads. A value.
struct LayerSurroundings {
    int width = 0; ///< 0: not known, nothing is judged by it
    std::string positions = "sinusoidal";
    std::int64_t longestTokens = 0; ///< tokens of kLongestSource; 0: not known
    bool operator==(const LayerSurroundings&) const = default;
};
LayerSurroundings surroundingsOf(const Architecture& architecture);

/// Why heads that can be read cannot stand where they stand. `reason` has neither capital nor full stop;
/// `suggestions` are whole texts of the layer. Heads from 1.
struct LayerMistake {
    int firstHead = 1, lastHead = 1;
    std::string code, reason;
    std::vector<std::string> suggestions;
};

/// The first mistake of layer `number` (from 1) among `layers`; a layer without heads is one that could not
/// be read and is not judged. Rules: core/architecture/README.md, “What fits together”.
std::optional<LayerMistake> layerMistake(const std::vector<Architecture::Layer>& layers, int number,
                                         const LayerSurroundings& surroundings);

/// The nearest layer before `number` whose maps that layer can take: as many heads, maps of its own, none
/// over shortened keys. 0: there is none.
int nearestReusable(const std::vector<Architecture::Layer>& layers, int number);

} // namespace headroom
