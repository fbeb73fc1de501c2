// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// What stands between the encoder and the CTC output of wav2vec2-BERT: `intermediateFeedForward`, then the
/// `lengthAdapter` of the architecture; without either, `memory` itself.
///
/// `memory` [batch, token, width]: the encoder's output, as the original computes it also behind a
/// recording's own tokens, because the strided convolutions read across that border. `lengths`: tokens of
/// each recording; empty: all. An adapter layer, with s = LayerNorm and c = GLU of a convolution (kernel,
/// stride, padding ⌊stride/2⌋): r = c_residual(s_residual(x)); y = r + MHA(c_attention(s_attention(x))) over
/// the keys up to ⌊(length + 2⌊kernel/2⌋ − kernel)/stride + 1⌋; y + FFN(LN(y)). `scope`: the model, with
/// intermediate_ffn and adapter. Returns [batch, token′, width′].
at::Tensor beforeOutput(const Scope& scope, const Architecture& architecture, const at::Tensor& memory,
                        const std::vector<std::int64_t>& lengths);

} // namespace headroom::models
