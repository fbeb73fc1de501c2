// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/freezing.h"

#include "core/architecture/weight_shapes.h"

#include <ATen/core/Tensor.h>

#include <string>

namespace headroom::training {

void setEncoderLearns(const models::Parameters& parameters, bool learns) {
    parameters.forEach([&](const std::string& name, const at::Tensor& parameter) {
        if (isOfEncoder(name) && !parameters.isBuffer(name) && parameter.requires_grad() != learns)
            parameter.set_requires_grad(learns);
    });
}

} // namespace headroom::training
