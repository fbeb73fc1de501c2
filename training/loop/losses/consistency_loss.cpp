// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/losses/consistency_loss.h"

#include "models/layers/device.h"
#include "models/layers/positions.h"
#include "models/networks/s2t_decoder.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/rand.h>

namespace headroom::training {

namespace {

constexpr int kUnknown = 3;

/// [token, vocabulary] of the places of text, in float or double.
at::Tensor keptRows(const at::Tensor& logits, const at::Tensor& labels, int padding) {
    const at::Tensor kept = labels.reshape({-1}).ne(padding).nonzero().squeeze(1);
    const at::ScalarType type = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return logits.reshape({-1, logits.size(-1)}).index_select(0, models::sent(kept, logits.device())).to(type);
}

/// Σ p (ln p − ln q)
at::Tensor divergence(const at::Tensor& lnP, const at::Tensor& lnQ) {
    return lnP.exp().mul(lnP.sub(lnQ)).sum();
}

} // namespace

at::Tensor cutoffDivergence(const at::Tensor& one, const at::Tensor& other, const at::Tensor& labels, int padding) {
    const at::Tensor p = keptRows(one, labels, padding), q = keptRows(other, labels, padding);
    const at::Tensor mean = at::log_softmax(p.add(q).mul(0.5), -1);
    return divergence(mean, at::log_softmax(p, -1)).add(divergence(mean, at::log_softmax(q, -1))).mul(0.5);
}

at::Tensor rDropDivergence(const at::Tensor& one, const at::Tensor& other, const at::Tensor& labels, int padding) {
    const at::Tensor p = at::log_softmax(keptRows(one, labels, padding), -1),
                     q = at::log_softmax(keptRows(other, labels, padding), -1);
    return divergence(p, q).add(divergence(q, p)).mul(0.5);
}

void cutTokens(std::vector<int>& ids, double share) {
    const at::Tensor drawn = at::rand({static_cast<std::int64_t>(ids.size())}, at::kDouble);
    const auto* values = drawn.const_data_ptr<double>();
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] != models::kEndOfSentence && ids[i] != models::kPaddingIndex && values[i] < share)
            ids[i] = kUnknown;
}

} // namespace headroom::training
