// SPDX-License-Identifier: GPL-3.0-or-later
// In place of torch's header, for models/kernels/cuda_plugin.cpp where there is no CUDA: every thread computes at once.
#pragma once

#include <c10/core/Device.h>

namespace c10::cuda {

struct CUDAGuard {
    explicit CUDAGuard(c10::Device) {}
};

} // namespace c10::cuda
