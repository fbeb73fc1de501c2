// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mixing/layer_mixing.h"

#include "core/errors/error.h"
#include "models/contributions/explain_block.h"
#include "models/layers/numbers.h"
#include "models/mixing/block_measures.h"
#include "models/mixing/value_zeroing.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstring>
#include <map>
#include <optional>

namespace headroom::models {
namespace {

struct FoundMap {
    at::Tensor map; // [unit, unit]; undefined: there is none
    std::string reason;
};

/// Why this layer has no such map; empty: it has.
std::string reasonWithout(Mixing kind, const AttentionStep& step) {
    if (kind == Mixing::Attention) {
        for (const GroupStep& group : step.groups)
            if (group.applied.form == AttentionMap::Form::Compressed)
                return "A convolution shortens the keys of some heads, so their attention is not a map of "
                       "tokens.";
        return {};
    }
    if (kind == Mixing::ValueZeroing && !step.rest.compute)
        return "What this layer computes behind its attention is not known, so value zeroing cannot compute it "
               "again.";
    return reasonWithoutContributions(step.groups);
}

at::Tensor pooledMap(const at::Tensor& map, const std::vector<TokenUnit>& units, UnitPooling pooling) {
    const at::Tensor rows = map.contiguous().to(at::kFloat);
    const auto side = static_cast<std::size_t>(rows.size(0));
    const Matrix<float> pooled =
        pooledByUnits(MatrixView<const float>(rows.const_data_ptr<float>(), side, side), units, pooling);
    const auto count = static_cast<std::int64_t>(units.size());
    at::Tensor result = at::empty({count, count}, at::kFloat);
    std::memcpy(result.mutable_data_ptr(), pooled.values().data(), pooled.values().size() * sizeof(float));
    return result;
}

} // namespace

struct LayerMixing::Implementation {
    MixingOptions options;
    std::optional<std::vector<TokenUnit>> units; // of this recording, once its tokens are known
    std::map<Mixing, FoundMap> rollouts;

    void readUnits(std::int64_t tokens) {
        if (units)
            return;
        units = options.units ? options.units(tokens) : singleTokens(tokens);
        std::int64_t next = 0;
        for (const TokenUnit& unit : *units) {
            if (unit.first != next || unit.end <= unit.first)
                break;
            next = unit.end;
        }
        if (next != tokens || units->empty())
            throw Error("mixing.units", "The units do not cover the " + std::to_string(tokens) +
                                            " tokens of the recording once each.");
    }

    bool wants(Mixing kind, bool rolloutOnly) const {
        for (const MixingMeasure& measure : options.measures)
            if (measure.kind == kind && (measure.rollout || !rolloutOnly))
                return true;
        return false;
    }

    /// The map of tokens or units of one measure.
    FoundMap mapOf(Mixing kind, const BlockWeights& block, const AttentionStep& step,
                   const std::optional<BlockTerms>& terms, const CancelFlag* cancel) const {
        const at::Tensor output = step.output.squeeze(0); // [query, width]
        switch (kind) {
        case Mixing::Attention:
            return {inUnits(meanAttention(step.groups)), {}};
        case Mixing::AttentionNorm:
            return {inUnits(attentionNorm(*terms)), {}};
        case Mixing::Contributions:
            return {inUnits(explainBlock(block, step, {}, 0).contributions), {}};
        case Mixing::Alti:
            return {inUnits(alti(block, *terms, output, cancel)), {}};
        case Mixing::ValueZeroing:
            break;
        }
        const at::Tensor distances = valueZeroingDistances(*terms, output, step.rest, *units, cancel);
        return {pooledDistances(distances, *units, options.pooling), {}};
    }

    at::Tensor inUnits(const at::Tensor& map) const {
        return options.units ? pooledMap(map, *units, options.pooling) : map;
    }

    void carryOn(const MixingFacts& facts, const FoundMap& own, int layer) {
        FoundMap& rollout = rollouts[facts.kind];
        if (!rollout.reason.empty())
            return;
        if (own.map.defined())
            rollout.map = rolledOut(own.map, rollout.map, facts.hasResidual);
        else
            rollout = {{}, "The rollout ends before layer " + std::to_string(layer) + ": " + own.reason};
    }
};

LayerMixing::LayerMixing(MixingOptions options)
    : m(std::make_unique<Implementation>()) {
    m->options = std::move(options);
}
LayerMixing::~LayerMixing() = default;

bool LayerMixing::isEmpty() const {
    return m->options.measures.empty();
}

bool LayerMixing::needsEarlierLayers() const {
    for (const MixingMeasure& measure : m->options.measures)
        if (measure.rollout)
            return true;
    return false;
}

std::vector<MixingMap> LayerMixing::ofLayer(const BlockWeights& block, const AttentionStep& step, int layer,
                                            bool wanted, const CancelFlag* cancel) {
    if (isEmpty() || (!wanted && !needsEarlierLayers()))
        return {};
    m->readUnits(step.input.size(1));
    std::map<Mixing, FoundMap> found;
    std::optional<BlockTerms> terms; // before any LayerNorm behind; made once for all measures that read it
    for (const MixingFacts& facts : mixingFacts()) {
        if (!m->wants(facts.kind, !wanted))
            continue;
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw Cancelled();
        FoundMap& own = found[facts.kind];
        own.reason = reasonWithout(facts.kind, step);
        const bool readsTerms = facts.kind != Mixing::Attention && facts.kind != Mixing::Contributions;
        if (own.reason.empty() && readsTerms && !terms)
            terms = blockTerms(block, step.groups, step.input);
        if (own.reason.empty())
            own = m->mapOf(facts.kind, block, step, terms, cancel);
        if (m->wants(facts.kind, true))
            m->carryOn(facts, own, layer);
    }
    std::vector<MixingMap> maps;
    if (!wanted)
        return maps;
    for (const MixingMeasure& measure : m->options.measures) {
        const FoundMap& own = measure.rollout ? m->rollouts.at(measure.kind) : found.at(measure.kind);
        Matrix<float> map = own.map.defined() ? matrixOf(own.map) : Matrix<float>();
        if (m->options.spread && !map.empty())
            map = spreadOverTokens(map.view(), *m->units);
        maps.push_back({measure, std::move(map), own.reason});
    }
    return maps;
}

} // namespace headroom::models
