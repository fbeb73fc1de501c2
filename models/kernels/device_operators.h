// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_kernels.h"
#include "models/kernels/contributions_device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

/// The operations of this folder as operators of torch's dispatcher, namespace headroom, for tensors that are
/// not on the CPU. libheadroom-cuda.so registers them for CUDA (cuda_plugin.cpp). For `meta` tensors they do
/// nothing, so that shapes can be followed without a device.
namespace headroom::models {

/// Returns why torch cannot compute on GPUs, as half a sentence; empty: its CUDA half is installed. Loads nothing.
std::string missingForCuda();

/// Loads LibTorch's CUDA half, which registers torch's operators for GPUs. Returns why it cannot be used, as half a
/// sentence; empty: networks can compute on a GPU, with torch's operations where ours are absent. Later calls return the
/// first answer. Thread-safe.
const std::string& loadTorchForCuda();

/// Returns the place of a library of ours that is opened at run time: in the folder that HEADROOM_CUDA_KERNELS names, beside
/// this program, or in ../lib. Empty: it is in none of them.
std::filesystem::path ownLibrary(const std::string& name);

/// Loads libheadroom-cuda.so (ownLibrary()), and before it LibTorch's CUDA half where it is installed. Returns why it
/// cannot be used, as half a sentence; empty: hasDeviceKernels() holds for tensors on a GPU. Later calls
/// return the first answer. Thread-safe.
const std::string& loadDeviceKernels();

/// Whether the operators can be called for tensors on the device of `like`: a GPU whose kernels are loaded,
/// or `meta`.
bool hasDeviceKernels(const at::Tensor& like);

/// Each function throws Error "models.noDeviceKernels" if the device has no kernels, and std::runtime_error
/// if they cannot be started.
namespace device {

/// contributions() and contributionsWithResidualColumn() of contributions.h in one, for contiguous tensors of
/// float, double or bfloat16 on one device. Results are float for bfloat16. Each is computed only if it is
/// given, and C never exists if it is not: `out` [query, key (+ 1)], `profile` [2N − 1] double,
/// `headProfiles` [head, 2N − 1] double.
void contributions(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
                   std::int64_t reach, bool ownColumn, const std::optional<at::Tensor>& out,
                   const std::optional<at::Tensor>& profile, const std::optional<at::Tensor>& headProfiles);

/// diagonalSums() of profiles.h: `attention` [head, query, key] of float, double or bfloat16 → `out` [head,
/// 2N − 1] double.
void headProfiles(const at::Tensor& attention, std::int64_t reach, at::Tensor& out);

/// Profiles of C of several layers of an utterance, each kernel launched once for all of them; C itself is not there afterwards.
/// Lists of one shape per layer, as in contributions() without a column of its own, at most kLayersAtOnce. `out` [layer, 3, 2N − 1]
/// double: the profile; the largest entry along each diagonal; its query, the first of equal ones. The last two are zeros where
/// no entry is above zero.
void layerProfiles(const std::vector<at::Tensor>& attention, const std::vector<at::Tensor>& transformed,
                   const std::vector<at::Tensor>& residual, std::int64_t reach, at::Tensor& out);

/// The functions of banded_kernels.h. Rows may also be bfloat16; their bands are float then.
void bandProducts(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                  double empty, at::Tensor& band);
void bandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                   const std::int64_t* lengths, bool transposed, at::Tensor& out);
void bandSoftmax(at::Tensor& band, double scale);
void bandSoftmaxBackward(const at::Tensor& weights, double scale, at::Tensor& grad);
void bandAttention(const BandInputs& inputs, at::Tensor* weights, at::Tensor& out);
void bandAttentionBackward(const BandInputs& inputs, const at::Tensor& weights, const at::Tensor& gradOut,
                           at::Tensor& band, BandGradients& grads);

/// ctcPaths() of ctc.h, into `paths`.
void ctcPaths(const at::Tensor& emissions, const at::Tensor& skips, at::Tensor& paths);

/// x · mask with the mask of dropoutMask() (models/layers/dropout_mask.h); contiguous, of float, double or
/// bfloat16.
at::Tensor maskedByDropout(const at::Tensor& x, std::uint64_t key, std::uint32_t limit, float kept);

} // namespace device
} // namespace headroom::models
