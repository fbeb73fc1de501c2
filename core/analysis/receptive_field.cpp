// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/receptive_field.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {

namespace {

std::int64_t cut(std::int64_t token, std::int64_t tokens) {
    return std::clamp<std::int64_t>(token, 0, tokens - 1);
}

/// The tokens that a convolution over tokens reads.
struct ConvolutionReach {
    std::int64_t left = 0, right = 0;
    /// Padded by ⌊K/2⌋ on each side; an even kernel gives one output more, which is cut at the end.
    static ConvolutionReach centred(int kernel) { return {kernel / 2, std::max(kernel - 1 - kernel / 2, 0)}; }
    static ConvolutionReach causal(int kernel) { return {kernel - 1, 0}; }
    TokenSpan of(std::int64_t token, std::int64_t tokens) const {
        return {cut(token - left, tokens), cut(token + right, tokens)};
    }
};

/// Behind the attention of a layer.
ConvolutionReach reachBehind(const Architecture::Encoder& encoder) {
    if (const auto& module = encoder.convolution)
        return module->causal ? ConvolutionReach::causal(module->kernel) : ConvolutionReach::centred(module->kernel);
    return ConvolutionReach::centred(encoder.branch ? encoder.branch->mergeKernel : 0);
}

/// What each token has where it reads others that have `before`. Both ends of what a token has never fall from one token
/// to the next, so the ends of what it gets from others are theirs at its own ends.
template <typename Reads>
std::vector<TokenSpan> through(const std::vector<TokenSpan>& before, const Reads& reads) {
    std::vector<TokenSpan> after;
    after.reserve(before.size());
    for (std::int64_t token = 0; token < static_cast<std::int64_t>(before.size()); ++token) {
        const TokenSpan read = reads(token);
        after.push_back({before[static_cast<std::size_t>(read.first)].first,
                         before[static_cast<std::size_t>(read.last)].last});
    }
    return after;
}

} // namespace

std::vector<HeadGroup> appliedHeads(const Architecture::Encoder& encoder, int layer) {
    const auto& own = encoder.layers.at(static_cast<std::size_t>(layer - 1)).heads;
    if (own.empty() || own.front().kind != HeadKind::Reuse)
        return own;
    auto groups = encoder.layers.at(static_cast<std::size_t>(own.front().reusedLayer - 1)).heads;
    for (HeadGroup& group : groups) {
        group.relaxed = own.front().relaxed;
        group.relaxedMatched = own.front().relaxedMatched;
        group.relaxedFuzzy = own.front().relaxedFuzzy;
    }
    return groups;
}

TokenSpan visibleKeys(const HeadGroup& group, std::int64_t query, std::int64_t tokens) {
    switch (group.kind) {
    case HeadKind::Full:
        return {0, tokens - 1};
    case HeadKind::Conv: {
        const CompressedKeys keys = CompressedKeys::of(group);
        const std::int64_t last = keys.stride * (keys.count(tokens) - 1) + keys.kernel - 1 - keys.padding;
        return {0, cut(last, tokens)};
    }
    case HeadKind::Masked:
        return {group.window == 0 ? 0 : cut(query - group.window / 2, tokens), query};
    case HeadKind::Local:
        return {cut(query - group.window / 2, tokens), cut(query + group.window / 2, tokens)};
    case HeadKind::LocalBlock: {
        const std::int64_t size = std::max(group.window / 3, 1), block = query / size;
        return {cut((block - 1) * size, tokens), cut((block + 2) * size - 1, tokens)};
    }
    case HeadKind::Reuse:
        break;
    }
    throw std::logic_error("a reused map has no window of its own");
}

TokenSpan visibleKeys(const Architecture::Encoder& encoder, int layer, std::int64_t query,
                      std::int64_t tokens) {
    TokenSpan all{query, query};
    for (const HeadGroup& group : appliedHeads(encoder, layer)) {
        const TokenSpan span = visibleKeys(group, query, tokens);
        all = {std::min(all.first, span.first), std::max(all.last, span.last)};
    }
    return all;
}

