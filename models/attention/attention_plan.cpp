// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/attention_plan.h"

#include "core/architecture/layer_rules.h"
#include "core/errors/error.h"

#include <algorithm>
#include <utility>

namespace headroom::models {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& place,
                         const std::vector<HeadGroup>& heads, const std::string& reason) {
    const std::string text = toText(heads);
    throw Error("model.kindNotBuilt", file + ": " + place + " has “" + text + "” heads; " + reason + ".",
                {{"file", file}, {"place", place}, {"heads", text}});
}

bool has(const std::vector<HeadGroup>& heads, HeadKind kind) {
    return std::any_of(heads.begin(), heads.end(), [&](const HeadGroup& g) { return g.kind == kind; });
}

AttentionPositions positionsOf(const Architecture::Encoder& encoder) {
    if (isRelative(encoder.positions))
        return encoder.positions == Positions::Relative ? AttentionPositions::Relative : AttentionPositions::RelativeLegacy;
    if (encoder.positions == Positions::RelativeKey)
        return AttentionPositions::RelativeKey;
    return encoder.positions == Positions::Rotary ? AttentionPositions::Rotary : AttentionPositions::Absolute;
}

/// Why these heads make no block of this width, whatever stands around it, or "". The grammar of heads owns the
/// rules of one group: heads that did not come from a text must still have one that can be read.
std::string whyNot(const std::vector<HeadGroup>& heads, std::int64_t width) {
    if (heads.empty() || width % headCount(heads))
        return "they do not divide the width of " + std::to_string(width);
    try {
        parseHeads(toText(heads));
    } catch (const Error& error) {
        return error.values().value("reason", std::string(error.what()));
    }
    return {};
}

AttentionPlan checked(AttentionPlan plan, const std::string& file, const std::string& place) {
    const std::string reason = whyNot(plan.groups, plan.width);
    if (!reason.empty())
        refuse(file, place, plan.groups, reason);
    plan.heads = headCount(plan.groups);
    return plan;
}

AttentionPlan decoderPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                          const std::string& file, HeadKind kind, const std::string& place,
                          const std::string& rule) {
    AttentionPlan plan;
    plan.groups = heads;
    plan.width = width;
    plan.postNorm = postNorm;
    if (std::any_of(heads.begin(), heads.end(), [&](const HeadGroup& g) { return g.kind != kind; }))
        refuse(file, place, heads, rule);
    return checked(std::move(plan), file, place);
}

} // namespace

AttentionPlan attentionPlan(const Architecture::Encoder& encoder, int layer, const std::string& file) {
    const std::string place = "encoder layer " + std::to_string(layer);
    AttentionPlan plan;
    plan.layer = layer;
    plan.groups = encoder.layers.at(static_cast<std::size_t>(layer - 1)).heads;
    plan.width = encoder.width;
    plan.postNorm = encoder.norm == NormPlace::Post;
    plan.positions = positionsOf(encoder);
    plan.keyBias = encoder.keyBias;
    plan.relativeBias = encoder.relativeBias.has_value();
    plan.normEpsilon = encoder.normEpsilon;
    plan.outputBias = encoder.outputBias;
    plan.reach = encoder.relativeKey.value_or(Architecture::RelativeKey());
    plan = checked(std::move(plan), file, place);
    LayerSurroundings surroundings;
    surroundings.width = encoder.width;
    surroundings.positions = encoder.positions;
    surroundings.relativeBias = encoder.relativeBias.has_value();
    if (const auto mistake = layerMistake(encoder.layers, layer, surroundings))
        refuse(file, place, plan.groups, mistake->reason);
    if (has(plan.groups, HeadKind::Reuse)) {
        plan.reuses = plan.groups.front().reusedLayer;
        plan.lastOfReuses = true;
    }
    for (std::size_t later = static_cast<std::size_t>(layer); later < encoder.layers.size(); ++later)
        for (const HeadGroup& group : encoder.layers[later].heads) {
            plan.keepsMaps = plan.keepsMaps || group.reusedLayer == layer;
            plan.lastOfReuses =
                plan.lastOfReuses && (group.kind != HeadKind::Reuse || group.reusedLayer != plan.reuses);
        }
    return plan;
}

std::vector<AttentionPlan> attentionPlans(const Architecture::Encoder& encoder, const std::string& file) {
    std::vector<AttentionPlan> plans;
    for (std::size_t layer = 1; layer <= encoder.layers.size(); ++layer)
        plans.push_back(attentionPlan(encoder, static_cast<int>(layer), file));
    return plans;
}

AttentionPlan maskedAttentionPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                                  const std::string& file) {
    return decoderPlan(heads, width, postNorm, file, HeadKind::Masked, "a decoder's self-attention",
                       "its heads must be masked");
}

std::vector<AttentionPlan> languageModelPlans(const Architecture::LanguageModel& model,
                                              const std::string& file) {
    std::vector<AttentionPlan> plans;
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(model.layers); ++layer)
        plans.push_back(
            maskedAttentionPlan(model.headsOf(layer), model.width, model.norm == NormPlace::Post, file));
    return plans;
}

AttentionPlan crossAttentionPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                                 const std::string& file) {
    return decoderPlan(heads, width, postNorm, file, HeadKind::Full, "the decoder's cross-attention",
                       "cross-attention heads must be full");
}

} // namespace headroom::models
