// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/check_parts.h"
#include "models/kernels/ctc.h"

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

namespace headroom::models {

void checkCtc(c10::Device device, const CheckRows& rows) {
    const auto own = at::detail::createCPUGenerator(6);
    const at::Tensor numbers = at::randn({4, 20, 11}, own, at::kDouble);
    const std::vector<std::int64_t> tokens{20, 13, 9, 3};
    const std::vector<std::vector<int>> texts{{1, 1, 2, 7, 1}, {}, {3, 10}, {4, 4, 4}}; // the last one does not fit
    const auto gradientOf = [](const at::Tensor& logits, const auto& lossOf) {
        const at::Tensor leaf = logits.detach().clone().set_requires_grad(true);
        const at::Tensor loss = lossOf(at::log_softmax(leaf, -1)); // [batch, token, vocabulary]
        loss.backward();
        return std::pair(loss.detach(), leaf.grad());
    };
    const auto expected = gradientOf(numbers, [&](const at::Tensor& logs) {
        return at::ctc_loss(logs.transpose(0, 1), at::tensor({1, 1, 2, 7, 1, 3, 10, 4, 4, 4}, at::kLong), tokens, {5, 0, 2, 3}, 0,
                            at::Reduction::Sum, true);
    });
    for (const auto& [type, precision, bound] : {std::tuple{at::kFloat, "float32", 1e-6}, {at::kDouble, "float64", 1e-12}})
        rows(checkRow("CTC, loss and gradient", precision, bound, [&, type = type] {
            const auto found = gradientOf(numbers.to(device, type), [&](const at::Tensor& logs) { return ctcLoss(logs, tokens, texts, 0); });
            double worst = 0;
            widenDifference(worst, found.first, expected.first);
            widenDifference(worst, found.second, expected.second);
            return worst;
        }));
}

} // namespace headroom::models
