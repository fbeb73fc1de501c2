// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mixing/layer_mixing.h"

#include "core/errors/error.h"
#include "models/layers/device.h"
#include "models/layers/numbers.h"
#include "models/mixing/block_measures.h"
#include "models/mixing/measured_block.h"
#include "models/mixing/value_zeroing.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <chrono>
#include <cstring>
#include <map>
#include <optional>

namespace headroom::models {
namespace {

at::Tensor pooledMap(const at::Tensor& map, const std::vector<TokenUnit>& units, UnitPooling pooling) {
    const at::Tensor rows = map.to(at::kCPU, at::kFloat).contiguous();
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
    FoundMap mapOf(Mixing kind, MeasuredBlock& block) const {
        waitForDevice(); // else the time of what is still computed there would be this measure's
        const auto start = std::chrono::steady_clock::now();
        FoundMap found;
        found.reason = block.reasonWithout(kind);
        if (!found.reason.empty())
            return found;
        found.map = kind == Mixing::ValueZeroing ? pooledDistances(block.distances(*units), *units, options.pooling)
                                                 : inUnits(block.map(kind));
        waitForDevice();
        found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return found;
    }

    at::Tensor inUnits(const at::Tensor& map) const {
        return options.units ? pooledMap(map, *units, options.pooling) : map;
    }

    void carryOn(const MixingFacts& facts, const FoundMap& own, int layer) {
        FoundMap& rollout = rollouts[facts.kind];
        rollout.seconds += own.seconds;
        if (!rollout.reason.empty())
            return;
        if (own.map.defined())
            rollout.map = rolledOut(own.map, rollout.map, facts.hasResidual);
        else
            rollout.reason = "The rollout ends before layer " + std::to_string(layer) + ": " + own.reason;
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
                                            bool wanted, const CancelFlag* cancel, std::int64_t ownTokens) {
    if (isEmpty() || (!wanted && !needsEarlierLayers()))
        return {};
    m->readUnits(step.input.size(1));
    std::map<Mixing, FoundMap> found;
    MeasuredBlock measured(block, step, cancel);
    for (const MixingFacts& facts : mixingFacts()) {
        if (!m->wants(facts.kind, !wanted))
            continue;
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw Cancelled();
        const FoundMap& own = found[facts.kind] = m->mapOf(facts.kind, measured);
        if (m->wants(facts.kind, true))
            m->carryOn(facts, own, layer);
    }
    std::vector<MixingMap> maps;
    if (!wanted)
        return maps;
    for (const MixingMeasure& measure : m->options.measures) {
        const FoundMap& own = measure.rollout ? m->rollouts.at(measure.kind) : found.at(measure.kind);
        const bool cut = ownTokens > 0 && !m->options.units && !measure.rollout && measure.kind == Mixing::Attention;
        Matrix<float> map = !own.map.defined() ? Matrix<float>()
                            : cut ? matrixOf(meanAttentionOfRecording(step.groups, ownTokens, ownTokens))
                                  : matrixOf(own.map);
        if (m->options.spread && !map.empty())
            map = spreadOverTokens(map.view(), *m->units);
        maps.push_back({measure, std::move(map), own.reason, own.seconds});
    }
    return maps;
}

FoundMap LayerMixing::rollout(Mixing kind) const {
    const auto found = m->rollouts.find(kind);
    return found == m->rollouts.end() ? FoundMap() : found->second;
}

} // namespace headroom::models
