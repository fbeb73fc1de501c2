// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/scheduled_sampling.h"

#include "models/layers/autocast.h"
#include "models/networks/s2t_decoder.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>
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

void sampleInputs(std::vector<std::vector<int>>& inputs, const Batch& batch, models::S2tDecoder& decoder,
                  const Sampling& sampling) {
    const auto replaced = replacedInputs(batch, sampling);
    std::size_t last = 0; // the last input that is replaced: what follows need not be predicted
    for (const auto& row : replaced)
        for (std::size_t place = 0; place < row.size(); ++place)
            if (row[place])
                last = std::max(last, place);
    const at::NoGradGuard constant;
    const models::NoAutocastCache noCache;
    std::vector<std::vector<int>> next(inputs.size());
    for (std::size_t place = 0; place < last; ++place) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            next[i] = {inputs[i][place]};
        at::Tensor logits = decoder.feedBatch(next).select(1, -1); // [batch, vocabulary]
        logits.narrow(1, batch.form->padding, 1).fill_(-std::numeric_limits<double>::infinity());
        const at::Tensor best = logits.argmax(-1).cpu(); // [batch]
        const auto* ids = best.const_data_ptr<std::int64_t>();
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (place + 1 < replaced[i].size() && replaced[i][place + 1])
                inputs[i][place + 1] = static_cast<int>(ids[i]);
    }
}

} // namespace headroom::training
