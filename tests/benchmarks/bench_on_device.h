// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/benchmark.h"

namespace headroom::benchmarks {

/// Contributions of 12 layers (N 1052, d 256, H 4; projections and C in both) beside the materialised form in
/// ATen, tensors on usedDevice(): float32, and bfloat16 where our kernels are loaded. `quick`: N 64.
void contributionsOnDevice(bool quick, const RowSink& report);

/// Local attention (window 21, d 256, H 4) at N 1052 and 4096 on usedDevice() in bfloat16, forward and with
/// backward, beside at::_flash_attention_forward with the same window and full attention by
/// at::scaled_dot_product_attention. As many recordings as have about 32,000 tokens, a batch of training,
/// since one of them would leave a GPU idle. `quick`: few tokens.
void localAttentionOnDevice(bool quick, const RowFilter& wanted, const RowSink& report);

} // namespace headroom::benchmarks
