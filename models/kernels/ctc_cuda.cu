// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/ctc_device.h"
#include "models/kernels/device_code.h"

#include <cmath>

namespace headroom::models::device {
namespace {

constexpr int kCtcThreads = 128;

/// The larger one; NaN if one is NaN.
__device__ inline double largerOf(double a, double b) {
    return a != a || a > b ? a : b;
}

/// log(e^a + e^b + e^c)
__device__ inline double logSum(double a, double b, double c) {
    const double most = largerOf(largerOf(a, b), c);
    if (most == -HUGE_VAL)
        return most;
    return most + log(exp(a - most) + exp(b - most) + exp(c - most));
}

/// A path (recording and direction) per block, its states on the threads; one token after the other.
__global__ void ctcRows(const double* emissions, const double* skips, std::int64_t tokens, std::int64_t rows,
                        std::int64_t states, double* paths) {
    const std::int64_t row = blockIdx.x, columns = states + 2;
    const double* skip = skips + row * states;
    for (std::int64_t t = 0; t < tokens; ++t) {
        const double* own = emissions + (t * rows + row) * states;
        const double* before = paths + ((t - 1) * rows + row) * columns; // column s + 2: state s
        double* now = paths + (t * rows + row) * columns;
        for (std::int64_t column = threadIdx.x; column < columns; column += kCtcThreads) {
            const std::int64_t s = column - 2;
            double sum = -HUGE_VAL;
            if (s >= 0 && t == 0)
                sum = s < 2 ? own[s] : -HUGE_VAL;
            else if (s >= 0)
                sum = own[s] + logSum(before[column], before[column - 1], before[column - 2] + skip[s]);
            now[column] = sum;
        }
        __syncthreads();
    }
}

} // namespace

void launchCtcPaths(const double* emissions, const double* skips, std::int64_t tokens, std::int64_t rows, std::int64_t states,
                    double* paths, void* stream) {
    if (tokens > 0 && rows > 0)
        launch(ctcRows, dim3(static_cast<unsigned>(rows)), dim3(kCtcThreads), 0, stream, emissions, skips, tokens, rows, states,
               paths);
}

} // namespace headroom::models::device
