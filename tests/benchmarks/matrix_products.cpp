// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/matrix_products.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <vector>

namespace headroom::benchmarks {
namespace {

struct Product {
    std::int64_t times, batch, rows, in, out;
    at::Tensor a, b, result;
};

/// Long inputs are multiplied so many rows at a time: what a convolution reads would not be laid out as a whole either.
constexpr std::int64_t kRows = 1500;

} // namespace

MatrixProducts matrixProducts(const Architecture& architecture, std::int64_t rows) {
    const c10::InferenceMode inference;
    std::vector<Product> products;
    double operations = 0;
    const auto add = [&](std::int64_t times, std::int64_t batch, std::int64_t count, std::int64_t in, std::int64_t out) {
        operations += 2.0 * static_cast<double>(times * batch * count) * static_cast<double>(in * out);
        const std::int64_t parts = (count + kRows - 1) / kRows, each = count / parts;
        products.push_back({times * parts, batch, each, in, out, at::randn({batch, each, in}), at::randn({batch, in, out}),
                            at::empty({batch, each, out})});
    };
    const Architecture::FrontEnd& front = architecture.frontEnd;
    const std::int64_t width = architecture.encoder.width, feedForward = architecture.encoder.feedForward;
    std::int64_t window = front.computedTokens(rows); // Whisper's is longer than the recording
    for (const int stride : front.strides)
        window *= stride;
    rows = std::max(rows, window);
    std::int64_t in = front.planes.empty() ? front.features : 1;
    for (std::size_t k = 0; k < front.kernels.size(); ++k) {
        const std::int64_t out = !front.planes.empty() ? front.planes[k] : k + 1 == front.kernels.size() ? width : front.channels;
        rows = (rows + 2 * front.padding(k) - front.kernels[k]) / front.strides[k] + 1;
        add(1, 1, rows, front.kernels[k] * in, out);
        in = out;
    }
    if (!front.planes.empty())
        add(1, 1, rows, in, width);
    if (const auto& positions = architecture.encoder.positionalConvolution)
        add(positions->layers, positions->groups, rows, positions->kernel * width / positions->groups, width / positions->groups);
    const auto layers = static_cast<std::int64_t>(architecture.encoder.layers.size());
    const std::int64_t heads = architecture.encoder.layers.front().headCount();
    add(4 * layers, 1, rows, width, width);
    add(layers, 1, rows, width, feedForward);
    add(layers, 1, rows, feedForward, width);
    add(layers, heads, rows, width / heads, rows);
    add(layers, heads, rows, rows, width / heads);
    return {[products = std::move(products)]() mutable {
                const c10::InferenceMode mode;
                for (Product& product : products)
                    for (std::int64_t time = 0; time < product.times; ++time)
                        at::bmm_out(product.result, product.a, product.b);
            },
            operations};
}

} // namespace headroom::benchmarks
