// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <vector>

namespace headroom {

// What the layers of an encoder let a token see, and from how far its information may have come: from the
// document alone, before anything is trained or computed. Layers count from 1, tokens from 0. Pure; safe from
// every thread.

/// Tokens first … last.
struct TokenSpan {
    std::int64_t first = 0, last = 0;
    bool operator==(const TokenSpan&) const = default;
};

/// The heads whose maps a layer applies: its own, or those of the layer that it reuses, with its own
/// relaxation.
std::vector<HeadGroup> appliedHeads(const Architecture::Encoder& encoder, int layer);

/// The keys that one head of `group` lets `query` see among `tokens`. Centred windows are cut at the edges;
/// block windows are whole blocks of ⌊W/3⌋ tokens (Sant et al. 2022, as released: 21 to 41 tokens on a side
/// for W = 64); ConvAttention reaches all tokens that its compressed keys were made of, which may leave out
/// fewer than S at the end. A group that reuses a map has none of its own: HeadKind::Reuse throws
/// std::logic_error; `visibleKeys` of the layer resolves it.
TokenSpan visibleKeys(const HeadGroup& group, std::int64_t query, std::int64_t tokens);

/// The keys that any head of the layer lets the query see (a reused map: those of the layer it was made in),
/// and the query itself, which the residual carries; without gaps.
TokenSpan visibleKeys(const Architecture::Encoder& encoder, int layer, std::int64_t query,
                      std::int64_t tokens);

/// The share of the layer's heads that let query i see key j, [N, N] in 0 … 1: 0 or 1 where all heads are
/// alike, steps between in a mixed layer.
Matrix<float> effectiveMask(const Architecture::Encoder& encoder, int layer, std::int64_t tokens);

/// How far the information of each token may have travelled after layers 1 … l: a token that sees j holds
/// what j held before. Convolution modules of a conformer carry ⌊K/2⌋ tokens further to either side.
class ReceptiveField {
public:
    ReceptiveField() = default;
    /// O(N · layers) time and memory.
    ReceptiveField(const Architecture::Encoder& encoder, std::int64_t tokens);

    int layers() const { return static_cast<int>(m_spans.size()); }
    std::int64_t tokens() const { return m_spans.empty() ? 0 : static_cast<std::int64_t>(m_spans[0].size()); }
    /// The tokens whose front-end output may have had a share in `token` behind layer `layer`.
    TokenSpan of(int layer, std::int64_t token) const;
    /// The farthest that any token of the layer looks back and ahead, in tokens: {left, right}.
    struct Reach {
        std::int64_t left = 0, right = 0;
        bool operator==(const Reach&) const = default;
    };
    Reach reach(int layer) const;
    /// Whether every token may know of every other.
    bool whole(int layer) const;

private:
    std::vector<std::vector<TokenSpan>> m_spans; ///< [layer][token]
};

/// The part of the recording that a span of tokens was made of, front end included: from the first sample of
/// its first frame to the end of its last frame, cut to `frames`. For clocks derived from a front end
/// (TokenClock::receptiveField).
struct HeardPart {
    Seconds start, end;
};
HeardPart heardPart(TokenSpan span, const TokenClock& tokens, const FrameClock& frames, Frames count);

/// The keys that a convolution of kernel K, stride S and padding P leaves of N tokens, placed among them.
struct CompressedKeys {
    int kernel = 5, stride = 2, padding = 1;
    /// ConvAttention's as the networks run it: padding ⌊S/2⌋; Speechformer's form: ⌊K/2⌋.
    static CompressedKeys of(const HeadGroup& group);
    /// ⌊(N + 2P − K)/S⌋ + 1, at least 1.
    std::int64_t count(std::int64_t tokens) const;
    /// The middle of the tokens that key m was made of, in tokens: S·m + (K − 1)/2 − P.
    double centre(std::int64_t key) const {
        return double(stride) * double(key) + (kernel - 1) / 2.0 - padding;
    }
};

} // namespace headroom
