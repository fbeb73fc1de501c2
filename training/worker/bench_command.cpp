// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/layers/device.h"
#include "tests/benchmarks/bench_attention.h"
#include "tests/benchmarks/bench_contributions.h"
#include "tests/benchmarks/bench_decoding.h"
#include "tests/benchmarks/bench_families.h"
#include "tests/benchmarks/bench_filterbank.h"
#include "tests/benchmarks/bench_mixing.h"
#include "tests/benchmarks/bench_phones.h"
#include "tests/benchmarks/bench_windows.h"
#include "training/worker/commands.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace headroom::training {

namespace {

using RowSink = std::function<void(const benchmarks::BenchmarkRow&)>;

/// Measures, fewer and smaller things if options.quick.
using Measure = std::function<void(const BenchOptions&, const RowSink&)>;

struct Benchmark {
    const char* name;
    Measure measure;
};

/// A benchmark that tells its rows when it is done.
Measure inOnePiece(std::vector<benchmarks::BenchmarkRow> (*measure)()) {
    return [measure](const BenchOptions&, const RowSink& report) {
        for (const auto& row : measure())
            report(row);
    };
}

void studies(const BenchOptions& options, const RowSink& report) {
    benchmarks::benchmarkWindows(options.quick, report);
    inOnePiece(benchmarks::benchmarkPhones)(options, report);
}

const std::vector<Benchmark>& all() {
    static const std::vector<Benchmark> list{
        {"filterbank", inOnePiece(benchmarks::benchmarkFilterbank)},
        {"contributions", inOnePiece(benchmarks::benchmarkContributions)},
        {"analysis", inOnePiece(benchmarks::benchmarkAnalysis)},
        {"attention", [](const BenchOptions&, const RowSink& report) { benchmarks::benchmarkAttention(report); }},
        {"mixing",
         [](const BenchOptions& options, const RowSink& report) { benchmarks::benchmarkMixing(options.quick, report); }},
        {"families",
         [](const BenchOptions& options, const RowSink& report) {
             benchmarks::benchmarkFamilies(options.quick, options.python, report);
         }},
        {"decoding",
         [](const BenchOptions& options, const RowSink& report) {
             benchmarks::benchmarkDecoding(options.quick, options.python, report);
         }},
        {"loading",
         [](const BenchOptions& options, const RowSink& report) { benchmarks::benchmarkLoading(options.quick, report); }},
        {"studies", studies}};
    return list;
}

constexpr const char* kTraining = "train";

std::string text(const benchmarks::BenchmarkRow& row) {
    char line[512], memory[96] = "";
    if (row.alternativeMegabytes > 0)
        std::snprintf(memory, sizeof memory, "; memory %.3g times, %.4g MB and %.4g MB",
                      row.megabytes / row.alternativeMegabytes, row.megabytes, row.alternativeMegabytes);
    std::snprintf(line, sizeof line, "%-44s %10.4g %-6s %10.4g %-6s %6.2f  against %s%s%s%s",
                  row.name.c_str(), row.ours, row.unit.c_str(), row.alternative, row.unit.c_str(), row.ratio,
                  row.alternativeName.c_str(), memory, row.note.empty() ? "" : "; ", row.note.c_str());
    return line;
}

} // namespace

std::vector<std::string> benchmarkNames() {
    std::vector<std::string> names;
    for (const auto& benchmark : all())
        names.emplace_back(benchmark.name);
    names.emplace_back(kTraining);
    return names;
}

void bench(const BenchOptions& options, Console& console) {
    const auto& names = options.names;
    if (const std::string device = models::usedDeviceId();
        device != "cpu" && (names.size() != 1 || names.front() != kTraining))
        throw Error("bench.device",
                    "The benchmarks measure the processor, except `bench train`, which takes --device " + device + ".",
                    {{"device", device}});
    auto list = nlohmann::json::array();
    std::vector<const Benchmark*> chosen;
    for (const auto& benchmark : all())
        if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end())
            chosen.push_back(&benchmark);
    std::int64_t done = 0;
    for (const auto* benchmark : chosen) {
        console.progress(done++, static_cast<std::int64_t>(chosen.size()), benchmark->name);
        benchmark->measure(options, [&](const benchmarks::BenchmarkRow& row) {
            console.line(text(row));
            list.push_back({{"benchmark", benchmark->name},
                            {"name", row.name},
                            {"ours", row.ours},
                            {"alternative", row.alternative},
                            {"unit", row.unit},
                            {"alternativeName", row.alternativeName},
                            {"ratio", row.ratio},
                            {"note", row.note}});
            if (row.alternativeMegabytes > 0) {
                list.back()["megabytes"] = row.megabytes;
                list.back()["alternativeMegabytes"] = row.alternativeMegabytes;
            }
        });
    }
    nlohmann::json training;
    if (std::find(names.begin(), names.end(), kTraining) != names.end() ||
        (names.empty() && !options.data.empty()))
        training = benchTraining(options, console);
    console.document({{"format", "headroom/benchmarks"},
                      {"version", 1},
                      {"rows", std::move(list)},
                      {"training", std::move(training)}});
}

} // namespace headroom::training
