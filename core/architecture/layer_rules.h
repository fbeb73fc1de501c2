// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// The longest speech that kernels and windows are checked against: 60 s, as in the S2T reference.
inline constexpr Seconds kLongestSource{60};
/// The same in frames of a front end: 6,000, or 960,000 samples.
std::int64_t longestFrames(const Architecture::FrontEnd& frontEnd);

/// The parts of an architecture around the layers that limit their heads. A value.
struct LayerSurroundings {
    int width = 0; ///< 0: unknown, not checked
    Positions positions = Positions::Sinusoidal;
    std::int64_t longestTokens = 0; ///< tokens of kLongestSource; 0: unknown
    std::int64_t longestFrames = 0; ///< its frames
    bool relativeBias = false;      ///< a bias by distance, shared by all layers
    bool languageModel = false;     ///< heads must be masked
    bool operator==(const LayerSurroundings&) const = default;
};
LayerSurroundings surroundingsOf(const Architecture& architecture);

/// Why heads that can be parsed are not allowed in their place. `reason` has neither capital nor full stop;
/// `suggestions` are complete texts of the layer. Heads count from 1.
struct LayerMistake {
    int firstHead = 1, lastHead = 1;
    std::string code, reason;
    std::vector<std::string> suggestions;
};

/// Returns the first mistake of layer `number` (from 1) among `layers`. A layer without heads could not be
/// parsed and is skipped. Rules: core/architecture/README.md, “What fits together”.
std::optional<LayerMistake> layerMistake(const std::vector<Architecture::Layer>& layers, int number,
                                         const LayerSurroundings& surroundings);

/// Returns the nearest layer before `number` whose maps it can reuse: as many heads, maps of its own, none
/// over shortened keys. 0 if there is none.
int nearestReusable(const std::vector<Architecture::Layer>& layers, int number);

/// Returns why the layers of a model cannot begin those of another architecture: the first heads with weights that the
/// model does not have, by layer and head from 1, and what to do. Empty if it has them all. `layers` beyond those of the
/// model are skipped. Neither capital nor full stop.
std::string headsWithoutWeights(const std::vector<Architecture::Layer>& model, const std::vector<Architecture::Layer>& layers);

} // namespace headroom
