// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/attention_plan.h"

#include "core/architecture/layer_rules.h"
#include "core/errors/error.h"

#include <algorithm>

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

class TensorList {
public:
    void linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias) {
        add(name + ".weight", {out, in});
        if (bias)
            add(name + ".bias", {out});
    }
    void convolution(const std::string& name, std::int64_t out, std::int64_t in, std::int64_t kernel) {
        add(name + ".weight", {out, in, kernel});
        add(name + ".bias", {out});
    }
    void add(const std::string& name, std::vector<std::int64_t> shape) {
        m_list.push_back({"self_attn." + name, std::move(shape)});
    }
    std::vector<AttentionTensor> take() { return std::move(m_list); }

private:
    std::vector<AttentionTensor> m_list;
};

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
    if (encoder.relativeKey)
        plan.reach = {encoder.relativeKey->left, encoder.relativeKey->right};
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

std::vector<AttentionTensor> attentionTensors(const AttentionPlan& plan, bool queryKeyValueBias) {
    TensorList list;
    const std::int64_t values = plan.valueWidth() * plan.heads;
    if (!plan.reuses)
        list.linear("k_proj", plan.width, plan.width, queryKeyValueBias && plan.keyBias);
    list.linear("v_proj", values, plan.width, queryKeyValueBias);
    if (!plan.reuses)
        list.linear("q_proj", plan.width, plan.width, queryKeyValueBias);
    list.linear("out_proj", plan.width, values, plan.outputBias);
    if (plan.reuses)
        return list.take();
    if (plan.isRelative()) {
        list.linear("linear_pos", plan.width, plan.width, false);
        list.add("pos_bias_u", {plan.heads, plan.headWidth()});
        list.add("pos_bias_v", {plan.heads, plan.headWidth()});
    }
    if (plan.relativeBias) {
        list.linear("gru_rel_pos_linear", 8, plan.headWidth(), true);
        list.add("gru_rel_pos_const", {1, plan.heads, 1, 1});
    }
    if (plan.positions == AttentionPositions::RelativeKey)
        list.add("distance_embedding.weight", {plan.reach.left + plan.reach.right + 1, plan.headWidth()});
    for (std::size_t number = 0; number < plan.groups.size(); ++number) {
        const HeadGroup& group = plan.groups[number];
        if (group.kind != HeadKind::Conv)
            continue;
        const std::string name = "groups." + std::to_string(number);
        const std::int64_t channels = plan.headWidth();
        if (group.convForm == ConvForm::Speechformer) {
            list.convolution(name + ".conv", 2 * plan.width, plan.width, group.convKernel);
            continue;
        }
        for (const char* which : {".conv_k", ".conv_v"}) {
            const bool separable = group.convForm == ConvForm::Separable;
            list.convolution(name + which + (separable ? ".0" : ""), channels,
                             group.convForm == ConvForm::Normal ? channels : 1, group.convKernel);
            if (separable)
                list.convolution(name + which + ".1", channels, channels, 1);
        }
    }
    return list.take();
}

} // namespace headroom::models
