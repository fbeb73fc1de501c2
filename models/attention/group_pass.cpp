// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/group_pass.h"

#include "models/attention/conv.h"
#include "models/attention/full.h"
#include "models/attention/local_block.h"
#include "models/attention/relative.h"
#include "models/attention/relative_key.h"
#include "models/attention/rotary.h"
#include "models/attention/weighing.h"
#include "models/kernels/banded.h"
#include "models/kernels/full_attention.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom::models {
namespace {

using Form = AttentionMap::Form;

/// From the raw weights on: relaxation. `seen` hides the keys over which γ/T is not spread.
at::Tensor applied(const GroupPass& pass, const HeadGroup& kind, const at::Tensor& raw,
                   const at::Tensor& seen) {
    const double gamma = pass.context.relaxation(kind);
    return gamma > 0 ? relaxed(raw, seen, gamma) : raw;
}

RelativeTerms scaledTerms(const GroupPass& pass, const GroupHeads& heads, const at::Tensor& table) {
    RelativeTerms terms = relativeTerms(pass.attention, table, heads.firstHead, heads.kind.count);
    const double scale = 1.0 / std::sqrt(static_cast<double>(heads.queries.size(3)));
    terms.contentBias = terms.contentBias.mul(scale);
    terms.positionBias = terms.positionBias.mul(scale);
    return terms;
}

/// Scores of offsets −reach … reach and the content bias, [batch, head, query, 2 · reach + 1] and [head, 1, headWidth].
struct OffsetScores {
    at::Tensor byOffset, contentBias;
};

OffsetScores offsetScores(const GroupPass& pass, const GroupHeads& heads, std::int64_t reach) {
    AttentionContext& context = pass.context;
    if (pass.plan.positions == AttentionPositions::Relative) {
        const RelativeTerms terms = scaledTerms(pass, heads, context.relativeTable(reach, pass.plan.width, heads.queries));
        return {relativeBandScores(heads.queries, terms), terms.contentBias};
    }
    // The old form depends on the length: that of each recording, so that a batch changes nothing.
    const auto ofLength = [&](const at::Tensor& queries, std::int64_t tokens) {
        const RelativeTerms terms =
            scaledTerms(pass, heads, context.relativeLegacyTable(reach, pass.plan.width, tokens, queries));
        return OffsetScores{relativeLegacyBandScores(queries, terms), terms.contentBias};
    };
    if (context.lengths().empty())
        return ofLength(heads.queries, heads.queries.size(2));
    OffsetScores all;
    std::vector<at::Tensor> items;
    for (std::size_t item = 0; item < context.lengths().size(); ++item) {
        all = ofLength(heads.queries.narrow(0, static_cast<std::int64_t>(item), 1), context.lengths()[item]);
        items.push_back(all.byOffset);
    }
    all.byOffset = at::cat(items, 0);
    return all;
}

/// The gate of each query times the bias of the group's heads, `bias` [head, query or 1, key or slot].
at::Tensor gatedBias(const GroupPass& pass, const GroupHeads& heads, const at::Tensor& bias) {
    return pass.gate.narrow(1, heads.firstHead, heads.kind.count)
        .mul(bias.narrow(0, heads.firstHead, heads.kind.count));
}

GroupOutcome outcome(const GroupHeads& heads, AttentionMap raw, AttentionMap applied, at::Tensor hidden,
                     at::Tensor mixed) {
    GroupOutcome result;
    result.mixed = std::move(mixed);
    result.hidden = std::move(hidden);
    result.step.kind = heads.kind;
    result.step.firstHead = heads.firstHead;
    result.step.raw = std::move(raw);
    result.step.applied = std::move(applied);
    result.step.values = heads.values;
    return result;
}

/// Suppression compares weights with their mean and a relaxation of 0.001 moves them by less than bfloat16
/// can tell: where autocast made the scores short, such groups are weighed in float.
bool weighedInFloat(const HeadGroup& kind, const at::Tensor& x) {
    return x.scalar_type() == at::kBFloat16 && (kind.relaxed || kind.suppressed || kind.smoothed);
}

/// `hidden`, and its twin for relaxation.
struct Masks {
    at::Tensor hidden, seen;
};

template <typename Make>
Masks masks(AttentionContext& context, const Make& make) {
    return {make(context), make(context.relaxedKeys())};
}

/// Whether nobody needs the map and ATen's fused kernel computes the same: a softmax of dot products, relaxed at most
/// by one mean for all queries. A few queries, as in decoding, are faster without it.
bool fuses(const GroupPass& pass, const GroupHeads& heads, const Masks& keys) {
    constexpr std::int64_t kFewQueries = 8;
    const AttentionPositions positions = pass.plan.positions;
    const bool oneMean =
        !keys.seen.defined() || keys.seen.size(-2) == 1 || pass.context.relaxation(heads.kind) == 0;
    return !pass.wantsMaps && pass.dropout.attention == 0 && heads.queries.size(2) > kFewQueries &&
           !pass.plan.isRelative() && positions != AttentionPositions::RelativeKey &&
           !pass.gate.defined() && !heads.kind.smoothed && !heads.kind.suppressed && oneMean &&
           !weighedInFloat(heads.kind, heads.queries) &&
           heads.queries.scalar_type() == heads.values.scalar_type();
}

/// Whether a map is the softmax of dot products over all keys, which is computed in one pass with what it
/// mixes.
bool weighsPlainly(const GroupPass& pass, const GroupHeads& heads, const Masks& keys) {
    return !keys.hidden.defined() && pass.dropout.attention == 0 && !pass.plan.isRelative() &&
           pass.plan.positions != AttentionPositions::RelativeKey && !pass.gate.defined() &&
           !heads.kind.smoothed && !heads.kind.suppressed && pass.context.relaxation(heads.kind) == 0 &&
           attendsHere(heads.queries, heads.keys, heads.values);
}

/// The queries whose maps are wanted, if the others can do without: fewer than there are; otherwise 0.
std::int64_t fewerMapped(const GroupPass& pass, const GroupHeads& heads, const Masks& keys) {
    const std::int64_t mapped = pass.context.options().mappedQueries;
    if (mapped <= 0 || mapped >= heads.queries.size(2) || !pass.wantsMaps || pass.plan.keepsMaps || !pass.plan.isFull())
        return 0;
    GroupPass unseen = pass;
    unseen.wantsMaps = false;
    return fuses(unseen, heads, keys) ? mapped : 0;
}

GroupOutcome dense(const GroupPass& pass, const GroupHeads& heads, const Masks& keys,
                   Form form = Form::Dense) {
    if (const std::int64_t mapped = fewerMapped(pass, heads, keys)) {
        GroupHeads front = heads, rest = heads;
        front.queries = heads.queries.narrow(2, 0, mapped);
        rest.queries = heads.queries.narrow(2, mapped, heads.queries.size(2) - mapped);
        GroupPass unseen = pass;
        unseen.wantsMaps = false;
        GroupOutcome result = dense(pass, front, keys);
        result.mixed = at::cat({result.mixed, dense(unseen, rest, keys).mixed}, 2);
        return result;
    }
    if (fuses(pass, heads, keys)) {
        const bool hidesPast = heads.kind.window > 0 && heads.kind.window / 2 < heads.keys.size(2) - 1;
        const bool causal =
            heads.kind.kind == HeadKind::Masked && !hidesPast && heads.queries.size(2) == heads.keys.size(2);
        return outcome(heads, {}, {}, {},
                       fusedAttention(heads.queries, heads.keys, heads.values,
                                      {keys.hidden, causal, pass.context.relaxation(heads.kind), keys.seen}));
    }
    if (weighsPlainly(pass, heads, keys)) {
        const at::Tensor map = at::empty(
            {heads.queries.size(0), heads.queries.size(1), heads.queries.size(2), heads.keys.size(2)},
            heads.queries.options());
        const at::Tensor mixed = fullAttention(heads.queries, heads.keys, heads.values, map);
        return outcome(heads, {form, map}, {form, map}, {}, mixed);
    }
    at::Tensor scores;
    if (pass.plan.isRelative()) {
        const OffsetScores offsets = offsetScores(pass, heads, heads.queries.size(2) - 1);
        scores = at::matmul(heads.queries.add(offsets.contentBias), heads.keys.transpose(2, 3))
                     .add(relativeShifted(offsets.byOffset));
    } else {
        scores = at::matmul(heads.queries, heads.keys.transpose(2, 3)); // [batch, head, query, key]
        if (pass.plan.positions == AttentionPositions::RelativeKey)
            scores = scores.add(relativeKeyScores(heads.queries, pass.attention["distance_embedding.weight"],
                                                  pass.plan.reach));
    }
    if (pass.gate.defined())
        scores = scores.add(gatedBias(pass, heads, pass.context.relativeBiasMap()).to(scores.scalar_type()));
    if (weighedInFloat(heads.kind, scores))
        scores = scores.to(at::kFloat);
    const at::Tensor raw = weigh(std::move(scores), keys.hidden, heads.kind);
    const at::Tensor map = applied(pass, heads.kind, raw, keys.seen);
    return outcome(heads, {form, raw}, {form, map}, keys.hidden,
                   at::matmul(dropped(map, pass.dropout.attention), heads.values));
}

/// Heads whose queries see no further than `reach`, on a band.
GroupOutcome band(const GroupPass& pass, const GroupHeads& heads, std::int64_t reach) {
    AttentionContext& context = pass.context;
    const bool inBlocks = heads.kind.kind == HeadKind::LocalBlock,
               isMasked = heads.kind.kind == HeadKind::Masked;
    const bool relative = pass.plan.isRelative();
    const bool relativeKey = pass.plan.positions == AttentionPositions::RelativeKey;
    const bool plain = !inBlocks && !isMasked && !relative && !relativeKey && !pass.gate.defined() &&
                       !heads.kind.smoothed && !heads.kind.suppressed &&
                       context.relaxation(heads.kind) == 0 && pass.dropout.attention == 0;
    if (plain && !pass.wantsMaps && heads.queries.scalar_type() == heads.values.scalar_type())
        return outcome(heads, {}, {}, {},
                       bandedAttention(heads.queries, heads.keys, heads.values, reach, 1, context.lengths()));

    const Masks slots = plain && !pass.plan.keepsMaps ? Masks() : masks(context, [&](AttentionContext& c) {
        return isMasked   ? c.hiddenFutureSlots(heads.queries.size(2), reach)
               : inBlocks ? c.hiddenBlockSlots(blockSize(heads.kind.window))
                          : c.hiddenSlots(reach);
    });
    at::Tensor scores; // [batch, head, query, 2 · reach + 1]
    if (relative) {
        const OffsetScores offsets = offsetScores(pass, heads, reach);
        scores = bandedScores(heads.queries.add(offsets.contentBias), heads.keys, reach, context.lengths())
                     .add(offsets.byOffset);
    } else {
        scores = bandedScores(heads.queries, heads.keys, reach, context.lengths());
        if (relativeKey)
            scores = scores.add(relativeKeyBandScores(
                heads.queries, pass.attention["distance_embedding.weight"], pass.plan.reach, reach));
    }
    if (pass.gate.defined())
        scores = scores.add(gatedBias(pass, heads, context.relativeBias(reach)).to(scores.scalar_type()));
    if (weighedInFloat(heads.kind, scores))
        scores = scores.to(at::kFloat);
    if (inBlocks || isMasked)
        scores = scores.masked_fill_(slots.hidden, -std::numeric_limits<float>::infinity());
    const at::Tensor raw = weighBand(scores, slots.hidden, heads.kind);
    const at::Tensor map = applied(pass, heads.kind, raw, slots.seen);
    return outcome(heads, {Form::Band, raw, reach}, {Form::Band, map, reach}, slots.hidden,
                   bandedMix(dropped(map, pass.dropout.attention), heads.values, reach));
}

GroupOutcome full(const GroupPass& pass, const GroupHeads& heads) {
    return dense(pass, heads, masks(pass.context, [](AttentionContext& c) { return c.hiddenPadding(); }));
}

/// A window that hides nothing is cheaper as a map than as a band, half of which lies outside.
GroupOutcome window(const GroupPass& pass, const GroupHeads& heads) {
    const std::int64_t reach = bandReach(heads.kind.window, pass.context.tokens());
    return reach < pass.context.tokens() - 1 ? band(pass, heads, reach) : full(pass, heads);
}

GroupOutcome earlier(const GroupPass& pass, const GroupHeads& heads) {
    const std::int64_t queries = heads.queries.size(2), keys = heads.keys.size(2);
    const std::int64_t reach = heads.kind.window == 0 ? keys : heads.kind.window / 2;
    if (reach >= keys - 1)
        return dense(pass, heads,
                     masks(pass.context, [&](AttentionContext& c) { return c.hiddenFuture(queries, keys); }));
    if (queries == keys && 2 * reach + 1 < keys)
        return band(pass, heads, reach);
    // The last tokens of a text whose earlier ones were fed before: what none of them sees is left out.
    const std::int64_t seen = pass.wantsMaps ? keys : std::min(keys, queries + reach);
    GroupHeads near = heads;
    near.keys = heads.keys.narrow(2, keys - seen, seen);
    near.values = heads.values.narrow(2, keys - seen, seen);
    return dense(pass, near, masks(pass.context, [&](AttentionContext& c) {
                     return c.hiddenOutsidePast(queries, seen, reach);
                 }));
}

GroupOutcome convolved(const GroupPass& pass, const GroupHeads& heads) {
    AttentionContext& context = pass.context;
    const auto shortening = [&](AttentionContext& c) {
        return Shortening{heads.kind, c.lengths(), c.hiddenPadding(), context.options().convReadsPadding};
    };
    const Masks keys = masks(context, [&](AttentionContext& c) { return hiddenCompressed(shortening(c)); });
    if (isSpeechformer(heads.kind)) // its input was shortened
        return dense(pass, heads, keys, Form::Compressed);
    const Scope group = pass.attention / "groups" / heads.number;
    GroupHeads shorter = heads;
    shorter.keys = compressed(group / "conv_k", heads.keys, shortening(context));
    shorter.values = compressed(group / "conv_v", heads.values, shortening(context));
    GroupOutcome result = dense(pass, shorter, keys, Form::Compressed);
    result.step.values = heads.values;
    result.step.stride = heads.kind.convStride;
    result.step.padding = convPadding(heads.kind);
    if (pass.wantsMaps) {
        ConvolutionTaps taps = convolutionTaps(group / "conv_v", heads.kind);
        result.step.valueTaps = std::move(taps.taps);
        result.step.valueBias = std::move(taps.bias);
    }
    return result;
}

} // namespace

