// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/contributions.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/einsum.h>

#include <cmath>
#include <vector>

namespace headroom::models {

at::Tensor contributionsMaterialised(const at::Tensor& attention, const at::Tensor& transformed,
                                     const at::Tensor& residual) {
    at::Tensor terms = at::einsum("hij,hjd->ijd", {attention, transformed}); // [query, key, width]
    terms.diagonal(0, 0, 1).add_(residual.t());                              // [width, token]
    const at::Tensor norms = terms.norm(2, -1);                              // [query, key]
    return norms.div(norms.sum(-1, true));
}

Matrix<double> referenceContributions(const at::Tensor& attention, const at::Tensor& values,
                                      const at::Tensor& outputWeight, const at::Tensor& residual,
                                      std::span<const std::int64_t> queries) {
    const at::Tensor a = attention.to(at::kDouble).contiguous(); // [head, query, key]
    const at::Tensor u = transformedValues(values.to(at::kDouble), outputWeight.to(at::kDouble))
                             .contiguous();                     // [head, token, width]
    const at::Tensor x = residual.to(at::kDouble).contiguous(); // [token, width]
    const std::int64_t heads = u.size(0), tokens = u.size(1), width = u.size(2), count = a.size(1);
    const double* map = a.const_data_ptr<double>();
    const double* rows = u.const_data_ptr<double>();
    const double* residuals = x.const_data_ptr<double>();

    Matrix<double> result(queries.size(), static_cast<std::size_t>(tokens));
    std::vector<double> term(static_cast<std::size_t>(width)); // T_ij
    for (std::size_t row = 0; row < queries.size(); ++row) {
        const std::int64_t i = queries[row];
        double sum = 0;
        for (std::int64_t j = 0; j < tokens; ++j) {
            for (std::int64_t d = 0; d < width; ++d)
                term[static_cast<std::size_t>(d)] = i == j ? residuals[i * width + d] : 0.0;
            for (std::int64_t h = 0; h < heads; ++h) {
                const double weight = map[(h * count + static_cast<std::int64_t>(row)) * tokens + j];
                const double* transformed = rows + (h * tokens + j) * width;
                for (std::int64_t d = 0; d < width; ++d)
                    term[static_cast<std::size_t>(d)] += weight * transformed[d];
            }
            double square = 0;
            for (const double value : term)
                square += value * value;
            const double norm = std::sqrt(square);
            result(row, static_cast<std::size_t>(j)) = norm;
            sum += norm;
        }
        if (sum != 0)
            for (double& value : result.row(row))
                value /= sum;
    }
    return result;
}

} // namespace headroom::models
