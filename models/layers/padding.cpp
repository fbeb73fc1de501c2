// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/padding.h"

#include "models/layers/device.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace headroom::models {

at::Tensor hiddenPadding(const std::vector<std::int64_t>& lengths, std::int64_t tokens) {
    const bool none = // also where no lengths are given
        std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t n) { return n == tokens; });
    if (none)
        return {};
    const auto batch = static_cast<std::int64_t>(lengths.size());
    auto* data = const_cast<std::int64_t*>(lengths.data()); // from_blob has no const form; it is only read
    const at::Tensor valid = at::from_blob(data, {batch, 1, 1, 1}, at::kLong);
    return at::arange(tokens, at::kLong).ge(valid); // [batch, 1, 1, key]
}

void zeroBeyond(at::Tensor& x, const std::vector<std::int64_t>& lengths) {
    if (x.requires_grad()) { // one mask: autograd would copy all of x for every slice that is written to
        at::Tensor beyond = hiddenPadding(lengths, x.size(2)); // [batch, 1, 1, frame]
        if (!beyond.defined())
            return;
        beyond = sent(beyond.squeeze(1), x.device()); // [batch, 1, frame]
        if (x.dim() == 4)
            beyond = beyond.unsqueeze(3); // [batch, 1, frame, 1]
        x = x.masked_fill(beyond, 0);
        return;
    }
    for (std::size_t item = 0; item < lengths.size(); ++item) {
        const std::int64_t padded = x.size(2) - lengths[item];
        if (padded > 0)
            x.select(0, static_cast<std::int64_t>(item)).narrow(1, lengths[item], padded).zero_();
    }
}

} // namespace headroom::models
