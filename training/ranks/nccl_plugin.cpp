// SPDX-License-Identifier: GPL-3.0-or-later
// libheadroom-nccl.so: c10d's group for GPUs, which is in LibTorch's CUDA half. The worker opens it where several ranks compute
// on GPUs (nccl.cpp), so it is no part of headroom_training_ranks.
#define USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <chrono>
#include <cstdlib>

/// Returns the group of all ranks, owned by the caller. Nothing is connected before its first operation.
extern "C" __attribute__((visibility("default"))) c10d::Backend*
headroomNcclGroup(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world) {
    // The ranks watch each other and say who was lost; NCCL's own watchdog would end the process without a word.
    ::setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", 0);
    ::setenv("TORCH_NCCL_ENABLE_MONITORING", "0", 0);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = std::chrono::hours(24); // rank 0 may write a checkpoint for minutes
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, world, options).release();
}
