// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/check_parts.h"
#include "models/kernels/banded.h"
#include "models/kernels/banded_reference.h"
#include "models/layers/gradients.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>

namespace headroom::models {

void checkBand(std::int64_t tokens, std::int64_t reach, at::ScalarType type, c10::Device device,
               const CheckRows& rows) {
    constexpr double kScale = 0.25;
    const auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(tokens));
    const auto make = [&] {
        return at::randn({2, tokens, 3, 20}, generator, at::kDouble).to(type).to(device).transpose(1, 2);
    };
    const at::Tensor q = make().requires_grad_(), k = make().requires_grad_(), v = make().requires_grad_(),
                     gradOut = make();
    const std::vector<std::int64_t> lengths{tokens, tokens / 2};
    const BandedReference expected = referenceBandedAttention(q.cpu(), k.cpu(), v.cpu(), reach, kScale, lengths, gradOut.cpu());
    const bool reduced = type == at::kBFloat16;
    const double bound = type == at::kDouble ? 1e-12 : reduced ? 1e-2 : 1e-5;
    const char* precision = type == at::kDouble ? "float64" : reduced ? "bfloat16" : "float32";
    const auto check = [&](const char* name, const std::function<at::Tensor()>& attention) {
        rows(checkRow(std::string(name) + ", reach " + std::to_string(reach) + ", N " + std::to_string(tokens) +
                          ", forward and backward",
                      precision, bound, [&] {
                          const at::Tensor out = attention();
                          const auto found = gradients(out, {q, k, v}, gradOut);
                          double worst = 0;
                          widenDifference(worst, out, expected.out);
                          widenDifference(worst, found[0], expected.gradQ);
                          widenDifference(worst, found[1], expected.gradK);
                          widenDifference(worst, found[2], expected.gradV);
                          return worst;
                      }));
    };
    check("banded attention in one pass", [&] { return bandedAttention(q, k, v, reach, kScale, lengths); });
    if (!reduced) // scores rounded to eight bits are another function
        check("banded scores, softmax and mix",
              [&] { return bandedMix(bandedSoftmax(bandedScores(q, k, reach, lengths).mul(kScale)), v, reach); });
}

void checkBanded(c10::Device device, const CheckRows& rows) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
        for (const auto& [tokens, reach] : std::vector<std::pair<std::int64_t, std::int64_t>>{
                 {1, 0}, {7, 10}, {130, 2}, {130, 10}, {130, 129}})
            checkBand(tokens, reach, type, device, rows);
}

} // namespace headroom::models
