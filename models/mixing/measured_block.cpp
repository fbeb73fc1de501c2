// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mixing/measured_block.h"

#include "models/mixing/block_measures.h"
#include "models/mixing/value_zeroing.h"

#include <algorithm>

namespace headroom::models {

MeasuredBlock::MeasuredBlock(const BlockWeights& block, const AttentionStep& step, const CancelFlag* cancel)
    : m_block(block)
    , m_step(step)
    , m_cancel(cancel) {}

std::string MeasuredBlock::reasonWithout(Mixing kind) const {
    if (kind == Mixing::Attention) {
        for (const GroupStep& group : m_step.groups)
            if (group.applied.form == AttentionMap::Form::Compressed)
                return "A convolution shortens the keys of some heads, so their attention is not a map of "
                       "tokens.";
        return {};
    }
    if (kind == Mixing::ValueZeroing && !m_step.rest.compute)
        return "What this layer computes after its attention is not known, so value zeroing cannot compute it again.";
    return reasonWithoutContributions(m_step.groups);
}

const BlockTerms& MeasuredBlock::terms() {
    if (!m_terms) {
        m_terms = blockTerms(m_block, m_step.groups, m_step.input);
        if (m_block.source.defined()) // keys are no neighbours of queries
            m_terms->reach = std::max(m_terms->maps.size(1), m_terms->maps.size(2));
    }
    return *m_terms;
}

at::Tensor MeasuredBlock::map(Mixing kind) {
    if (kind == Mixing::Attention)
        return meanAttention(m_step.groups);
    if (kind == Mixing::Contributions) {
        if (!m_explanation)
            m_explanation = explainBlock(m_block, m_step, {}, 0);
        return m_explanation->contributions;
    }
    if (kind == Mixing::AttentionNorm)
        return m_block.source.defined() ? crossAttentionNorm(terms()) : attentionNorm(terms());
    return alti(m_block, terms(), m_step.output.squeeze(0), m_cancel);
}

at::Tensor MeasuredBlock::distances(std::span<const TokenUnit> units) {
    return valueZeroingDistances(terms(), m_step.output.squeeze(0), m_step.rest, units, m_cancel);
}

} // namespace headroom::models
