// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/attention_block.h"

#include "models/attention/group_pass.h"
#include "models/attention/relative_bias.h"
#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/linear.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::models {
namespace {

/// Rows of a projection: the heads `first` … `first` + `count` − 1 of it, or all.
at::Tensor projected(const Scope& projection, const at::Tensor& x, std::int64_t first, std::int64_t count,
                     std::int64_t headWidth) {
    const at::Tensor& weight = projection["weight"];
    if (count * headWidth == weight.size(0))
        return linear(projection, x);
    const at::Tensor rows = weight.narrow(0, first * headWidth, count * headWidth);
    return projection.has("bias")
               ? at::linear(x, rows, projection["bias"].narrow(0, first * headWidth, count * headWidth))
               : at::linear(x, rows);
}

void append(at::Tensor& sequence, const at::Tensor& next) {
    sequence = sequence.defined() ? at::cat({sequence, next}, 2) : next;
}

/// The first `count` tokens of x [batch, token, width], or all of them for 0.
at::Tensor firstTokens(const at::Tensor& x, std::int64_t count) {
    return count > 0 ? x.narrow(1, 0, count) : x;
}

/// q, scaled, k and v of all heads, [batch, head, token, headWidth].
struct Heads {
    at::Tensor queries, keys, values;
};

at::Tensor scaledQueries(const Scope& attention, const at::Tensor& x, const AttentionPlan& plan) {
    const double scale = 1.0 / std::sqrt(static_cast<double>(plan.headWidth()));
    return splitHeads(linear(attention / "q_proj", x), plan.heads).mul(scale);
}

std::vector<GroupOutcome> groupsOf(const GroupPass& pass, const Heads& heads) {
    std::vector<GroupOutcome> outcomes;
    int first = 0;
    for (std::size_t number = 0; number < pass.plan.groups.size(); ++number) {
        const HeadGroup& kind = pass.plan.groups[number];
        const auto slice = [&](const at::Tensor& x) {
            return kind.count == pass.plan.heads ? x : x.narrow(1, first, kind.count);
        };
        outcomes.push_back(attendGroup(pass, {kind, static_cast<int>(number), first, slice(heads.queries),
                                              slice(heads.keys), slice(heads.values)}));
        first += kind.count;
    }
    return outcomes;
}

/// A layer of which some heads shorten their input before it is projected: every group projects its own.
std::vector<GroupOutcome> groupsOfShortenedInput(const GroupPass& pass, const at::Tensor& queries,
                                                 const at::Tensor& input) {
    std::vector<GroupOutcome> outcomes;
    int first = 0;
    for (std::size_t number = 0; number < pass.plan.groups.size(); ++number) {
        const HeadGroup& kind = pass.plan.groups[number];
        const at::Tensor source = groupInput(pass, kind, static_cast<int>(number), input);
        const auto project = [&](const char* name) {
            return splitHeads(
                projected(pass.attention / name, source, first, kind.count, pass.plan.headWidth()),
                kind.count);
        };
        outcomes.push_back(
            attendGroup(pass, {kind, static_cast<int>(number), first, queries.narrow(1, first, kind.count),
                               project("k_proj"), project("v_proj")}));
        first += kind.count;
    }
    return outcomes;
}

/// W_O, residual and norm behind the heads.
at::Tensor finished(const GroupPass& pass, const Scope& norm, const at::Tensor& x,
                    std::vector<GroupOutcome> groups, const AttentionObserver& observe) {
    std::vector<at::Tensor> heads;
    for (const GroupOutcome& group : groups)
        heads.push_back(joinHeads(group.mixed));
    const at::Tensor mixed = heads.size() == 1 ? heads.front() : at::cat(heads, 2); // [batch, token, width]
    const at::Tensor read = firstTokens(x, pass.context.readQueries());
    const at::Tensor output = addDropped(linear(pass.attention / "out_proj", mixed), read,
                                         pass.dropout.hidden); // [batch, token or readQueries, width]
    if (observe) {
        AttentionStep step{x, output, {}, pass.context.rest()};
        for (GroupOutcome& group : groups)
            step.groups.push_back(std::move(group.step));
        observe(step);
    }
    return pass.plan.postNorm ? layerNorm(norm, output, pass.plan.normEpsilon) : output;
}

/// Adds the time that it lives to `seconds`, where somebody wants to know.
class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;
    explicit Stopwatch(double* seconds)
        : m_seconds(seconds)
        , m_start(seconds ? Clock::now() : Clock::time_point()) {}
    ~Stopwatch() {
        if (m_seconds)
            *m_seconds += std::chrono::duration<double>(Clock::now() - m_start).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double* m_seconds;
    Clock::time_point m_start;
};

void keepMaps(const GroupPass& pass, const std::vector<GroupOutcome>& groups) {
    std::vector<KeptMap> maps;
    for (const GroupOutcome& group : groups)
        maps.push_back({group.step.raw, group.hidden});
    pass.context.keep(pass.plan.layer, std::move(maps));
}

} // namespace

