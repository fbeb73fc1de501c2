// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <vector>

namespace headroom {

// What the layers of an encoder let a token see, and from how far its information can come, computed from the
// architecture alone. Layers count from 1, tokens from 0. Pure; safe on every thread.

/// Tokens first … last.
struct TokenSpan {
    std::int64_t first = 0, last = 0;
    bool operator==(const TokenSpan&) const = default;
};

/// Returns the heads whose maps a layer applies: its own, or those of the layer it reuses with its own
/// relaxation.
std::vector<HeadGroup> appliedHeads(const Architecture::Encoder& encoder, int layer);

/// Returns the keys that one head of `group` lets `query` see among `tokens`.
/// - Centred windows are cut at the edges.
/// - Block windows are whole blocks of ⌊W/3⌋ tokens (Sant et al. 2022, as released: 21 to 41 tokens on a side
///   for W = 64).
/// - ConvAttention reaches all tokens that its compressed keys were computed from; fewer than S may be
///   missing at the end.
/// - HeadKind::Reuse has no keys of its own and throws std::logic_error; `visibleKeys` of the layer resolves
///   it.
TokenSpan visibleKeys(const HeadGroup& group, std::int64_t query, std::int64_t tokens);

/// Returns the keys that any head of the layer lets the query see (for a reused map: in the layer it comes
/// from), and the query itself, because of the residual; without gaps.
TokenSpan visibleKeys(const Architecture::Encoder& encoder, int layer, std::int64_t query,
                      std::int64_t tokens);

/// Returns the share of the layer's heads that let query i see key j, [N, N] in [0, 1]: 0 or 1 if all heads
/// are alike, values between in a mixed layer.
Matrix<float> effectiveMask(const Architecture::Encoder& encoder, int layer, std::int64_t tokens);

/// How far the information of each token can have travelled after layers 1 … l: a token that sees j has what
/// j had before. Positional convolutions add their kernels before layer 1, convolution modules of a conformer theirs in
/// each layer (causal ones behind the token only), the gate of a branchformer where it reaches farther than the attention
/// beside it, and its merge. A norm over the whole recording, which lets a little of everything through, does not count.
class ReceptiveField {
public:
    ReceptiveField() = default;
    /// Takes O(N · layers) time and memory.
    ReceptiveField(const Architecture::Encoder& encoder, std::int64_t tokens);

    int layers() const { return static_cast<int>(m_spans.size()); }
    std::int64_t tokens() const { return m_spans.empty() ? 0 : static_cast<std::int64_t>(m_spans[0].size()); }
    /// Returns the tokens whose front-end output can contribute to `token` after layer `layer`.
    TokenSpan of(int layer, std::int64_t token) const;
    /// The farthest that any token of the layer looks back and ahead, in tokens.
    struct Reach {
        std::int64_t left = 0, right = 0;
        bool operator==(const Reach&) const = default;
    };
    Reach reach(int layer) const;
    /// Returns whether every token can depend on every other.
    bool whole(int layer) const;

private:
    std::vector<std::vector<TokenSpan>> m_spans; ///< [layer][token]
};

/// Returns the part of the recording that a span of tokens was computed from, front end included: from the
/// first sample of its first frame to the end of its last frame, cut to `count` frames and to `length`, that of what
/// was analysed: centred frames reach beyond both ends. For clocks derived from a front end (TokenClock::receptiveField).
struct HeardPart {
    Seconds start, end;
};
HeardPart heardPart(TokenSpan span, const TokenClock& tokens, const FrameClock& frames, Frames count,
                    Seconds length);

/// The compressed keys of a convolution with kernel K, stride S and padding P over N tokens, and their
/// positions.
struct CompressedKeys {
    int kernel = 5, stride = 2, padding = 1;
    /// Returns the settings of the networks: padding ⌊S/2⌋ for ConvAttention, ⌊K/2⌋ in Speechformer's form.
    static CompressedKeys of(const HeadGroup& group);
    /// ⌊(N + 2P − K)/S⌋ + 1, at least 1.
    std::int64_t count(std::int64_t tokens) const;
    /// Returns the middle of the tokens that key m was computed from, in tokens: S·m + (K − 1)/2 − P.
    double centre(std::int64_t key) const {
        return double(stride) * double(key) + (kernel - 1) / 2.0 - padding;
    }
};

} // namespace headroom
