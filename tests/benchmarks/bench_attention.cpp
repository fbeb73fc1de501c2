// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/bench_attention.h"

#include "models/layers/device.h"
#include "tests/benchmarks/attention_cases.h"
#include "tests/benchmarks/bench_on_device.h"
#include "tests/benchmarks/measure.h"

#include <c10/core/GradMode.h>

#include <cstring>

namespace headroom::benchmarks {
namespace {

constexpr int kThreads = 2;

std::function<void()> inInference(const std::function<void()>& work) {
    return [work] {
        const c10::NoGradGuard inference;
        work();
    };
}

BenchmarkRow row(const std::string& name, const std::string& alternative, const std::function<void()>& ours,
                 const std::function<void()>& other, int pairs = 3) {
    const PairedTimes times = pairedTimes(ours, other, pairs);
    BenchmarkRow result;
    result.name = name;
    result.ours = times.ours * 1e3;
    result.alternative = times.alternative * 1e3;
    result.unit = "ms";
    result.alternativeName = alternative;
    result.ratio = times.ratio;
    result.note = std::to_string(times.pairs) + " pairs, " + std::to_string(kThreads) + " threads";
    result.megabytes = peakTensorBytes(ours) / 1e6;
    result.alternativeMegabytes = peakTensorBytes(other) / 1e6;
    return result;
}

void measureKind(const AttentionKind& kind, std::int64_t tokens, int pairs, const RowFilter& wanted, const RowSink& report) {
    const std::string name = kind.name() + ", N " + std::to_string(tokens), full = "full by ATen's SDPA";
    const bool forward = wanted(name + ", forward"), backward = wanted(name + ", with backward");
    if (!forward && !backward)
        return;
    const AttentionCase numbers(kind, tokens);
    const auto tell = [&](BenchmarkRow measured, double localRatio) {
        const bool plain = std::strcmp(kind.positions, "none") == 0;
        if (plain && std::strcmp(kind.heads, "4 full") == 0)
            measured.wanted = 0.97;
        else if (plain && tokens == 1052 && std::strcmp(kind.heads, "4 local 21") == 0)
            measured.wanted = localRatio;
        report(measured);
    };
    if (forward)
        tell(row(name + ", forward", full, inInference([&] { numbers.ours(); }), inInference([&] { numbers.full(); }), pairs),
             10);
    if (backward)
        tell(row(
                 name + ", with backward", full, [&] { numbers.backward(numbers.ours(), true); },
                 [&] { numbers.backward(numbers.full(), false); }, pairs),
             0);
}

/// Local attention at 10,000 tokens and at 100,000: ten times the time and the memory.
BenchmarkRow growth(const std::string& name) {
    const AttentionKind local{"4 local 21", "none"};
    const AttentionCase many(local, 100'000), few(local, 10'000);
    BenchmarkRow result = row(
        name, "ten times N 10000",
        [&] { many.backward(many.ours(), true); },
        [&] {
            for (int k = 0; k < 10; ++k)
                few.backward(few.ours(), true);
        });
    result.alternativeMegabytes *= 10; // the ten run one after the other
    return result;
}

void measureReuse(int heads, const RowFilter& wanted, const RowSink& report) {
    const std::string own = std::to_string(heads) + " full", again = std::to_string(heads) + " reuse 1";
    const std::string name = "4 layers, one map, H " + std::to_string(heads) + ", N 192",
                      full = "4 full layers, relative positions";
    if (!wanted(name + ", forward") && !wanted(name + ", with backward"))
        return;
    const AttentionLayers reusing({own, again, again, again}, 192), baseline({own, own, own, own}, 192);
    BenchmarkRow forward = row(name + ", forward", full, inInference([&] { reusing.forward(); }),
                               inInference([&] { baseline.forward(); }));
    BenchmarkRow both = row(
        name + ", with backward", full, [&] { reusing.forwardAndBackward(); },
        [&] { baseline.forwardAndBackward(); });
    for (BenchmarkRow* measured : {&forward, &both}) {
        measured->note += ", projections included";
        measured->wanted = 1.5;
        if (wanted(measured->name))
            report(*measured);
    }
}

} // namespace

void benchmarkAttention(bool quick, int pairs, const RowFilter& wanted, const RowSink& report) {
    if (models::usedDeviceId() != "cpu")
        return localAttentionOnDevice(quick, wanted, report);
    const Threads threads(kThreads);
    for (const AttentionKind& kind : attentionKinds())
        for (const std::int64_t tokens : {64, 166, 512, 1052, 4096})
            if (!quick || tokens <= 166)
                measureKind(kind, tokens, pairs, wanted, report);
    if (const std::string name = "local 21, N 100000, with backward"; !quick && wanted(name))
        report(growth(name));
    for (const int heads : {4, 8})
        measureReuse(heads, wanted, report);
}

} // namespace headroom::benchmarks
