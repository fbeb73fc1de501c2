// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/banded_reference.h"

#include <ATen/ops/zeros.h>
#include <ATen/TensorAccessor.h>

#include <algorithm>
#include <cmath>

namespace headroom::models {
namespace {

using Rows = at::TensorAccessor<double, 2>;

/// One head of one recording with `keys` keys.
struct Head {
    Rows q, k, v, gradOut, weights, out, gradQ, gradK, gradV;
    std::int64_t tokens, keys, width, valueWidth, reach;
    double scale;

    void forward(std::int64_t i) {
        const std::int64_t first = std::max<std::int64_t>(0, i - reach), last = std::min(keys, i + reach + 1);
        double sum = 0, largest = -INFINITY;
        std::vector<double> scores;
        for (std::int64_t j = first; j < last; ++j) {
            double score = 0;
            for (std::int64_t d = 0; d < width; ++d)
                score += q[i][d] * k[j][d];
            scores.push_back(scale * score);
            largest = std::max(largest, scores.back());
        }
        for (double& score : scores)
            sum += score = std::exp(score - largest);
        for (std::int64_t j = first; j < last; ++j) {
            const double weight = scores[static_cast<std::size_t>(j - first)] / sum;
            weights[i][j - i + reach] = weight;
            for (std::int64_t d = 0; d < valueWidth; ++d)
                out[i][d] += weight * v[j][d];
        }
    }

    void backward(std::int64_t i) {
        const std::int64_t first = std::max<std::int64_t>(0, i - reach), last = std::min(keys, i + reach + 1);
        std::vector<double> gradWeights;
        double shared = 0;
        for (std::int64_t j = first; j < last; ++j) {
            double gradient = 0;
            for (std::int64_t d = 0; d < valueWidth; ++d) {
                gradient += gradOut[i][d] * v[j][d];
                gradV[j][d] += weights[i][j - i + reach] * gradOut[i][d];
            }
            gradWeights.push_back(gradient);
            shared += gradient * weights[i][j - i + reach];
        }
        for (std::int64_t j = first; j < last; ++j) {
            const double gradient = scale * weights[i][j - i + reach] *
                                    (gradWeights[static_cast<std::size_t>(j - first)] - shared);
            for (std::int64_t d = 0; d < width; ++d) {
                gradQ[i][d] += gradient * k[j][d];
                gradK[j][d] += gradient * q[i][d];
            }
        }
    }
};

} // namespace

BandedReference referenceBandedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                         std::int64_t reach, double scale,
                                         const std::vector<std::int64_t>& lengths,
                                         const at::Tensor& gradOut) {
    const std::int64_t tokens = q.size(2);
    const auto inDouble = [](const at::Tensor& x) { return x.detach().to(at::kDouble); };
    const at::Tensor dq = inDouble(q), dk = inDouble(k), dv = inDouble(v), dg = inDouble(gradOut);
    BandedReference r{at::zeros({q.size(0), q.size(1), tokens, 2 * reach + 1}, at::kDouble),
                      at::zeros(v.sizes(), at::kDouble), at::zeros(q.sizes(), at::kDouble),
                      at::zeros(k.sizes(), at::kDouble), at::zeros(v.sizes(), at::kDouble)};
    const auto all = [](const at::Tensor& x) { return x.accessor<double, 4>(); };
    for (std::int64_t b = 0; b < q.size(0); ++b)
        for (std::int64_t h = 0; h < q.size(1); ++h) {
            Head head{all(dq)[b][h],
                      all(dk)[b][h],
                      all(dv)[b][h],
                      all(dg)[b][h],
                      all(r.weights)[b][h],
                      all(r.out)[b][h],
                      all(r.gradQ)[b][h],
                      all(r.gradK)[b][h],
                      all(r.gradV)[b][h],
                      tokens,
                      lengths.empty() ? tokens : lengths[static_cast<std::size_t>(b)],
                      q.size(3),
                      v.size(3),
                      reach,
                      scale};
            for (std::int64_t i = 0; i < tokens; ++i) {
                head.forward(i);
                head.backward(i);
            }
        }
    return r;
}

} // namespace headroom::models
