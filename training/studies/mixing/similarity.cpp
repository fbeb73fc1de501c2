// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/mixing/similarity.h"

#include "core/statistics/undefined.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/mm.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace headroom::training {

struct Representation::Implementation {
    at::Tensor centred;  // X [n, d], double
    at::Tensor basis;    // U [n, r], orthonormal columns: X = U S Vᵀ
    at::Tensor weighted; // Uᵀ X [r, d]
    double own = 0;      // ‖XᵀX‖_F
};

Representation::Representation(MatrixView<const float> states) {
    if (states.rows() < 2 || states.columns() == 0)
        throw std::invalid_argument("Representation: fewer than two places");
    const c10::InferenceMode inference;
    auto made = std::make_shared<Implementation>();
    const at::Tensor given =
        at::from_blob(const_cast<float*>(states.data()),
                      {static_cast<std::int64_t>(states.rows()), static_cast<std::int64_t>(states.columns())},
                      at::kFloat);
    made->centred = given.to(at::kDouble);
    made->centred.sub_(made->centred.mean(0, true));
    const auto [u, s, vh] = at::linalg_svd(made->centred, false);
    const double largest = s[0].item<double>();
    const std::int64_t kept = largest > 0 ? s.gt(1e-6 * largest).sum().item<std::int64_t>() : 0;
    made->basis = u.narrow(1, 0, kept).contiguous();
    made->weighted = s.narrow(0, 0, kept).unsqueeze(1).mul(vh.narrow(0, 0, kept));
    made->own = s.square().norm().item<double>(); // the squares are the eigenvalues of XᵀX
    m = std::move(made);
}

std::int64_t Representation::places() const {
    return m->centred.size(0);
}

std::int64_t Representation::width() const {
    return m->centred.size(1);
}

std::int64_t Representation::dimension() const {
    return m->basis.size(1);
}

namespace {

void requireSamePlaces(const Representation& x, const Representation& y) {
    if (x.places() != y.places())
        throw std::invalid_argument("Representations of different places cannot be compared");
}

} // namespace

double linearCka(const Representation& x, const Representation& y) {
    requireSamePlaces(x, y);
    const c10::InferenceMode inference;
    if (x.m->own == 0 || y.m->own == 0)
        return kUndefined;
    const double shared = at::mm(y.m->centred.t(), x.m->centred).square().sum().item<double>();
    return std::clamp(shared / (x.m->own * y.m->own), 0.0, 1.0);
}

double projectionWeightedCca(const Representation& x, const Representation& y) {
    requireSamePlaces(x, y);
    const c10::InferenceMode inference;
    if (x.dimension() == 0 || y.dimension() == 0)
        return kUndefined;
    // The singular values of U_xᵀ U_y are the canonical correlations; U_x times the left vectors the directions.
    const auto [left, rho, right] = at::linalg_svd(at::mm(x.m->basis.t(), y.m->basis), false);
    const at::Tensor weights = at::mm(left.t(), x.m->weighted).abs().sum(1); // α
    return std::clamp(weights.dot(rho.clamp(0, 1)).item<double>() / weights.sum().item<double>(), 0.0, 1.0);
}

} // namespace headroom::training
