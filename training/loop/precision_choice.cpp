// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/precision_choice.h"

#include "training/loop/batch_loss.h"

#include <ATen/core/Tensor.h>

#include <chrono>
#include <cstdio>

namespace headroom::training {

PrecisionChoice choosePrecision(const models::Parameters& parameters, const Architecture& architecture,
                                const Recipe::Loss& loss, const Batch& batch) {
    using Clock = std::chrono::steady_clock;
    models::Parameters measured = parameters; // with statistics of its own: measuring leaves no trace
    parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
        if (parameters.isBuffer(name))
            measured.setBuffer(name, tensor.clone());
    });
    const auto secondsIn = [&](const char* precision) {
        Clock::time_point start;
        for (int i = 0; i < 3; ++i) {
            if (i == 1)
                start = Clock::now();
            const PrecisionScope scope(precision);
            batchLoss(measured, architecture, loss, batch, true, true);
        }
        parameters.forEach([](const std::string&, const at::Tensor& one) { one.mutable_grad().reset(); });
        return std::chrono::duration<double>(Clock::now() - start).count() / 2;
    };
    const double single = secondsIn("fp32"), half = secondsIn("bf16");
    PrecisionChoice choice;
    choice.precision = half < single ? "bf16" : "fp32";
    char text[160];
    std::snprintf(text, sizeof text,
                  "Precision %s: a batch of %lld frames takes %.2f s in fp32 and %.2f s in bf16.",
                  choice.precision.c_str(), static_cast<long long>(batch.sourceFrames), single, half);
    choice.sentence = text;
    return choice;
}

} // namespace headroom::training
