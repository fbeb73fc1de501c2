// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_on_device.h"

#include "models/attention/multi_head.h"
#include "models/kernels/contributions.h"
#include "models/kernels/device_operators.h"
#include "models/layers/basic.h"
#include "models/layers/device.h"
#include "tests/benchmarks/attention_cases.h"
#include "tests/benchmarks/measure.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Device.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace headroom::benchmarks {
namespace {

using namespace headroom::models;

constexpr std::int64_t kLayers = 12, kDeviceWidth = 256, kDeviceHeads = 4;
constexpr const char* kFlash = "flash attention with the window";
constexpr const char* kFull = "full by ATen's SDPA";

const char* shortName(at::ScalarType type) {
    return type == at::kBFloat16 ? "bf16" : "fp32";
}

double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    return a.to(at::kFloat).sub(b.to(at::kFloat)).abs().max().cpu().item<double>();
}

/// What the layers read, on the device: another map for each.
struct Layers {
    Layers(std::int64_t tokens, at::ScalarType type) {
        const auto there = [&](const at::Tensor& made) { return onDevice(made.to(type)); };
        x = there(at::randn({tokens, kDeviceWidth}));
        for (std::int64_t layer = 0; layer < kLayers; ++layer)
            maps.push_back(there(at::softmax(at::randn({kDeviceHeads, tokens, tokens}).mul_(2), -1)));
        parameters.set("norm.weight", there(at::ones({kDeviceWidth})));
        parameters.set("norm.bias", there(at::zeros({kDeviceWidth})));
        parameters.set("value.weight", there(at::randn({kDeviceWidth, kDeviceWidth}).mul_(0.06)));
        parameters.set("value.bias", there(at::randn({kDeviceWidth}).mul_(0.06)));
        parameters.set("output.weight", there(at::randn({kDeviceWidth, kDeviceWidth}).mul_(0.06)));
    }
    /// u [head, token, width], as an analysis makes it
    at::Tensor projected() const {
        const Scope layer(parameters);
        const at::Tensor values = linear(layer / "value", layerNorm(layer / "norm", x));
        return transformedValues(splitHeads(values.unsqueeze(0), kDeviceHeads).squeeze(0), layer["output.weight"])
            .contiguous();
    }

    at::Tensor x;
    std::vector<at::Tensor> maps;
    Parameters parameters;
};

/// C, with its profile. bfloat16 is the kernels' own, with sums and results in float.
at::Tensor fused(const at::Tensor& map, const at::Tensor& u, const at::Tensor& x) {
    const std::int64_t tokens = x.size(0);
    at::Tensor out = at::empty({tokens, tokens}, map.options().dtype(at::kFloat));
    at::Tensor profile = at::empty({2 * tokens - 1}, map.options().dtype(at::kDouble));
    if (map.scalar_type() == at::kBFloat16)
        device::contributions(map, u, x, tokens, false, out, profile, std::nullopt);
    else
        contributions(map, u, x, tokens, out, profile);
    return out;
}

BenchmarkRow contributionsRow(std::int64_t tokens, at::ScalarType type) {
    const Layers layers(tokens, type);
    at::Tensor matrix, twin;
    const auto ours = [&] {
        for (const at::Tensor& map : layers.maps)
            matrix = fused(map, layers.projected(), layers.x);
    };
    const auto materialised = [&] {
        for (const at::Tensor& map : layers.maps)
            twin = contributionsMaterialised(map, layers.projected(), layers.x);
    };
    const PairedTimes times = pairedTimes(ours, materialised);
    const at::Tensor u = layers.projected();
    std::vector<double> alone;
    for (int round = 0; round < 5; ++round)
        alone.push_back(secondsOf([&] {
            for (const at::Tensor& map : layers.maps)
                matrix = fused(map, u, layers.x);
        }));
    char note[200];
    std::snprintf(note, sizeof note, "%d pairs; %.3g ms without projections; largest difference of C %.1e%s",
                  times.pairs, 1e3 * median(alone), largestDifference(matrix, twin),
                  hasDeviceKernels(layers.x) ? "; wanted: at most 0.5 ms on an H200"
                                             : "; on the processor, for want of kernels");
    BenchmarkRow row{"contributions of 12 layers, N " + std::to_string(tokens) + ", d 256, H 4, " +
                         shortName(type),
                     times.ours * 1e3,
                     times.alternative * 1e3,
                     "ms",
                     "materialised in ATen there",
                     times.ratio,
                     note};
    row.wanted = 20;
    return row;
}

void measureLocal(const AttentionCase& numbers, const std::string& name, bool backward, bool beside,
                  const RowSink& report) {
    const auto work = [&](const std::function<at::Tensor()>& forward, bool ours) -> std::function<void()> {
        return [&numbers, forward, backward, ours] {
            const c10::AutoGradMode gradients(backward);
            const at::Tensor mixed = forward();
            if (backward)
                numbers.backward(mixed, ours);
        };
    };
    const auto ours = work([&] { return numbers.ours(); }, true);
    const auto theirs = work([&] { return beside ? numbers.flash() : numbers.full(); }, false);
    const PairedTimes times = pairedTimes(ours, theirs);
    BenchmarkRow row{name,
                     times.ours * 1e3,
                     times.alternative * 1e3,
                     "ms",
                     beside ? kFlash : kFull,
                     times.ratio,
                     std::to_string(times.pairs) + " pairs"};
    if (beside) {
        char text[64];
        std::snprintf(text, sizeof text, "; largest difference %.1e",
                      largestDifference(numbers.ours(), numbers.flash()));
        row.note += text;
    }
    row.wanted = beside ? 1.3 : 3;
    row.megabytes = peakTensorBytes(ours) / 1e6;
    row.alternativeMegabytes = peakTensorBytes(theirs) / 1e6;
    report(row);
}

} // namespace

void contributionsOnDevice(bool quick, const RowSink& report) {
    const c10::InferenceMode inference;
    for (const at::ScalarType type : {at::kBFloat16, at::kFloat})
        if (type == at::kFloat || hasDeviceKernels(at::empty({0}, at::TensorOptions().device(usedDevice()))))
            report(contributionsRow(quick ? 64 : 1052, type));
}

void localAttentionOnDevice(bool quick, const RowFilter& wanted, const RowSink& report) {
    const AttentionKind local{"4 local 21", "none"};
    for (const std::int64_t tokens : {1052, 4096}) {
        const std::int64_t length = quick ? tokens / 32 : tokens,
                           batch = std::max<std::int64_t>(1, (quick ? 256 : 32768) / length);
        const std::string name = local.name() + ", N " + std::to_string(length) + ", " +
                                 std::to_string(batch) + " recordings, bf16, ";
        if (!wanted(name + "forward") && !wanted(name + "with backward"))
            continue;
        const AttentionCase numbers(local, length, batch, at::kBFloat16);
        for (const bool backward : {false, true})
            for (const bool flash : {true, false})
                if (const std::string row = name + (backward ? "with backward" : "forward"); wanted(row))
                    measureLocal(numbers, row, backward, flash, report);
    }
}

} // namespace headroom::benchmarks
