// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <memory>

namespace headroom::models {

/// What one decoder layer remembers of the target tokens seen so far, and of the encoder's output.
class DecoderLayerCache {
public:
    DecoderLayerCache();
    ~DecoderLayerCache();
    DecoderLayerCache(DecoderLayerCache&&) noexcept;
    DecoderLayerCache& operator=(DecoderLayerCache&&) noexcept;
    struct Implementation;
    Implementation& operator*() { return *m; }

private:
    std::unique_ptr<Implementation> m;
};

/// One pre-norm decoder layer on the next `x` [batch, target, width]: masked self-attention, cross-attention
/// to `memory` [batch, token, width], feed-forward. `cache` holds the targets before x and is extended by x.
/// `hiddenMemory`: tokens of the memory that are padding, bool [batch, 1, 1, token], or undefined.
at::Tensor decoderLayer(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                        const at::Tensor& hiddenMemory, std::int64_t heads, DecoderLayerCache& cache,
                        const Dropout& dropout);

} // namespace headroom::models
