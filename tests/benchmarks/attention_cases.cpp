// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/attention_cases.h"

#include "core/architecture/weight_shapes.h"
#include "models/attention/attention_block.h"
#include "models/attention/group_pass.h"
#include "models/layers/device.h"
#include "models/layers/gradients.h"

#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>

#include <c10/core/Device.h>

#include <cmath>

namespace headroom::benchmarks {
namespace {

using namespace headroom::models;

constexpr std::int64_t kWidth = 256, kHeads = 4;

Architecture::Encoder encoderOf(const std::vector<std::string>& heads, const std::string& positions) {
    Architecture::Encoder encoder;
    encoder.width = kWidth;
    encoder.positions = choiceOf<Positions>(positions);
    for (const std::string& text : heads)
        encoder.layers.push_back({parseHeads(text)});
    return encoder;
}

/// Random weights of ordinary size; learnt ones.
void addLayer(Parameters& parameters, const Architecture::Encoder& encoder, int number, const std::string& layer) {
    for (const WeightShape& tensor : attentionShapes(encoder, number)) {
        const double spread =
            tensor.shape.size() > 1 ? 1 / std::sqrt(static_cast<double>(tensor.shape[1])) : 0.1;
        parameters.set(layer + tensor.name, at::randn(tensor.shape).mul_(spread).requires_grad_());
    }
    for (const char* name : {"weight", "bias"})
        parameters.set(layer + "self_attn_layer_norm." + name, at::randn({encoder.width}).requires_grad_());
}

bool inFrontOfProjections(const AttentionPlan& plan) {
    return plan.groups.front().convForm == ConvForm::Speechformer;
}

} // namespace

std::string AttentionKind::name() const {
    const std::string text(heads), where(positions);
    return text.substr(2) + (where == "none" ? "" : ", " + where + " positions");
}

const std::vector<AttentionKind>& attentionKinds() {
    static const std::vector<AttentionKind> list{
        {"4 full", "none"},
        {"4 full", "relative"},
        {"4 full", "rotary"},
        {"4 masked", "none"},
        {"4 local 21", "none"},
        {"4 local 65", "none"},
        {"4 local 21", "relative"},
        {"4 local 64 block", "none"},
        {"4 conv 5/2", "none"},
        {"4 conv 5/2 separable", "none"},
        {"4 conv 5/2 normal", "none"},
        {"4 conv 8/4 speechformer", "none"},
        {"4 full relaxed 0.25", "none"},
        {"4 local 21 relaxed 0.25", "none"},
        {"4 full smoothed", "none"},
        {"4 full suppressed 0.5", "none"},
        {"4 reuse 1", "none"},
    };
    return list;
}

struct AttentionCase::Implementation {
    std::vector<AttentionPlan> plans; ///< the last is the one
    Parameters parameters;
    std::unique_ptr<AttentionContext> context;
    Dropout dropout;
    at::Tensor q, k, v; // [batch, token, width], as projections leave them; of a reused map v is twice as wide
    at::Tensor map;     ///< that is reused // [batch, head, query, key]
    at::Tensor oursBack, fullBack;