Matrix<float> effectiveMask(const Architecture::Encoder& encoder, int layer, std::int64_t tokens) {
    const auto side = static_cast<std::size_t>(tokens);
    Matrix<float> mask(side, side);
    const std::vector<HeadGroup> groups = appliedHeads(encoder, layer);
    const float heads = static_cast<float>(headCount(groups));
    for (std::int64_t query = 0; query < tokens; ++query) {
        const auto row = mask.row(static_cast<std::size_t>(query));
        for (const HeadGroup& group : groups) {
            const TokenSpan span = visibleKeys(group, query, tokens);
            for (std::int64_t key = span.first; key <= span.last; ++key)
                row[static_cast<std::size_t>(key)] += static_cast<float>(group.count) / heads;
        }
    }
    return mask;
}

ReceptiveField::ReceptiveField(const Architecture::Encoder& encoder, std::int64_t tokens) {
    std::vector<TokenSpan> known;
    for (std::int64_t token = 0; token < tokens; ++token)
        known.push_back({token, token});
    const auto convolve = [&](ConvolutionReach reach) {
        known = through(known, [&](std::int64_t token) { return reach.of(token, tokens); });
    };
    const auto& positions = encoder.positionalConvolution;
    for (int each = 0; positions && each < positions->layers; ++each)
        convolve(ConvolutionReach::centred(positions->kernel));
    const auto beside = ConvolutionReach::centred(encoder.branch ? encoder.branch->kernel : 0);
    for (int layer = 1; layer <= static_cast<int>(encoder.layers.size()) && tokens > 0; ++layer) {
        known = through(known, [&](std::int64_t token) {
            const TokenSpan seen = visibleKeys(encoder, layer, token, tokens), gated = beside.of(token, tokens);
            return TokenSpan{std::min(seen.first, gated.first), std::max(seen.last, gated.last)};
        });
        convolve(reachBehind(encoder));
        m_spans.push_back(known);
    }
}

TokenSpan ReceptiveField::of(int layer, std::int64_t token) const {
    return m_spans.at(static_cast<std::size_t>(layer - 1)).at(static_cast<std::size_t>(token));
}

ReceptiveField::Reach ReceptiveField::reach(int layer) const {
    Reach farthest;
    std::int64_t token = 0;
    for (const TokenSpan& span : m_spans.at(static_cast<std::size_t>(layer - 1))) {
        farthest.left = std::max(farthest.left, token - span.first);
        farthest.right = std::max(farthest.right, span.last - token);
        ++token;
    }
    return farthest;
}

bool ReceptiveField::whole(int layer) const {
    const auto& spans = m_spans.at(static_cast<std::size_t>(layer - 1));
    const std::int64_t last = static_cast<std::int64_t>(spans.size()) - 1;
    return std::all_of(spans.begin(), spans.end(), [&](const TokenSpan& span) {
        return span == TokenSpan{0, last};
    });
}

HeardPart heardPart(TokenSpan span, const TokenClock& tokens, const FrameClock& frames, Frames count,
                    Seconds length) {
    const auto within = [&](Frames frame) {
        return Frames(std::clamp<std::int64_t>(frame.value(), 0, count.value() - 1));
    };
    const Seconds half = frames.length() / 2;
    const Frames first = within(tokens.receptiveField(Tokens(span.first)).first);
    const Frames last = within(tokens.receptiveField(Tokens(span.last)).last);
    return {std::max(frames.centre(first) - half, Seconds(0)), std::min(frames.centre(last) + half, length)};
}

CompressedKeys CompressedKeys::of(const HeadGroup& group) {
    const bool speechformer = group.convForm == ConvForm::Speechformer;
    return {group.convKernel, group.convStride, speechformer ? group.convKernel / 2 : group.convStride / 2};
}

std::int64_t CompressedKeys::count(std::int64_t tokens) const {
    const std::int64_t room = tokens + 2 * padding - kernel;
    return room < 0 ? 1 : room / stride + 1;
}

} // namespace headroom
