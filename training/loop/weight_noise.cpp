// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/weight_noise.h"

#include "models/kernels/sent.h"
#include "training/data/random.h"

#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>

#include <string>

namespace headroom::training {

WeightNoise::WeightNoise(const models::Parameters& parameters, double deviation, std::uint64_t seed,
                         std::int64_t update, std::int64_t pass) {
    if (deviation == 0)
        return;
    at::Generator generator = at::detail::createCPUGenerator(randomFor(seed, Purpose::WeightNoise,
                                                                       static_cast<std::uint64_t>(update),
                                                                       static_cast<std::uint64_t>(pass))
                                                                 .next());
    parameters.forEach([&](const std::string&, const at::Tensor& parameter) {
        if (!parameter.requires_grad())
            return;
        const at::Tensor values = parameter.detach();
        m_kept.emplace_back(values, values.clone());
        const at::Tensor noise = at::randn(values.sizes(), generator, values.options().device(c10::kCPU)); // the same everywhere
        values.add_(models::sent(noise, values.device()), deviation);
    });
}

WeightNoise::~WeightNoise() {
    for (auto& [values, kept] : m_kept)
        values.copy_(kept);
}

} // namespace headroom::training
