// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/layer_rules.h"

#include "core/errors/count_text.h"

#include <algorithm>

namespace headroom {

namespace {

using Heads = std::vector<HeadGroup>;

/// `heads` with one group in another form.
std::string with(Heads heads, std::size_t index, const HeadGroup& group) {
    heads[index] = group;
    return toText(heads);
}

LayerMistake mistake(std::string code, std::string reason, std::vector<std::string> suggestions = {}) {
    LayerMistake result;
    result.code = "architecture." + std::move(code);
    result.reason = std::move(reason);
    result.suggestions = std::move(suggestions);
    return result;
}

/// The weights of their convolutions have the same shapes; the stride has none.
bool sameConvolution(const HeadGroup& left, const HeadGroup& right) {
    return left.kind == right.kind && left.convForm == right.convForm && left.convKernel == right.convKernel;
}

/// A layer's map can be taken by a layer with so many heads.
bool hasMapFor(const Architecture::Layer& layer, int count) {
    return layer.headCount() == count &&
           std::none_of(layer.heads.begin(), layer.heads.end(), [](const HeadGroup& group) {
               return group.kind == HeadKind::Reuse || group.kind == HeadKind::Conv;
           });
}

std::optional<LayerMistake> reuseMistake(const std::vector<Architecture::Layer>& layers, int number,
                                         const HeadGroup& group) {
    const auto& heads = layers[static_cast<std::size_t>(number) - 1].heads;
    const auto named = "layer " + std::to_string(group.reusedLayer);
    const auto nearest = [&] {
        auto other = group;
        other.reusedLayer = nearestReusable(layers, number);
        return other.reusedLayer == 0 ? std::vector<std::string>() : std::vector{toText({other})};
    };
    if (heads.size() > 1)
        return mistake("reuse", "a layer can only reuse a map as a whole, not beside other heads");
    if (group.smoothed || group.suppressed) {
        auto plain = group;
        plain.smoothed = false;
        plain.suppressed.reset();
        return mistake("reuse", "a reused map cannot be smoothed or suppressed again", {toText({plain})});
    }
    if (number == 1)
        return mistake("reuse", "the first layer has no earlier layer to reuse");
    if (group.reusedLayer >= number)
        return mistake("reuse", named + " does not come before layer " + std::to_string(number), nearest());
    const auto& origin = layers[static_cast<std::size_t>(group.reusedLayer) - 1];
    if (origin.heads.empty())
        return std::nullopt; // it has a mistake of its own
    if (origin.heads.front().kind == HeadKind::Reuse)
        return mistake("reuse", named + " has no map of its own", nearest());
    if (origin.headCount() != group.count)
        return mistake("reuse",
                       named + " has " + counted(origin.headCount(), "head") + ", this one " +
                           std::to_string(group.count),
                       nearest());
    for (const auto& reused : origin.heads)
        if (reused.kind == HeadKind::Conv)
            return mistake("reuseOfConv",
                           named + " has conv heads: their map is over shortened keys, which the "
                                   "values of another layer are not",
                           nearest());
    const auto isMasked = [](const HeadGroup& reused) { return reused.kind == HeadKind::Masked; };
    if (group.relaxed && std::any_of(origin.heads.begin(), origin.heads.end(), isMasked)) {
        auto plain = group;
        plain.relaxed.reset();
        plain.relaxedMatched = false;
        plain.relaxedFuzzy.reset();
        return mistake("reuse", "masked heads cannot be relaxed, and " + named + " has masked heads",
                       {toText({plain})});
    }
    return std::nullopt;
}

std::optional<LayerMistake> positionMistake(const Heads& heads, std::size_t index,
                                            const LayerSurroundings& around) {
    const auto& group = heads[index];
    const bool byDistance =
        isRelative(around.positions) || around.positions == Positions::RelativeKey;
    if (byDistance && group.kind == HeadKind::LocalBlock) {
        auto centred = group;
        centred.kind = HeadKind::Local;
        centred.window -= centred.window % 2 == 0 ? 1 : 0;
        return mistake(
            "positions",
            "relative positions need the distance of each query to its keys, which block heads do not have",
            {with(heads, index, centred)});
    }
    const bool inScores = byDistance || around.positions == Positions::Rotary;
    if ((inScores || around.relativeBias) && group.kind == HeadKind::Conv)
        return mistake("positions", (inScores ? wordOf(around.positions) : std::string("relative")) +
                                        " positions need keys that are tokens, and a convolution blends "
                                        "several tokens into one key");
    if (isRelative(around.positions) && around.width % 2 != 0 && group.kind != HeadKind::Reuse)
        return mistake("positions", "relative positions are pairs of sine and cosine, and the width " +
                                        std::to_string(around.width) + " is odd");
    if (around.positions == Positions::Rotary && group.kind != HeadKind::Reuse && around.width > 0 &&
        around.width / headCount(heads) % 2 != 0)
        return mistake("positions", "rotary positions rotate pairs of channels, and a head has " +
                                        std::to_string(around.width / headCount(heads)));
    return std::nullopt;
}

std::optional<LayerMistake> convMistake(const Heads& heads, std::size_t index,
                                        const LayerSurroundings& around) {
    const auto& group = heads[index];
    if (group.kind != HeadKind::Conv)
        return std::nullopt;
    if (around.longestTokens > 0 && group.convKernel > around.longestTokens) {
        auto shorter = group;
        shorter.convKernel = static_cast<int>(around.longestTokens);
        shorter.convStride = std::min(shorter.convStride, shorter.convKernel);
        return mistake("kernel",
                       "a kernel of " + std::to_string(group.convKernel) +
                           " tokens is longer than any utterance: " + grouped(around.longestFrames) +
                           " frames are " + grouped(around.longestTokens) + " tokens",
                       {with(heads, index, shorter)});
    }
    return std::nullopt;
}

std::optional<LayerMistake> maskMistake(const Heads& heads, std::size_t index) {
    if (heads[index].kind == HeadKind::Masked)
        return std::nullopt;
    HeadGroup masked;
    masked.count = heads[index].count;
    masked.kind = HeadKind::Masked;
    if (heads[index].kind == HeadKind::Local)
        masked.window = heads[index].window;
    return mistake("heads", "a language model predicts each token from those before it, so its heads are masked",
                   {with(heads, index, masked)});
}

/// A bias that all layers share has one column for each head.
std::optional<LayerMistake> sharedBiasMistake(const std::vector<Architecture::Layer>& layers, int number) {
    const int first = layers.front().headCount(),
              own = layers[static_cast<std::size_t>(number) - 1].headCount();
    if (first == own || first == 0)
        return std::nullopt;
    return mistake("positions", "the relative position bias is shared by all layers, and layer 1 has " +
                                    counted(first, "head") + ", this one " + std::to_string(own));
}

} // namespace

std::int64_t longestFrames(const Architecture::FrontEnd& frontEnd) {
    return frontEnd.framesIn(kLongestSource).value();
}

LayerSurroundings surroundingsOf(const Architecture& architecture) {
    LayerSurroundings result;
    result.width = architecture.encoder.width;
    result.positions = architecture.encoder.positions;
    result.longestFrames = longestFrames(architecture.frontEnd);
    result.longestTokens = architecture.frontEnd.clock().tokenCount(Frames(result.longestFrames)).value();
    result.relativeBias = architecture.encoder.relativeBias.has_value();
    result.languageModel = architecture.languageModel.has_value();
    return result;
}

int nearestReusable(const std::vector<Architecture::Layer>& layers, int number) {
    const int count = layers.at(static_cast<std::size_t>(number) - 1).headCount();
    for (int layer = number - 1; layer >= 1; --layer)
        if (hasMapFor(layers[static_cast<std::size_t>(layer) - 1], count))
            return layer;
    return 0;
}

std::string headsWithoutWeights(const std::vector<Architecture::Layer>& model, const std::vector<Architecture::Layer>& layers) {
    std::string first, lacks, remedy;
    int more = 0;
    for (std::size_t i = 0; i < layers.size() && i < model.size(); ++i) {
        const Heads &theirs = model[i].heads, &ours = layers[i].heads;
        const auto reuses = [](const Heads& heads) { return !heads.empty() && heads.front().kind == HeadKind::Reuse; };
        const bool ownMap = reuses(theirs) && !ours.empty() && !reuses(ours);
        const bool widerValues = !theirs.empty() && !reuses(theirs) && reuses(ours); // models/attention: [2d, d]
        int firstHead = 1;
        for (std::size_t group = 0; group < ours.size(); ++group) {
            const int lastHead = firstHead + ours[group].count - 1;
            const bool ownConvolution = ours[group].kind == HeadKind::Conv &&
                                        (group >= theirs.size() || !sameConvolution(theirs[group], ours[group]));
            if (ownMap || widerValues || ownConvolution) {
                if (!first.empty()) {
                    ++more;
                    break;
                }
                const bool one = ours[group].count == 1;
                HeadGroup single = ours[group];
                single.count = 1;
                first = "layer " + std::to_string(i + 1) + ", head" + (one ? " " : "s ") + std::to_string(firstHead) +
                        (one ? "" : "–" + std::to_string(lastHead)) + " (" + toText({single}).substr(2) + ")";
                lacks = ownConvolution ? "a convolution" : widerValues ? "values of twice the width" : "queries and keys";
                lacks = (one ? " needs " : " need ") + lacks + " that the model does not have";
                remedy = !ownMap ? (one ? "make this head full or local" : "make these heads full or local")
                                 : "let this layer " + toText(theirs).substr(toText(theirs).find("reuse"));
                break;
            }
            firstHead = lastHead + 1;
        }
    }
    if (first.empty())
        return {};
    return first + (more == 0 ? "" : " and " + counted(more, "other layer")) +
           (more == 0 ? lacks : " need weights that the model does not have") + "; start from random weights, or " +
           (more == 0 ? remedy : "draw these layers as the model has them");
}

std::optional<LayerMistake> layerMistake(const std::vector<Architecture::Layer>& layers, int number,
                                         const LayerSurroundings& surroundings) {
    const auto& heads = layers.at(static_cast<std::size_t>(number) - 1).heads;
    int firstHead = 1;
    if (surroundings.relativeBias && !heads.empty())
        if (auto found = sharedBiasMistake(layers, number)) {
            found->lastHead = headCount(heads);
            return found;
        }
    for (std::size_t i = 0; i < heads.size(); ++i) {
        std::optional<LayerMistake> found;
        if (surroundings.languageModel)
            found = maskMistake(heads, i);
        if (!found && heads[i].kind == HeadKind::Reuse)
            found = reuseMistake(layers, number, heads[i]);
        if (!found)
            found = convMistake(heads, i, surroundings);
        if (!found)
            found = positionMistake(heads, i, surroundings);
        if (found) {
            found->firstHead = firstHead;
            found->lastHead = firstHead + heads[i].count - 1;
            return found;
        }
        firstHead += heads[i].count;
    }
    return std::nullopt;
}

} // namespace headroom