    const AttentionPlan& plan() const { return plans.back(); }
};

AttentionCase::AttentionCase(const AttentionKind& kind, std::int64_t tokens, std::int64_t batch, c10::ScalarType type)
    : m(new Implementation) {
    const bool reuses = std::string(kind.heads).find("reuse") != std::string::npos;
    const Architecture::Encoder encoder =
        encoderOf(reuses ? std::vector<std::string>{"4 full", kind.heads} : std::vector<std::string>{kind.heads}, kind.positions);
    m->plans = attentionPlans(encoder, "bench");
    addLayer(m->parameters, encoder, m->plan().layer, "");
    m->parameters = onDevice(m->parameters);
    AttentionContext::Options options;
    options.training = true; // relaxation is for training
    m->context = std::make_unique<AttentionContext>(
        std::vector<std::int64_t>(static_cast<std::size_t>(batch), tokens), tokens, options);
    const auto there = [&](const at::Tensor& made) { return onDevice(made.to(type)); };
    const auto draw = [&](std::int64_t width) { return there(at::randn({batch, tokens, width})).requires_grad_(); };
    m->q = draw(kWidth);
    m->k = draw(kWidth);
    m->v = draw(reuses ? 2 * kWidth : kWidth);
    m->oursBack = there(at::randn({batch, tokens, reuses ? 2 * kWidth : kWidth}));
    m->fullBack = there(at::randn({batch, tokens, kWidth}));
    if (reuses) {
        m->map = there(at::softmax(at::randn({batch, kHeads, tokens, tokens}), -1)).requires_grad_();
        m->context->keep(1, {{{AttentionMap::Form::Dense, m->map}, {}}});
    }
}

AttentionCase::~AttentionCase() = default;

at::Tensor AttentionCase::ours() const {
    const GroupPass pass{Scope(m->parameters) / "self_attn", m->plan(), *m->context, m->dropout, false};
    if (m->plan().reuses)
        return attendReused(pass, splitHeads(m->v, kHeads)).front().mixed;
    const HeadGroup& kind = m->plan().groups.front();
    at::Tensor queries = splitHeads(m->q, kHeads), keys, values;
    if (inFrontOfProjections(m->plan())) {
        keys = splitHeads(groupInput(pass, kind, 0, m->k), kHeads);
        values = keys;
    } else {
        keys = splitHeads(m->k, kHeads);
        values = splitHeads(m->v, kHeads);
    }
    if (m->plan().positions == AttentionPositions::Rotary)
        rotateHeads(*m->context, 0, queries, keys);
    return attendGroup(pass, {kind, 0, 0, queries, keys, values}).mixed;
}

at::Tensor AttentionCase::full() const {
    return at::scaled_dot_product_attention(
        splitHeads(m->q, kHeads), splitHeads(m->k, kHeads),
        splitHeads(m->plan().reuses ? m->v.narrow(2, 0, kWidth) : m->v, kHeads));
}

at::Tensor AttentionCase::flash() const {
    const auto rows = [](const at::Tensor& x) { return splitHeads(x, kHeads).transpose(1, 2); }; // [batch, token, head, width]
    const std::int64_t tokens = m->q.size(1), reach = m->plan().groups.front().window / 2;
    return std::get<0>(at::_flash_attention_forward(rows(m->q), rows(m->k), rows(m->v), std::nullopt, std::nullopt, tokens, tokens,
                                                    0.0, false, false, 1.0, reach, reach)) // as ours, which scales elsewhere
        .transpose(1, 2);
}

void AttentionCase::backward(const at::Tensor& mixed, bool ofOurs) const {
    std::vector<at::Tensor> inputs{m->v};
    if (!ofOurs) {
        inputs = {m->q, m->k, m->v};
    } else if (m->plan().reuses) {
        inputs.push_back(m->map);
    } else {
        inputs = inFrontOfProjections(m->plan()) ? std::vector{m->q, m->k} : std::vector{m->q, m->k, m->v};
        m->parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            if (name.find("groups") != std::string::npos || name.find("pos") != std::string::npos)
                inputs.push_back(tensor);
        });
    }
    models::gradients(mixed, inputs, splitHeads(ofOurs ? m->oursBack : m->fullBack, kHeads));
}

AttentionLayers::AttentionLayers(const std::vector<std::string>& heads, std::int64_t tokens) {
    const Architecture::Encoder encoder = encoderOf(heads, "relative");
    m_plans = attentionPlans(encoder, "bench");
    for (const AttentionPlan& plan : m_plans)
        addLayer(m_parameters, encoder, plan.layer, "layers." + std::to_string(plan.layer - 1) + ".");
    m_input = at::randn({1, tokens, kWidth}).requires_grad_();
    m_gradOut = at::randn({1, tokens, kWidth});
}

at::Tensor AttentionLayers::run(const at::Tensor& x) const {
    AttentionContext context({x.size(1)}, x.size(1));
    at::Tensor y = x;
    for (const AttentionPlan& plan : m_plans)
        y = selfAttentionBlock(Scope(m_parameters) / "layers" / (plan.layer - 1), y, plan, context);
    return y;
}

void AttentionLayers::forward() const {
    run(m_input);
}

void AttentionLayers::forwardAndBackward() const {
    std::vector<at::Tensor> inputs{m_input};
    m_parameters.forEach([&](const std::string&, const at::Tensor& tensor) { inputs.push_back(tensor); });
    models::gradients(run(m_input), inputs, m_gradOut);
}

} // namespace headroom::benchmarks
