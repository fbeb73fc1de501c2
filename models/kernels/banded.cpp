// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/banded.h"

#include "models/kernels/banded_composite.h"
#include "models/kernels/banded_kernels.h"
#include "models/kernels/device_operators.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace headroom::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;
using Lengths = std::vector<std::int64_t>;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// A view that the kernels can walk, or a copy.
at::Tensor rows(const at::Tensor& x) {
    return x.stride(-1) == 1 || x.size(-1) == 1 ? x : x.contiguous();
}

const std::int64_t* pointer(const Lengths& lengths) {
    return lengths.empty() ? nullptr : lengths.data();
}

at::Tensor emptyBand(const at::Tensor& q, std::int64_t reach) {
    const at::ScalarType type = q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return at::empty({q.size(0), q.size(1), q.size(2), 2 * reach + 1}, q.options().dtype(type));
}

/// [batch, head, token, width] whose heads lie side by side.
at::Tensor emptyRows(const at::Tensor& like) {
    return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, like.options())
        .transpose(1, 2);
}

at::Tensor products(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const Lengths& lengths,
                    double empty) {
    at::Tensor band = emptyBand(a, reach);
    bandProducts(a, b, reach, pointer(lengths), empty, band);
    return band;
}

at::Tensor mixed(const at::Tensor& band, const at::Tensor& values, std::int64_t reach,
                 const Lengths& lengths) {
    at::Tensor out = emptyRows(values);
    bandTimesRows(band, values, reach, pointer(lengths), out);
    return out;
}

at::Tensor mixedBack(const at::Tensor& band, const at::Tensor& queries, std::int64_t reach,
                     const Lengths& lengths) {
    at::Tensor out = emptyRows(queries);
    transposedBandTimesRows(band, queries, reach, pointer(lengths), out);
    return out;
}

bool differentiated(std::initializer_list<const at::Tensor*> inputs) {
    return at::GradMode::is_enabled() &&
           std::any_of(inputs.begin(), inputs.end(), [](const at::Tensor* x) { return x->requires_grad(); });
}

class Scores : public Function<Scores> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                              std::int64_t reach, const Lengths& lengths) {
        context->save_for_backward({q, k});
        context->saved_data["reach"] = reach;
        context->saved_data["lengths"] = lengths;
        return products(rows(q), rows(k), reach, lengths, kMinusInfinity);
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto saved = context->get_saved_variables();
        const std::int64_t reach = context->saved_data["reach"].toInt();
        const Lengths lengths = context->saved_data["lengths"].toIntVector();
        const at::Tensor grad = grads[0].contiguous();
        return {context->needs_input_grad(0) ? mixed(grad, rows(saved[1]), reach, lengths) : at::Tensor(),
                context->needs_input_grad(1) ? mixedBack(grad, rows(saved[0]), reach, lengths) : at::Tensor(),
                {},
                {}};
    }
};

class Softmax : public Function<Softmax> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& scores) {
        at::Tensor weights = scores.clone(at::MemoryFormat::Contiguous);
        bandSoftmax(weights, 1);
        context->save_for_backward({weights});
        return weights;
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        at::Tensor grad = grads[0].clone(at::MemoryFormat::Contiguous);
        bandSoftmaxBackward(context->get_saved_variables()[0], 1, grad);
        return {grad};
    }
};

class Mix : public Function<Mix> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& weights, const at::Tensor& v,
                              std::int64_t reach) {
        context->save_for_backward({weights, v});
        context->saved_data["reach"] = reach;
        return mixed(weights.contiguous(), rows(v), reach, {});
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto saved = context->get_saved_variables();
        const std::int64_t reach = context->saved_data["reach"].toInt();
        const at::Tensor grad = rows(grads[0]);
        return {context->needs_input_grad(0) ? products(grad, rows(saved[1]), reach, {}, 0) : at::Tensor(),
                context->needs_input_grad(1) ? mixedBack(saved[0].contiguous(), grad, reach, {})
                                             : at::Tensor(),
                {}};
    }
};

class Attention : public Function<Attention> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                              const at::Tensor& v, std::int64_t reach, double scale, const Lengths& lengths) {
        at::Tensor weights = emptyBand(q, reach), out = emptyRows(v);
        const at::Tensor queries = rows(q), keys = rows(k), values = rows(v);
        bandAttention({queries, keys, values, reach, scale, pointer(lengths)}, &weights, out);
        context->save_for_backward({queries, keys, values, weights});
        context->saved_data["reach"] = reach;
        context->saved_data["scale"] = scale;
        context->saved_data["lengths"] = lengths;
        return out;
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &q = saved[0], &k = saved[1], &v = saved[2], gradOut = rows(grads[0]);
        const std::int64_t reach = context->saved_data["reach"].toInt();
        const Lengths lengths = context->saved_data["lengths"].toIntVector();
        at::Tensor band = emptyBand(q, reach), gradQ = emptyRows(q), gradK = emptyRows(k),
                   gradV = emptyRows(v);
        BandGradients found{gradQ, gradK, gradV};
        bandAttentionBackward({q, k, v, reach, context->saved_data["scale"].toDouble(), pointer(lengths)},
                              saved[3], gradOut, band, found);
        return {gradQ, gradK, gradV, {}, {}, {}};
    }
};

