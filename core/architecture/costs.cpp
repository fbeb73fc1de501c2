// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"

#include <algorithm>

namespace headroom {

namespace {

using Count = std::int64_t;

[[noreturn]] void notBuilt(const Architecture& architecture, const std::string& what) {
    const auto name = architecture.name.empty() ? std::string("This architecture") : architecture.name;
    throw Error("architecture.kindNotBuilt", name + " has " + what + ", which cannot be counted yet.",
                {{"name", architecture.name}, {"kind", what}});
}

void checkBlocks(const Architecture& architecture) {
    if (architecture.frontEnd.kind != "conv1d")
        notBuilt(architecture, "a front end of kind " + architecture.frontEnd.kind);
    if (architecture.encoder.kind != "transformer")
        notBuilt(architecture, "an encoder of kind " + architecture.encoder.kind);
    if (architecture.encoder.positions == "relative")
        notBuilt(architecture, "relative positions");
}

struct Convolution {
    Count in, out, kernel;
    Subsampling step;
};

/// GLU after each convolution halves its channels, so the last makes twice the width.
std::vector<Convolution> convolutions(const Architecture& architecture) {
    const auto& frontEnd = architecture.frontEnd;
    std::vector<Convolution> result;
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i) {
        const bool last = i + 1 == frontEnd.kernels.size();
        result.push_back({i == 0 ? frontEnd.features : frontEnd.channels / 2,
                          last ? Count(2) * architecture.encoder.width : frontEnd.channels,
                          frontEnd.kernels[i],
                          {frontEnd.kernels[i], frontEnd.strides[i], frontEnd.kernels[i] / 2}});
    }
    return result;
}

Count linear(Count in, Count out, bool bias = true) {
    return in * out + (bias ? out : 0);
}

Count feedForwardBlock(Count width, Count inner) {
    return linear(width, inner) + linear(inner, width);
}

Count convGroup(const Architecture& architecture, const HeadGroup& group, Count channels) {
    const Count depthwise = channels * group.convKernel + channels;
    if (group.convForm.empty())
        return 2 * depthwise;
    if (group.convForm == "separable")
        return 2 * (depthwise + linear(channels, channels));
    if (group.convForm == "normal")
        return 2 * (channels * channels * group.convKernel + channels);
    notBuilt(architecture, "heads of the form " + group.convForm);
}

Count encoderLayer(const Architecture& architecture, const Architecture::Layer& layer) {
    const auto& encoder = architecture.encoder;
    const Count width = encoder.width;
    const bool bias = encoder.queryKeyValueBias;
    Count attention = 3 * linear(width, width, bias) + linear(width, width);
    if (layer.heads.front().kind == HeadKind::Reuse)
        attention = linear(width, 2 * width, bias) + linear(2 * width, width);
    for (const auto& group : layer.heads)
        if (group.kind == HeadKind::Conv)
            attention += convGroup(architecture, group, width / layer.headCount());
    return attention + feedForwardBlock(width, encoder.feedForward) + 4 * width;
}

Count decoderParameters(const Architecture& architecture) {
    const auto& decoder = *architecture.decoder;
    const Count width = decoder.width, memory = architecture.encoder.width;
    const Count self = 4 * linear(width, width);
    const Count cross = 2 * linear(width, width) + 2 * linear(memory, width);
    const Count layer = self + cross + feedForwardBlock(width, decoder.feedForward) + 6 * width;
    return decoder.layers * layer + 2 * width + 2 * Count(architecture.vocabulary) * width;
}

/// Pairs of query and key at most r apart among N tokens.
Count visiblePairs(Count tokens, Count reach) {
    const Count r = std::min(reach, tokens - 1);
    return tokens * (2 * r + 1) - r * (r + 1);
}

} // namespace

Costs parameterCosts(const Architecture& architecture) {
    checkBlocks(architecture);
    Costs costs;
    for (const auto& convolution : convolutions(architecture))
        costs.encoderParameters += convolution.in * convolution.out * convolution.kernel + convolution.out;
    for (const auto& layer : architecture.encoder.layers)
        costs.encoderParameters += encoderLayer(architecture, layer);
    if (architecture.encoder.norm == "pre")
        costs.encoderParameters += 2 * Count(architecture.encoder.width);
    if (architecture.decoder)
        costs.decoderParameters = decoderParameters(architecture);
    const Count ctc = architecture.ctc ? linear(architecture.encoder.width, *architecture.ctc) : 0;
    costs.parameters = costs.encoderParameters + costs.decoderParameters + ctc;
    return costs;
}

EncoderCosts encoderCosts(const Architecture& architecture, std::int64_t frames) {
    if (frames < 1)
        throw std::invalid_argument("an encoder reads at least one frame");
    checkBlocks(architecture);
    const Count width = architecture.encoder.width;
    EncoderCosts costs;
    costs.frames = frames;
    costs.tokens = frames;
    for (const auto& convolution : convolutions(architecture)) {
        const auto& step = convolution.step;
        costs.tokens = (costs.tokens + 2 * step.padding - step.kernel) / step.stride + 1;
        costs.macs += costs.tokens * convolution.in * convolution.out * convolution.kernel;
    }
    const Count tokens = costs.tokens;
    for (const auto& layer : architecture.encoder.layers) {
        const Count channels = width / layer.headCount();
        for (const auto& group : layer.heads) {
            if (group.kind != HeadKind::Full && group.kind != HeadKind::Local)
                notBuilt(architecture, "heads “" + toText({group}) + "”");
            const Count reach = group.kind == HeadKind::Full ? tokens : group.window / 2;
            costs.attentionMacs += group.count * 2 * channels * visiblePairs(tokens, reach);
            costs.attentionMapBytes += group.count * tokens * tokens * Count(sizeof(float));
        }
        costs.macs += 4 * tokens * width * width + 2 * tokens * width * architecture.encoder.feedForward;
    }
    costs.macs += costs.attentionMacs;
    return costs;
}

} // namespace headroom
