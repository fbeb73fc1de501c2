// SPDX-License-Identifier: GPL-3.0-or-later
// libheadroom-cuda.so for the device that is no GPU: the same plugin over the same kernels, which the CPU runs block by block. The
// plugin registers for the CPU, and what is called there gets the device's memory as the CPU sees it.
#include "tests/far_device/copies.h"
#include "tests/far_device/counts.h"

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <cstdlib>
#include <mutex>

#include "tests/support/block_runner.h"

#include "models/kernels/banded_cuda.cu"
#include "models/kernels/banded_tiles_cuda.cu"
#include "models/kernels/contributions_cuda.cu"
#include "models/kernels/ctc_cuda.cu"
#include "models/kernels/dropout_cuda.cu"

#define HEADROOM_KERNELS_FOR CPU
#include "models/kernels/cuda_plugin.cpp"

namespace {

void onKernels(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    static std::mutex one; // the runner has one set of stacks
    const std::lock_guard lock(one);
    const std::size_t count = op.schema().arguments().size();
    for (std::size_t i = stack->size() - count; i < stack->size(); ++i)
        if (c10::IValue& value = (*stack)[i]; value.isTensor() && value.toTensor().defined())
            value = headroom::far_device::near(value.toTensor());
        else if (value.isTensorList()) {
            c10::List<at::Tensor> seen;
            for (const at::Tensor& tensor : value.toTensorVector())
                seen.push_back(headroom::far_device::near(tensor));
            value = seen;
        }
    const long before = headroom::testing::launches;
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    headroom::far_device::countLaunch(op.schema().name(), headroom::testing::launches - before);
    for (std::size_t i = stack->size() - op.schema().returns().size(); i < stack->size(); ++i)
        (*stack)[i] = headroom::far_device::far((*stack)[i].toTensor());
}

TORCH_LIBRARY_IMPL(headroom, PrivateUse1, library) {
    if (!std::getenv("FAR_DEVICE_KERNELS"))
        return;
    for (const char* name : {"contributions", "head_profiles", "layer_profiles", "band_products", "band_times_rows", "band_softmax",
                             "band_softmax_backward", "band_attention", "band_score_gradients", "ctc_paths", "dropout"})
        library.impl(name, torch::CppFunction::makeFromBoxedFunction<&onKernels>());
}

} // namespace
