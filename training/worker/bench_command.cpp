// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/layers/device.h"
#include "tests/benchmarks/bench_attention.h"
#include "tests/benchmarks/bench_contributions.h"
#include "tests/benchmarks/bench_decoding.h"
#include "tests/benchmarks/bench_families.h"
#include "tests/benchmarks/bench_filterbank.h"
#include "tests/benchmarks/bench_mixing.h"
#include "tests/benchmarks/bench_on_device.h"
#include "tests/benchmarks/bench_phones.h"
#include "tests/benchmarks/bench_windows.h"
#include "training/worker/commands.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

namespace {

using benchmarks::RowSink;

/// Measures, fewer and smaller things if options.quick.
using Measure = std::function<void(const BenchOptions&, const RowSink&)>;

struct Benchmark {
    const char* name;
    Measure measure;
    bool everywhere = false; ///< measures the device that was chosen; otherwise the CPU
};

/// A benchmark that tells its rows when it is done.
Measure inOnePiece(std::vector<benchmarks::BenchmarkRow> (*measure)()) {
    return [measure](const BenchOptions&, const RowSink& report) {
        for (const auto& row : measure())
            report(row);
    };
}

benchmarks::RowFilter filterOf(const BenchOptions& options) {
    return [only = options.only](const std::string& name) { return name.find(only) != std::string::npos; };
}

void contributions(const BenchOptions& options, const RowSink& report) {
    if (models::usedDeviceId() != "cpu")
        return benchmarks::contributionsOnDevice(options.quick, report);
    for (const auto& row : benchmarks::benchmarkContributions(options.quick))
        report(row);
}

void attention(const BenchOptions& options, const RowSink& report) {
    benchmarks::benchmarkAttention(options.quick, static_cast<int>(options.pairs), filterOf(options), report);
}

void studies(const BenchOptions& options, const RowSink& report) {
    benchmarks::benchmarkWindows(options.quick, filterOf(options), report);
    if (options.only.empty() && models::usedDeviceId() == "cpu")
        inOnePiece(benchmarks::benchmarkPhones)(options, report);
}

const std::vector<Benchmark>& all() {
    static const std::vector<Benchmark> list{
        {"filterbank", inOnePiece(benchmarks::benchmarkFilterbank)},
        {"contributions", contributions, true},
        {"analysis", inOnePiece(benchmarks::benchmarkAnalysis)},
        {"attention", attention, true},
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
        {"studies", studies, true}};
    return list;
}

constexpr const char* kTraining = "train";

std::string text(const benchmarks::BenchmarkRow& row) {
    char line[640], memory[96] = "", wanted[40] = "";
    if (row.alternativeMegabytes > 0)
        std::snprintf(memory, sizeof memory, "; memory %.3g times, %.4g MB and %.4g MB",
                      row.megabytes / row.alternativeMegabytes, row.megabytes, row.alternativeMegabytes);
    if (row.wanted > 0)
        std::snprintf(wanted, sizeof wanted, "; wanted: %.3g times", row.wanted);
    std::snprintf(line, sizeof line, "%-44s %10.4g %-6s %10.4g %-6s %6.2f  against %s%s%s%s%s",
                  row.name.c_str(), row.ours, row.unit.c_str(), row.alternative, row.unit.c_str(), row.ratio,
                  row.alternativeName.c_str(), memory, row.note.empty() ? "" : "; ", row.note.c_str(), wanted);
    return line;
}

nlohmann::json document(const Benchmark& benchmark, const benchmarks::BenchmarkRow& row) {
    nlohmann::json result{{"benchmark", benchmark.name},
                          {"name", row.name},
                          {"ours", row.ours},
                          {"alternative", row.alternative},
                          {"unit", row.unit},
                          {"alternativeName", row.alternativeName},
                          {"ratio", row.ratio},
                          {"note", row.note}};
    if (row.alternativeMegabytes > 0) {
        result["megabytes"] = row.megabytes;
        result["alternativeMegabytes"] = row.alternativeMegabytes;
    }
    if (row.wanted > 0)
        result["wanted"] = row.wanted;
    return result;
}

/// The benchmarks that were named, or all that measure `device`. Throws Error "bench.device" for one that does not.
std::vector<const Benchmark*> chosenOf(const std::vector<std::string>& names, const std::string& device) {
    std::vector<const Benchmark*> chosen;
    for (const auto& benchmark : all()) {
        const bool measures = device == "cpu" || benchmark.everywhere;
        const bool named = std::find(names.begin(), names.end(), benchmark.name) != names.end();
        if (named && !measures)
            throw Error("bench.device",
                        std::string("`bench ") + benchmark.name + "` only runs on the CPU. With --device " + device +
                            ", choose contributions, attention, studies or train.",
                        {{"device", device}, {"benchmark", benchmark.name}});
        if (named || (names.empty() && measures))
            chosen.push_back(&benchmark);
    }
    return chosen;
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
    const std::vector<const Benchmark*> chosen = chosenOf(names, models::usedDeviceId());
    auto list = nlohmann::json::array();
    std::int64_t done = 0;
    for (const auto* benchmark : chosen) {
        console.progressAt(done++, static_cast<std::int64_t>(chosen.size()), benchmark->name);
        benchmark->measure(options, [&](const benchmarks::BenchmarkRow& row) {
            console.line(text(row));
            list.push_back(document(*benchmark, row));
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
