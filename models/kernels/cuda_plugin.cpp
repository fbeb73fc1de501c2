// SPDX-License-Identifier: GPL-3.0-or-later
// libheadroom-cuda.so: the operators of device_operators.h for CUDA. The worker opens it where a GPU is, so
// it is no part of headroom_models. nvcc compiles the kernels without torch's headers; this file joins the
// two.
#include "models/kernels/banded_device.h"
#include "models/kernels/contributions_device.h"
#include "models/kernels/ctc_device.h"
#include "models/kernels/dropout_device.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace headroom::models::device {
namespace {

using Optional = std::optional<at::Tensor>;

void* streamOf(const at::Tensor& tensor) {
    return c10::cuda::getCurrentCUDAStream(tensor.device().index()).stream();
}

template <class T>
const T* read(const at::Tensor& tensor) {
    return static_cast<const T*>(tensor.const_data_ptr());
}
template <class T>
T* written(const Optional& tensor) {
    return tensor ? static_cast<T*>(tensor->mutable_data_ptr()) : nullptr;
}

/// T: stored numbers; S: their sums.
template <class T, class S>
struct Types {};

/// Calls work(Types<…>) for the number type of `x`.
template <class Work>
void withTypes(const at::Tensor& x, const Work& work) {
    switch (x.scalar_type()) {
    case at::kFloat:
        return work(Types<float, float>());
    case at::kDouble:
        return work(Types<double, double>());
    case at::kBFloat16:
        return work(Types<Bfloat16, float>());
    default:
        TORCH_CHECK(false, "float, double or bfloat16 is needed, not ", x.scalar_type());
    }
}

template <class T, class S>
void runContributions(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
                      std::int64_t reach, bool ownColumn, const Optional& out, const Optional& profile,
                      const Optional& headProfiles) {
    const std::int64_t heads = transformed.size(0), keys = transformed.size(1), queries = residual.size(0);
    const auto room = [&](std::int64_t count, at::ScalarType type) {
        return at::empty({count}, attention.options().dtype(type).requires_grad(false));
    };
    const at::ScalarType sums = sizeof(S) == sizeof(double) ? at::kDouble : at::kFloat;
    Contributions<T, S> work{heads,
                             queries,
                             keys,
                             transformed.size(2),
                             reach,
                             ownColumn,
                             read<T>(attention),
                             read<T>(transformed),
                             read<T>(residual),
                             nullptr,
                             nullptr,
                             nullptr,
                             nullptr,
                             nullptr,
                             nullptr,
                             written<S>(out),
                             written<double>(profile),
                             written<double>(headProfiles)};
    const at::Tensor gram = room(heads * (heads + 1) / 2 * keys, sums), rows = room(2 * queries, at::kDouble),
                     parts = room(work.partsOf(), at::kDouble), rowParts = room(work.sumsOf(), at::kDouble),
                     norms = room(out ? 0 : queries * keys, sums);
    work.gram = gram.mutable_data_ptr<S>();
    work.own = rows.mutable_data_ptr<double>();
    work.inverse = work.own + queries;
    work.parts = parts.mutable_data_ptr<double>();
    work.sums = rowParts.mutable_data_ptr<double>();
    work.norms = norms.mutable_data_ptr<S>();
    launchContributions(work, streamOf(attention));
}

void contributionsOnGpu(const at::Tensor& attention, const at::Tensor& transformed,
                        const at::Tensor& residual, std::int64_t reach, bool ownColumn, const Optional& out,
                        const Optional& profile, const Optional& headProfiles) {
    const c10::cuda::CUDAGuard guard(attention.device());
    withTypes(attention, [&]<class T, class S>(Types<T, S>) {
        runContributions<T, S>(attention, transformed, residual, reach, ownColumn, out, profile,
                               headProfiles);
    });
}

template <class T, class S>
void runLayerProfiles(at::TensorList attention, at::TensorList transformed, at::TensorList residual, std::int64_t reach,
                      const at::Tensor& out) {
    const at::TensorOptions options = attention[0].options().requires_grad(false);
    const auto layers = static_cast<std::int64_t>(attention.size());
    LayerContributions<T, S> work{};
    Contributions<T, S>& one = work.shared;
    one.heads = attention[0].size(0);
    one.queries = one.keys = attention[0].size(1);
    one.width = residual[0].size(1);
    one.reach = reach;
    one.profile = out.mutable_data_ptr<double>();
    one.strongest = one.profile + out.size(2);
    work.layers = layers;
    work.step = 3 * out.size(2);
    for (std::size_t layer = 0; layer < attention.size(); ++layer) {
        work.attention[layer] = read<T>(attention[layer]);
        work.transformed[layer] = read<T>(transformed[layer]);
        work.residual[layer] = read<T>(residual[layer]);
    }
    // One piece of room for all: the doubles first.
    const std::int64_t doubles = layers * (2 * one.queries + one.partsOf() + one.sumsOf());
    const std::int64_t sums = layers * (one.gramOf() + one.queries * one.keys);
    const at::Tensor room =
        at::empty({doubles + (sums * static_cast<std::int64_t>(sizeof(S)) + 7) / 8}, options.dtype(at::kDouble));
    one.own = room.mutable_data_ptr<double>();
    one.inverse = one.own + layers * one.queries;
    one.parts = one.inverse + layers * one.queries;
    one.sums = one.parts + layers * one.partsOf();
    one.gram = reinterpret_cast<S*>(one.sums + layers * one.sumsOf());
    one.norms = one.gram + layers * one.gramOf();
    launchContributions(work, streamOf(attention[0]));
}

void layerProfilesOnGpu(at::TensorList attention, at::TensorList transformed, at::TensorList residual, std::int64_t reach,
                        const at::Tensor& out) {
    const c10::cuda::CUDAGuard guard(out.device());
    withTypes(attention[0], [&]<class T, class S>(Types<T, S>) {
        runLayerProfiles<T, S>(attention, transformed, residual, reach, out);
    });
}

void headProfilesOnGpu(const at::Tensor& attention, std::int64_t reach, const at::Tensor& out) {
    const c10::cuda::CUDAGuard guard(attention.device());
    withTypes(attention, [&]<class T, class S>(Types<T, S>) {
        Contributions<T, S> work{};
        work.heads = attention.size(0);
        work.queries = work.keys = attention.size(1);
        work.reach = reach;
        work.attention = read<T>(attention);
        work.headProfiles = out.mutable_data_ptr<double>();
        const at::Tensor parts = at::empty({work.partsOf()}, out.options());
        work.parts = parts.mutable_data_ptr<double>();
        launchContributions(work, streamOf(attention));
    });
}

template <class T>
BandRows<const T> rowsOf(const at::Tensor& x) {
    return {read<T>(x), x.stride(0), x.stride(1), x.stride(2)};
}
template <class T>
BandRows<T> rowsToWrite(const at::Tensor& x) {
    return {static_cast<T*>(x.mutable_data_ptr()), x.stride(0), x.stride(1), x.stride(2)};
}

/// The shape of a call, with the lengths on the device of `rows` while this lives.
class ShapeOnGpu {
public:
    ShapeOnGpu(const at::Tensor& rows, std::int64_t reach, at::IntArrayRef lengths)
        : m_shape{rows.size(0), rows.size(1), rows.size(2), reach, nullptr} {
        if (lengths.empty())
            return;
        m_lengths = at::tensor(lengths, at::kLong).pin_memory().to(rows.device(), at::kLong, /*non_blocking=*/true);
        m_shape.lengths = m_lengths.const_data_ptr<std::int64_t>();
    }
    const BandShape& shape() const { return m_shape; }

private:
    BandShape m_shape;
    at::Tensor m_lengths;
};

void productsOnGpu(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, at::IntArrayRef lengths,
                   double empty, const at::Tensor& band) {
    const c10::cuda::CUDAGuard guard(a.device());
    const ShapeOnGpu here(a, reach, lengths);
    withTypes(a, [&]<class T, class S>(Types<T, S>) {
        launchBandProducts(here.shape(), rowsOf<T>(a), rowsOf<T>(b), a.size(3), static_cast<S>(empty),
                           band.mutable_data_ptr<S>(), streamOf(a));
    });
}

void timesRowsOnGpu(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                    at::IntArrayRef lengths, bool transposed, const at::Tensor& out) {
    const c10::cuda::CUDAGuard guard(rows.device());
    const ShapeOnGpu here(rows, reach, lengths);
    withTypes(rows, [&]<class T, class S>(Types<T, S>) {
        launchBandTimesRows(here.shape(), band.const_data_ptr<S>(), rowsOf<T>(rows), rows.size(3), transposed,
                            rowsToWrite<T>(out), streamOf(rows));
    });
}

void softmaxOnGpu(const at::Tensor& band, double scale) {
    const c10::cuda::CUDAGuard guard(band.device());
    withTypes(band, [&]<class T, class S>(Types<T, S>) {
        launchBandSoftmax(band.mutable_data_ptr<S>(), band.numel() / band.size(3), band.size(3),
                          static_cast<S>(scale), streamOf(band));
    });
}

void softmaxBackwardOnGpu(const at::Tensor& weights, double scale, const at::Tensor& grad) {
    const c10::cuda::CUDAGuard guard(grad.device());
    withTypes(grad, [&]<class T, class S>(Types<T, S>) {
        launchBandSoftmaxBackward(weights.const_data_ptr<S>(), grad.mutable_data_ptr<S>(),
                                  grad.numel() / grad.size(3), grad.size(3), static_cast<S>(scale),
                                  streamOf(grad));
    });
}

void attentionOnGpu(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t reach,
                    at::IntArrayRef lengths, double scale, const Optional& weights, const at::Tensor& out) {
    const c10::cuda::CUDAGuard guard(q.device());
    if (std::max(v.size(3), q.scalar_type() == at::kBFloat16 ? q.size(3) : 0) > kWidestValues) { // one after the other
        const at::ScalarType sums = q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const at::Tensor band =
            weights ? *weights
                    : at::empty({q.size(0), q.size(1), q.size(2), 2 * reach + 1}, q.options().dtype(sums));
        productsOnGpu(q, k, reach, lengths, -std::numeric_limits<double>::infinity(), band);
        softmaxOnGpu(band, scale);
        return timesRowsOnGpu(band, v, reach, lengths, false, out);
    }
    const ShapeOnGpu here(q, reach, lengths);
    withTypes(q, [&]<class T, class S>(Types<T, S>) {
        launchBandAttention(here.shape(), rowsOf<T>(q), rowsOf<T>(k), rowsOf<T>(v), q.size(3), v.size(3),
                            static_cast<S>(scale), written<S>(weights), rowsToWrite<T>(out), streamOf(q));
    });
}

void scoreGradientsOnGpu(const at::Tensor& k, const at::Tensor& v, const at::Tensor& gradOut, std::int64_t reach,
                         at::IntArrayRef lengths, double scale, const at::Tensor& weights, const at::Tensor& band,
                         const at::Tensor& gradQ) {
    const c10::cuda::CUDAGuard guard(k.device());
    if (k.scalar_type() != at::kBFloat16 || std::max(k.size(3), v.size(3)) > kWidestValues) { // one after the other
        productsOnGpu(gradOut, v, reach, lengths, 0, band);
        softmaxBackwardOnGpu(weights, scale, band);
        return timesRowsOnGpu(band, k, reach, lengths, false, gradQ);
    }
    const ShapeOnGpu here(k, reach, lengths);
    launchBandScoreGradients(here.shape(), rowsOf<Bfloat16>(k), rowsOf<Bfloat16>(v), rowsOf<Bfloat16>(gradOut), k.size(3),
                             v.size(3), static_cast<float>(scale), weights.const_data_ptr<float>(),
                             band.mutable_data_ptr<float>(), rowsToWrite<Bfloat16>(gradQ), streamOf(k));
}

void ctcPathsOnGpu(const at::Tensor& emissions, const at::Tensor& skips, const at::Tensor& paths) {
    const c10::cuda::CUDAGuard guard(emissions.device());
    launchCtcPaths(emissions.const_data_ptr<double>(), skips.const_data_ptr<double>(), emissions.size(0), emissions.size(1),
                   emissions.size(2), paths.mutable_data_ptr<double>(), streamOf(emissions));
}

at::Tensor dropoutOnGpu(const at::Tensor& x, std::int64_t key, std::int64_t limit, double kept) {
    const c10::cuda::CUDAGuard guard(x.device());
    const at::Tensor from = x.contiguous(), result = at::empty(x.sizes(), x.options());
    withTypes(from, [&]<class T, class S>(Types<T, S>) {
        launchDropout(read<T>(from), static_cast<T*>(result.mutable_data_ptr()), from.numel(),
                      static_cast<std::uint64_t>(key), static_cast<std::uint32_t>(limit),
                      static_cast<float>(kept), streamOf(from));
    });
    return result;
}

} // namespace

#ifndef HEADROOM_KERNELS_FOR // a test's device has other names
#define HEADROOM_KERNELS_FOR CUDA
#endif
TORCH_LIBRARY_IMPL(headroom, HEADROOM_KERNELS_FOR, library) {
    library.impl("contributions", contributionsOnGpu);
    library.impl("head_profiles", headProfilesOnGpu);
    library.impl("layer_profiles", layerProfilesOnGpu);
    library.impl("band_products", productsOnGpu);
    library.impl("band_times_rows", timesRowsOnGpu);
    library.impl("band_softmax", softmaxOnGpu);
    library.impl("band_softmax_backward", softmaxBackwardOnGpu);
    library.impl("band_attention", attentionOnGpu);
    library.impl("band_score_gradients", scoreGradientsOnGpu);
    library.impl("ctc_paths", ctcPathsOnGpu);
    library.impl("dropout", dropoutOnGpu);
}

} // namespace headroom::models::device