GroupOutcome attendGroup(const GroupPass& pass, const GroupHeads& heads) {
    switch (heads.kind.kind) {
    case HeadKind::Full:
        return full(pass, heads);
    case HeadKind::Masked:
        return earlier(pass, heads);
    case HeadKind::Local:
        return window(pass, heads);
    case HeadKind::LocalBlock:
        return blockSize(heads.kind.window) < pass.context.tokens()
                   ? band(pass, heads, blockReach(heads.kind.window))
                   : full(pass, heads); // one block
    case HeadKind::Conv:
        return convolved(pass, heads);
    case HeadKind::Reuse:
        break;
    }
    throw std::logic_error("a reused map has no heads of its own");
}

std::vector<GroupOutcome> attendReused(const GroupPass& pass, const at::Tensor& values) {
    std::vector<GroupOutcome> outcomes;
    int first = 0;
    for (const KeptMap& kept : pass.context.kept(pass.plan.reuses)) {
        HeadGroup kind = pass.plan.groups.front();
        kind.count = static_cast<int>(kept.map.weights.size(1));
        const GroupHeads heads{kind, 0, first, {}, {}, values.narrow(1, first, kind.count)};
        AttentionMap map = kept.map;
        map.weights = applied(pass, kind, map.weights, kept.hidden);
        const at::Tensor weights = dropped(map.weights, pass.dropout.attention);
        outcomes.push_back(outcome(heads, kept.map, map, kept.hidden,
                                   map.form == Form::Band ? bandedMix(weights, heads.values, map.reach)
                                                          : at::matmul(weights, heads.values)));
        first += kind.count;
    }
    return outcomes;
}

bool shortensInput(const AttentionPlan& plan) {
    return std::any_of(plan.groups.begin(), plan.groups.end(), isSpeechformer);
}

at::Tensor groupInput(const GroupPass& pass, const HeadGroup& kind, int number, const at::Tensor& input) {
    if (!isSpeechformer(kind))
        return input;
    return compressedInput(pass.attention / "groups" / number / "conv", input,
                           {kind, pass.context.lengths(), pass.context.hiddenPadding(),
                            pass.context.options().convReadsPadding});
}

void rotateHeads(AttentionContext& context, std::int64_t first, at::Tensor& queries, at::Tensor& keys) {
    const at::Tensor& table = context.rotaryTable(first, queries.size(2), queries.size(3), queries);
    queries = rotated(queries, table);
    keys = rotated(keys, table);
}

} // namespace headroom::models
