// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>
#include <functional>

namespace headroom::benchmarks {

/// The products of matrices of an encoder's forward pass and nothing else: no im2col, norm, softmax, activation. What a pass
/// in float32 cannot be faster than.
struct MatrixProducts {
    std::function<void()> run; ///< on matrices made once
    double operations;         ///< multiplications and additions
};
/// Of wav2vec 2.0's and Whisper's encoders: convolutions over samples or frames, full heads, feed-forward. `rows`: of the input.
MatrixProducts matrixProducts(const Architecture& architecture, std::int64_t rows);

} // namespace headroom::benchmarks
