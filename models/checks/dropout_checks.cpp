// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/check_parts.h"
#include "models/layers/dropout.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>

namespace headroom::models {
namespace {

/// The same draw on both devices.
at::Tensor droppedFromSeed(const at::Tensor& x) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(5);
    return dropped(x, 0.3);
}

} // namespace

void checkDropout(c10::Device device, const CheckRows& rows) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const at::Tensor before =
        generator.get_state(); // whoever trains afterwards draws as if nothing had been checked
    const auto own = at::detail::createCPUGenerator(4);
    for (const auto& [type, precision] :
         {std::pair{at::kFloat, "float32"}, {at::kDouble, "float64"}, {at::kBFloat16, "bfloat16"}}) {
        const at::Tensor x = at::randn({3, 1001}, own, at::kDouble).to(type);
        rows(checkRow("dropout, the numbers of the CPU", precision, 0, [&] {
            double worst = 0;
            widenDifference(worst, droppedFromSeed(x.to(device)), droppedFromSeed(x).to(at::kDouble));
            return worst;
        }));
    }
    generator.set_state(before);
}

} // namespace headroom::models