void KeyValueCache::select(const at::Tensor& rows) {
    if (!keys.defined())
        return;
    keys = keys.index_select(0, rows);
    values = values.index_select(0, rows);
}

at::Tensor selfAttentionBlock(const Scope& scope, const at::Tensor& x, const AttentionPlan& plan,
                              AttentionContext& context, const AttentionObserver& observe,
                              const Dropout& dropout, KeyValueCache* cache) {
    const Scope norm = scope / "self_attn_layer_norm";
    if (const at::Tensor& given = context.replacement(); given.defined())
        return plan.postNorm ? layerNorm(norm, given, plan.normEpsilon) : given;
    const Stopwatch stopwatch(context.options().seconds);
    const at::Tensor input = plan.postNorm ? x : layerNorm(norm, x, plan.normEpsilon); // [batch, token, width]
    GroupPass pass{scope / "self_attn", plan, context, dropout, observe || plan.keepsMaps};
    if (plan.relativeBias && !plan.reuses)
        pass.gate = biasGate(pass.attention, input, plan.heads);
    const auto heads = [&](const char* name) {
        return splitHeads(linear(pass.attention / name, input), plan.heads);
    };
    if (plan.reuses) {
        const at::Tensor values = heads("v_proj"); // [batch, head, token, 2 · headWidth]
        std::vector<GroupOutcome> groups = attendReused(pass, values);
        if (plan.lastOfReuses)
            context.release(plan.reuses);
        return finished(pass, norm, x, std::move(groups), observe);
    }

    Heads all;
    std::vector<GroupOutcome> groups;
    if (shortensInput(plan)) {
        groups = groupsOfShortenedInput(pass, scaledQueries(pass.attention, input, plan), input);
    } else {
        all = {scaledQueries(pass.attention, firstTokens(input, context.readQueries()), plan), heads("k_proj"), heads("v_proj")};
        const std::int64_t before = cache && cache->keys.defined() ? cache->keys.size(2) : 0;
        if (plan.positions == AttentionPositions::Rotary)
            rotateHeads(context, before, all.queries, all.keys);
        if (cache) {
            append(cache->keys, all.keys);
            append(cache->values, all.values);
            all.keys = cache->keys;
            all.values = cache->values;
        }
        groups = groupsOf(pass, all);
    }
    if (plan.keepsMaps)
        keepMaps(pass, groups);
    return finished(pass, norm, x, std::move(groups), observe);
}

at::Tensor crossAttentionBlock(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                               const AttentionPlan& plan, AttentionContext& context,
                               const AttentionObserver& observe, const Dropout& dropout,
                               KeyValueCache* cache) {
    const Scope norm = scope / "encoder_attn_layer_norm";
    if (const at::Tensor& given = context.replacement(); given.defined())
        return plan.postNorm ? layerNorm(norm, given, plan.normEpsilon) : given;
    const GroupPass pass{scope / "encoder_attn", plan, context, dropout, static_cast<bool>(observe)};
    KeyValueCache once;
    KeyValueCache& projections = cache ? *cache : once;
    if (!projections.keys.defined()) {
        projections.keys = splitHeads(linear(pass.attention / "k_proj", memory), plan.heads);
        projections.values = splitHeads(linear(pass.attention / "v_proj", memory), plan.heads);
    }
    const at::Tensor queries = scaledQueries(pass.attention, plan.postNorm ? x : layerNorm(norm, x, plan.normEpsilon), plan);
    return finished(pass, norm, x, groupsOf(pass, {queries, projections.keys, projections.values}), observe);
}

} // namespace headroom::models