void require(bool fits, const char* operation) {
    if (!fits)
        throw std::logic_error(std::string(operation) + ": tensors that do not belong together");
}

bool lengthsFit(const Lengths& lengths, const at::Tensor& q) {
    return lengths.empty() || (static_cast<std::int64_t>(lengths.size()) == q.size(0) &&
                               std::all_of(lengths.begin(), lengths.end(),
                                           [&](std::int64_t n) { return n >= 0 && n <= q.size(2); }));
}

/// Reduced precision is computed in float and cast back; casts are differentiated by ATen.
bool isReduced(const at::Tensor& x) {
    return x.scalar_type() == at::kBFloat16 || x.scalar_type() == at::kHalf;
}

/// Whether our own kernels compute tensors like this one; otherwise ATen's operations do.
bool hasKernels(const at::Tensor& x) {
    return x.is_cpu() || hasDeviceKernels(x);
}

/// The wider type of the two, at least float.
at::ScalarType computed(const at::Tensor& a, const at::Tensor& b) {
    return a.scalar_type() == at::kDouble || b.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

} // namespace

std::int64_t bandReach(std::int64_t window, std::int64_t tokens) {
    return std::max<std::int64_t>(0, std::min(window / 2, tokens - 1));
}

at::Tensor bandedScores(const at::Tensor& q, const at::Tensor& k, std::int64_t reach,
                        const Lengths& lengths) {
    require(q.dim() == 4 && q.sizes() == k.sizes() && reach >= 0 && lengthsFit(lengths, q), "bandedScores");
    if (isReduced(q) || q.scalar_type() != k.scalar_type()) {
        const at::ScalarType type = computed(q, k);
        return bandedScores(q.to(type), k.to(type), reach, lengths).to(q.scalar_type());
    }
    if (!hasKernels(q))
        return composite::bandedScores(q, k, reach, lengths);
    if (differentiated({&q, &k}))
        return Scores::apply(q, k, reach, lengths);
    return products(rows(q), rows(k), reach, lengths, kMinusInfinity);
}

at::Tensor bandedSoftmax(const at::Tensor& scores) {
    if (isReduced(scores))
        return bandedSoftmax(scores.to(at::kFloat)).to(scores.scalar_type());
    if (!hasKernels(scores))
        return composite::bandedSoftmax(scores);
    if (differentiated({&scores}))
        return Softmax::apply(scores);
    at::Tensor weights = scores.clone(at::MemoryFormat::Contiguous);
    bandSoftmax(weights, 1);
    return weights;
}

at::Tensor bandedMix(const at::Tensor& weights, const at::Tensor& v, std::int64_t reach) {
    require(weights.dim() == 4 && v.dim() == 4 && reach >= 0 && weights.size(3) == 2 * reach + 1 &&
                weights.sizes().slice(0, 3) == v.sizes().slice(0, 3),
            "bandedMix");
    if (isReduced(v) || weights.scalar_type() != v.scalar_type()) {
        const at::ScalarType type = computed(weights, v);
        return bandedMix(weights.to(type), v.to(type), reach).to(v.scalar_type());
    }
    if (!hasKernels(v))
        return composite::bandedMix(weights, v, reach);
    if (differentiated({&weights, &v}))
        return Mix::apply(weights, v, reach);
    return mixed(weights.contiguous(), rows(v), reach, {});
}

at::Tensor bandedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t reach,
                           double scale, const Lengths& lengths) {
    require(q.dim() == 4 && v.dim() == 4 && q.sizes() == k.sizes() &&
                v.sizes().slice(0, 3) == q.sizes().slice(0, 3) && q.scalar_type() == k.scalar_type() &&
                q.scalar_type() == v.scalar_type() && reach >= 0 && scale > 0 && lengthsFit(lengths, q),
            "bandedAttention");
    if (isReduced(q) && !(q.scalar_type() == at::kBFloat16 && hasDeviceKernels(q)))
        return bandedAttention(q.to(at::kFloat), k.to(at::kFloat), v.to(at::kFloat), reach, scale, lengths)
            .to(q.scalar_type());
    if (!hasKernels(q))
        return composite::bandedAttention(q, k, v, reach, scale, lengths);
    if (differentiated({&q, &k, &v}))
        return Attention::apply(q, k, v, reach, scale, lengths);
    at::Tensor out = emptyRows(v);
    const at::Tensor queries = rows(q), keys = rows(k), values = rows(v);
    bandAttention({queries, keys, values, reach, scale, pointer(lengths)}, nullptr, out);
    return out;
}

at::Tensor bandedToDense(const at::Tensor& weights, std::int64_t reach) {
    require(weights.dim() == 4 && weights.size(3) == 2 * reach + 1, "bandedToDense");
    const std::int64_t tokens = weights.size(2);
    // One row too wide by 2 · reach, the band lies along its diagonal; the middle is the map.
    at::Tensor wide = at::zeros({weights.size(0), weights.size(1), tokens, tokens + 2 * reach},
                                weights.options().requires_grad(false));
    const at::Tensor diagonal =
        wide.as_strided(weights.sizes(), {wide.stride(0), wide.stride(1), wide.stride(2) + 1, 1});
    diagonal.copy_(weights.detach());
    return wide.narrow(3, reach, tokens).contiguous();
}

} // namespace headroom::models
