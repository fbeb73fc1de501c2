// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/multi_head.h"

namespace headroom::models {

/// One pre-norm encoder layer: x += MHA(LN x); x += FFN(LN x). `scope` is the layer. Returns [batch, token,
/// width].
at::Tensor encoderLayer(const Scope& scope, const at::Tensor& x, std::int64_t heads, const at::Tensor& hidden,
                        const AttentionObserver& observe = {}, const Dropout& dropout = {});

} // namespace headroom::models
