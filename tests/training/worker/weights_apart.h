// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/safetensors.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

namespace headroom::testing {

/// The largest difference between the weights of two models, divided by the largest weight. Without the biases of keys:
/// softmax does not see them, so their gradient is rounding alone, and Adam makes steps of full size of it. So it is with a bias
/// before BatchNorm, which subtracts it again with the mean that it keeps.
inline double weightsApart(const std::filesystem::path& left, const std::filesystem::path& right) {
    const Safetensors a(left), b(right);
    double largest = 0, apart = 0;
    for (const std::string& name : a.names()) {
        const bool beforeNorm = a.contains("model.encoder.conv.norms.0.running_mean") &&
                                ((name.find(".conv.conv_layers.") != std::string::npos && name.ends_with(".bias")) ||
                                 (name.find(".conv.norms.") != std::string::npos && name.ends_with("running_mean")));
        if (name.ends_with("k_proj.bias") || beforeNorm)
            continue;
        const TensorView tensor = a.tensor(name), other = b.tensor(name);
        const auto* x = reinterpret_cast<const float*>(tensor.bytes.data());
        const auto* y = reinterpret_cast<const float*>(other.bytes.data());
        for (std::size_t i = 0; i < tensor.bytes.size() / sizeof(float); ++i) {
            largest = std::max(largest, std::abs(double(x[i])));
            apart = std::max(apart, std::abs(double(x[i]) - double(y[i])));
        }
    }
    return apart / largest;
}

} // namespace headroom::testing
