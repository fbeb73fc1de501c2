// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The widest window of the grammar, in tokens.
inline constexpr int kWidestWindow = 99'999;

enum class HeadKind { Full, Local, LocalBlock, Conv, Masked, Reuse };
/// The convolutions of Conv heads. Texts name all but Depthwise.
enum class ConvForm { Depthwise, Separable, Normal, Speechformer };

/// One group `COUNT KIND modifiers` of a layer's `heads` text. Grammar: core/architecture/README.md.
struct HeadGroup {
    int count = 1;
    HeadKind kind = HeadKind::Full;
    int window = 0; ///< Local (odd) and LocalBlock: W; Masked: odd, or 0 for all earlier tokens
    int convKernel = 0;                      ///< Conv
    int convStride = 0;                      ///< Conv
    ConvForm convForm = ConvForm::Depthwise; ///< Conv
    int reusedLayer = 0;                     ///< Reuse: an earlier layer, from 1
    std::optional<double> relaxed;           ///< γ
    bool relaxedMatched = false;             ///< also at inference
    std::optional<double> relaxedFuzzy;      ///< σ
    bool smoothed = false;
    std::optional<double> suppressed; ///< γ of weak-attention suppression

    bool operator==(const HeadGroup&) const = default;
};

/// Parses "2 local 64 block + 2 conv 5/2" into groups. Throws Error "architecture.heads", whose sentence
/// names the wrong word and the nearest correct text (values: {"text", "position", "length", "reason",
/// "suggestions": […]}). For an even centred window it suggests both odd neighbours.
std::vector<HeadGroup> parseHeads(std::string_view text);
/// Returns the canonical text: `parseHeads(toText(g)) == g`.
std::string toText(const std::vector<HeadGroup>& groups);
/// Returns whether the map applied at inference is relaxed. A fuzzy γ then has its mean (Lohrenz et al. 2022,
/// §3).
inline bool relaxesAtInference(const HeadGroup& group) {
    return group.relaxed && (group.relaxedMatched || group.relaxedFuzzy);
}
/// Returns the number of heads of all groups.
int headCount(const std::vector<HeadGroup>& groups);

} // namespace headroom
