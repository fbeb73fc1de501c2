// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/device_operators.h"

#include "core/errors/error.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/TensorOptions.h>
#include <torch/library.h>

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>

namespace headroom::models {
namespace {

using Optional = std::optional<at::Tensor>;
constexpr const char* kContributions = "headroom::contributions";

template <class Signature>
c10::TypedOperatorHandle<Signature> find(const char* name) {
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

/// `others` are read or written with it: a kernel that reads the memory of another device ends the process.
void require(const at::Tensor& tensor, std::initializer_list<at::Tensor> others = {}) {
    for (const at::Tensor& other : others)
        if (other.device() != tensor.device())
            throw std::logic_error("A kernel for " + tensor.device().str() + " was given a tensor of " + other.device().str() + ".");
    if (!hasDeviceKernels(tensor))
        throw Error("models.noDeviceKernels",
                    "There are no kernels for " + tensor.device().str() + ": " +
                        (loadDeviceKernels().empty() ? "libheadroom-cuda.so is for NVIDIA GPUs"
                                                     : loadDeviceKernels()) +
                        ".",
                    {{"device", tensor.device().str()}});
}

/// The lengths of the recordings of `rows`; empty: all tokens.
at::IntArrayRef listOf(const std::int64_t* lengths, const at::Tensor& rows) {
    return lengths ? at::IntArrayRef(lengths, static_cast<std::size_t>(rows.size(0))) : at::IntArrayRef();
}

/// The folder of the library that holds torch's dispatcher.
std::filesystem::path torchFolder() {
    Dl_info info{};
    const auto* place = reinterpret_cast<const void*>(&c10::Dispatcher::realSingleton);
    return ::dladdr(place, &info) != 0 && info.dli_fname ? std::filesystem::path(info.dli_fname).parent_path()
                                                         : std::filesystem::path();
}

std::filesystem::path cudaHalf() {
    return torchFolder() / "libtorch_cuda.so";
}

std::string load() {
    const auto library = ownLibrary("libheadroom-cuda.so");
    if (library.empty())
        return "libheadroom-cuda.so is not beside this program; build it with nvcc (packaging/set-up --cuda)";
    // Without torch's own operators for GPUs our kernels have nobody to call them.
    const std::string noTorch = loadTorchForCuda();
    if (!::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL))
        return std::string("libheadroom-cuda.so cannot be loaded (") + ::dlerror() + ")";
    return noTorch;
}

} // namespace

TORCH_LIBRARY(headroom, library) {
    library.def(
        "contributions(Tensor attention, Tensor transformed, Tensor residual, int reach, bool own_column, "
        "Tensor(a!)? out, Tensor(b!)? profile, Tensor(c!)? head_profiles) -> ()");
    library.def("head_profiles(Tensor attention, int reach, Tensor(a!) out) -> ()");
    library.def("layer_profiles(Tensor[] attention, Tensor[] transformed, Tensor[] residual, int reach, Tensor(a!) out) -> ()");
    library.def(
        "band_products(Tensor a, Tensor b, int reach, int[] lengths, float empty, Tensor(a!) band) -> ()");
    library.def("band_times_rows(Tensor band, Tensor rows, int reach, int[] lengths, bool transposed, "
                "Tensor(a!) out) "
                "-> ()");
    library.def("band_softmax(Tensor(a!) band, float scale) -> ()");
    library.def("band_softmax_backward(Tensor weights, float scale, Tensor(a!) grad) -> ()");
    library.def("band_attention(Tensor q, Tensor k, Tensor v, int reach, int[] lengths, float scale, "
                "Tensor(a!)? weights, "
                "Tensor(b!) out) -> ()");
    library.def("band_score_gradients(Tensor k, Tensor v, Tensor grad_out, int reach, int[] lengths, float scale, Tensor weights, "
                "Tensor(a!) band, Tensor(b!) grad_q) -> ()");
    library.def("ctc_paths(Tensor emissions, Tensor skips, Tensor(a!) paths) -> ()");
    library.def("dropout(Tensor x, int key, int limit, float kept) -> Tensor");
}

TORCH_LIBRARY_IMPL(headroom, Meta, library) {
    library.impl("contributions", [](const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t,
                                     bool, const Optional&, const Optional&, const Optional&) {});
    library.impl("head_profiles", [](const at::Tensor&, std::int64_t, const at::Tensor&) {});
    library.impl("layer_profiles",
                 [](at::TensorList, at::TensorList, at::TensorList, std::int64_t, const at::Tensor&) {});
    library.impl("band_products", [](const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef,
                                     double, const at::Tensor&) {});
    library.impl("band_times_rows", [](const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef,
                                       bool, const at::Tensor&) {});
    library.impl("band_softmax", [](const at::Tensor&, double) {});
    library.impl("band_softmax_backward", [](const at::Tensor&, double, const at::Tensor&) {});
    library.impl("band_attention", [](const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t,
                                      at::IntArrayRef, double, const Optional&, const at::Tensor&) {});
    library.impl("band_score_gradients", [](const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef,
                                            double, const at::Tensor&, const at::Tensor&, const at::Tensor&) {});
    library.impl("ctc_paths", [](const at::Tensor&, const at::Tensor&, const at::Tensor&) {});
    library.impl("dropout",
                 [](const at::Tensor& x, std::int64_t, std::int64_t, double) { return at::empty_like(x); });
}

std::filesystem::path ownLibrary(const std::string& name) {
    std::error_code problem;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
    const char* named = std::getenv("HEADROOM_CUDA_KERNELS");
    for (const auto& folder :
         std::array{named ? std::filesystem::path(named) : program, program, program / ".." / "lib"})
        if (std::filesystem::exists(folder / name, problem))
            return folder / name;
    return {};
}

std::string missingForCuda() {
    std::error_code ignored;
    return std::filesystem::exists(cudaHalf(), ignored)
               ? ""
               : "LibTorch's CUDA libraries (libtorch_cuda.so) are not installed; run packaging/set-up --cuda";
}

const std::string& loadTorchForCuda() {
    static const std::string missing = [] {
        std::string absent = missingForCuda();
        if (absent.empty() && !::dlopen(cudaHalf().c_str(), RTLD_NOW | RTLD_GLOBAL))
            absent = std::string("LibTorch's CUDA libraries cannot be loaded (") + ::dlerror() + ")";
        return absent;
    }();
    return missing;
}

const std::string& loadDeviceKernels() {
    static const std::string missing = load();
    return missing;
}

bool hasDeviceKernels(const at::Tensor& like) {
    static const c10::OperatorHandle operation = c10::Dispatcher::singleton().findSchemaOrThrow(kContributions, "");
    return !like.is_cpu() &&
           operation.hasKernelForDispatchKey(c10::computeDispatchKey(std::nullopt, std::nullopt, like.device()));
}

namespace device {

void contributions(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
                   std::int64_t reach, bool ownColumn, const Optional& out, const Optional& profile,
                   const Optional& headProfiles) {
    require(attention, {transformed, residual, out.value_or(attention), profile.value_or(attention), headProfiles.value_or(attention)});
    static const auto operation =
        find<void(const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t, bool,
                  const Optional&, const Optional&, const Optional&)>(kContributions);
    operation.call(attention, transformed, residual, reach, ownColumn, out, profile, headProfiles);
}

void headProfiles(const at::Tensor& attention, std::int64_t reach, at::Tensor& out) {
    require(attention, {out});
    static const auto operation =
        find<void(const at::Tensor&, std::int64_t, const at::Tensor&)>("headroom::head_profiles");
    operation.call(attention, reach, out);
}

void layerProfiles(const std::vector<at::Tensor>& attention, const std::vector<at::Tensor>& transformed,
                   const std::vector<at::Tensor>& residual, std::int64_t reach, at::Tensor& out) {
    if (attention.empty() || transformed.size() != attention.size() || residual.size() != attention.size() ||
        static_cast<std::int64_t>(attention.size()) > kLayersAtOnce)
        throw std::logic_error("layerProfiles: layers that do not belong together");
    const at::Tensor& first = attention.front();
    const std::int64_t heads = first.size(0), tokens = first.size(1), width = residual.front().size(1);
    for (std::size_t layer = 0; layer < attention.size(); ++layer) {
        require(first, {attention[layer], transformed[layer], residual[layer], out});
        if (attention[layer].sizes() != at::IntArrayRef({heads, tokens, tokens}) ||
            transformed[layer].sizes() != at::IntArrayRef({heads, tokens, width}) ||
            residual[layer].sizes() != at::IntArrayRef({tokens, width}) || !attention[layer].is_contiguous() ||
            !transformed[layer].is_contiguous() || !residual[layer].is_contiguous() ||
            transformed[layer].scalar_type() != first.scalar_type() || residual[layer].scalar_type() != first.scalar_type())
            throw std::logic_error("layerProfiles: tensors that do not belong together");
    }
    if (out.sizes() != at::IntArrayRef({static_cast<std::int64_t>(attention.size()), 3, 2 * tokens - 1}) ||
        !out.is_contiguous() || out.scalar_type() != at::kDouble)
        throw std::logic_error("layerProfiles: no room for its result");
    static const auto operation =
        find<void(at::TensorList, at::TensorList, at::TensorList, std::int64_t, const at::Tensor&)>("headroom::layer_profiles");
    operation.call(attention, transformed, residual, reach, out);
}

void bandProducts(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                  double empty, at::Tensor& band) {
    require(a, {b, band});
    static const auto operation =
        find<void(const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef, double,
                  const at::Tensor&)>("headroom::band_products");
    operation.call(a, b, reach, listOf(lengths, a), empty, band);
}

void bandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                   const std::int64_t* lengths, bool transposed, at::Tensor& out) {
    require(rows, {band, out});
    static const auto operation =
        find<void(const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef, bool,
                  const at::Tensor&)>("headroom::band_times_rows");
    operation.call(band, rows, reach, listOf(lengths, rows), transposed, out);
}

void bandSoftmax(at::Tensor& band, double scale) {
    require(band);
    static const auto operation = find<void(const at::Tensor&, double)>("headroom::band_softmax");
    operation.call(band, scale);
}

void bandSoftmaxBackward(const at::Tensor& weights, double scale, at::Tensor& grad) {
    require(grad, {weights});
    static const auto operation =
        find<void(const at::Tensor&, double, const at::Tensor&)>("headroom::band_softmax_backward");
    operation.call(weights, scale, grad);
}

void bandAttention(const BandInputs& inputs, at::Tensor* weights, at::Tensor& out) {
    require(inputs.q, {inputs.k, inputs.v, weights ? *weights : inputs.q, out});
    static const auto operation =
        find<void(const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef,
                  double, const Optional&, const at::Tensor&)>("headroom::band_attention");
    operation.call(inputs.q, inputs.k, inputs.v, inputs.reach, listOf(inputs.lengths, inputs.q), inputs.scale,
                   weights ? Optional(*weights) : Optional(), out);
}

void bandAttentionBackward(const BandInputs& inputs, const at::Tensor& weights, const at::Tensor& gradOut,
                           at::Tensor& band, BandGradients& grads) {
    require(inputs.q, {inputs.k, inputs.v, gradOut, weights, band, grads.q});
    static const auto operation =
        find<void(const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t, at::IntArrayRef, double,
                  const at::Tensor&, const at::Tensor&, const at::Tensor&)>("headroom::band_score_gradients");
    operation.call(inputs.k, inputs.v, gradOut, inputs.reach, listOf(inputs.lengths, inputs.q), inputs.scale, weights, band,
                   grads.q);
    bandTimesRows(band, inputs.q, inputs.reach, inputs.lengths, true, grads.k);
    bandTimesRows(weights, gradOut, inputs.reach, inputs.lengths, true, grads.v);
}

void ctcPaths(const at::Tensor& emissions, const at::Tensor& skips, at::Tensor& paths) {
    require(emissions, {skips, paths});
    static const auto operation =
        find<void(const at::Tensor&, const at::Tensor&, const at::Tensor&)>("headroom::ctc_paths");
    operation.call(emissions, skips, paths);
}

at::Tensor maskedByDropout(const at::Tensor& x, std::uint64_t key, std::uint32_t limit, float kept) {
    require(x);
    static const auto operation =
        find<at::Tensor(const at::Tensor&, std::int64_t, std::int64_t, double)>("headroom::dropout");
    return operation.call(x, static_cast<std::int64_t>(key), limit, static_cast<double>(kept));
}

} // namespace device
} // namespace headroom::models
