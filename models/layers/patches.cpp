// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/patches.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>

#include <vector>

namespace headroom::models {

at::Tensor patchTokens(const Scope& encoder, const Architecture::FrontEnd& shape, const at::Tensor& features) {
    const Scope convolution = encoder / "conv" / "conv_layers" / 0;
    const at::Tensor planes =
        at::conv2d(features.transpose(1, 2).unsqueeze(1), convolution["weight"], convolution["bias"],
                   {shape.frequencyStride, shape.strides.front()}); // [batch, width, band, column]
    const std::int64_t batch = planes.size(0), width = planes.size(1), bands = planes.size(2), columns = planes.size(3),
                       classes = shape.classTokens;
    const at::Tensor positions = encoder["patch_positions"].to(planes.scalar_type()); // [1, token, width]
    const auto byColumn = [&](const at::Tensor& x) { // [n, width, band, column] → [n, token, width]
        return x.permute({0, 3, 2, 1}).flatten(1, 2);
    };
    const at::Tensor ofPatches =
        positions.narrow(1, classes, bands * columns).transpose(1, 2).reshape({1, width, bands, columns});
    std::vector<at::Tensor> tokens{byColumn(planes.add(ofPatches))};
    for (std::int64_t n = 0; n < classes; ++n) {
        const at::Tensor one = (encoder / "conv" / "class_tokens")[std::to_string(n)].to(planes.scalar_type());
        tokens.push_back(one.add(positions.narrow(1, n, 1)).expand({batch, 1, width}));
    }
    return at::cat(tokens, 1);
}

} // namespace headroom::models
