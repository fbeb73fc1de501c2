// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/attention_context.h"

#include "models/attention/full.h"
#include "models/attention/local_block.h"
#include "models/attention/relative.h"
#include "models/attention/relative_bias.h"
#include "models/attention/rotary.h"
#include "models/layers/device.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace headroom::models {

namespace {

/// Half the bits of an angle would be no position: tables stay in float where numbers are narrower.
at::ScalarType tableType(const at::Tensor& like) {
    return like.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

} // namespace

struct AttentionContext::Implementation {
    std::vector<std::int64_t> lengths; // empty where no recording is padded
    std::int64_t tokens;
    Options options;
    at::Tensor padding, biasByOffset, biasMap;
    std::map<std::pair<std::int64_t, std::int64_t>, at::Tensor> future, futureSlots;
    std::map<std::int64_t, at::Tensor> slots, blocks;
    std::map<std::vector<std::int64_t>, at::Tensor> past, relative, rotary;
    std::map<int, std::vector<KeptMap>> kept;
    std::vector<FuzzyDraw> draws;
    std::unique_ptr<AttentionContext> unpadded;
    RestOfLayer rest;
    at::Tensor replacement;
    std::int64_t readQueries = 0;

    at::Tensor there(const at::Tensor& made) const { return made.defined() ? sent(made, options.device) : made; }

    /// What `make` makes, on the device of the pass, the first time only.
    template <typename Key, typename Make>
    const at::Tensor& once(std::map<Key, at::Tensor>& made, const Key& key, const Make& make) const {
        const auto [place, isNew] = made.try_emplace(key);
        if (isNew)
            place->second = there(make());
        return place->second;
    }

    /// From which key on a recording has none: [batch or 1, 1, 1, 1].
    at::Tensor ends() const {
        return at::tensor(lengths.empty() ? std::vector{tokens} : lengths, at::kLong).view({-1, 1, 1, 1});
    }
};

AttentionContext::AttentionContext(std::vector<std::int64_t> lengths, std::int64_t tokens, Options options)
    : m(std::make_unique<Implementation>()) {
    if (std::any_of(lengths.begin(), lengths.end(), [&](std::int64_t n) { return n < 0 || n > tokens; }))
        throw std::logic_error("AttentionContext: a recording longer than its batch");
    if (std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t n) { return n == tokens; }))
        lengths.clear();
    m->lengths = std::move(lengths);
    m->tokens = tokens;
    m->options = options;
    m->padding = m->there(models::hiddenPadding(m->lengths, tokens));
}

AttentionContext::AttentionContext(std::vector<std::int64_t> lengths, std::int64_t tokens)
    : AttentionContext(std::move(lengths), tokens, Options()) {}
AttentionContext::~AttentionContext() = default;
AttentionContext::AttentionContext(AttentionContext&&) noexcept = default;
AttentionContext& AttentionContext::operator=(AttentionContext&&) noexcept = default;

const std::vector<std::int64_t>& AttentionContext::lengths() const {
    return m->lengths;
}

std::int64_t AttentionContext::tokens() const {
    return m->tokens;
}

const AttentionContext::Options& AttentionContext::options() const {
    return m->options;
}

const at::Tensor& AttentionContext::hiddenPadding() {
    return m->padding;
}

const at::Tensor& AttentionContext::hiddenFuture(std::int64_t queries, std::int64_t keys) {
    return m->once(m->future, {queries, keys},
                   [&] { return queries > 1 ? models::hiddenFuture(queries, keys) : at::Tensor(); });
}

const at::Tensor& AttentionContext::hiddenOutsidePast(std::int64_t queries, std::int64_t keys,
                                                      std::int64_t reach) {
    return m->once(m->past, {queries, keys, reach}, [&] {
        return queries == 1 && keys <= reach + 1 ? at::Tensor() : models::hiddenFuture(queries, keys, reach);
    });
}

const at::Tensor& AttentionContext::hiddenFutureSlots(std::int64_t queries, std::int64_t reach) {
    return m->once(m->futureSlots, {queries, reach}, [&] {
        const at::Tensor offset = at::arange(-reach, reach + 1, at::kLong), // of a slot's key, [slot]
            key =
                at::arange(queries, at::kLong).unsqueeze(1).add(offset).view({1, 1, queries, 2 * reach + 1});
        return key.lt(0).logical_or(offset.gt(0));
    });
}

const at::Tensor& AttentionContext::hiddenSlots(std::int64_t reach) {
    return m->once(m->slots, reach, [&] {
        const at::Tensor key = at::arange(m->tokens, at::kLong)
                                   .unsqueeze(1)
                                   .add(at::arange(-reach, reach + 1, at::kLong))
                                   .view({1, 1, m->tokens, 2 * reach + 1});
        return key.lt(0).logical_or(key.ge(m->ends()));
    });
}

