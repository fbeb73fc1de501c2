// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mixing/decoder_mixing.h"

#include "models/layers/device.h"
#include "models/layers/numbers.h"
#include "models/mixing/block_measures.h"
#include "models/mixing/layer_mixing.h"
#include "models/mixing/measured_block.h"

#include <ATen/ops/mm.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace headroom::models {
namespace {

using Clock = std::chrono::steady_clock;

} // namespace

struct DecoderMixing::Implementation {
    MixingOptions options; ///< without units
    std::int64_t own = 0;
    struct Rollout {
        at::Tensor encoder; ///< E, [token, token]
        at::Tensor self;    ///< S_l of the layer that is computed, [target, target]
        FoundMap found;     ///< R so far, [target, token]
    };
    std::map<Mixing, Rollout> rollouts;

    bool wants(Mixing kind, bool rollout) const {
        return std::ranges::find(options.measures, MixingMeasure{kind, rollout}) != options.measures.end();
    }

    /// Its rollout goes on in this layer.
    bool rolls(Mixing kind) const {
        const auto found = rollouts.find(kind);
        return found != rollouts.end() && found->second.found.reason.empty();
    }

    /// The measures that are wanted or that a rollout needs, each with what `mapOf` makes of it or the reason why not.
    template <class MapOf>
    std::map<Mixing, FoundMap> measured(const MeasuredBlock& block, bool wanted, const CancelFlag* cancel,
                                        const MapOf& mapOf) const {
        std::map<Mixing, FoundMap> found;
        for (const MixingFacts& facts : mixingFacts()) {
            if (!rolls(facts.kind) && !(wanted && wants(facts.kind, false)))
                continue;
            if (cancel && cancel->load(std::memory_order_relaxed))
                throw Cancelled();
            waitForDevice(); // else the time of what is still computed there would be this measure's
            const Clock::time_point start = Clock::now();
            FoundMap& one = found[facts.kind];
            one.reason = block.reasonWithout(facts.kind);
            if (one.reason.empty())
                one.map = mapOf(facts.kind);
            waitForDevice();
            one.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        }
        return found;
    }

    void end(Rollout& rollout, int layer, const std::string& reason) const {
        rollout.found.reason = "The rollout ends before decoder layer " + std::to_string(layer) + ": " + reason;
    }

    /// The tokens of the recording itself, with rows that sum to 1.
    at::Tensor ofRecording(const at::Tensor& map) const {
        at::Tensor kept = (own > 0 ? map.narrow(1, 0, own) : map).clone();
        return normaliseRows(kept);
    }

    void carryOn(const MixingFacts& facts, const at::Tensor& map, std::int64_t keys, double seconds) {
        Rollout& rollout = rollouts.at(facts.kind);
        const double share = facts.hasResidual ? 1 : 0.5;
        at::Tensor sound = at::mm(map.narrow(1, 0, keys).mul(share), rollout.encoder);
        if (rollout.found.map.defined()) {
            const at::Tensor before = at::mm(rollout.self, rollout.found.map);
            sound.add_(facts.hasResidual ? before.mul(map.narrow(1, keys, 1)) : before.mul(0.5));
        }
        rollout.found.map = sound;
        rollout.found.seconds += seconds;
    }
};

DecoderMixing::DecoderMixing(const MixingOptions& options, std::int64_t ownTokens, const LayerMixing* encoder)
    : m(std::make_unique<Implementation>()) {
    m->options.measures = options.measures;
    m->own = ownTokens;
    for (const MixingMeasure& measure : options.measures) {
        if (!measure.rollout)
            continue;
        Implementation::Rollout& rollout = m->rollouts[measure.kind];
        if (measure.kind == Mixing::ValueZeroing) {
            rollout.found.reason = "Value zeroing does not tell how much of the residual is in the output of "
                                   "cross-attention, so it has no rollout there.";
            continue;
        }
        FoundMap found = encoder ? encoder->rollout(measure.kind) : FoundMap();
        rollout.encoder = found.map;
        rollout.found.reason = std::move(found.reason);
        rollout.found.seconds = found.seconds;
    }
}

DecoderMixing::~DecoderMixing() = default;

std::vector<MixingMap> DecoderMixing::ofSelf(MeasuredBlock& measured, int layer, bool wanted, const CancelFlag* cancel) {
    const auto found = m->measured(measured, wanted, cancel, [&](Mixing kind) {
        if (kind != Mixing::ValueZeroing)
            return measured.map(kind);
        at::Tensor distances = measured.distances(singleTokens(measured.step().input.size(1)));
        return normaliseRows(distances);
    });
    for (const auto& [kind, own] : found) {
        if (!m->rolls(kind))
            continue;
        Implementation::Rollout& rollout = m->rollouts.at(kind);
        if (own.map.defined())
            rollout.self = rolledOut(own.map, {}, factsOf(kind).hasResidual);
        else
            m->end(rollout, layer, own.reason);
        rollout.found.seconds += own.seconds;
    }
    std::vector<MixingMap> maps;
    for (const MixingMeasure& measure : m->options.measures) {
        if (!wanted)
            break;
        if (measure.rollout) {
            maps.push_back({measure, {}, "The sound enters between the layers, so there is no rollout of the decoder's "
                                         "self-attention alone. Cross-attention has it."});
            continue;
        }
        const FoundMap& own = found.at(measure.kind);
        maps.push_back({measure, own.map.defined() ? matrixOf(own.map) : Matrix<float>(), own.reason, own.seconds});
    }
    return maps;
}

std::vector<MixingMap> DecoderMixing::ofCross(MeasuredBlock& measured, int layer, bool wanted, const CancelFlag* cancel) {
    const std::int64_t keys = measured.step().groups.front().values.size(2);
    auto found = m->measured(measured, wanted, cancel, [&](Mixing kind) { // with the column of the residual, if any
        return kind == Mixing::ValueZeroing ? measured.distances(singleTokens(m->own > 0 ? m->own : keys))
                                            : measured.map(kind);
    });
    for (auto& [kind, own] : found) {
        if (m->rolls(kind) && own.map.defined())
            m->carryOn(factsOf(kind), own.map, keys, own.seconds);
        else if (m->rolls(kind))
            m->end(m->rollouts.at(kind), layer, own.reason);
        if (own.map.defined() && kind == Mixing::Attention && m->own > 0)
            own.map = meanAttentionOfRecording(measured.step().groups, own.map.size(0), m->own);
        else if (own.map.defined())
            own.map = m->ofRecording(own.map.narrow(1, 0, std::min(keys, own.map.size(1))));
    }
    std::vector<MixingMap> maps;
    for (const MixingMeasure& measure : m->options.measures) {
        if (!wanted)
            break;
        const FoundMap& own = measure.rollout ? m->rollouts.at(measure.kind).found : found.at(measure.kind);
        const bool has = own.map.defined() && own.reason.empty();
        const at::Tensor map = !has ? at::Tensor() : measure.rollout ? m->ofRecording(own.map) : own.map;
        maps.push_back({measure, has ? matrixOf(map) : Matrix<float>(), own.reason, own.seconds});
    }
    return maps;
}

} // namespace headroom::models
