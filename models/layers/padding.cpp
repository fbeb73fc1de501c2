// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/padding.h"

#include "models/attention/full.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

void zeroBeyond(at::Tensor& x, const std::vector<std::int64_t>& lengths) {
    if (x.requires_grad()) { // one mask: autograd would copy all of x for every slice that is written to
        at::Tensor beyond = hiddenPadding(lengths, x.size(2)); // [batch, 1, 1, frame]
        if (!beyond.defined())
            return;
        beyond = beyond.squeeze(1); // [batch, 1, frame]
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