const at::Tensor& AttentionContext::hiddenBlockSlots(std::int64_t size) {
    return m->once(m->blocks, size, [&] {
        return hiddenSlots(2 * size - 1).logical_or(m->there(hiddenOutsideBlocks(m->tokens, size)));
    });
}

const at::Tensor& AttentionContext::relativeTable(std::int64_t reach, std::int64_t width,
                                                  const at::Tensor& like) {
    return m->once(m->relative, {reach, width, like.scalar_type() == at::kDouble},
                   [&] { return relativePositions(reach, width, like.scalar_type() == at::kDouble); });
}

const at::Tensor& AttentionContext::relativeLegacyTable(std::int64_t reach, std::int64_t width, std::int64_t tokens,
                                                        const at::Tensor& like) {
    const bool inDouble = like.scalar_type() == at::kDouble;
    return m->once(m->relative, {reach, width, inDouble, tokens},
                   [&] { return relativeLegacyPositions(reach, width, tokens, inDouble); });
}

const at::Tensor& AttentionContext::rotaryTable(std::int64_t first, std::int64_t count, std::int64_t width,
                                                const at::Tensor& like) {
    return m->once(m->rotary, {first, count, width, like.scalar_type() == at::kDouble},
                   [&] { return rotaryPositions(first, count, width).to(tableType(like)); });
}

void AttentionContext::setRelativeBias(const at::Tensor& byOffset) {
    m->biasByOffset = byOffset;
    m->biasMap = at::Tensor();
}

at::Tensor AttentionContext::relativeBias(std::int64_t reach) const {
    return m->biasByOffset.narrow(1, m->tokens - 1 - reach, 2 * reach + 1).unsqueeze(1);
}

const at::Tensor& AttentionContext::relativeBiasMap() {
    if (!m->biasMap.defined())
        m->biasMap = models::biasMap(m->biasByOffset);
    return m->biasMap;
}

AttentionContext& AttentionContext::relaxedKeys() {
    if (!m->options.relaxesPadding || m->lengths.empty())
        return *this;
    if (!m->unpadded)
        m->unpadded =
            std::make_unique<AttentionContext>(std::vector<std::int64_t>(), m->tokens, Options{.device = m->options.device});
    return *m->unpadded;
}

double AttentionContext::relaxation(const HeadGroup& group) {
    if (!group.relaxed)
        return 0;
    if (!m->options.training) // a fuzzy γ is its mean where nothing is drawn
        return relaxesAtInference(group) ? *group.relaxed : 0;
    if (!group.relaxedFuzzy)
        return *group.relaxed * m->options.relaxation;
    for (const FuzzyDraw& draw : m->draws)
        if (draw.gamma == *group.relaxed && draw.sigma == *group.relaxedFuzzy)
            return draw.drawn;
    const double normal = at::randn({1}, at::kDouble).item<double>();
    const double drawn = std::clamp(*group.relaxed + *group.relaxedFuzzy * normal, 0.0, 1.0) * m->options.relaxation;
    m->draws.push_back({*group.relaxed, *group.relaxedFuzzy, drawn});
    if (m->options.drawn)
        m->options.drawn->push_back(drawn);
    return drawn;
}

const std::vector<FuzzyDraw>& AttentionContext::draws() const {
    return m->draws;
}

void AttentionContext::keep(int layer, std::vector<KeptMap> maps) {
    m->kept[layer] = std::move(maps);
}

const std::vector<KeptMap>& AttentionContext::kept(int layer) const {
    const auto found = m->kept.find(layer);
    if (found == m->kept.end())
        throw std::logic_error("AttentionContext: no maps of layer " + std::to_string(layer));
    return found->second;
}

void AttentionContext::release(int layer) {
    m->kept.erase(layer);
}

void AttentionContext::setReadQueries(std::int64_t count) {
    m->readQueries = count;
}

std::int64_t AttentionContext::readQueries() const {
    return m->readQueries;
}

void AttentionContext::setLayer(std::function<at::Tensor()> layer, bool tokenwise) {
    m->rest = {};
    if (!layer)
        return;
    m->rest.tokenwise = tokenwise;
    m->rest.compute = [state = m.get(), layer = std::move(layer)](const at::Tensor& attended) {
        struct Replaced { // also where the layer throws
            at::Tensor& place;
            ~Replaced() { place = at::Tensor(); }
        } replaced{state->replacement};
        state->replacement = attended;
        return layer();
    };
}

const RestOfLayer& AttentionContext::rest() const {
    return m->rest;
}

const at::Tensor& AttentionContext::replacement() const {
    return m->replacement;
}

} // namespace headroom::models
