// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/losses/scheduled_sampling.h"

#include "models/layers/autocast.h"
#include "models/layers/device.h"
#include "models/networks/s2t_decoder.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <limits>

namespace headroom::training {

namespace {

/// For each text, which of its inputs are replaced; nothing for those behind its end.
std::vector<std::vector<bool>> replacedInputs(const Batch& batch, const Sampling& sampling) {
    std::vector<std::vector<bool>> replaced;
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
        Random random = randomFor(sampling.seed, Purpose::Sampling, static_cast<std::uint64_t>(sampling.epoch),
                                  static_cast<std::uint64_t>(batch.examples.at(i)));
        auto& row = replaced.emplace_back(batch.form->prompt.size(), false);
        for (std::size_t token = 0; token < batch.targets[i].size(); ++token)
            row.push_back(!(random.share() < sampling.truth));
    }
    return replaced;
}

} // namespace

Sampling samplingOf(const Recipe::Loss& loss, std::uint64_t seed, std::int64_t epoch) {
    const auto shares = trueTokenShares(loss);
    const std::int64_t since = epoch - loss.scheduledSamplingFrom;
    if (since < 0)
        return {1, seed, epoch};
    return {shares[std::min(static_cast<std::size_t>(since), shares.size() - 1)], seed, epoch};
}

at::Tensor sampledInputs(const std::vector<std::vector<int>>& inputs, const Batch& batch, models::S2tDecoder& decoder,
                         const Sampling& sampling, c10::Device device) {
    const auto replaced = replacedInputs(batch, sampling);
    const std::size_t longest = inputs.empty() ? 0 : inputs.front().size();
    std::vector<std::int64_t> given, marks;  // 1: replaced
    std::vector<bool> anywhere(longest + 1); // whether some text has its input of a place replaced
    std::size_t last = 0;                    // the last one: what follows need not be predicted
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t place = 0; place < longest; ++place) {
            const bool here = place < replaced[i].size() && replaced[i][place];
            given.push_back(inputs[i][place]);
            marks.push_back(here ? 1 : 0);
            if (here) {
                anywhere[place] = true;
                last = std::max(last, place);
            }
        }
    const std::array shape{static_cast<std::int64_t>(inputs.size()), static_cast<std::int64_t>(longest)};
    at::Tensor ids = models::sent(at::tensor(given, at::kLong).view(shape), device);
    if (last == 0)
        return ids;
    const at::Tensor isReplaced = models::sent(at::tensor(marks, at::kLong).view(shape), device).ne(0);
    const at::NoGradGuard constant;
    const models::NoAutocastCache noCache;
    std::vector<std::vector<int>> next(inputs.size());
    for (std::size_t place = 0; place < last; ++place) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            next[i] = {inputs[i][place]}; // for where <pad> is: no prediction is one, or stands for one
        const auto now = static_cast<std::int64_t>(place);
        at::Tensor logits = decoder.feedBatch(next, ids.narrow(1, now, 1)).select(1, -1); // [batch, vocabulary]
        if (!anywhere[place + 1])
            continue;
        logits.narrow(1, batch.form->padding, 1).fill_(-std::numeric_limits<double>::infinity());
        at::Tensor column = ids.select(1, now + 1); // [batch]
        column.copy_(at::where(isReplaced.select(1, now + 1), logits.argmax(-1), column));
    }
    return ids;
}

} // namespace headroom::training
