// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/parameters.h"
#include "models/networks/s2t_encoder.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

namespace headroom::testing {

/// Random weights of every tensor that the networks name.
inline models::Parameters madeParameters(const Architecture& architecture) {
    models::Parameters result;
    for (const auto& tensor : models::expectedTensors(architecture, false)) {
        if (!tensor.buffer)
            result.set(tensor.name, at::randn(tensor.shape).mul_(0.05).set_requires_grad(true));
        else
            result.setBuffer(tensor.name, tensor.name.ends_with("running_mean") ? at::zeros(tensor.shape)
                                                                                : at::ones(tensor.shape));
    }
    return result;
}

/// The encoder's output for one recording of noise.
inline at::Tensor encodedNoise(const Architecture& architecture, const models::Parameters& parameters,
                               std::int64_t frames, const models::Dropout& dropout = {}) {
    return models::encodeBatch(parameters, architecture,
                               at::randn({1, frames, architecture.frontEnd.features}), {frames},
                               models::Padding::Safe, {}, dropout);
}

} // namespace headroom::testing
