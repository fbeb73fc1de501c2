// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/losses/losses.h"

#include "models/kernels/ctc.h"
#include "models/layers/device.h"

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/tensor.h>

namespace headroom::training {

at::Tensor labelSmoothedLoss(const at::Tensor& logits, const at::Tensor& labels, double smoothing,
                             CrossEntropy& values, std::int64_t ignored) {
    at::Tensor nll;
    const at::Tensor loss = labelSmoothedLoss(logits, labels, smoothing, nll, values.tokens, ignored);
    values.lossSum = loss.item<double>();
    values.nllSum = nll.item<double>();
    return loss;
}

at::Tensor labelSmoothedLoss(const at::Tensor& logits, const at::Tensor& labels, double smoothing, at::Tensor& nll,
                             std::int64_t& tokens, std::int64_t ignored, const std::vector<double>* unigram) {
    const std::int64_t vocabulary = logits.size(-1);
    const at::ScalarType type = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor kept = labels.reshape({-1})
                                .ne(ignored)
                                .nonzero()
                                .squeeze(1); // places of text in [batch · target]
    const at::Tensor rows =
        at::log_softmax(logits.reshape({-1, vocabulary}).index_select(0, models::sent(kept, logits.device())), -1, type);
    const at::Tensor wanted = models::sent(labels.reshape({-1}).index_select(0, kept).unsqueeze(1), logits.device());
    nll = rows.gather(1, wanted).sum().neg();
    tokens = kept.numel();
    if (unigram) {
        const at::Tensor shares = models::sent(at::tensor(*unigram, at::kDouble).to(rows.scalar_type()), rows.device());
        return nll.mul(1 - smoothing).sub(rows.mul(shares).sum().mul(smoothing));
    }
    const at::Tensor smooth = rows.sum().neg();
    const double share = vocabulary > 1 ? smoothing / static_cast<double>(vocabulary - 1) : 0;
    return nll.mul(1 - smoothing - share).add(smooth.mul(share));
}

at::Tensor ctcLoss(const at::Tensor& logits, const std::vector<std::int64_t>& tokens,
                   const std::vector<std::vector<int>>& targets, int blank) {
    const at::ScalarType type = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor rows = at::log_softmax(logits, -1, type); // [batch, token, vocabulary]
    if (!logits.is_cpu())
        return models::ctcLoss(rows, tokens, targets, blank);
    std::vector<std::int64_t> joined, lengths;
    for (const std::vector<int>& target : targets) {
        joined.insert(joined.end(), target.begin(), target.end());
        lengths.push_back(static_cast<std::int64_t>(target.size()));
    }
    return at::ctc_loss(rows.transpose(0, 1), at::tensor(joined, at::kLong), tokens, lengths, blank, at::Reduction::Sum,
                        /*zero_infinity=*/true);
}

} // namespace headroom::training
