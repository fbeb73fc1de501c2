// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class HeadKind { Full, Local, LocalBlock, Conv, Masked, Reuse };

/// One group `COUNT KIND modifiers` of a layer's `heads` text. Grammar: core/architecture/README.md.
struct HeadGroup {
    int count = 1;
    HeadKind kind = HeadKind::Full;
    int window = 0;                     ///< Local (odd) and LocalBlock: W
    int convKernel = 0;                 ///< Conv
    int convStride = 0;                 ///< Conv
    std::string convForm;               ///< Conv: "" (depthwise), "separable", "normal", "speechformer"
    int reusedLayer = 0;                ///< Reuse: an earlier layer, from 1
    std::optional<double> relaxed;      ///< γ
    bool relaxedMatched = false;        ///< also at inference
    std::optional<double> relaxedFuzzy; ///< σ
    bool smoothed = false;
    std::optional<double> suppressed; ///< γ of weak-attention suppression

    bool operator==(const HeadGroup&) const = default;
};

/// "2 local 64 block + 2 conv 5/2" → groups. Throws Error "architecture.heads": the sentence names the word
/// that is wrong and the nearest correct text (values: {"text", "position", "length", "reason",
/// "suggestions": […]}). An even
/// centred window offers its two odd neighbours.
std::vector<HeadGroup> parseHeads(std::string_view text);
/// Canonical text: `parseHeads(toText(g)) == g`.
std::string toText(const std::vector<HeadGroup>& groups);
/// Is the map that meets the values at inference a relaxed one? A fuzzy γ is its mean there (Lohrenz et al.
/// 2022, §3).
inline bool relaxesAtInference(const HeadGroup& group) {
    return group.relaxed && (group.relaxedMatched || group.relaxedFuzzy);
}
/// Heads of all groups together.
int headCount(const std::vector<HeadGroup>& groups);

} // namespace headroom
